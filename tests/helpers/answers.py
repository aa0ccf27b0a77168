"""Answers with given phrases, made without a model."""

from __future__ import annotations

import re

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number
from eqparse.parser.parse import GroundedEquation
from eqparse.parser.rules.shape import Shape, shape
from eqparse.stages.rearranged import trees_that_say
from eqparse.text.quantities import find_quantities
from eqparse.text.triggers import Trigger


def answered(text: str, equation: str, *phrases: str) -> Shape:
    """The shape of an equation as the answer to a text; phrases: where V1, then V2, first stands in it,
    and where the last of them stands again."""
    found = Equation.parse(equation)
    values = [leaf.value for leaf in found.leaves() if isinstance(leaf, Number)]
    numbers = []
    for quantity in find_quantities(text):
        if quantity.value in values:
            values.remove(quantity.value)
            numbers.append(Trigger(quantity.start, quantity.end, 0, 0, quantity=quantity))
    assert not values, f"{text!r} lacks {values}"
    places = [re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text).span() for phrase in phrases]
    last = len(found.variables)
    unknown = [Trigger(start, end, 0, 0, label=f"V{min(n, last)}") for n, (start, end) in enumerate(places, 1)]
    triggers = tuple(sorted([*numbers, *unknown], key=lambda trigger: trigger.start))
    trees = trees_that_say(found, triggers)
    assert trees, f"{text!r} has no tree for {equation}"
    return shape(text, GroundedEquation.from_tree(triggers, trees[0], 0.0))
