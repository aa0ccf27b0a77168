"""Annotated sentences in, a trained parser out: the stages one after the other, each on the gold choices of the last.

The refusal stage learns from sentences with and without an equation, the others from those with one. The quantity stage
is trained alone. The variable stage sees the gold quantities; where an annotation allows several
phrases, Algorithm 1 of the paper chooses among them. Coreference and tree stage are trained on the phrases so chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import torch

from eqparse.corpus.example import Example
from eqparse.errors import ConfigError, DataError
from eqparse.parser.limits import check_leaves, check_mentions
from eqparse.parser.pipeline import EquationParser, Limits
from eqparse.stages.base import Stage, Task
from eqparse.stages.coreference import DIFFERENT, SAME, CoreferenceProblem
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.refusal import EQUATION, NONE
from eqparse.stages.registry import stage_class
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, VariableStage
from eqparse.structured.spaces.output_space import gold_argmax
from eqparse.structured.svm.latent import LatentResult
from eqparse.structured.svm.solver import Solver
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import trigger_list
from eqparse.training.gold import Gold, gold_sets

MakeSolver = Callable[[str, int], Solver]
"""(stage's name, number of training problems) -> the solver for it."""
Progress = Callable[[str, dict[str, float]], None]
"""Called with a stage's name and its solver's newest history entry."""


@dataclass(frozen=True, kw_only=True)
class StageOptions:
    """What the stages look like.

    features: stage -> its feature groups. bits: 2**bits hash buckets. coreference: "learned" or "rules".
    phrases: learn to ground a variable in the "first" phrase that its annotation lists, or in "any" of them, whichever
    the model likes best (the latent step of Algorithm 1). refusal: learn to say "no equation" where the training
    sentences hold some without one.
    lexicon: restricts the tree search, or None. limits: what a sentence may hold. The others are the ablations: see
    `QuantityStage`, `VariableStage`, `TreeStage` and, where not projective, `SubsetTreeStage`.
    classes: stage -> a user-defined class in the place of these.
    """

    features: dict[str, tuple[str, ...]]
    bits: int = 18
    coreference: str = "learned"
    refusal: bool = True
    phrases: str = "first"
    lexicon: Lexicon | None = None
    limits: Limits = field(default_factory=Limits)
    independent_quantities: bool = False
    variable_overlap: bool = True
    lexicon_use: str = "constraint"
    projective: bool = True
    syntactic: bool = False
    classes: dict[str, type[Stage]] = field(default_factory=dict)


@dataclass(frozen=True)
class Training:
    """The trained parser, and for each stage what its solver found, from how many problems, in how many seconds."""

    parser: EquationParser
    results: dict[str, LatentResult]
    problems: dict[str, int]
    seconds: dict[str, float]

    @property
    def report(self) -> dict[str, dict[str, Any]]:
        """For each stage, where its solver stopped: in the last round, epochs and seconds of all rounds."""
        report = {}
        for stage, result in self.results.items():
            last = result.rounds[-1]
            report[stage] = {
                "problems": self.problems[stage],
                "objective": last.objective,
                "dual": last.dual,
                "gap": last.gap,
                "converged": last.converged,
                "epochs": sum(r.epochs for r in result.rounds),
                "rounds": len(result.rounds),
                "choices_at_rest": result.converged,
                "seconds": round(self.seconds[stage], 3),
            }
        return report


def build_parser(options: StageOptions) -> EquationParser:
    """An untrained parser; all its weights are 0. Raises ConfigError for an option that a user-defined class lacks."""

    def make(name: str, **ablations: Any) -> Stage:
        kind = options.classes.get(name) or stage_class(name, projective=options.projective)
        changed = {key: value for key, value in ablations.items() if value is not None}
        try:
            return kind(groups=options.features[name], bits=options.bits, **changed)
        except TypeError as error:
            raise ConfigError(
                f"stage.classes.{name}: expected a class that takes {', '.join(['groups', 'bits', *changed])}; "
                f"found {kind.__name__}: {error}"
            ) from error

    tree = make(
        "tree",
        lexicon=options.lexicon,
        lexicon_use=options.lexicon_use if options.lexicon_use != "constraint" else None,
        syntactic=options.syntactic or None,
    )
    return EquationParser(
        quantity=make("quantity", independent=options.independent_quantities or None),
        variable=make("variable", overlap=None if options.variable_overlap else False),
        tree=tree,
        coreference=make("coreference") if options.coreference == "learned" else None,
        refusal=make("refusal") if options.refusal and "refusal" in options.features else None,
        limits=replace(options.limits, leaves=min(options.limits.leaves, tree.max_leaves)),
    )


def train_parser(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    options: StageOptions,
    make_solver: MakeSolver,
    block_size: int = 8,
    max_rounds: int = 5,
    auxiliary: Collection[str] = (),
    seed: int = 0,
    device: torch.device | str = "cpu",
    progress: Progress | None = None,
) -> Training:
    """Train all stages; sentences that no parse can get right, or that `options.limits` refuse, are left out.

    auxiliary: ids of examples from other data than the parser is for. Where a phrase begins and ends is a convention
    that differs between data, so the variable stage learns from their first phrases alone, and as `Stage.fit` says;
    the other stages as ever.
    Raises DataError where no example can be learned from.
    """
    parser = build_parser(options).to(device).train()
    results: dict[str, LatentResult] = {}
    problems: dict[str, int] = {}
    seconds: dict[str, float] = {}

    def fit(stage: Stage, tasks: list[Task]) -> None:
        if not tasks:
            raise DataError(
                f"{stage.name} stage: expected at least one sentence to learn from, found none among "
                f"{len(examples)}; see `gold_sets` and `eqparse.parser.limits` for why a sentence is left out"
            )
        tell = None if progress is None else lambda entry: progress(stage.name, entry)
        start = perf_counter()
        results[stage.name] = stage.fit(
            tasks, make_solver(stage.name, len(tasks)), block_size=block_size, max_rounds=max_rounds, seed=seed,
            progress=tell,
        )
        seconds[stage.name] = perf_counter() - start
        problems[stage.name] = len(tasks)

    # as in parsing: the features of one that is refused might not fit into memory
    kept = [(e, m) for e, m in zip(examples, mentions, strict=True) if check_mentions(m, parser.limits) is None]
    states = [EQUATION if e.equation is not None else NONE for e, _ in kept]
    if len(set(states)) < 2:
        parser.refusal = None  # nothing to tell apart: every sentence gets an equation
    if parser.refusal is not None:
        fit(parser.refusal, [Task(m, [state]) for (_, m), state in zip(kept, states, strict=True)])
    usable = [
        (e, m, gold_sets(e, m, first_phrase=options.phrases == "first" or e.id in auxiliary))
        for e, m in kept
        if e.equation is not None
    ]
    fit(parser.quantity, [Task(m, g.quantities) for _, m, g in usable if g.quantities])
    usable = [(e, m, g) for e, m, g in usable if not g.reason]
    variable = [Task(VariableProblem(m, g.quantities[0]), phrase_choices(g), e.id in auxiliary) for e, m, g in usable]
    fit(parser.variable, variable)
    chosen = choose_phrases(parser.variable, variable)

    coreference, tree = [], []
    for (example, m, gold), phrases in zip(usable, chosen, strict=True):
        uses = next(uses for uses in gold.variables if tuple(c for _, c in uses) == phrases)
        if len(uses) == 2:
            same = SAME if uses[0][0] == uses[1][0] else DIFFERENT
            problem = CoreferenceProblem(m, phrases, len(gold.quantities[0]))
            coreference.append(Task(problem, [same]))
        triggers = trigger_list(m, gold.quantities[0], uses)
        trees = parser.tree.gold(example.equation, triggers)
        if trees and check_leaves(len(triggers), parser.limits) is None:
            tree.append(Task(TreeProblem(m, triggers), trees))
    if parser.coreference is not None and coreference:
        fit(parser.coreference, coreference)
    fit(parser.tree, tree)
    return Training(parser.eval(), results, problems, seconds)


def phrase_choices(gold: Gold) -> list[tuple[int, ...]]:
    """The gold structures of the variable stage: the phrases without their labels."""
    return sorted({tuple(candidate for _, candidate in uses) for uses in gold.variables})


@torch.no_grad()
def choose_phrases(stage: VariableStage, tasks: Sequence[Task], *, batch_size: int = 64) -> list[tuple[int, ...]]:
    """y+ = argmax over the gold set under the trained weights, for each task."""
    chosen = []
    for at in range(0, len(tasks), batch_size):
        chunk = tasks[at : at + batch_size]
        batch = stage.batch([task.problem for task in chunk])
        block = stage.block(chunk, batch.inputs, batch.space)
        best = gold_argmax(stage.scores(batch), block.gold, block.gold_mask)
        chosen += stage.decode([task.problem for task in chunk], best.parts.argmax(1).tolist())
    return chosen
