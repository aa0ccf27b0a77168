"""Readings that leave out a number give way to others."""

from __future__ import annotations

import pytest
from answers import answered
from shapes import NOTHING, span

from eqparse.parser.rules.left_out import leaves_out_a_count, leaves_out_a_size, leaves_out_the_years, parts_a_list


@pytest.mark.parametrize("text, count, phrase", [
    ("Four crates weigh 12 kilos more than the sofa.", "Four", "crates"),
    ("Three lamps cost 4 dollars less than the vase.", "Three", "lamps"),
    ("Two oak planks need 3 nails more than the post.", "Two", "oak planks"),
    ("Nine bricks weigh about 3 kilos less than the slab.", "Nine", "bricks"),
    ("12 jars hold 3 litres more than the vat.", "12", "jars"),
    ("A bus holds 14 more people than 3 vans.", "3", "vans"),
    ("It weighs 40 kilos more than six sheep.", "six", "sheep"),
    ("The hall seats 30 fewer guests than 2 tents.", "2", "tents"),
    ("A wheel costs 9 euros more than 4 tyres do.", "4", "tyres"),
    ("He ate five more than two children.", "two", "children"),
])
def test_the_number_of_what_is_compared_multiplies(text, count, phrase):
    number = span(text, count)
    for start in (text.index(count), text.index(phrase)):
        assert leaves_out_a_count(NOTHING._replace(text=text, phrases=(start,)))
    used = NOTHING._replace(text=text, numbers=(number,), phrases=(text.index(phrase),))
    assert leaves_out_a_count(used) and not leaves_out_a_count(used._replace(applied=(("*", *number),)))


@pytest.mark.parametrize("text, phrase", [
    ("The prime is five less than 6 across.", "6 across"),
    ("The barn is 3 metres wider than 2 years ago.", "2 years"), ("It took 5 minutes less than 2 hours.", "2 hours"),
    ("Two melons weigh 5 kilos together.", "Two melons"), ("Four crates weigh 12 kilos.", "Four crates"),
    ("It does less harm than two digestives.", "two digestives"), ("One crate weighs 3 kilos more than ours.", "One"),
    ("Ida won 3 more games than the 2 others.", "the 2"), ("It rang 3 more times than 4 times.", "4 times"),
])
def test_what_is_no_number_of_compared_things(text, phrase):
    assert not leaves_out_a_count(NOTHING._replace(text=text, phrases=(text.index(phrase),)))


@pytest.mark.parametrize("text, count, size", [
    ("Five 30-litre barrels and the tub hold 190 litres between them.", "Five", "30"),
    ("Three 45-minute lessons and the break take up 155 minutes.", "Three", "45"),
    ("Six 70-kilo crates and a pallet weigh 450 kg in all.", "Six", "70"),
    ("The truck's four 80-litre tanks and the reserve hold 350 litres.", "four", "80"),
    ("Two 26-mile races and the warm-up come to 60 miles.", "Two", "26"),
    ("Seven 12-page booklets and the cover make 88 pages.", "Seven", "12"),
    ("Together 11 25-metre lengths and the last swim are 290 metres.", "11", "25"),
    ("Twelve nine-watt bulbs and the kettle draw 2,108 watts.", "Twelve", "nine"),
    ("4 1,500-word essays and the thesis run to 46,000 words.", "4", "1,500"),
    ("She has read two 300-page novels and a diary, 750 pages altogether.", "two", "300"),
])
def test_the_size_of_what_adds_up_multiplies(text, count, size):
    one, other = span(text, count), span(text, size)
    assert leaves_out_a_size(NOTHING._replace(text=text, numbers=(one,)))
    assert leaves_out_a_size(NOTHING._replace(text=text, numbers=(one, other), phrases=(other[0],)))
    assert not leaves_out_a_size(NOTHING._replace(text=text, numbers=(one, other)))
    assert not leaves_out_a_size(NOTHING._replace(text=text, phrases=(one[0],)))  # "The five 30-litre barrels"


@pytest.mark.parametrize("text", [
    "Four 64-crayon boxes and a 12-crayon box cost 41 dollars.", "Three 20-litre drums weigh 70 kilos.",
    "Six 2-bedroom flats were sold.", "Two 8-core boxes and the old 4-core one render 90 frames an hour.",
])
def test_a_size_of_another_kind_than_the_total_need_not(text):
    assert not leaves_out_a_size(NOTHING._replace(text=text, numbers=(span(text, text.split()[0]),)))


@pytest.mark.parametrize("text, years, needed", [
    ("In 5 years, she will be twice as old as she is now.", "5", True),
    ("In six years Jon will be three times as old as Ida is now.", "six", True),
    ("Seven years from now Mia will be half as old as her aunt is today.", "Seven", True),
    ("9 years hence he will be what she is.", "9", True), ("In 4 years' time I'll be twice the age I am.", "4", True),
    ("In 5 years Anna will be twice as old as Ben.", "5", False), ("In 5 years she will be 30.", "5", False),
    ("In 5 years the oak will be 2 metres taller than the ash.", "5", False),
])
def test_the_years_between_two_ages_are_not_left_out(text, years, needed):
    assert leaves_out_the_years(NOTHING._replace(text=text)) is needed
    assert not leaves_out_the_years(NOTHING._replace(text=text, numbers=(span(text, years),)))


CHEST = "The chest weighs as much as the lamp, the rug and the 12 kilo chair."
TEA = "Tea, milk and sugar cost 4 times as much as bread."
MALT = "Malt, hops and yeast cost 9 euros more than the jug."
BED = "The bed weighs 5 kilos more than the lamp, the rug and a 3 kg stool."
LOAD = "The lamp, the rug and the 12 kilo chair weigh 40 kilos together."


@pytest.mark.parametrize("text, equation, first, second, parted", [
    (CHEST, "V1 = V2 + 12", "The chest weighs", "the lamp", True), (CHEST, "V1 = V2 + 12", "the lamp", "the rug", True),
    (CHEST, "V1 = V2 - 12", "The chest", "the rug", True), (CHEST, "V1 + V2 = 12", "the lamp", "the rug", True),
    (BED, "V1 = 5 + (V2 + 3)", "The bed weighs", "the rug", True), (TEA, "V1 + V2 = 4", "Tea", "milk", True),
    (MALT, "V1 + V2 = 9", "Malt", "hops", True), (MALT, "V1 + V2 = 9", "Malt", "yeast", True),
    (LOAD, "V1 + V2 = 40", "The lamp", "the rug", True), (LOAD, "(V1 + 12) = 40", "the rug", "", True),
    ("Without the lid, a 2-kilo affair, and the spoon the pan weighs 11.", "V1 - 2 = 11", "the pan weighs", "", False),
    (BED, "V1 = 5 + V2", "The bed weighs", "the lamp, the rug and a 3 kg stool", False),
    (LOAD, "(V1 + V2) + 12 = 40", "The lamp", "the rug", False),
    (TEA, "V1 = 4 * V2", "Tea, milk and sugar", "bread", False),
    (MALT, "V1 = 9 + V2", "Malt, hops and yeast cost", "the jug", False),
    ("The 40 kilo chest weighs as much as the lamp, the rug and the 12 kilo chair.", "40 = (V1 + V2) + 12", "the lamp",
     "the rug", False),
])
def test_a_list_is_taken_whole(text, equation, first, second, parted):
    assert parts_a_list(answered(text, equation, *filter(None, (first, second)))) is parted
