"""Answers that take the larger of two amounts for the smaller one give way to others."""

from __future__ import annotations

import re

import pytest
from answers import answered

from eqparse.equation.equation import Equation
from eqparse.parser.rules.comparatives import (
    turns_a_comparison_round,
    turns_a_factor_round,
    turns_a_fronted_comparison_round,
)


@pytest.mark.parametrize("text, more", [
    ("The lane is 20 % muddier than the yard.", True), ("The lane is 20 % dimmer than the yard.", False),
    ("The lane runs a third fuller than the yard.", True), ("The lane is a quarter scarcer than the yard.", False),
])
def test_a_share_more_or_less(text, more):
    change = 0.2 if "20" in text else 1 / 3 if "third" in text else 0.25
    for sign in "+-":
        here = answered(text, f"V1 = V2 {sign} ({change} * V2)", "The lane", "the yard", "the yard")
        assert turns_a_comparison_round(here) is ((sign == "+") is not more)


@pytest.mark.parametrize("text, more", [
    ("The jar weighs 30 grams less than the tin.", False), ("The jar is 4 points drier than the tin.", False),
    ("The jar holds 3 litres more water than the tin.", True), ("The jar is 40 degrees hotter than the tin.", True),
    ("The jar is $2 pricier than the tin.", True), ("The jar came 3 days sooner than the tin.", False),
    ("The jar was 5 minutes quicker than the tin.", False), ("The jar was 5 hours slower than the tin.", True),
    ("The jar is 12 cm narrower than the lid of the tin.", False), ("The jar is 9 years rustier than the tin.", True),
])
def test_an_amount_more_or_less(text, more):
    number = re.search(r"\d+", text)[0]
    forms = {f"V1 = {number} + V2": True, f"V1 = V2 - {number}": False, f"V1 - {number} = V2": True}
    for equation, adds in forms.items():
        assert turns_a_comparison_round(answered(text, equation, "The jar", "the tin")) is (adds is not more)


@pytest.mark.parametrize("text, equation", [
    ("The jar is 5 miles an hour slower than the tin.", "V1 = V2 - 5"),
    ("The jar is 8 % faster than the tin.", "V1 = 0.08 + V2"),
    ("The jar is 3 points better than the tin.", "V1 = V2 - 3"),
    ("The jar got 5 and weighs more than the tin.", "V1 = V2 - 5"),
    ("The jar is 6 more than that, and the tin is full.", "V1 = V2 - 6"),
])
def test_what_is_clearly_neither_more_nor_less(text, equation):
    assert not turns_a_comparison_round(answered(text, equation, "The jar", "the tin"))


@pytest.mark.parametrize("text, right", [
    ("Compared with the jar, the tin is 4 kilos heavier.", "V1 = V2 - 4"),
    ("Compared to the jar, the tin costs 3 euros less.", "V1 - V2 = 3"),
    ("In comparison with the jar, the tin cooks 6 minutes slower.", "V1 = V2 - 6"),
    ("As compared with the jar, the tin boils 6 minutes quicker.", "V1 = V2 + 6"),
    ("Relative to the jar, the tin is half a mile nearer, says Ida.", "V1 - V2 = 0.5"),
    ("Next to the jar, the tin is 5 cm taller.", "V1 + 5 = V2"),
    ("Measured against the jar, the tin is 12 grams lighter and red.", "V1 - 12 = V2"),
])
def test_what_is_compared_with_first(text, right):
    number = re.search(r"\d+", text)
    value = number[0] if number else "0.5"
    forms = {f"V1 = V2 - {value}": 1, f"V1 + {value} = V2": 1, f"V2 - V1 = {value}": 1,
             f"V1 = V2 + {value}": -1, f"V1 - V2 = {value}": -1, f"V1 - {value} = V2": -1,
             f"V1 + V2 = {value}": 0, f"V1 = V2 * {value}": 0}  # fmt: skip
    for form, sign in forms.items():
        try:
            here = answered(text, form, "the jar", "the tin")
        except AssertionError:  # no tree
            continue
        assert turns_a_fronted_comparison_round(here) is (sign != forms[right]), form


@pytest.mark.parametrize("text, right, wrong", [
    ("Compared with the jar, the tin is 12 % deeper.", "(V2 - V1) / V1 = 0.12", "(V1 - V2) / V1 = 0.12"),
    ("Compared with the jar, the tin charges 12 percent less.", "(V1 - V2) / V1 = 0.12", "V1 - V2 = 0.12"),
    ("Relative to the jar, the tin is a quarter cheaper.", "V1 = (V1 - V2) / 0.25", "V1 - V2 = 0.25"),
])
def test_a_share_of_what_is_compared_with_first(text, right, wrong):
    here = answered(text, "V1 = V2 - 0.12" if "12" in text else "V1 = V2 - 0.25", "the jar", "the tin")
    assert not turns_a_fronted_comparison_round(here._replace(equation=Equation.parse(right)))
    assert turns_a_fronted_comparison_round(here._replace(equation=Equation.parse(wrong)))


@pytest.mark.parametrize("text, less", [
    ("The jar is smaller by a factor of 4 than the tin.", True),
    ("The jar is lighter than the tin by a factor of 4.", True),
    ("The jar is cheaper by a factor of about 4 than the tin.", True),
    ("The jar is weaker by a factor of 4 than the tin.", True),
    ("The jar is less dear than the tin by a factor of four.", True),
    ("The jar is larger by a factor of 4 than the tin.", False),
    ("The jar is older than the tin by a factor of 4.", False),
    ("The jar is more potent by a factor of 4 than the tin.", False),
    ("The jar is higher by a factor of nearly 4 than the tin.", False),
    ("The jar is warmer than the tin by a factor of 4.", False),
])
def test_more_or_less_by_a_factor(text, less):
    forms = {"V1 * 4 = V2": less, "V1 = 4 * V2": not less, "V1 = V2 + 4": False, "V1 = 4 / V2": False}
    for equation, right in forms.items():
        assert turns_a_factor_round(answered(text, equation, "The jar", "the tin")) is not right


@pytest.mark.parametrize("text", [
    "The jar is faster by a factor of 4 than the tin.", "The jar is 4 euros dearer than the tin.",
])
def test_what_is_no_factor_of_either(text):
    assert not turns_a_factor_round(answered(text, "V1 = V2 + 4", "The jar", "the tin"))


@pytest.mark.parametrize("text, other", [
    ("The bridge opened 3 weeks ahead of {}.", "schedule"),
    ("The mill was built two years ahead of {}.", "its deadline"),
    ("The vote came 5 days ahead of {}.", "plan"), ("The ship docked 40 minutes ahead of {}.", "the timetable"),
])
def test_ahead_of_a_plan_is_earlier(text, other):
    number = {"two": 2}.get(text.split(" ")[4], None) or next(w for w in text.split() if w.isdigit())
    one = " ".join(text.split(" ")[:2])
    assert not turns_a_comparison_round(answered(text.format(other), f"V1 = V2 - {number}", one, other))
    assert turns_a_comparison_round(answered(text.format(other), f"V1 = {number} + V2", one, other))
    assert not turns_a_comparison_round(answered(text.format("the Danes"), f"V1 = {number} + V2", one, "the Danes"))
