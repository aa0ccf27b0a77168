"""The price of one of several is no product, and what is left over of a division no part of the quotient."""

from __future__ import annotations

import pytest
from answers import answered

from eqparse.parser.rules.shares_out import (
    multiplies_for_the_price_of_one,
    takes_the_remainder_for_a_part_of_the_quotient,
)

PRICE, REMAINDER = multiplies_for_the_price_of_one, takes_the_remainder_for_a_part_of_the_quotient


@pytest.mark.parametrize("rule, text, unknown, right, wrong", [
    (PRICE, "5 pens cost 10 dollars, so how much is one pen?", "pen", "10 / 5 = V1", "5 * 10 = V1"),
    (PRICE, "If 4 tickets cost 20 euros, what is the price of a ticket?", "ticket", "20 / 4 = V1", "4 * 20 = V1"),
    (PRICE, "If 3 kg of figs cost 4.20 euros, find what one kilo costs.", "kilo costs", "4.2 / 3 = V1", "3 * 4.2 = V1"),
    (PRICE, "Six jars weigh 9 kilos, so how heavy is a single jar?", "jar", "9 / 6 = V1", "6 * 9 = V1"),
    (REMAINDER, "The sum divided by 7 is 9, with remainder 3.", "The sum", "V1 = (7 * 9) + 3", "V1 / 7 = 9 + 3"),
    (REMAINDER, "Figs are shared by 6, each has 4 and 2 are left over.", "Figs", "V1 = (6 * 4) + 2", "V1 / 6 = 4 + 2"),
    (REMAINDER, "Split a bag among 8 and each gets 5, with 3 over.", "a bag", "V1 - 3 = 8 * 5", "V1 / 8 = 5 - 3"),
])
def test_an_answer_that_shares_out_wrongly(rule, text, unknown, right, wrong):
    assert not rule(answered(text, right, unknown))
    assert rule(answered(text, wrong, unknown))


@pytest.mark.parametrize("text, product", [
    ("If one ticket costs 5 euros, how much do 4 tickets cost?", "5 * 4 = V1"),
    ("5 pens at 10 dollars are how much?", "5 * 10 = V1"),
])
def test_the_price_of_several_is_a_product(text, product):
    assert not PRICE(answered(text, product, "how much"))


def test_without_a_remainder_a_quotient_may_be_a_sum():
    of = answered("A number divided by 7 is 9 more than 3.", "V1 / 7 = 9 + 3", "A number")
    assert not REMAINDER(of)
