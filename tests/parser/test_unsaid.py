"""Answers that cannot be what the text states."""

from __future__ import annotations

import pytest
from tiny import hand_made

from eqparse.equation.equation import Equation
from eqparse.parser.parse import GroundedEquation
from eqparse.parser.reasons import reason
from eqparse.parser.unsaid import unsaid
from eqparse.stages.derivation import gold_trees
from eqparse.text.triggers import trigger_list

TEXT = ("The/DT/1/det mean/NN/5/nsubj of/IN/1/prep two/CD/4/nummod jars/NNS/2/pobj is/VBZ/5/ROOT 15/CD/5/attr")


def answer(equation: str, quantities: tuple[int, ...]) -> GroundedEquation:
    """The equation of the text, its variables in "two jars"."""
    (m,) = hand_made(TEXT)
    (jars,) = [n for n, c in enumerate(m.candidates) if m.sentence.text[c.start : c.end] == "two jars"]
    triggers = trigger_list(m, quantities, (("V1", jars), ("V2", jars)))
    return GroundedEquation.from_tree(triggers, gold_trees(Equation.parse(equation), triggers)[0], 0.0)


SUM, MEAN = answer("V1 + V2 = 15", (1,)), answer("(V1 + V2) / 2 = 15", (0, 1))


@pytest.mark.parametrize("text, found, refused", [
    ("The mean of two jars is 15", SUM, True),
    ("The average of two jars is 15", SUM, True),
    ("On average two jars hold 15", SUM, True),
    ("Two jars averaged 15", SUM, True),
    ("The average weight of both jars is 15", SUM, True),
    ("The mean of two jars is 15", MEAN, False),
    ("The sum of two jars is 15", SUM, False),
    ("The two averages add up to 15", SUM, False),
    ("The sum of the average weights of two jars is 15", SUM, False),
    ("The mean weights of two jars total 15", SUM, False),
    ("The mean of two jars is 15", answer("V1 * V2 = 15", (1,)), False),
    ("The mean of two jars is 15", reason("no_equation"), False),
])
def test_an_average_is_no_sum(text, found, refused):
    assert (unsaid(text, found) is not None) is refused
