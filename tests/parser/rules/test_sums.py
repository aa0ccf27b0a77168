"""Answers that multiply a term for the sum, or a term that is added, give way to others."""

from __future__ import annotations

import pytest
from answers import answered

from eqparse.parser.rules.sums import (
    adds_what_it_introduces,
    splits_a_sum,
    splits_what_is_more,
    takes_a_term_for_a_share,
)


@pytest.mark.parametrize("text, phrases, right, wrong", [
    ("The sum of 9 and a number is divided by 4 to give 7.", ["a number"], "(9 + V1) / 4 = 7", "9 + (V1 / 4) = 7"),
    ("The sum of x and 4 is then multiplied by 5, which is 45.", ["x"], "(V1 + 4) * 5 = 45", "V1 + (4 * 5) = 45"),
    ("If the difference between x and 4 is tripled, it is 33.", ["x"], "(V1 - 4) * 3 = 33", "V1 - (4 * 3) = 33"),
    ("The total of a fee and 8, multiplied by 3, is 45.", ["a fee"], "(V1 + 8) * 3 = 45", "V1 + (8 * 3) = 45"),
    ("Divide the sum of x and 20 by 6 and you have 9.", ["x"], "(V1 + 20) / 6 = 9", "V1 + (20 / 6) = 9"),
    ("Five times the sum of x and 2 is 60.", ["x"], "5 * (V1 + 2) = 60", "(5 * V1) + 2 = 60"),
    ("Twice the difference of x and 9 is 30.", ["x"], "2 * (V1 - 9) = 30", "(2 * V1) - 9 = 30"),
    ("The sum of 3 times x and 4 is halved to 14.", ["x"], "((3 * V1) + 4) * 0.5 = 14", "(3 * V1) + (4 * 0.5) = 14"),
    ("The sum of the fee and the fare is doubled to 48.", ["the fee", "the fare"], "(V1 + V2) * 2 = 48",
     "V1 + (V2 * 2) = 48"),
])
def test_a_sum_is_multiplied_as_a_whole(text, phrases, right, wrong):
    assert not splits_a_sum(answered(text, right, *phrases))
    assert splits_a_sum(answered(text, wrong, *phrases))


@pytest.mark.parametrize("text, phrases, equation", [
    ("The sum of x and 4 times y is 20.", ["x", "y"], "V1 + (4 * V2) = 20"),
    ("The sum of 3 times x and 4 is 14.", ["x"], "(3 * V1) + 4 = 14"),
    ("The sum of x and y multiplied by 3 is 50.", ["x", "y"], "V1 + (V2 * 3) = 50"),  # it may mean either
    ("One is doubled and y is multiplied by 3, 50 in all.", ["One", "y"], "(V1 * 2) + (V2 * 3) = 50"),
    ("Twice the sum of the fees is 30.", ["the fees"], "2 * V1 = 30"),
    ("Three times the total of May, and 4 more, is 70.", ["the total of May"], "(3 * V1) + 4 = 70"),
])
def test_what_is_multiplied_by_itself(text, phrases, equation):
    assert not splits_a_sum(answered(text, equation, *phrases))


@pytest.mark.parametrize("text, right, wrong", [
    ("8 more than a number is divided by 3, giving 9.", "(8 + V1) / 3 = 9", "8 + (V1 / 3) = 9"),
    ("6 more than a number is doubled to give 28.", "(6 + V1) * 2 = 28", "6 + (V1 * 2) = 28"),
])
def test_what_is_more_is_divided_as_a_whole(text, right, wrong):
    assert not splits_what_is_more(answered(text, right, "a number"))
    assert splits_what_is_more(answered(text, wrong, "a number"))
    more, result = right[1], right.split(" = ")[1]
    assert splits_what_is_more(answered(text, f"{more} + V1 = {result}", "a number"))


@pytest.mark.parametrize("text, right, wrong", [
    ("The sum of a number and 1/2 is 12.", "V1 + 0.5 = 12", "V1 + (V1 * 0.5) = 12"),
    ("The sum of x and 3/4 equals 10.", "V1 + 0.75 = 10", "V1 + (0.75 * V1) = 10"),
    ("The difference between x and 1/4 is 3.", "V1 - 0.25 = 3", "V1 - (V1 * 0.25) = 3"),
    ("The total of a number and 2/5 was 9.", "V1 + 0.4 = 9", "V1 + (V1 * 0.4) = 9"),
    ("A number plus 1/8 makes 6.", "V1 + 0.125 = 6", "V1 + (V1 * 0.125) = 6"),
    ("A number minus 3/8 gives 5.", "V1 - 0.375 = 5", "V1 - (V1 * 0.375) = 5"),
    ("The sum of a number and 0.5 is 12.", "V1 + 0.5 = 12", "V1 + (V1 + 0.5) = 12"),
    ("The total of the bill and 7 comes to 40.", "V1 + 7 = 40", "V1 + (V1 * 7) = 40"),
    ("The sum of twice x and 1/4 is 8.", "(2 * V1) + 0.25 = 8", "(2 * V1) + (V1 * 0.25) = 8"),
    ("x plus 9 amounts to 30.", "V1 + 9 = 30", "V1 * 9 = 30"),
])
def test_a_figure_that_ends_a_sum_is_a_term(text, right, wrong):
    phrase = next(p for p in ("a number", "A number", "the bill", "x") if p in text)
    assert not takes_a_term_for_a_share(answered(text, right, phrase))
    assert takes_a_term_for_a_share(answered(text, wrong, phrase, *[phrase] * (wrong.count("V1") - 1)))


@pytest.mark.parametrize("text, equation", [
    ("The sum of a number and half of it is 12.", "V1 + (V1 * 0.5) = 12"),
    ("The sum of a number and 20 % is 12.", "V1 + (V1 * 0.2) = 12"),
    ("The sum of a number and 1/2 of it is 12.", "V1 + (V1 * 0.5) = 12"),
    ("A number plus a third is 12.", "V1 + (V1 * 0.3333333333333333) = 12"),
])
def test_a_share_of_the_number_may_be_added(text, equation):
    phrase = next(p for p in ("a number", "A number") if p in text)
    assert not takes_a_term_for_a_share(answered(text, equation, phrase, phrase))


@pytest.mark.parametrize("text, phrases, right, wrong", [
    ("Find a number such that twice the number is 18.", ("a number", "the number"), None, "V1 + (2 * V1) = 18"),
    ("Find a number such that the number plus 8 is 18.", ("a number", "the number"), None, "V1 * (V1 + 8) = 18"),
    ("A sum so that it is twice the same sum less 4.", ("A sum", "the same sum"), "V1 = (2 * V1) - 4", None),
    ("Find a number such that it plus twice it is 18.", ("it plus", "it is"), "V1 + (2 * V1) = 18", None),
    ("Name two numbers such that their sum is 18.", ("two numbers", "their"), "V1 + V2 = 18", None),
])
def test_what_introduces_an_unknown_is_not_added_to_it(text, phrases, right, wrong):
    if right:
        assert not adds_what_it_introduces(answered(text, right, *phrases))
    if wrong:
        assert adds_what_it_introduces(answered(text, wrong, *phrases))
