"""Trains a parser on annotated sentences, one stage at a time, each on gold choices for the earlier stages.

The refusal stage learns from sentences with and without an equation, the other stages only from those with one. It
comes last: of a sentence with an equation it is given the gold answer, of one without the answer that the other stages
find, which have not seen the sentence. The variable stage is given the gold quantities; if an annotation allows several
phrases, Algorithm 1 of the paper chooses among them. The coreference and tree stages are trained on the phrases chosen
in this way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Any

import torch

from eqparse.corpus.example import Example
from eqparse.errors import ConfigError, DataError
from eqparse.parser.batch import SentenceParser
from eqparse.parser.limits import check_mentions
from eqparse.parser.pipeline import EquationParser, chunks
from eqparse.stages.base import Stage, Task
from eqparse.stages.registry import STAGES, stage_class
from eqparse.stages.variable import VariableStage
from eqparse.structured.spaces.output_space import gold_argmax
from eqparse.structured.svm.latent import LatentResult
from eqparse.structured.svm.solver import Solver
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import MAX_VARIABLE_MENTIONS
from eqparse.training.gold import Step, first_choice, gold_steps
from eqparse.training.options import Coreference, LexiconUse, Phrases, StageOptions

MakeSolver = Callable[[str, int], Solver]
"""(stage name, number of training problems) -> the solver for that stage."""
Progress = Callable[[str, dict[str, float]], None]
"""Called with a stage's name and the latest entry of its solver's history."""


@dataclass
class Training:
    """A trained parser of any system, and how training went.

    parser: the trained parser.
    report: stage or other part -> plain data, stored in metrics.json under `solver`.
    results: stage -> the result of its solver.
    """

    parser: SentenceParser
    report: dict[str, dict[str, Any]] = field(default_factory=dict)
    results: dict[str, LatentResult] = field(default_factory=dict)

    def add(self, name: str, result: LatentResult, *, problems: int, seconds: float) -> None:
        """Add a stage's result.

        In the report, epochs and seconds are totals over all rounds; the other figures are those of the last round.
        """
        last = result.rounds[-1]
        self.results[name] = result
        self.report[name] = {
            "problems": problems,
            "objective": last.objective,
            "dual": last.dual,
            "gap": last.gap,
            "converged": last.converged,
            "epochs": sum(r.epochs for r in result.rounds),
            "rounds": len(result.rounds),
            "choices_at_rest": result.converged,
            "seconds": round(seconds, 3),
        }

    def fit(
        self, stage: Stage, tasks: Sequence[Task], make_solver: MakeSolver, *, progress: Progress | None, **how: Any
    ) -> None:
        """Train a stage and add its result. how: further options of `Stage.fit`."""
        start = perf_counter()
        tell = None if progress is None else partial(progress, stage.name)
        result = stage.fit(tasks, make_solver(stage.name, len(tasks)), progress=tell, **how)
        self.add(stage.name, result, problems=len(tasks), seconds=perf_counter() - start)


def build_parser(*, features: Mapping[str, Collection[str]], options: StageOptions) -> EquationParser:
    """An untrained parser, with all weights 0.

    features: stage -> its feature groups.

    Raises ConfigError if a user-defined class does not take an option that it is given.
    """
    classes = options.find_classes()

    def make(name: str, **ablations: Any) -> Stage:
        kind = classes.get(name) or stage_class(name, projective=options.projective)
        changed = {key: value for key, value in ablations.items() if value is not None}
        try:
            return kind(groups=features[name], bits=options.bits, **changed)
        except TypeError as error:
            raise ConfigError(
                f"stage.classes.{name}: expected a class that takes {', '.join(['groups', 'bits', *changed])}; "
                f"found {kind.__name__}: {error}"
            ) from error

    tree = make(
        "tree",
        lexicon=options.read_lexicon(),
        lexicon_use=options.lexicon_use if options.lexicon_use != LexiconUse.constraint else None,
        syntactic=options.syntactic or None,
    )
    return EquationParser(
        quantity=make("quantity", independent=options.independent_quantities or None),
        variable=make(
            "variable",
            overlap=None if options.variable_overlap else False,
            max_mentions=options.variable_mentions if options.variable_mentions != MAX_VARIABLE_MENTIONS else None,
        ),
        tree=tree,
        coreference=make("coreference") if options.coreference == Coreference.learned else None,
        refusal=make("refusal", answer_cost=options.answer_cost) if options.refusal and "refusal" in features else None,
        limits=replace(options.limits, leaves=min(options.limits.leaves, tree.max_leaves)),
    )


def train_parser(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    features: Mapping[str, Collection[str]],
    options: StageOptions,
    phrases: Phrases,
    make_solver: MakeSolver,
    block_size: int,
    max_rounds: int,
    auxiliary: Collection[str] = (),
    seed: int = 0,
    device: torch.device | str = "cpu",
    progress: Progress | None = None,
) -> Training:
    """Train all stages, without the sentences that no parse can get right or that exceed `options.limits`.

    features: stage -> its feature groups.
    phrases: ground a variable in the first phrase that its annotation lists, or in whichever of them scores highest
        (the latent step of Algorithm 1).
    auxiliary: ids of examples that come from other data than the parser is meant for. Conventions on where a phrase
        begins and ends differ between data sets, so the variable stage learns only from their first phrases, in the way
        that `Stage.fit` describes. The other stages treat them like the rest.

    Raises DataError if there is no example to learn from.
    """
    parser = build_parser(features=features, options=options).to(device).train()
    training = Training(parser)
    # the limits hold in training too: the features of a larger sentence might not fit into memory
    kept = [(e, m) for e, m in zip(examples, mentions, strict=True) if check_mentions(m, parser.limits) is None]
    chosen: dict[str, tuple[int, ...]] = {}  # id -> the phrases given to the stages after the variable stage
    for name, kind in STAGES.items():
        stage = getattr(parser, name)
        if stage is None:
            continue
        if progress is not None:
            progress(name, {})
        parser.train(name != "refusal")  # which is given the answers of a parse
        first = {e.id for e, _ in kept if phrases == Phrases.first or e.id in auxiliary}
        steps = stage_steps(parser, name, kept, first_phrase=first, phrases=chosen)
        if name == "refusal" and len({step.gold for _, step in steps}) < 2:
            parser.refusal = None  # there is only one class to learn, so every sentence gets an equation
            continue
        if not steps and not kind.required:
            continue
        if not steps:
            raise DataError(
                f"{name} stage: expected at least one sentence to learn from, found none among "
                f"{len(examples)}; see `gold_sets` and `eqparse.parser.limits` for why a sentence is left out"
            )
        tasks = [Task(step.problem, step.gold, name == "variable" and id_ in auxiliary) for id_, step in steps]
        training.fit(
            stage, tasks, make_solver, block_size=block_size, max_rounds=max_rounds, seed=seed, progress=progress
        )
        if name == "variable":
            chosen = dict(zip((id_ for id_, _ in steps), choose_phrases(stage, tasks), strict=True))
    parser.eval()
    return training


def stage_steps(
    parser: EquationParser,
    name: str,
    pairs: Sequence[tuple[Example, Mentions]],
    *,
    first_phrase: Collection[str] = (),
    phrases: Mapping[str, tuple[int, ...]] | None = None,
) -> list[tuple[str, Step]]:
    """A stage's steps with the ids of their sentences, for the sentences that have a right structure.

    first_phrase: ids of the sentences in which only the first phrases are gold; see `gold_sets`.
    phrases: id -> the phrases given to the stages after the variable stage, by default the first gold ones.
    """
    found = []
    for example, m in pairs:
        if example.equation is None and name != "refusal":
            continue

        def choose(step: Step, id_: str = example.id) -> Any:
            return phrases[id_] if phrases and step.stage == "variable" else first_choice(step)

        walk = gold_steps(parser, example, m, first_phrase=example.id in first_phrase, choose=choose)
        step = next((step for step in walk if step.stage == name), None)
        if step is not None and step.gold:
            found.append((example.id, step))
    return found


@torch.no_grad()
def choose_phrases(stage: VariableStage, tasks: Sequence[Task], *, batch_size: int = 64) -> list[tuple[int, ...]]:
    """For each task the best-scoring gold structure under the trained weights, y+ = argmax over the gold set."""
    chosen = []
    for some in chunks(tasks, batch_size):
        problems = [task.problem for task in some]
        batch = stage.batch(problems)
        block = stage.block(some, batch.inputs, batch.space)
        chosen += stage.decode(gold_argmax(stage.scores(batch), block.gold, block.gold_mask).parts, problems)
    return chosen
