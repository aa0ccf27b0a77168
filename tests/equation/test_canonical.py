"""One form for one relation."""

from __future__ import annotations

import sys

import pytest
from equations import equations
from hypothesis import given

from eqparse.equation.comparison import equivalent
from eqparse.equation.equation import Equation
from eqparse.errors import EqparseError


@pytest.mark.parametrize(("given_as", "canonical"), [
    ("V1 = 30 + (2 * V2)", "V1 = (2 * V2) + 30"),
    ("V1 - 30 = V2 * 2", "V1 = (2 * V2) + 30"),
    ("V1 = V2 + (0.05 * V2)", "20 * V1 = 21 * V2"),
    ("V2 / V1 = 3", "3 * V1 = V2"),
    ("12 = V1 + V2", "V1 + V2 = 12"),
    ("V1 * V2 = 10", "V1 * V2 = 10"),
    ("(V1 + V2) * (V1 - V2) = 4", "V1 * V1 = (V2 * V2) + 4"),
    ("V1 = V1 + 3", "1 = 0"),
    ("V1 = V1", "0 = 0"),
    ("V1 / (2 - 2) = 3", "V1 / (2 - 2) = 3"),
])
def test_canonical_forms(given_as, canonical):
    found = Equation.parse(given_as).canonical()
    assert str(found) == canonical and found.canonical() == found


@pytest.mark.parametrize(("given_as", "canonical"), [
    ("V1 = V2 + (0.05 * V2)", "20 * V1 = 21 * V2"),
    ("V1 / (V1 * V2) = 3", "3 * V2 = 1"),
    ("(V1 + V2) / (4 * V2) = 2 - (2 / 1)", "V1 + V2 = 0"),
])
def test_where_a_product_is_the_denominator_sympy_is_not_imported(given_as, canonical, monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    assert str(Equation.parse(given_as).canonical()) == canonical


@given(equations(), equations())
def test_equivalent_equations_have_one_canonical_form(a, b):
    try:
        forms = {a.canonical(), a.renamed({"V1": "V2", "V2": "V1"}).canonical()}
        same = b.canonical() in forms
        equal = equivalent(a, b)
    except EqparseError:
        return
    if same:
        assert equal
    assert equivalent(a, a.canonical())
