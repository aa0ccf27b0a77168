"""Texts whose numbers are related to nothing get no equation, and their twins that relate them may."""

from __future__ import annotations

import pytest
from answers import answered
from shapes import NOTHING

from eqparse.parser.rules.side_by_side import (
    _RELATED,
    _TWO_VALUES,
    adds_what_each_has,
    counts_who_moves,
    gives_a_rate_alone,
    gives_values_alone,
    tells_before_and_after,
    tells_of_a_part,
)
from eqparse.text.quantities import find_quantities


def of(text: str):
    """The shape of an answer with all numbers of the text."""
    return NOTHING._replace(text=text, numbers=tuple((q.start, q.end) for q in find_quantities(text)))


@pytest.mark.parametrize("text, refused", [
    ("Two coaches leave the depot at 7 a.m.", True),
    ("Two lorries leave the quarry at 6:30.", True),
    ("Four buses set off from the station at noon.", True),
    ("The three ferries depart at 8 p.m. and 9 p.m.", True),
    ("5 old friends meet at the bridge and walk to the park.", True),
    ("Two trains leave at 7, 3 minutes apart.", False),
    ("Thirty litres came from the blue and the red tap.", False),
    ("Thirty adults and children went home.", False),
    ("Three planes leave London and Paris for Rome.", False),
    ("Twelve more boys than girls came.", False),
    ("Six boats sail twice as far as the ferry.", False),
    ("Nine sheep left the fold, and the rest slept.", False),
    ("Two coaches hold 90 people.", False),
])
def test_a_number_that_counts_who_moves(text, refused):
    assert counts_who_moves(of(text)) is refused


@pytest.mark.parametrize("text, refused", [
    ("The vase and the bowl weigh 5 kilos each.", True), ("The vase and the bowl cost 5 apiece.", True),
    ("The vase and the bowl weigh 5 kilos together.", False), ("Each vase and each bowl holds 5 litres.", False),
    ("The vase and the bowl hold 5 litres, each to the brim.", False),
])
def test_what_each_has_is_not_the_sum(text, refused):
    (number,) = find_quantities(text)
    of = NOTHING._replace(text=text, adds=True, wholes=(("+", number.start, number.end),))
    assert adds_what_each_has(of) is refused
    assert not adds_what_each_has(of._replace(adds=False)) and not adds_what_each_has(of._replace(wholes=()))


def test_another_number_may_be_related():
    text = "Two vans leave at noon, 20 kilos heavier."
    assert not counts_who_moves(of(text)._replace(numbers=((24, 26),)))


@pytest.mark.parametrize("text, refused", [
    ("A rectangle is 12 cm long and 7 cm wide.", True),
    ("The pool is 25 metres long, 10 metres wide and 2 metres deep.", True),
    ("A father is 40 and his son is 12.", True),
    ("A melon costs 3 dollars and a loaf costs $2.", True),
    ("Ravi scored 42 in maths and Jo scored 38 in art.", True),
    ("Last week's gale was strong and the mast was 9 metres high.", False),
    ("The pool is 25 metres long and 3 metres longer than the pond.", False),
    ("Ann is 12 and Ben is 3 years older.", False),
    ("Ann is 12 and Ben is half that.", False),
    ("Ann is 12 and Ben is two years her senior.", False),
    ("While a small cog is 4, a large one is 6.", False),
    ("A pen costs 3 and a pad, which is blue, costs 5.", False),
    ("Each pen costs 3 and the bill was 12.", False),
    ("The price is 50 and the change is 8.", False),
    ("The tortoise was 61 and had eleven years on me.", False),
    ("The choir had 30 singers and now has 42 thanks to the new tenors.", False),
    ("The tea was 4 dollars and the tip was 1.", True),
])
def test_values_side_by_side(text, refused):
    assert gives_values_alone(of(text)) is refused


@pytest.mark.parametrize("text, refused", [
    ("Tess had 30 euros and now has 18.", True),
    ("Ines had 12 stickers and now she has 20.", True),
    ("Last year the club had 80 members and this year it has 95.", True),
    ("The pond was 90 cm deep in spring and is 60 cm deep today.", True),
    ("Tess had 30 euros, spent some on a book and now has 18.", False),
    ("Tess had 30 euros until Leo took some, and now she has 18.", False),
    ("Tess had 30 euros and now has 18 fewer.", False),
    ("Tess had 30 euros and Leo has 18.", False),
    ("The choir had 30 singers and now has 42 thanks to the new tenors.", False),
    ("The flock was 50 and is now 38 because of the fox.", False),
    ("The tank held 90 litres and now holds 75 without the leak.", False),
])
def test_before_and_after(text, refused):
    assert tells_before_and_after(of(text)) is refused


@pytest.mark.parametrize("text, refused", [
    ("There are 28 pupils in the class and 16 of them are girls.", True),
    ("There are 45 seats on the coach, and 38 are taken.", True),
    ("Of the 90 chairs 14 are broken.", True),
    ("Of the 90 chairs, 14 have been mended.", True),
    ("There are 26 pupils in class 7c, and 11 of them are boys.", True),
    ("There are 40 beds on ward 3b and 31 are taken.", True),
    ("Of the 52 seats in coach 12a 20 are booked.", True),
    ("Of the 90 chairs 14 are broken and the rest are stacked.", False),
    ("There are 28 pupils in the class, 16 girls and the rest boys.", False),
    ("There are 28 pupils and 4 are older than the others.", False),
    ("There are 28 pupils and 16 are girls, so how many are boys?", False),
])
def test_a_part_of_a_whole(text, refused):
    assert tells_of_a_part(of(text)) is refused


def test_a_rule_reads_thousands_of_digits_or_letters_once():
    """Which would take minutes if it began at each of them."""
    for digits in ("1" * 4000, "1," * 2000):
        assert _RELATED.search(digits) is None
    for word in ("a" * 3900, "a " * 1900):
        assert _TWO_VALUES.match(f"The barn is 5 {word}?") is None


@pytest.mark.parametrize("text, first, second", [
    ("Olga knits 4 rows every minute.", "Olga", "minute"),
    ("The dog buries 3 bones each evening.", "The dog", "evening"),
    ("The clinic admits about 20 patients a day.", "The clinic", "a day"),
    ("Rosa reads 9 pages per night.", "Rosa", "night"),
    ("Our choir learns 2 songs every single month.", "Our choir", "month"), ("Hugo sends 40 a week.", "Hugo", "week"),
    ("The spring gives 60 litres of clear water an hour.", "The spring", "hour"),
    ("The paper prints 5 puzzles every Sunday.", "The paper", "every Sunday"),
])
def test_a_rate_by_itself(text, first, second):
    number = next(str(quantity.value) for quantity in find_quantities(text))
    assert gives_a_rate_alone(answered(text, f"V1 = {number} * V2", first, second))


@pytest.mark.parametrize("text, equation, first, second", [
    ("Olga knits half of the rows every minute.", "V1 = 0.5 * V2", "Olga", "the rows"),
    ("The fee is 40 euros plus 3 per hour.", "V1 = 40 + (3 * V2)", "The fee", "hour"),
    ("Hugo and Ines send 40 letters a week.", "V1 + V2 = 40", "Hugo", "Ines"),
    ("The spring gives 60 litres more than the well an hour.", "V1 = 60 + V2", "The spring", "the well"),
    ("The hostel charges 30 euros for each guest.", "V1 = 30 * V2", "The hostel charges", "guest"),
])
def test_what_is_more_than_a_rate(text, equation, first, second):
    assert not gives_a_rate_alone(answered(text, equation, first, second))
