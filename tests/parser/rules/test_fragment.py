"""Texts that name an amount, and nothing that it equals."""

from __future__ import annotations

import pytest

from eqparse.parser.rules.fragment import is_a_fragment
from eqparse.parser.rules.shape import Shape


def found(text: str) -> bool:
    return is_a_fragment(Shape(text, (), (), False, False, False, False))


@pytest.mark.parametrize("text", [
    "The product of 7 and the length of the yard", "the sum of twice x and y", "Four times the height of the shed",
    "The total of her wages and 60.", "the difference between a number and 15", "Six less than a number.",
    "9 more than twice a number", "14 metres deeper than the well", "Half of the sheep in the pen.", "Twice a number",
    "Three times as tall as the fence", "twice as heavy as the dog.", "Half as many stamps as his sister",
    "Half the number of pupils in the class.", "Seven times a number, plus 5.", "A number plus 7", "20 minus a number",
    "the price of a pen times 3", "x divided by 4",
    "30% of the rent", "the ratio of x to 4", "A fifth of the votes...", "Double the price",
    "Write an expression for 7 less than a number.", "Simplify the expression three times x plus 2.",
    "Give the algebraic expression that means 4 more than twice n",
])
def test_an_amount_alone_is_a_fragment(text):
    assert found(text)


@pytest.mark.parametrize("text", [
    "The product of 7 and x is 21.", "Four times the height of the shed is 20 metres.", "Twice a number is 8",
    "Six less than a number gives 15.", "Half of the sheep are lambs.", "Half the pen stands empty today.",
    "14 metres deeper than the well, the shaft floods.", "Twice the fee equals Ann's.", "30% of the rent went to Bo.",
    "Twice as heavy as the dog is the calf.", "Half the number of pupils is 14.",
    "Seven times a number, plus 5, is 40.", "The oak is twice as tall as the elm", "A number plus 7 is 12",
    "Ann plus Ben make 12", "Half the pupils left.", "Twice a number is minus 8.", "Half the rent equals minus 40.",
    "Seven times the score makes minus 63.",
    "The sum of 8 and a number: 12.", "Rent, double the price of 2019", "Sales up a fifth at 300", "Ann 3 more than Bo",
    "Find the expression 3 less than which is 12.", "Write an equation for 7 less than a number.",
])
def test_what_says_more_is_none(text):
    assert not found(text)
