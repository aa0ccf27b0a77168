"""Answers that add what is taken off a price, or take a factor for another one, give way to others."""

from __future__ import annotations

import pytest
from answers import answered

from eqparse.parser.rules.changes import adds_what_is_taken_off, changes_by_no_factor


@pytest.mark.parametrize("text, phrase, paid, off", [
    ("With my $10 coupon the bill was $38.", "the bill", 38, 10),
    ("With this coupon for 5 dollars the toaster comes to 24 dollars.", "the toaster", 24, 5),
    ("Using a 15-dollar gift card, she paid 27 dollars for the books.", "the books", 27, 15),
    ("With a 50-euro trade-in, this phone costs 349 euros.", "this phone", 349, 50),
    ("Thanks to a 5 dollar rebate my groceries came to 43 dollars.", "my groceries", 43, 5),
    ("After a discount of 12 euros, the coat cost 88 euros.", "the coat", 88, 12),
    ("The bill was $38 with my $10 coupon.", "The bill", 38, 10),
    ("I paid $52 after using my $8 coupon.", "I", 52, 8),
    ("The oven is 499 dollars with a 100-dollar rebate.", "The oven", 499, 100),
    ("With the $30 refund the trip cost us $270.", "the trip", 270, 30),
])
def test_what_is_taken_off_a_price(text, phrase, paid, off):
    assert not adds_what_is_taken_off(answered(text, f"V1 = {paid} + {off}", phrase))
    assert not adds_what_is_taken_off(answered(text, f"V1 - {off} = {paid}", phrase))
    for wrong in (f"V1 + {off} = {paid}", f"{paid} - {off} = V1", f"V1 * {off} = {paid}"):
        assert adds_what_is_taken_off(answered(text, wrong, phrase))


@pytest.mark.parametrize("text, phrase, equation", [
    ("With a $3 surcharge the ticket was $19.", "the ticket", "V1 + 3 = 19"),
    ("With the 20 dollars from Ann the pot was 90 dollars.", "the pot", "V1 + 20 = 90"),
    ("After the refund of $16 on a $58 order, you'll have paid the net amount.", "the net amount", "58 - 16 = V1"),
    ("With a $5 voucher the fee was $9 less than before.", "the fee", "V1 + 5 = 9"),
])
def test_what_is_not_taken_off(text, phrase, equation):
    assert not adds_what_is_taken_off(answered(text, equation, phrase))


@pytest.mark.parametrize("text, rises", [
    ("The yield dropped threefold to 15.", False), ("The yield fell by a factor of 3 to 15.", False),
    ("The yield shrank 3-fold, to 15.", False), ("The yield was cut by a factor of three to 15.", False),
    ("The yield decreased by a factor of about 3 to 15.", False),
    ("The yield grew threefold to 15.", True), ("The yield rose by a factor of 3 to 15.", True),
    ("The yield is up threefold, to 15.", True), ("The yield increased 3 times to 15.", True),
    ("The yield was raised by a factor of 3 to 15.", True),
])
def test_a_change_by_a_factor(text, rises):
    assert changes_by_no_factor(answered(text, "V1 * 3 = 15", "The yield")) is not rises
    assert changes_by_no_factor(answered(text, "V1 / 3 = 15", "The yield")) is rises
    assert changes_by_no_factor(answered(text, "V1 + 3 = 15", "The yield"))
    assert changes_by_no_factor(answered(text, "V1 + (V1 * 3) = 15", "The yield", "The yield"))


@pytest.mark.parametrize("text", ["The yield rose 3 to 15.", "The yield rose by 3 to 15."])
def test_a_change_by_an_amount(text):
    assert not changes_by_no_factor(answered(text, "V1 + 3 = 15", "The yield"))
