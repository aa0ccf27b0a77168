"""Answers that turn round a ratio, who is older, or a share of a number give way to others."""

from __future__ import annotations

import pytest
from answers import answered

from eqparse.parser.rules.turned import (
    adds_then_and_now,
    adds_to_an_amount,
    does_not_divide,
    is_no_ratio,
    takes_a_share_for_the_rest,
    takes_the_whole_for_the_share,
    turns_the_elder_round,
)


@pytest.mark.parametrize("text, first, second, right, wrong", [
    ("Men outnumber women two to one.", "Men", "women", "V1 = 2 * V2", "V1 - V2 = 2"),
    ("Men outnumber women two to one.", "Men", "women", "V1 / V2 = 2 / 1", "V1 / V2 = 1 / 2"),
    ("Geese outnumber swans 5 to 2.", "Geese", "swans", "V1 / V2 = 5 / 2", "V1 = V2 - 5"),
    ("Sheep outnumber people by six to one.", "Sheep", "people", "V1 = V2 * 6", "V1 = V2 / 6"),
    ("Women are outnumbered two to one by men.", "Women", "men", "V1 * 2 = V2", "V1 = 2 * V2"),
    ("The hens are outnumbered by the ducks 7 to 3.", "The hens", "the ducks", "V1 / V2 = 3 / 7", "V1 / V2 = 7 / 3"),
    ("Tenors, outnumbered by 3 to 1 by basses, sang on.", "Tenors", "basses", "V1 * 3 = 1 * V2", "V1 - 3 = V2"),
    ("Vinyl outsold tape nine-to-four.", "Vinyl", "tape", "V1 / V2 = 9 / 4", "V1 + V2 = 9"),
    ("Vans were outsold by cars by 4:1.", "Vans", "cars", "V1 / V2 = 1 / 4", "V1 / V2 = 4 / 1"),
    ("The mill outspends the quarry by about 5 to 2.", "The mill", "the quarry", "V1 / V2 = 5 / 2", "V1 = V2 + 2"),
])
def test_a_ratio_in_a_verb(text, first, second, right, wrong):
    assert not is_no_ratio(answered(text, right, first, second))
    assert is_no_ratio(answered(text, wrong, first, second))


def test_one_thing_is_in_no_ratio_to_itself():
    assert is_no_ratio(answered("Blues are outnumbered by 7 to 3.", "V1 / V2 = 7 / 3", "Blues", "Blues"))


@pytest.mark.parametrize("text, equation, first, second", [
    ("The tenors outnumber the basses by 14.", "V1 - V2 = 14", "The tenors", "the basses"),
    ("Cars outsold vans by 30 at the 10 to 2 market.", "V1 = V2 + 30", "Cars", "vans"),
    ("Hens outnumber ducks from 3 to 5, by 12.", "V1 - V2 = 12", "Hens", "ducks"),
    ("The fee rose 3 to 12.", "V1 + 3 = 12", "The fee", ""),
])
def test_what_is_no_ratio(text, equation, first, second):
    assert not is_no_ratio(answered(text, equation, *filter(None, (first, second))))


@pytest.mark.parametrize("text, first, second, right, wrong", [
    ("Tom is 3 years {}'s senior.", "Tom", "Sue", "V1 = 3 + V2", "V1 = V2 - 3"),
    ("Tom is 3 years senior to {}.", "Tom", "Sue", "V1 - 3 = V2", "V1 + 3 = V2"),
    ("Tom is {}'s senior by 3 years.", "Tom", "Sue", "V1 = V2 + 3", "V1 + V2 = 3"),
    ("Tom is senior to {} by nearly 3 years.", "Tom", "Sue", "V1 - V2 = 3", "V1 = V2 - 3"),
    ("Tom, 3 years {}'s senior, sings.", "Tom", "Sue", "V1 = 3 + V2", "V1 = 3 * V2"),
    ("The oak is a full 3 years the senior of {}.", "The oak", "the elm", "V1 = 3 + V2", "V1 = V2 - 3"),
    ("Mia is 3 months {} senior.", "Mia", "his", "V1 = 3 + V2", "V1 + 3 = V2"),
    ("Mia is {} senior by 3 weeks.", "Mia", "his", "V1 = V2 + 3", "V1 = V2 - 3"),
    ("Three years {}'s senior, Tom is 40.", "", "Sue", "3 + V1 = 40", "V1 - 3 = 40"),
    ("Tom, who is 40, is {}'s senior by 3 years.", "", "Sue", "40 = V1 + 3", "40 = V1 - 3"),
])
def test_who_is_older(text, first, second, right, wrong):
    phrases, text = [phrase for phrase in (first, second) if phrase], text.format(second)
    assert not turns_the_elder_round(answered(text, right, *phrases))
    assert turns_the_elder_round(answered(text, wrong, *phrases))
    if "*" not in wrong and wrong != "V1 + V2 = 3":  # and the other way round
        younger = text.replace("senior", "junior")
        assert turns_the_elder_round(answered(younger, right, *phrases))
        assert not turns_the_elder_round(answered(younger, wrong, *phrases))


@pytest.mark.parametrize("text, equation", [
    ("Tom is 3 years older than Sue's senior.", "V1 = 3 + V2"), ("Tom is 3 years younger than Sue.", "V1 = V2 - 3"),
    ("Tom teaches 3 fewer senior pupils than Sue.", "V1 = V2 - 3"), ("Tom beat Sue's junior team by 3.", "V1 = V2 + 3"),
])
def test_what_is_not_said_of_an_elder(text, equation):
    assert not turns_the_elder_round(answered(text, equation, "Tom", "Sue"))


@pytest.mark.parametrize("text, phrase, wrong", [
    ("Half of the 60 pupils walk.", "the 60 pupils", "0.5 * V1 = 60"),
    ("A quarter of the 80 eggs are cracked.", "the 80 eggs", "0.25 * V1 = 80"),
    ("20 % of the 50 seats are taken.", "the 50 seats", "0.2 * V1 = 50"),
    ("Thirty per cent of her 40 hens are white.", "hens", "0.3 * 40 = V1"),
    ("Two fifths of all 90 guests came by bus.", "guests", "0.4 * 90 = V1"),
    ("Half the 30 bulbs rotted.", "the 30 bulbs", "0.5 * V1 = 30"),
    ("3/4 of the first 80 visitors paid.", "visitors", "0.75 * 80 = V1"),
    ("A number is half of 12.", "A number", "0.5 * V1 = 12"),
    ("What is left is 10% of $500.", "What is left", "V1 / 0.1 = 500"),
    ("Three-quarters of our 12 vans are red.", "our 12 vans", "0.75 * V1 = 12"),
])
def test_a_share_of_a_number_is_not_that_number(text, phrase, wrong):
    assert takes_the_whole_for_the_share(answered(text, wrong, phrase))


@pytest.mark.parametrize("text, equation, phrase", [
    ("Half of the 60 pupils are girls.", "0.5 * 60 = V1", "girls"),
    ("A number is half of 12.", "V1 = 0.5 * 12", "A number"),
    ("A quarter of 12 more than x is 9.", "0.25 * (12 + V1) = 9", "x"),
    ("Half of the fee is 12.", "0.5 * V1 = 12", "the fee"),
    ("Half of 3 y is 12.", "0.5 * (3 * V1) = 12", "y"), ("The fee rose by half to 12.", "0.5 * V1 = 12", "The fee"),
    ("Half of them paid, 12 in all.", "0.5 * V1 = 12", "them"),
    ("20 % of it, 12 kilos, is fat.", "0.2 * V1 = 12", "it"),
    ("The 60 pupils, half of them girls, are 12 more than the staff.", "60 = 12 + V1", "the staff"),
    ("Pay was cut a tenth at 90.", "V1 * 0.1 = 90", "Pay"),
])
def test_what_a_share_is_of(text, equation, phrase):
    assert not takes_the_whole_for_the_share(answered(text, equation, phrase))


@pytest.mark.parametrize("text, first, right, wrong", [
    ("A melon is 3 dollars, 1.5 dollars more than a loaf.", "a loaf", "3 = 1.5 + V1", "V1 = 3 + 1.5"),
    ("The jug holds 9 litres (4 more than the pan).", "the pan", "9 = 4 + V1", "9 + 4 = V1"),
    ("Pat is 11, only 3 years younger than Lou.", "Lou", "11 = V1 - 3", "11 = V1 + 3"),
    ("The rug weighs 8 kilos, which is 5 kilos less than the sofa.", "the sofa", "8 = V1 - 5", "8 - 5 = V1"),
])
def test_an_amount_and_by_how_much_it_is_more(text, first, right, wrong):
    assert not adds_to_an_amount(answered(text, right, first))
    assert adds_to_an_amount(answered(text, wrong, first))


def test_what_is_no_amount_and_its_difference():
    assert not adds_to_an_amount(answered("Add 9 to a number, 4 more than Bo's.", "V1 + 9 = 4", "a number"))
    assert not adds_to_an_amount(answered("She swam it in 9 minutes, 2 faster than Lou.", "9 = V1 - 2", "Lou"))
    assert not adds_to_an_amount(answered("The yen is at 150, 3 weaker than in May.", "150 = V1 + 3", "May"))
    assert not adds_to_an_amount(answered("It took 9 days, 4 times more than the hut.", "9 = 4 * V1", "the hut"))


@pytest.mark.parametrize("text, some, right, wrong", [
    ("Ines had 12 stickers, got some from Leo and now has 20.", "some from Leo", "12 + V1 = 20", "V1 - 12 = 20"),
    ("Omar had 50 marbles, lost some and now he has 35.", "some", "50 - V1 = 35", "V1 - 50 = 35"),
    ("The cub weighed 3 kilos; with milk it drank, it has now 9.", "milk", "3 + V1 = 9", "V1 - 3 = 9"),
])
def test_then_and_now(text, some, right, wrong):
    assert not adds_then_and_now(answered(text, right, some))
    assert adds_then_and_now(answered(text, wrong, some))


def test_what_two_have_may_be_added():
    text = "Ann had 12 pens and Bo now has 20, together all pens."
    assert not adds_then_and_now(answered(text, "12 + 20 = V1", "all pens"))


@pytest.mark.parametrize("text, phrase, share, amount", [
    ("45 % of the harvest is 18 crates.", "the harvest", 0.45, 18),
    ("12.5 percent of her pay is $70.", "her pay", 0.125, 70),
    ("Exactly 80 % of the tickets were 240.", "the tickets", 0.8, 240),
    ("If 5 % of a number is 9, say so.", "a number", 0.05, 9),
    ("2/5 of the length of the pier equals 60 yards.", "the length", 0.4, 60),
    ("Nearly 30 % of the guests are 21 people.", "the guests", 0.3, 21),
])
def test_a_share_that_is_an_amount(text, phrase, share, amount):
    assert not takes_a_share_for_the_rest(answered(text, f"{share} * V1 = {amount}", phrase))
    for sign in "+-":
        form = f"({share} * V1) {sign} V1 = {amount}"
        assert takes_a_share_for_the_rest(answered(text, form, phrase, phrase))


@pytest.mark.parametrize("text, equation, phrases", [
    ("Rent plus 30 % of the bill is 90.", "V1 + (0.3 * V2) = 90", ("Rent", "the bill")),
    ("40 % of a number is 6 less than its half.", "0.4 * V1 = V2 - 6", ("a number", "its half")),
    ("A tenth of the sum with the fee is 44.", "(0.1 * V1) + V2 = 44", ("the sum", "the fee")),
])
def test_a_share_that_is_only_part_of_an_amount(text, equation, phrases):
    assert not takes_a_share_for_the_rest(answered(text, equation, *phrases))


@pytest.mark.parametrize("text, number", [
    ("A number divided by 2/5 is 30.", 0.4), ("The bill divided by 0.8 comes to 30.", 0.8),
    ("Her score divided by 6 gives 30.", 6), ("When x is divided by 3/4, the result is 30.", 0.75),
])
def test_what_is_divided_is_not_multiplied(text, number):
    phrase = next(each for each in ("A number", "The bill", "Her score", "x") if each in text)
    assert not does_not_divide(answered(text, f"V1 / {number} = 30", phrase))
    assert does_not_divide(answered(text, f"V1 * {number} = 30", phrase))
    assert does_not_divide(answered(text, f"V1 - (V1 * {number}) = 30", phrase, phrase))
