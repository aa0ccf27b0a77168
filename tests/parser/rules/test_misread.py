"""Readings of the right numbers and phrases that contradict the words around them give way to others."""

from __future__ import annotations

import pytest
from answers import answered
from shapes import NOTHING, span
from tiny import hand_made

from eqparse.parser.limits import Limits, check_mentions
from eqparse.parser.rules.changes import changes_the_other_way
from eqparse.parser.rules.turned import (
    adds_what_is_less,
    divides_the_other_way,
    multiplies_what_is_less,
)
from eqparse.parser.rules.unsaid import (
    adds_a_multiplier,
    leaves_out_a_coefficient,
    leaves_out_a_letter,
    takes_a_share_for_an_amount,
    takes_a_time_for_an_amount,
)


@pytest.mark.parametrize("text, verb, rises", [
    ("The loss widened by $3bn to $12bn.", "3bn", True), ("Sales rose 4 to 60.", "4", True),
    ("The fee grew by 12 dollars to 80 dollars.", "12", True), ("Debt climbed by nearly 5 percent to 90.", "5", True),
    ("The index was up 30 points to 4,000.", "30", True), ("Output increased by 7 tonnes to 31 tonnes.", "7", True),
    ("The fare jumped €2 to €9.", "2", True), ("The toll has risen 3 cents to 40 cents.", "3", True),
    ("The gap is widening by 6 to 20.", "6", True), ("The herd expanded by another 8 to 50.", "8", True),
    ("The loss narrowed by $3bn to $12bn.", "3bn", False), ("Debt fell 3 million to 40 million.", "3 million", False),
    ("The fee dropped by 12 dollars to 80 dollars.", "12", False),
    ("The index was down 30 points to 4,000.", "30", False),
    ("Output declined by 7 tonnes to 31 tonnes.", "7", False), ("The fare slipped €2 to €9.", "2", False),
    ("The toll has fallen 3 cents to 40 cents.", "3", False), ("The gap is narrowing by 6 to 20.", "6", False),
    ("Soy gave up 22 cents to 4 dollars.", "22", False), ("It gives up 5 to 40.", "5", False),
    ("The herd shrank by another 8 to 50.", "8", False), ("The queue decreased by 5 to 11.", "5", False),
])
def test_a_rise_is_added_and_a_fall_subtracted(text, verb, rises):
    here = NOTHING._replace(text=text)
    assert changes_the_other_way(here._replace(shrunk=(span(text, verb),))) is rises
    assert changes_the_other_way(here._replace(grown=(span(text, verb),))) is not rises


@pytest.mark.parametrize("text, number", [
    ("Sales rose from 4 to 60.", "4"), ("The 3 to 40 ratio widened.", "3"), ("The fee rose 4 less than the fare.", "4"),
    ("It grew by 12 metres in May.", "12"),
])
def test_what_is_no_change_by_an_amount_to_another(text, number):
    here = NOTHING._replace(text=text, grown=(span(text, number),), shrunk=(span(text, number),))
    assert not changes_the_other_way(here)


@pytest.mark.parametrize("text, unknown, number, left_out", [
    ("x is 3 more than 2 y.", "y", "2", True), ("2 x is 3 more than y.", "x", "2", True),
    ("A is 3 more than 0.5 b", "b", "0.5", True), ("Twice y is 4 less than 3 z", "y", "Twice", True),
    ("The barn is twice the shed", "the shed", "twice", True),
    ("5 less than half of the fee is 8", "the fee", "half", True),
    ("3 times a number is 5 more than it", "a number", "3", True), ("It is 2.5 times her pay", "her pay", "2.5", True),
    ("A is four times the width of B", "the width of B", "four", True),
    ("It cost double the fee", "the fee", "double", True),
    ("Thrice his age is 9", "his age", "Thrice", True),
    ("It is 9 more than triple the toll", "the toll", "triple", True),
    ("two y is 3 more than x", "y", "two", True), ("Three k plus m is 12.", "Three k", "Three", True),
    ("The sum of x and two y is 14.", "two y", "two", True), ("four c less d is 9", "c", "four", True),
    ("One x is 3 more than y", "x", "One", False), ("2 x 4 planks are dearer", "2 x 4 planks", "2", False),
    ("x is 3 more than y", "y", "3", False), ("Room 3 is wider than the hall", "the hall", "3", False),
    ("It rang 3 times a day", "a day", "3", False), ("12 of the eggs broke", "the eggs", "12", False),
])
def test_a_coefficient_is_not_left_out(text, unknown, number, left_out):
    start, end = span(text, unknown)
    place = {"letters": (start,)} if end == start + 1 else {"phrases": (start,)}
    assert leaves_out_a_coefficient(NOTHING._replace(text=text, **place)) is left_out
    assert not leaves_out_a_coefficient(NOTHING._replace(text=text, numbers=(span(text, number),), **place))


@pytest.mark.parametrize("text, number, letter, left_out", [
    ("5 k is 3 more than m", "5", "m", True), ("5 m is 3 more than n.", "5", "n", True),
    ("4 t equals s minus 3.", "4", "s", True), ("2 c plus d is 9.", "2", "d", True),
    ("6 h minus t is 12", "6", "t", True),
    ("7 g exceeds h by 2.", "7", "h", True), ("5 k is 3 more than m", "5", "k", False),
    ("The rope of 5 m is 3 m longer than the cord.", "5", "", False), ("5 less than k is m", "5", "m", False),
    ("h is 5 m more than w", "5", "w", False),
])
def test_a_coefficient_does_not_stand_without_its_letter(text, number, letter, left_out):
    letters = (span(text, letter)[0],) if letter else ()
    assert leaves_out_a_letter(NOTHING._replace(text=text, numbers=(span(text, number),), letters=letters)) is left_out


@pytest.mark.parametrize("text, number, multiplies", [
    ("Profit more than doubled to 30 million.", "doubled", True), ("The fee tripled to 90.", "tripled", True),
    ("Sales rose tenfold to 300.", "tenfold", True), ("Twice the fee is 30.", "Twice", True),
    ("It is doubling to 8.", "doubling", True), ("A threefold rise to 90", "threefold", True),
    ("The two quadrupled to 8.", "quadrupled", True), ("Pay trebled to 60.", "trebled", True),
    ("It is thrice 5.", "thrice", True), ("Rates double to 4.", "double", True), ("It rose half to 90.", "half", False),
])
def test_what_multiplies_is_not_added(text, number, multiplies):
    assert adds_a_multiplier(NOTHING._replace(text=text, terms=(span(text, number),))) is multiplies


SENTENCE = "The/DT/1/det gap/NN/4/nsubj at/IN/1/prep {}/NN/2/pobj is/VBZ/4/ROOT wide/JJ/4/acomp"


@pytest.mark.parametrize("name, told", [("A4", True), ("B12", True), ("9pm", True), ("home", False), ("v2.3", True)])
def test_a_text_without_a_number_says_what_its_digits_are(name, told):
    (m,) = hand_made(SENTENCE.format(name))
    assert (f"{name!r} is read as" in check_mentions(m, Limits()).text) is told


@pytest.mark.parametrize("text, number, wrong", [
    ("The box is less heavy than the crate by 4 kilos.", "4", True), ("Profit was less than costs by 5.", "5", True),
    ("The wall is shorter than the fence by 2 feet.", "2", True), ("Hens are fewer than ducks by 9.", "9", True),
    ("The lamp is cheaper than the vase by $3.", "3", True), ("It is lower than the roof by 7 m.", "7", True),
    ("The box is heavier than the crate by 4 kilos.", "4", False), ("Costs were more than profit by 5.", "5", False),
    ("The box is less heavy than the crate, which grew by 4 kilos.", "4", False), ("It grew by 4.", "4", False),
])
def test_what_is_less_is_not_added(text, number, wrong):
    assert adds_what_is_less(NOTHING._replace(text=text, grown=(span(text, number),))) is wrong


@pytest.mark.parametrize("text, number, wrong", [
    ("The desk is 4 times smaller than the bed.", "4", True), ("It costs 3 times less than tea.", "3", True),
    ("Foam is ten times lighter than wood.", "ten", True), ("Ours is 2.5 times cheaper than theirs.", "2.5", True),
    ("There are 6 times fewer hens than ducks.", "6", True), ("It is 5 times less likely than rain.", "5", True),
    ("The desk is 4 times larger than the bed.", "4", False), ("It is 4 times the bed, or less.", "4", False),
    ("He won 3 times, less often than she did.", "3", False),
])
def test_times_less_is_no_factor(text, number, wrong):
    here = NOTHING._replace(text=text, applied=(("*", *span(text, number)),))
    assert multiplies_what_is_less(here) is wrong
    assert not multiplies_what_is_less(here._replace(applied=(("/rl", *span(text, number)),)))
    assert multiplies_what_is_less(here._replace(applied=(), wholes=(("-lr", *span(text, number)),))) is wrong


@pytest.mark.parametrize("text, number, wrong", [
    ("The desk is 4 times smaller than the bed.", "4", True), ("Beside the bed, ours is 4 times smaller.", "4", False),
    ("The desk is 4 times larger than the bed.", "4", False),
])
def test_what_is_times_less_is_not_divided(text, number, wrong):
    assert multiplies_what_is_less(NOTHING._replace(text=text, divisors=(span(text, number),))) is wrong
    assert multiplies_what_is_less(NOTHING._replace(text=text, wholes=(("/lr", *span(text, number)),))) is wrong
    assert not multiplies_what_is_less(NOTHING._replace(text=text, wholes=(("/rl", *span(text, number)),)))


@pytest.mark.parametrize("text, number, wrong", [
    ("A number divided into 6 is 2.", "6", True), ("x divided into 60 equals 12.", "60", True),
    ("A number divided by 6 is 2.", "6", False), ("The cake, divided into 6 pieces, feeds us.", "6", False),
])
def test_what_an_amount_is_divided_into_is_no_divisor(text, number, wrong):
    assert divides_the_other_way(NOTHING._replace(text=text, divisors=(span(text, number),))) is wrong


@pytest.mark.parametrize("text, phrase, wrong", [
    ("A number minus a quarter is 9.", "a quarter", True), ("The toll less a third was 60 euros.", "a third", True),
    ("A number plus a fifth equals 12.", "a fifth", True), ("The sum of it and a third number is 9.", "a third", False),
    ("A number minus a penny is 9.", "a penny", False),
])
def test_a_share_alone_is_no_amount(text, phrase, wrong):
    assert takes_a_share_for_an_amount(NOTHING._replace(text=text, phrases=(text.index(phrase),))) is wrong


@pytest.mark.parametrize("text, equation, wrong", [
    ("The hall at noon was 7 degrees warmer than at six.", "V1 = 7 + 6", True),
    ("The hall is 7 degrees warmer than it was at 6.", "V1 = 7 - 6", True),
    ("The hall is 7 degrees warmer than the yard at 6.", "V1 = 7 + 6", False),
    ("The hall at six was 7 degrees warmer than at noon.", "V1 = 7 + 6", False),
])
def test_a_time_is_no_amount(text, equation, wrong):
    assert takes_a_time_for_an_amount(answered(text, equation, "The hall")) is wrong
