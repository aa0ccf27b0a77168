"""Equations for SymPy and in LaTeX."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from equations import equations, parse
from hypothesis import given, settings

from eqparse.equation.equation import Equation, Number, Operation, Variable


@given(equations(max_leaves=5))
@settings(max_examples=50)
def test_sympy_keeps_the_form(equation):
    result = equation.to_sympy()
    assert type(result) is sympy.Eq
    atoms = [atom for atom in sympy.preorder_traversal(result) if isinstance(atom, sympy.Symbol)]
    assert sorted(map(str, atoms)) == sorted(
        leaf.name for leaf in equation.leaves() if isinstance(leaf, Variable)
    )


def test_sympy_solves_with_exact_numbers():
    v1, v2 = sympy.symbols("V1 V2")
    assert sympy.solve(parse("V1 = 30 + (0.1 * V2)").to_sympy(), v2) == [10 * v1 - 300]
    assert sympy.solve(parse("(V1 - 0.2) / (V1 * 3) = 1").to_sympy(), v1) == [sympy.Rational(-1, 10)]
    assert str(parse("2 = 2").to_sympy()) == "Eq(2, 2)"
    assert isinstance(parse("1 / 0 = V1").to_sympy(), sympy.Eq)


def test_sympy_evaluates_where_asked():
    assert str(parse("V1 - 15 = 2 * 3").to_sympy(evaluate=True)) == "Eq(V1 - 15, 6)"
    assert str(parse("V1 - 15 = 2 * 3").to_sympy()) != "Eq(V1 - 15, 6)"
    assert str(parse("V1 = V2 / 4").to_sympy(evaluate=True)) == "Eq(V1, V2/4)"
    assert parse("2 = 6 / 3").to_sympy(evaluate=True) is sympy.true


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("V1 = 30 + (2 * V2)", r"V_{1} = 30 + 2 V_{2}"),
        ("V1 / 0.5 = V2", r"\frac{V_{1}}{0.5} = V_{2}"),
        ("2 * 3 = V1 * 4", r"2 \cdot 3 = V_{1} \cdot 4"),
        ("V1 - (V2 - 3) = V12", r"V_{1} - \left(V_{2} - 3\right) = V_{12}"),
        ("V1 + (V2 - 3) = 4", r"V_{1} + V_{2} - 3 = 4"),
        ("2 * (V1 + 3) = (-8) * V2", r"2 \left(V_{1} + 3\right) = \left(-8\right) V_{2}"),
        ("2 * (V1 / 3) = -8", r"2 \cdot \frac{V_{1}}{3} = -8"),
        ("V1 - (-8) = V1 * V2", r"V_{1} - \left(-8\right) = V_{1} V_{2}"),
    ],
)
def test_latex(text, latex):
    assert parse(text).to_latex() == latex


@pytest.mark.parametrize(
    ("number", "latex"),
    [
        (Fraction(1, 3), r"\frac{1}{3} V_{1} = 9"),
        (Fraction(-35, 6), r"\left(-\frac{35}{6}\right) V_{1} = 9"),
        (Fraction(1, 8), "0.125 V_{1} = 9"),
    ],
)
def test_a_number_whose_decimals_do_not_end_is_a_fraction(number, latex):
    equation = Equation(Operation("*", Number(number), Variable("V1")), Number(9))
    assert equation.to_latex() == latex
    assert sympy.solve(equation.to_sympy()) == [sympy.Rational(9 / number)]
