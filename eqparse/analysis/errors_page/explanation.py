"""Why a parser preferred its answer: each stage's scores of gold and predicted, and the features that decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from eqparse.corpus.example import Example
from eqparse.parser.limits import check_mentions
from eqparse.parser.parse import Parse
from eqparse.parser.pipeline import EquationParser, refusal_problem
from eqparse.scoring.encoder.encoder import remembering
from eqparse.stages.base import Contribution, Stage
from eqparse.stages.coreference import CoreferenceProblem, coreference_of
from eqparse.stages.registry import STAGES
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger, TriggerChoice
from eqparse.training.gold import Step, gold_steps

TOP = 10
NOTHING = (None, None)  # a stage's problem and structure if the parse does not reach the stage


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
        """How much higher the predicted structure scores, if the two scores can be compared."""
        comparable = self.same and self.gold is not None and self.predicted is not None
        return self.predicted - self.gold if comparable else None


@dataclass(frozen=True)
class Explanation:
    """scores: of each stage. features: the deciding ones of `stage`, the first where gold and predicted differ."""

    scores: tuple[StageScore, ...]
    stage: str = ""
    features: tuple[Contribution, ...] = ()


@dataclass(frozen=True)
class Case:
    """A stage's problem in the parse and in gold, with the predicted structure and those that are right, if any."""

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
@remembering()
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
            features = deciding_features(case, best[1], strings)
    return Explanation(tuple(scores), stage, features)


def cases(parser: EquationParser, example: Example, mentions: Mentions, parse: Parse) -> Iterator[Case]:
    """The stages in order, as far as the sentence gets in gold or in the parse."""
    if check_mentions(mentions, parser.limits):
        return  # no stage has seen it
    found = parse_steps(parser, mentions, parse)

    def choose(step: Step) -> Any:
        return closest(step, found.get(step.stage, NOTHING)[1])

    gold = {step.stage: step for step in gold_steps(parser, example, mentions, renamed=True, choose=choose)}
    for name in STAGES:
        stage = getattr(parser, name)
        if stage is not None and (name != "coreference" or name in found or name in gold):
            step = gold.get(name, Step(name, None, ()))
            yield Case(name, stage, *found.get(name, NOTHING), step.problem, step.gold)


def parse_steps(parser: EquationParser, mentions: Mentions, parse: Parse) -> dict[str, tuple[Any, Any]]:
    """Stage -> its problem in a parse, and the structure that the parse has."""
    found: dict[str, tuple[Any, Any]] = {}
    if parser.refusal is not None:
        asked = refusal_problem(mentions, *parser.answers([mentions]))
        found["refusal"] = (asked, parser.refusal.argmax([asked])[0][0])
    if parse.triggers:
        choice = read_triggers(mentions, parse.triggers)
        found["quantity"] = (mentions, choice.quantities)
        found["variable"] = (VariableProblem(mentions, choice.quantities), choice.phrases)
        same = coreference_of(choice.groundings)
        if same is not None:
            found["coreference"] = (CoreferenceProblem(mentions, choice.phrases, len(choice.quantities)), same)
        problem = TreeProblem(mentions, choice.triggers(mentions))
        found["tree"] = (problem, parser.tree.structure(parse.triggers, parse.nodes, problem.triggers))
    return found


def read_triggers(mentions: Mentions, triggers: Sequence[Trigger]) -> TriggerChoice:
    """The quantities and the groundings behind a parse's leaves."""
    quantity = {(q.start, q.end): n for n, q in enumerate(mentions.quantities)}
    candidate = {(c.start, c.end): n for n, c in enumerate(mentions.candidates)}
    numbers = sorted(quantity[t.start, t.end] for t in triggers if not t.label)
    named = [(t.label, candidate[t.start, t.end]) for t in triggers if t.label]
    return TriggerChoice(tuple(numbers), tuple(sorted(named, key=lambda one: (one[1], one[0]))))


def closest(step: Step, predicted: Any) -> Any:
    """The gold structure closest to the prediction: the same, else the one that shares most phrases, else the first."""
    if step.stage == "variable" and predicted is not None:
        return max(step.gold, key=lambda phrases: (Counter(phrases) & Counter(predicted)).total())
    return predicted if predicted in step.gold else step.gold[0]


def deciding_features(case: Case, gold: Any, strings: Callable[[int], str | None]) -> tuple[Contribution, ...]:
    """The `TOP` features that contribute most to the difference in score between the predicted structure and gold."""
    total: Counter[str] = Counter()
    for structure, sign in ((case.predicted, 1), (gold, -1)):
        for part in case.stage.explain(case.problem, structure, strings=strings):
            total[part.name] += sign * part.weight
    return heaviest(total)


def heaviest(total: Counter[str]) -> tuple[Contribution, ...]:
    """The `TOP` features with the greatest weights, up or down."""
    ranked = sorted(total.items(), key=lambda item: (-abs(item[1]), item[0]))
    return tuple(Contribution(name, value) for name, value in ranked[:TOP] if abs(value) > 1e-6)
