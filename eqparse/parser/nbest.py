"""A decoder that answers with the most probable relation, its confidence, and the relations it was preferred to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number
from eqparse.errors import EqparseError
from eqparse.parser.calibration import Calibration
from eqparse.parser.decode import Greedy, grounded
from eqparse.parser.limits import Reason, reason
from eqparse.parser.parse import Alternative, GroundedEquation
from eqparse.parser.pipeline import EquationParser
from eqparse.parser.readings import Reading, Search, Widths
from eqparse.parser.unsaid import adds_a_distance, shape
from eqparse.stages.tree import TreeProblem
from eqparse.text.mentions import Mentions

NO_RELATION = reason("no_equation", "what it says holds for any amounts, for none, or for 0 alone")


class Relation(NamedTuple):
    """A relation in its most probable form and grounding, and the sum of the probabilities of all its readings."""

    best: GroundedEquation
    probability: float


class NBest:
    """Readings that state one relation are merged, and the relation with the highest sum of probabilities wins."""

    stages_apart = True

    def __init__(self, calibration: Calibration | None = None, *, widths: Widths | None = None) -> None:
        self.calibration = calibration or Calibration()
        self.widths = widths or Widths()

    def decode(self, parser: EquationParser, mentions: Sequence[Mentions]) -> list[GroundedEquation | Reason]:
        found = self.relations(parser, mentions)
        without = [m for m, relations in zip(mentions, found, strict=True) if not relations]
        told = iter(Greedy().decode(parser, without) if without else [])  # it knows the limit that is exceeded
        reasons = (one if isinstance(one, Reason) else NO_RELATION for one in told)
        return [answer(one) if one else next(reasons) for one in found]

    def relations(self, parser: EquationParser, mentions: Sequence[Mentions]) -> list[list[Relation]]:
        """The relations that each sentence may state, most probable first."""
        found = Search(parser, self.calibration.temperatures, self.widths).readings(mentions)
        return [merged(parser, m, one) for m, one in zip(mentions, found, strict=True)]


def answer(found: Sequence[Relation]) -> GroundedEquation:
    """The best of some relations, with all of them."""
    weighed = tuple(Alternative(one.best.equation, one.best.variables, one.probability) for one in found)
    return replace(found[0].best, weighed=weighed)


def merged(parser: EquationParser, m: Mentions, found: Iterable[Reading]) -> list[Relation]:
    """The relations of readings (best first), most probable first.

    V1 and V2 are named by their place in the text, so forms that only an exchange of the two makes equal are apart.
    What no text states is left out (see `says_nothing`), and so is a sum of what lies apart, which is a difference.
    """
    forms = [
        (grounded(parser, TreeProblem(m, r.choice.triggers(m)), r.tree, r.score), math.exp(r.log_p)) for r in found
    ]
    same: dict[Equation, Equation] = {}  # form -> its relation
    relations: dict[Equation, Relation] = {}
    for form, p in forms:
        if form.equation not in same:
            same[form.equation] = relation_of(form.equation)
        relation = same[form.equation]
        if says_nothing(form.equation, relation) or adds_a_distance(shape(m.sentence.text, form)):
            continue
        best, before = relations.get(relation, (form, 0.0))
        relations[relation] = Relation(best, before + p)
    return sorted(relations.values(), key=lambda one: -one.probability)


def says_nothing(equation: Equation, relation: Equation) -> bool:
    """Whether a variable of the equation cancels (V1 = V1 + 3), or an amount or a product has to be 0 (V1 = 3 * V1)."""
    cancels = set(relation.variables) != set(equation.variables)
    return cancels or (relation.right == Number(0) and "+" not in str(relation.left))


def relation_of(equation: Equation) -> Equation:
    """The canonical form, or the equation itself where it is too large for that."""
    try:
        return equation.canonical()
    except EqparseError:
        return equation
