"""Why a parser preferred its answer: each stage's scores of gold and predicted, and the features that made the odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from eqparse.corpus.example import Example
from eqparse.parser.limits import check_mentions
from eqparse.parser.parse import Parse
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.base import Stage
from eqparse.stages.coreference import DIFFERENT, SAME, CoreferenceProblem
from eqparse.stages.refusal import EQUATION, NONE
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger, trigger_list
from eqparse.training.gold import Gold, gold_sets

TOP = 10
Uses = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class StageScore:
    """A stage's scores, w . phi, of the gold structure (of several the best) and of the predicted one; None if unknown.

    same: both are of one problem, so that they can be compared; after an earlier error they are not.
    """

    stage: str
    gold: float | None
    predicted: float | None
    same: bool

    @property
    def difference(self) -> float | None:
        """How much higher the predicted structure scores, if the two can be compared."""
        comparable = self.same and self.gold is not None and self.predicted is not None
        return self.predicted - self.gold if comparable else None


@dataclass(frozen=True)
class FeatureWeight:
    """weight: how much a feature speaks for the predicted structure, less how much for the gold one."""

    name: str
    weight: float


@dataclass(frozen=True)
class Explanation:
    """scores: of each stage. features: the `TOP` weightiest of `stage`, the first where gold and predicted differ."""

    scores: tuple[StageScore, ...]
    stage: str = ""
    features: tuple[FeatureWeight, ...] = ()


@dataclass(frozen=True)
class Case:
    """A stage's two problems and structures; gold may have several, or none."""

    name: str
    stage: Stage
    problem: Any
    predicted: Any
    gold_problem: Any
    gold: Sequence[Any]

    @property
    def same(self) -> bool:
        return self.problem == self.gold_problem


@torch.no_grad()
def explain(
    parser: EquationParser, example: Example, mentions: Mentions, parse: Parse, *, strings: Callable[[int], str | None]
) -> Explanation:
    """Explain one parse of the parser. strings: spaCy's string of a hash, or None."""
    scores, stage, features = [], "", ()
    for case in cases(parser, example, mentions, parse):
        predicted = None if case.predicted is None else case.stage.score(case.problem, case.predicted)
        rated = [(case.stage.score(case.gold_problem, structure), structure) for structure in case.gold]
        best = max(rated, key=lambda pair: pair[0], default=None)
        if case.same and case.predicted in case.gold:
            best = (predicted, case.predicted)
        scores.append(StageScore(case.name, None if best is None else best[0], predicted, case.same))
        if not stage and case.same and best is not None and case.predicted is not None and best[1] != case.predicted:
            stage = case.name
            features = decisive(case, best[1], strings)
    return Explanation(tuple(scores), stage, features)


def cases(parser: EquationParser, example: Example, mentions: Mentions, parse: Parse) -> Iterable[Case]:
    """The stages in order, as far as the sentence gets in gold or in the parse."""
    if check_mentions(mentions, parser.limits):
        return  # no stage has seen it
    refusal = getattr(parser, "refusal", None)
    if refusal is not None:
        batch = refusal.batch([mentions])
        told = int(batch.space.argmax(refusal.scores(batch)).parts.argmax(1))
        yield Case("refusal", refusal, mentions, told, mentions, [NONE if example.equation is None else EQUATION])
    gold = Gold((), ()) if example.equation is None else gold_sets(example, mentions)
    quantities, uses = read_triggers(mentions, parse.triggers)
    yield Case("quantity", parser.quantity, mentions, quantities, mentions, gold.quantities)
    gold_quantities = quantities if quantities in gold.quantities else next(iter(gold.quantities), None)
    problem = None if quantities is None else VariableProblem(mentions, quantities)
    gold_problem = None if gold_quantities is None else VariableProblem(mentions, gold_quantities)
    phrases = None if uses is None else tuple(candidate for _, candidate in uses)
    choices = sorted({tuple(c for _, c in found) for found in gold.variables}) if gold_problem is not None else []
    yield Case("variable", parser.variable, problem, phrases, gold_problem, choices)
    gold_uses = nearest_uses(gold.variables, uses) if gold_problem is not None else None
    if parser.coreference is not None:
        pair, gold_pair = (named_same(found) for found in (uses, gold_uses))
        if pair is not None or gold_pair is not None:
            made, gold_made = (
                None if same is None else CoreferenceProblem(mentions, tuple(c for _, c in found), len(chosen))
                for same, found, chosen in ((pair, uses, quantities), (gold_pair, gold_uses, gold_quantities))
            )
            golds = [] if gold_pair is None else [gold_pair]
            yield Case("coreference", parser.coreference, made, pair, gold_made, golds)
    yield tree_case(parser, example, mentions, quantities, uses, gold_quantities, gold_uses)


def tree_case(parser, example, mentions, quantities, uses, gold_quantities, gold_uses) -> Case:
    """The tree stage; variables are named in order of position on both sides, as the parser names them."""
    problem = gold_problem = predicted = None
    trees: Sequence[Any] = []
    if uses is not None:
        problem = TreeProblem(mentions, trigger_list(mentions, quantities, uses))
        batch = parser.tree.batch([problem])
        predicted = parser.tree.decode(batch.space.argmax(parser.tree.scores(batch)).parts)[0]
    if gold_uses is not None:
        names = {name: f"V{n}" for n, name in enumerate(dict.fromkeys(name for name, _ in gold_uses), start=1)}
        triggers = trigger_list(mentions, gold_quantities, [(names[name], c) for name, c in gold_uses])
        gold_problem = TreeProblem(mentions, triggers)
        if 2 <= len(triggers) <= parser.tree.max_leaves:
            trees = parser.tree.gold(example.equation.renamed(names), triggers)
    return Case("tree", parser.tree, problem, predicted, gold_problem, trees)


def read_triggers(
    mentions: Mentions, triggers: Sequence[Trigger]
) -> tuple[tuple[int, ...] | None, Uses | None]:
    """The quantities and the uses behind a parse's leaves; None, None where it has no leaves."""
    if not triggers:
        return None, None
    quantity = {(q.start, q.end): n for n, q in enumerate(mentions.quantities)}
    candidate = {(c.start, c.end): n for n, c in enumerate(mentions.candidates)}
    numbers = sorted(quantity[t.start, t.end] for t in triggers if not t.label)
    uses = sorted(((t.label, candidate[t.start, t.end]) for t in triggers if t.label), key=lambda use: (use[1], use[0]))
    return tuple(numbers), tuple(uses)


def nearest_uses(choices: Sequence[Uses], uses: Uses | None) -> Uses | None:
    """Of the gold choices the one that has most phrases of the parse; None without choices."""
    chosen = Counter(candidate for _, candidate in uses or ())
    return max(choices, key=lambda uses: (Counter(c for _, c in uses) & chosen).total(), default=None)


def named_same(uses: Uses | None) -> int | None:
    """Are two mentions one variable? None where there are not two."""
    if uses is None or len(uses) != 2:
        return None
    return SAME if uses[0][0] == uses[1][0] else DIFFERENT


def decisive(case: Case, gold: Any, strings: Callable[[int], str | None]) -> tuple[FeatureWeight, ...]:
    """The features whose weights differ most between the predicted and a gold structure of one problem."""
    total: Counter[str] = Counter()
    for structure, sign in ((case.predicted, 1), (gold, -1)):
        for part in case.stage.explain(case.problem, structure, strings=strings):
            total[part.name] += sign * part.weight
    ranked = sorted(total.items(), key=lambda item: (-abs(item[1]), item[0]))
    return tuple(FeatureWeight(name, value) for name, value in ranked[:TOP] if abs(value) > 1e-6)
