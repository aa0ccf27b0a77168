"""A decoder that answers with the most probable relation, its confidence, and the relations it was preferred to.

A parser with a relation stage chooses again among the most probable ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number
from eqparse.errors import EqparseError
from eqparse.parser.calibration import LEAST, Calibration
from eqparse.parser.decode import Greedy, grounded
from eqparse.parser.limits import Reason, reason
from eqparse.parser.parse import Alternative, GroundedEquation
from eqparse.parser.pipeline import EquationParser, chunks
from eqparse.parser.readings import Reading, Search, Widths
from eqparse.parser.rules.unsaid import SURE, misread
from eqparse.stages.relation import Candidate, RelationProblem
from eqparse.stages.tree import TreeProblem
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import TriggerChoice

NO_RELATION = reason("no_equation", "what it says holds for any amounts, for none, or for 0 alone")


ZERO = Number(0)
COMPARED = 8  # relations that the relation stage chooses from
CHOICES = 64  # sentences for which it chooses at once


class Relation(NamedTuple):
    """A relation in its most probable form and grounding.

    probability: the sum of the probabilities of all its readings.
    steps: the log-probabilities of the stages' decisions for that form.
    """

    best: GroundedEquation
    probability: float
    steps: tuple[float, ...] = ()


class NBest:
    """Readings that state one relation are merged, and the relation with the highest sum of probabilities wins."""

    stages_apart = True

    def __init__(self, calibration: Calibration | None = None, *, widths: Widths | None = None) -> None:
        self.calibration = calibration or Calibration()
        self.widths = widths or Widths()

    def decode(self, parser: EquationParser, mentions: Sequence[Mentions]) -> list[GroundedEquation | Reason]:
        found = self.relations(parser, mentions)
        without = [m for m, relations in zip(mentions, found, strict=True) if not relations]
        told = Greedy().decode(parser, without) if without else []  # it knows the limit that is exceeded
        reasons = (  # and an answer that is misread has its reason there
            one if isinstance(one, Reason) or misread(m.sentence.text, one) else NO_RELATION
            for m, one in zip(without, told, strict=True)
        )
        return [answer(one) if one else next(reasons) for one in found]

    def relations(self, parser: EquationParser, mentions: Sequence[Mentions]) -> list[list[Relation]]:
        """The relations that each sentence may state, most probable first."""
        readings = Search(parser, self.calibration.temperatures, self.widths).readings(mentions)
        found = [merged(parser, m, one) for m, one in zip(mentions, readings, strict=True)]
        if parser.relation is None:
            return found
        doubtful = [at for at, relations in enumerate(found) if len(relations) > 1]
        for some in chunks(doubtful, CHOICES):
            problems = [relation_problem(mentions[at], found[at]) for at in some]
            batch = parser.relation.batch(problems)
            scores = parser.relation.scores(batch).double() / self.calibration.temperatures.get("relation", 1.0)
            weights = (scores - batch.space.log_partition(scores).unsqueeze(1)).exp().tolist()
            for at, row in zip(some, weights, strict=True):
                found[at] = weighed_anew(found[at], row)
        return found


def relation_problem(mentions: Mentions, found: Sequence[Relation]) -> RelationProblem:
    """The problem of the relation stage for the relations of a sentence, most probable first."""
    return RelationProblem(mentions, tuple(
        Candidate(one.best.triggers, one.best.nodes, math.log(max(one.probability, LEAST)), one.steps)
        for one in found[:COMPARED]
    ))


def weighed_anew(found: Sequence[Relation], weights: Sequence[float]) -> list[Relation]:
    """The relations that were compared, in the order of the relation stage's weights, which share their probability."""
    compared = found[:COMPARED]
    total = sum(one.probability for one in compared)
    anew = [one._replace(probability=total * w) for one, w in zip(compared, weights, strict=False)]
    return sorted(anew, key=lambda one: -one.probability)


def answer(found: Sequence[Relation]) -> GroundedEquation:
    """The best of some relations, with all of them."""
    weighed = tuple(Alternative(one.best.equation, one.best.variables, one.probability) for one in found)
    return replace(found[0].best, weighed=weighed)


def merged(parser: EquationParser, m: Mentions, found: Iterable[Reading]) -> list[Relation]:
    """The relations of readings (best first), most probable first.

    V1 and V2 are named by their place in the text, so forms that only an exchange of the two makes equal are apart,
    unless both stand for one phrase ("the difference between the two ages").
    What no text states is left out (see `says_nothing`), and so is what is `misread`. Where a rule is `SURE`, the
    probability of all that is misread goes to the other trees over the same numbers and phrases, or without such a tree
    to all other readings.
    """
    forms = [(grounded(parser, TreeProblem(m, r.triggers), r.tree, r.score), r) for r in found]
    ruled = [(*one, misread(m.sentence.text, one[0])) for one in forms]
    kept = {reading.choice for _, reading, rule in ruled if rule is None}
    trees: Counter[TriggerChoice] = Counter()  # the probability of the trees over these triggers that are barred
    lost, sure = 0.0, any(rule in SURE for *_, rule in ruled)
    for _, reading, rule in ruled:
        if sure and rule is not None:
            trees[reading.choice] += math.exp(reading.steps[-1])
            lost += math.exp(reading.log_p) if reading.choice not in kept else 0.0
    same: dict[Equation, Equation | None] = {}  # form -> its relation, or None where it says nothing
    either: dict[Equation, Equation] = {}  # relation of two amounts of one phrase -> itself, or with the two exchanged
    relations: dict[Equation, Relation] = {}
    for form, reading, rule in ruled:
        if rule is not None:
            continue
        if form.equation not in same:
            relation = relation_of(form.equation)
            same[form.equation] = None if says_nothing(form.equation, relation) else relation
        relation = same[form.equation]
        if relation is None:
            continue
        if is_of_one_phrase(form):
            relation = either.setdefault(relation, relation)
            either.setdefault(exchanged(relation), relation)
        known = relations.get(relation, Relation(form, 0.0, reading.steps))
        probability = math.exp(reading.log_p) / (max(1 - trees[reading.choice], LEAST) * max(1 - lost, LEAST))
        relations[relation] = known._replace(probability=known.probability + probability)
    return sorted(relations.values(), key=lambda one: -one.probability)


def says_nothing(equation: Equation, relation: Equation) -> bool:
    """Whether a variable of the equation cancels (V1 = V1 + 3), or an amount or a product has to be 0 (V1 = 3 * V1)."""
    cancels = set(relation.variables) != set(equation.variables)
    return cancels or (relation.right == ZERO and "+" not in str(relation.left))


def is_of_one_phrase(form: GroundedEquation) -> bool:
    """Whether V1 and V2 stand for the same phrase, so that either may be called the first."""
    return len(form.variables) > 1 and len(set(form.variables.values())) == 1


def exchanged(relation: Equation) -> Equation:
    """The relation with V1 and V2 exchanged, in the form of `relation_of`."""
    return relation_of(relation.renamed({"V1": "V2", "V2": "V1"}))


def relation_of(equation: Equation) -> Equation:
    """The canonical form, or the equation itself where it is too large for that."""
    try:
        return equation.canonical()
    except EqparseError:
        return equation
