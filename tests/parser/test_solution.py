"""What `parse.solve()` gives: the value, its unit and its phrase."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from solved_parses import ROPE, parsed

from eqparse.equation.equation import Equation
from eqparse.errors import UndeterminedError
from eqparse.parser.parse import GroundedEquation, Parse
from eqparse.parser.solution import Solution


def test_a_solution_has_value_unit_and_phrase():
    found = ROPE.solve()
    assert (found.variable, found.value, found.phrase, found.span) == ("V1", Fraction(35, 2), "the loss", (47, 55))
    assert (found.unit.text, str(found)) == ("metres", "V1 = 17.5 metres")
    data = json.loads(json.dumps(found.to_dict()))
    assert data["value"] == 17.5 and data["exact"] == "35/2" and data["unit_text"] == "metres"
    assert data["span"] == [47, 55] and data["phrase"] == "the loss"


@pytest.mark.parametrize(("text", "phrase", "nodes", "shown"), [
    ("12 % of the fund is $60.", "the fund", [(0, 1, 2, "="), (0, 0, 1, "*")], "V1 = $500"),
    ("Twice the height is 30 feet.", "the height", [(0, 1, 2, "="), (0, 0, 1, "*")], "V1 = 15 feet"),
    ("Thrice the height is 49 feet.", "the height", [(0, 1, 2, "="), (0, 0, 1, "*")], "V1 = 49/3 feet"),
    ("5 pads at a set price cost 40 euros.", "a set price", [(0, 1, 2, "="), (0, 0, 1, "*")], "V1 = 8"),
    ("48 dollars, or 6 a kilo, buy the load.", "the load", [(0, 0, 2, "="), (1, 1, 2, "*")], "V1 = 8"),
    ("9 metres hold the share 3 metres times.", "the share", [(0, 0, 2, "="), (1, 1, 2, "*")], "V1 = 3"),
])
def test_the_unit_is_never_a_guess(text, phrase, nodes, shown):
    parse = parsed(text, phrase, *nodes)
    assert str(parse.solve()) == shown


@pytest.mark.parametrize(("text", "found"), [
    ("1.2 metres or 35 cm of it", "metre and centimetre"), ("5 feet or 40 inches of it", "foot and inch"),
    ("3 kg or 250 g of it", "kilo and gram"), ("2 hours or 90 minutes of it", "hour and minute"),
    ("1.5 l or 20 cl of it", "litre and centilitre"), ("2 miles or 3 km of it", "mile and kilometre"),
    ("3 weeks or 4 days of it", "week and day"), ("6 yards or 7 feet of it", "yard and foot"),
    ("2 years or 7 months of it", "year and month"), ("4 tonnes or 9 kilos of it", "tonne and kilo"),
])
def test_amounts_in_two_units_are_not_solved(text, found):
    parse = parsed(text, "it", (0, 1, 2, "="), (0, 0, 1, "+"))
    with pytest.raises(UndeterminedError, match=f"found {found}, which the equation does not convert"):
        parse.solve()


def test_what_is_not_determined_is_one_kind_of_error():
    with pytest.raises(UndeterminedError, match="'It rained.': expected an equation"):
        Parse("It rained.", reason="the text has no number").solve()
    with pytest.raises(UndeterminedError, match="found V1, V2"):
        Parse("", (GroundedEquation(Equation.parse("V1 = V2 + 3"), {}),)).solve()
    with pytest.raises(UndeterminedError, match="too large"):
        Parse("", (GroundedEquation(Equation.parse("V1 / 1e300 = 1e300"), {}),)).solve()


def test_an_equation_without_a_tree_is_solved_without_unit_or_phrase():
    found = Parse("", (GroundedEquation(Equation.parse("V1 + 2 = 5"), {}),)).solve()
    assert (found.value, found.unit, found.phrase, found.span) == (3, None, None, None)


@pytest.mark.parametrize(("value", "shown"), [
    ("40", "40"), ("-35/2", "-17.5"), ("49/3", "49/3"), ("9999/119", "84.02521008"), ("1/1024", "0.0009765625"),
    ("1234567890123456789/2", "617283945061728394.5"), ("100", "100"),
])
def test_a_value_is_shown_exactly_where_it_is_short(value, shown):
    assert str(Solution("V1", Fraction(value), None, None, None)) == f"V1 = {shown}"
