"""Annotated sentences in, a trained parser out: the stages one after the other, each on the gold choices of the last.

The refusal stage learns from sentences with and without an equation, the others from those with one. The quantity stage
is trained alone. The variable stage sees the gold quantities; where an annotation allows several
phrases, Algorithm 1 of the paper chooses among them. Coreference and tree stage are trained on the phrases so chosen.
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
from eqparse.parser.limits import check_mentions
from eqparse.parser.pipeline import EquationParser, chunks
from eqparse.parser.texts import SentenceParser
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
"""(stage's name, number of training problems) -> the solver for it."""
Progress = Callable[[str, dict[str, float]], None]
"""Called with a stage's name and its solver's newest history entry."""


@dataclass
class Training:
    """A trained parser of any system, and how training went.

    report: stage or other part -> plain data, which metrics.json has under `solver`.
    results: stage -> what its solver found.
    """

    parser: SentenceParser
    report: dict[str, dict[str, Any]] = field(default_factory=dict)
    results: dict[str, LatentResult] = field(default_factory=dict)

    def add(self, name: str, result: LatentResult, *, problems: int, seconds: float) -> None:
        """Add a stage's result. The report says where its solver stopped: epochs and seconds are those of all rounds,
        the rest is of the last one.
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
        """Train a stage and add its result. how: options of `Stage.fit`."""
        start = perf_counter()
        tell = None if progress is None else partial(progress, stage.name)
        result = stage.fit(tasks, make_solver(stage.name, len(tasks)), progress=tell, **how)
        self.add(stage.name, result, problems=len(tasks), seconds=perf_counter() - start)


def build_parser(*, features: Mapping[str, Collection[str]], options: StageOptions) -> EquationParser:
    """An untrained parser; all its weights are 0.

    features: stage -> its feature groups. Raises ConfigError for an option that a user-defined class lacks.
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
    """Train all stages; sentences that no parse can get right, or that `options.limits` refuse, are left out.

    features: stage -> its feature groups.
    phrases: learn to ground a variable in the first phrase that its annotation lists, or in whichever of them the model
        likes best (the latent step of Algorithm 1).
    auxiliary: ids of examples from other data than the parser is for. Where a phrase begins and ends is a convention
    that differs between data, so the variable stage learns from their first phrases alone, and as `Stage.fit` says;
    the other stages as ever.
    Raises DataError where no example can be learned from.
    """
    parser = build_parser(features=features, options=options).to(device).train()
    training = Training(parser)
    # as in parsing: the features of one that is refused might not fit into memory
    kept = [(e, m) for e, m in zip(examples, mentions, strict=True) if check_mentions(m, parser.limits) is None]
    chosen: dict[str, tuple[int, ...]] = {}  # id -> those that the stages after the variable stage are given
    for name, kind in STAGES.items():
        stage = getattr(parser, name)
        if stage is None:
            continue
        first = {e.id for e, _ in kept if phrases == Phrases.first or e.id in auxiliary}
        steps = stage_steps(parser, name, kept, first_phrase=first, phrases=chosen)
        if name == "refusal" and len({step.gold for _, step in steps}) < 2:
            parser.refusal = None  # nothing to tell apart: every sentence gets an equation
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
    """A stage's steps in the sentences where a structure is right, each with its sentence's id.

    first_phrase: ids of the sentences of which the first phrases alone are gold; see `gold_sets`. phrases: id -> those
    that the stages after the variable stage are given, by default the first gold ones.
    """
    found = []
    for example, m in pairs:

        def choose(step: Step, id_: str = example.id) -> Any:
            return phrases[id_] if phrases and step.stage == "variable" else first_choice(step)

        walk = gold_steps(parser, example, m, first_phrase=example.id in first_phrase, choose=choose)
        step = next((step for step in walk if step.stage == name), None)
        if step is not None and step.gold:
            found.append((example.id, step))
    return found


@torch.no_grad()
def choose_phrases(stage: VariableStage, tasks: Sequence[Task], *, batch_size: int = 64) -> list[tuple[int, ...]]:
    """y+ = argmax over the gold set under the trained weights, for each task."""
    chosen = []
    for some in chunks(tasks, batch_size):
        problems = [task.problem for task in some]
        batch = stage.batch(problems)
        block = stage.block(some, batch.inputs, batch.space)
        chosen += stage.decode(gold_argmax(stage.scores(batch), block.gold, block.gold_mask).parts, problems)
    return chosen
