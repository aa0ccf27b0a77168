"""Sentences whose numbers suggest an equation that they do not state."""

from __future__ import annotations

import pytest
from shapes import NOTHING, span

from eqparse.parser.uncertain import (
    is_called_false,
    is_compared_twice,
    is_denied,
    is_told_of_nobody,
    needs_the_years_twice,
)


@pytest.mark.parametrize("text, number, denied", [
    ("The barn is not 4 metres longer than the shed.", "4", True), ("The barn isn't 4 metres longer.", "4", True),
    ("The fee is not twice the fare.", "twice", True), ("The fee wasn’t exactly half the fare.", "half", True),
    ("Ida does not weigh 4 kilos more than Jon.", "4", True), ("He didn't win 5 games more than Jon.", "5", True),
    ("The mast is not really 3 times as high as the boom.", "3", True), ("It has not cost $30 more.", "30", True),
    ("The fee will not be 9 euros more than the fare.", "9", True),
    ("It can't hold 4 litres more than ours.", "4", True),
    ("The fee was never twice the fare.", "twice", True), ("It is no longer 4 metres longer than ours.", "4", True),
    ("It is by no means 4 metres longer.", "4", True), ("Never mind, it is 4 metres longer.", "4", False),
    ("It is not only 4 metres longer, it is wider.", "4", False), ("It is not quite twice the fare.", "twice", False),
    ("Isn't the barn 4 metres longer than the shed?", "4", False), ("If you do not get 4, add 3.", "4", False),
    ("The barn is longer by 4 metres, not 5.", "4", False), ("It will not rain, and the barn is 4 longer.", "4", False),
    ("It is not yet 4 metres longer than the shed.", "4", False),
])
def test_a_relation_that_is_denied(text, number, denied):
    assert is_denied(NOTHING._replace(text=text, numbers=(span(text, number),))) is denied


@pytest.mark.parametrize("text, false", [
    ("It is not true that the fee is twice the fare.", True), ("It isn't the case that the mast is 4 m longer.", True),
    ("It was a myth that the oak is 3 times as old.", True), ("It would be wrong to say that it cost $9 more.", True),
    ("The rumour that the fee is twice the fare is false.", True), ("Under no circumstances will it be 4 more.", True),
    ("There is no truth in the story that Ida has 3 more.", True), ("Nobody believes that it is twice as big.", True),
    ("Contrary to what they say, it is 4 metres longer.", True), ("It is true that it is twice as big.", False),
    ("Nobody believes this, but it is 4 metres longer.", False), ("The story that I read is twice as long.", False),
    ("They found that it was wrong by 4 metres.", False),
])
def test_a_statement_that_is_called_false(text, false):
    assert is_called_false(NOTHING._replace(text=text)) is false


@pytest.mark.parametrize("text, phrase, nobody", [
    ("Neither has 3 more than Ben.", "Neither", True), ("Nobody paid 3 dollars more than Ben.", "Nobody", True),
    ("No one has twice as many marbles as Ben.", "No one", True), ("It is 3 more than no-one has.", "no-one", True),
    ("None of the boys is 4 years older than Ida.", "None of the boys", True),
    ("Nothing weighs 4 kilos more than the stone.", "Nothing", True),
    ("Neither of the vans is 3 times as heavy as the cart.", "Neither of the vans", True),
    ("Nobody knew, but Ida has 3 more than Ben.", "Ida", False), ("Yes leads No by 12 votes.", "No", False),
    ("Nonesuch has 3 more windows than the mill.", "Nonesuch", False),
])
def test_an_amount_of_nobody(text, phrase, nobody):
    assert is_told_of_nobody(NOTHING._replace(text=text, phrases=(text.index(phrase),))) is nobody


@pytest.mark.parametrize("text, first, second, twice", [
    ("Sales were 400 more than planned and 200 more than last year.", "400", "200", True),
    ("The mill used 400 litres more than planned, 200 more than last year.", "400", "200", True),
    ("The run took 3 seconds more than yesterday and 5 seconds less than on Monday.", "3", "5", True),
    ("The tower is 7 metres taller than the mill and 5 metres taller than the barn.", "7", "5", True),
    ("Ann paid $40 more than Bob, but $20 less than Carl.", "40", "20", True),
    ("They caught 3 million fish more than in May and 2 million fewer than in June.", "3 million", "2 million", True),
    ("She won six games more than Ida and two fewer than Jon.", "six", "two", True),
    ("The hall is 9 metres longer than the shed and 4 narrower than the barn.", "9", "4", True),
    ("It was 1.5 kilos heavier than the bag, yet 2.5 lighter than the case.", "1.5", "2.5", True),
    ("Oslo is 3 degrees colder than Bergen and only 2 warmer than Tromso.", "3", "2", True),
    ("The mast is 3 metres more than twice the boom.", "3", "twice", False),
    ("Ida is 3 years older than Jon and 40 years old.", "3", "40", False),
    ("Ida is 3 years older than Jon and the fee is 9.", "3", "9", False),
    ("It is 3 more than planned and 4 more than 12.", "3", "4", False),
])
def test_two_comparisons_side_by_side(text, first, second, twice):
    of = NOTHING._replace(text=text, numbers=(span(text, first), span(text, second)))
    assert is_compared_twice(of) is twice
    assert not is_compared_twice(of._replace(numbers=of.numbers[:1]))


@pytest.mark.parametrize("text, years, twice", [
    ("In 5 years, Anna will be twice as old as Ben.", "5", True),
    ("In six years the oak will be 3 times as old as the birch.", "six", True),
    ("Ten years from now Mia will be half as old as her aunt.", "Ten", True),
    ("In 4 years' time Jon will be three times as old as Ida.", "4", True),
    ("In 7 years she'll be a third as old as her uncle.", "7", True),
    ("In 5 years Anna will be 30.", "5", False), ("In 5 years Anna will be 4 years older than Ben.", "5", False),
    ("5 years from now she will be twice as old as she is now.", "5", False),
    ("In 5 years Anna will be twice as old as Ben will be then.", "5", False),
    ("In 5 years, Anna will be twice as old as Ben was in May.", "5", False),
    ("In 5 years, Anna will be twice as tall as Ben.", "5", False),
])
def test_years_that_both_ages_need(text, years, twice):
    assert needs_the_years_twice(NOTHING._replace(text=text)) is twice
    assert not needs_the_years_twice(NOTHING._replace(text=text, numbers=(span(text, years),)))
