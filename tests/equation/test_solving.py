"""The value of an unknown, and the unit that the numbers leave for it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from equations import equations
from hypothesis import assume, given
from hypothesis import strategies as st

from eqparse.equation.equation import Equation, Number, Operation, Variable
from eqparse.equation.solving import solved, unit_of_unknown
from eqparse.errors import UndeterminedError

EXACT = st.fractions(max_denominator=50, min_value=-1000, max_value=1000)


@pytest.mark.parametrize(("text", "value"), [
    ("14 + V1 = 20", 6),
    ("2 * V2 = 17.5", Fraction(35, 4)),
    ("V1 - (0.3 * V1) = 56", 80),
    ("5320 / V1 = 280", 19),
    ("V1 / 3 = 0.1", Fraction(3, 10)),
    ("V1 * V1 = (V1 * V1) + V1", 0),
])
def test_the_value_is_exact(text, value):
    assert solved(Equation.parse(text))[1] == value


@pytest.mark.parametrize(("text", "why"), [
    ("V1 = 30 + (2 * V2)", "found V1, V2"),
    ("2 + 3 = 5", "found none"),
    ("V1 = V1 + 3", "none solves it"),
    ("2 * V1 = V1 + V1", "any value"),
    ("V1 * V1 = 9", "to the power 2"),
    ("V1 / (2 - 2) = 3", "division by 0"),
    ("(V1 - 3) / (V1 - 3) = V1 - 2", "none solves it"),
    (" + ".join(["V1"] * 70) + " = 3", "at most 64 leaves"),
])
def test_what_is_not_determined_says_why(text, why):
    with pytest.raises(UndeterminedError, match=why):
        solved(Equation.parse(text))


@given(EXACT, EXACT, EXACT)
def test_a_linear_equation_gives_back_its_value(a, b, value):
    assume(a)
    left = Operation("+", Operation("*", Number(a), Variable("V1")), Number(b))
    assert solved(Equation(left, Number(a * value + b))) == ("V1", value)


@given(equations())
def test_a_value_makes_both_sides_equal(equation):
    try:
        name, value = solved(equation)
    except UndeterminedError:
        return

    def of(node):
        if isinstance(node, Operation):
            left, right = of(node.left), of(node.right)
            return {"+": left.__add__, "-": left.__sub__, "*": left.__mul__, "/": left.__truediv__}[node.op](right)
        return node.exact if isinstance(node, Number) else value

    assert equation.variables == (name,) and of(equation.left) == of(equation.right)


@pytest.mark.parametrize(("text", "units", "unit"), [
    ("V1 = 30 + 12", ["m", "m"], "m"),
    ("14 + V1 = 20", ["m", "m"], "m"),
    ("14 + V1 = 20", ["m", "ft"], None),
    ("14 + V1 = 20", ["m", None], None),
    ("V1 = 3 * 12", ["", "m"], "m"),
    ("V1 = 3 * 12", [None, "m"], None),
    ("V1 = 3 * 12", ["eggs", "$"], None),
    ("0.12 * V1 = 60", ["", "$"], "$"),
    ("V1 - (0.3 * V1) = 56", ["", "$"], "$"),
    ("5 * V1 = 40", ["eggs", "$"], None),
    ("V1 = 52 / 40", ["m", "m"], ""),
    ("12 * V1 = 36", ["m", "m"], ""),
    ("36 / V1 = 12", ["m", "m"], ""),
    ("36 / V1 = 12", ["m", ""], "m"),
    ("200 / 25 = V1", ["l", "min"], None),
    ("V1 * V1 = 36", ["m"], None),
])
def test_the_unit_follows_from_the_numbers_or_is_left_open(text, units, unit):
    assert unit_of_unknown(Equation.parse(text), units) == unit
