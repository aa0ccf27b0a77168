"""Sentences whose numbers suggest an equation that they do not state."""

from __future__ import annotations

import pytest
from shapes import NOTHING, span

from eqparse.parser.rules.uncertain import (
    adds_two_of_several,
    counts_how_often_by_a_measure,
    counts_three_things,
    divides_by_zero,
    has_no_number_of_its_own,
    is_a_range,
    is_a_score,
    is_compared_twice,
    needs_the_years_twice,
    takes_back_a_number,
)


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
    ("Amy is 3 years older than Bo and twice as old as Cal.", "3", "twice", True),
    ("Amy earns twice as much as Bo and three times as much as Cal.", "twice", "three", True),
    ("The hall is half as long as the shed but 4 metres wider than the barn.", "half", "4", True),
    ("Polishing it takes twice as long as grinding it and 4 minutes more.", "twice", "4", False),
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
    assert needs_the_years_twice(NOTHING._replace(text=text, numbers=(span(text, years),))) is twice


@pytest.mark.parametrize("text, first, second, back", [
    ("The barn is 10 metres longer than the shed, no, 12.", "10", "12", True),
    ("The barn is 10 - sorry, 12 - metres longer than the shed.", "10", "12", True),
    ("The sum of two numbers is 30, or rather 35.", "30", "35", True),
    ("The jug holds 3, I mean 4, litres more than the pot.", "3", "4", True),
    ("Mia has 20 - wait, 25 - more stamps than Leo.", "20", "25", True),
    ("It costs 8, correction, 9 euros more than the snack.", "8", "9", True),
    ("Twice a number is 14, well, actually 16.", "14", "16", True), ("It is 3 more; correction: 4.", "3", "4", True),
    ("The crate weighs 3 kg no wait, 4 kg more than the box.", "3", "4", True),
    ("The crate weighs 3 kg more or rather 4 kg more.", "3", "4", True),
    ("It is 3 I mean 4 metres longer.", "3", "4", True),
    ("Wait no, it is 3 make that 4 metres longer.", "3", "4", True),
    ("It has 3 pads and there is no wait for the 4 pens.", "3", "4", False),
    ("Of the 3 crates that make that noise, 4 kg is the lightest.", "3", "4", False),
    ("The barn is 10 metres longer than the shed, not 12.", "10", "12", False),
    ("Sorry, 10 of the 12 barns are longer.", "10", "12", False),
    ("It is 10 metres longer, no doubt, and 12 wide.", "10", "12", False),
    ("Heat it to 80 degrees, wait 15 minutes and pour.", "80", "15", False),
    ("It is 10 longer, I mean it, than 12.", "10", "12", False),
    ("There are 10 pads, no two alike, and 12 pens.", "10", "12", False),
    ("The vote was aye 12, nay 9.", "12", "9", False),
    ("At 4 euros a head I make that 60 for all of us.", "4", "60", False),
    ("The road is 30 miles, actually 4 miles more than the map says.", "30", "4", False),
    ("The pen was 9 euros, actually 2 less than the pad.", "9", "2", False),
    ("It did 9 on the way down from the pass, sorry, 14.", "9", "14", False),
])
def test_a_number_that_is_taken_back(text, first, second, back):
    for number in (span(text, first), span(text, second)):
        assert takes_back_a_number(NOTHING._replace(text=text, numbers=(number,))) is back
    assert not takes_back_a_number(NOTHING._replace(text=text))


@pytest.mark.parametrize("text, first, second, ratio, score", [
    ("The Reds won 12 to 4.", "12", "4", False, True), ("The Reds beat the Blues 12 to 4.", "12", "4", True, True),
    ("Leeds lost to York 3-1 at home.", "3", "1", False, True), ("They led 9 to 2.", "9", "2", False, True),
    ("The Stags thrashed us five to two.", "five", "two", False, True),
    ("Risers beat fallers 7 to 2.", "7", "2", True, False), ("Oil lost by 3 to 138 dollars.", "3", "138", False, False),
    ("The lead was cut from 14 to 8.", "14", "8", False, False), ("Oil lost 3 to 8 kilos.", "3", "8", False, False),
    ("Wins and defeats stand at 7 to 2.", "7", "2", True, False),
    ("The boys beat the girls 3 to 2.", "3", "2", True, True),
    ("Our side lost to the red team 4 to 1.", "4", "1", True, True),
])
def test_a_score(text, first, second, ratio, score):
    sides = dict.fromkeys(range(4), 1) if ratio else {}
    of = NOTHING._replace(text=text, numbers=(span(text, first), span(text, second)), ratio=sides)
    assert is_a_score(of) is score
    assert not is_a_score(of._replace(numbers=(*of.numbers, (0, 1))))


@pytest.mark.parametrize("text, number, wrong", [
    ("Ida runs 5 miles more often than Jon.", "5", True), ("Kim swims 2 hours less often than Lee.", "2", True),
    ("It is 3 kilos more frequently full.", "3", True), ("She sails 9 km more often.", "9", True),
    ("It is paid 4 dollars more regularly.", "4", True), ("Ida runs 5 times more often than Jon.", "5", False),
    ("Ida runs 5 miles more than Jon.", "5", False), ("Ida is out 2 evenings more often.", "2", False),
    ("Ida runs 5 more often than Jon.", "5", False), ("Ida runs 5 % more often.", "5", False),
])
def test_a_measure_is_no_frequency(text, number, wrong):
    assert counts_how_often_by_a_measure(NOTHING._replace(text=text, numbers=(span(text, number),))) is wrong


@pytest.mark.parametrize("text, phrase, none", [
    ("NaN is 3 more than a number.", "NaN", True), ("A number plus infinity is 12.", "infinity", True),
    ("A googol is twice a number.", "A googol", True), ("It is 3 more than a googolplex.", "a googolplex", True),
    ("A zillion is 12 more than a number.", "A zillion", True), ("A number times nan is 8.", "nan", True),
    ("The shop Infinity sold 3 more than Nova.", "The shop", False), ("Nan is 3 years older than Ben.", "Nan", False),
    ("Infinity sold 3 more phones than Nova.", "Infinity", False), ("Nan's fee is 3 more than mine.", "Nan", False),
    ("The infinity pool is 3 m longer.", "infinity", False),
])
def test_an_unknown_that_is_no_number(text, phrase, none):
    assert has_no_number_of_its_own(NOTHING._replace(text=text, phrases=(text.index(phrase),))) is none


def test_a_division_by_zero():
    assert divides_by_zero(NOTHING._replace(by_zero=True)) and not divides_by_zero(NOTHING)


@pytest.mark.parametrize("text, zero", [
    ("A number over 0 is 5.", True), ("A number divided by nought is 9.", True), ("x over zero equals 12.", True),
    ("Seven plus a number over zero is 12.", True), ("3 more than the sum, divided by nil, is 8.", True),
    ("Divide a number by 0 and add 4 to get 9.", True), ("The quotient of a number and zero is 3.", True),
    ("The ratio of the fee to 0 is 4.", True), ("Zero into a number goes 6 times.", True),
    ("Twice a number ÷ 0 is 8.", True), ("The sum of 4 and y / 0.0 is 7.", True),
    ("Dividing by nothing gives 3.", True),
    ("A number over 0.5 is 5.", False), ("A number divided by 10 is 9.", False),
    ("Any number over 0 is doubled.", False),
    ("x is a number over zero.", False), ("It rose to just over zero, 4 degrees more than in May.", False),
    ("The sum is divided by 05.", False), ("It was cut by nothing, and the fee by 3.", False),
    ("Divided by 4, the toll comes to nothing.", False), ("A number divided by 0 % of it.", False),
])
def test_a_division_by_zero_in_words(text, zero):
    assert divides_by_zero(NOTHING._replace(text=text)) is zero


@pytest.mark.parametrize("text, one, other, several", [
    ("The length, the width and the height add up to 90.", "the width", "the height", True),
    ("Ann, Bea and Cy together are 90.", "Ann", "Cy", True),
    ("90 went on rent, power and water.", "power", "water", True),
    ("The length and the width add up to 90.", "The length", "the width", False),
    ("In May, oats and milk come to 90.", "oats", "milk", False),
    ("Ann, Bea and Cy are 9 more than Max.", "Ann", "Max", False),
    ("Ida, a nurse, and Jon have 84 stamps.", "Ida", "Jon", False),
    ("The twins, Ann and Bea, are 90.", "Ann", "Bea", False),
])
def test_two_of_several_are_added(text, one, other, several):
    of = NOTHING._replace(text=text, adds=True, phrases=(text.index(one), text.index(other)))
    assert adds_two_of_several(of) is several
    assert not adds_two_of_several(of._replace(adds=False))
    product = of._replace(adds=False, multiplies=True)
    assert not adds_two_of_several(product)
    assert adds_two_of_several(product._replace(text=f"{text} It is no product of two.")) is several


@pytest.mark.parametrize("text, counted", [
    ("2 pens, 3 pads and 4 cups cost 40 euros.", True), ("Two pens, 3 blue pads, and 4 cups come to 40.", True),
    ("2 pens, 3 pads, 5 bowls and 4 cups weigh 40 pounds.", True), ("2 pens and 4 cups cost 40 euros.", False),
    ("Three sleds, 2 dog teams and 4 kilos of tents make up 900 kilos.", False),
    ("At 3 stalls, 2 pens and 4 cups cost 40.", False),
])
def test_three_things_that_are_counted(text, counted):
    assert counts_three_things(NOTHING._replace(text=text, numbers=(span(text, "4"),))) is counted
    assert not counts_three_things(NOTHING._replace(text=text))


def test_a_number_may_stand_beside_two_unknowns_in_a_list():
    text = "The fee, the fine and two add up to 90."
    of = NOTHING._replace(text=text, adds=True, phrases=(0, text.index("the fine")), numbers=(span(text, "two"),))
    assert not adds_two_of_several(of) and adds_two_of_several(of._replace(numbers=()))


@pytest.mark.parametrize("text, first, second, range_", [
    ("Choose a whole number from 20 to 30.", "20", "30", True), ("Think of a number between 5 and 9.", "5", "9", True),
    ("From 3 to 5, name a number.", "3", "5", True), ("Between 30 and 50, pick any number.", "30", "50", True),
    ("Draw a card numbered from 1 to 8.", "1", "8", True), ("The pool is closed from 12 to 3.", "12", "3", True),
    ("The museum is open daily from 10 to 5.", "10", "5", True),
    ("Open Monday to Friday from 8 to 12.", "8", "12", True),
    ("Write down a number from two to six.", "two", "six", True),
    ("Guess a number from 1 up to 50.", "1", "50", True),
    ("The toll was raised from 3 to 5 euros.", "3", "5", False), ("The gap narrowed from 9 to 4.", "9", "4", False),
    ("Take the rebate from 75 and 21 remain.", "75", "21", False),
    ("The index opened lower, falling from 90 to 80.", "90", "80", False),
])
def test_a_range_to_choose_from(text, first, second, range_):
    of = NOTHING._replace(text=text, numbers=(span(text, first), span(text, second)))
    assert is_a_range(of) is range_
    assert not is_a_range(of._replace(numbers=of.numbers[:1]))
