"""Intervals that stand where an equation needs one number, and those that do not."""

from __future__ import annotations

import pytest

from eqparse.text.numbers.intervals import interval_in_the_way
from eqparse.text.quantities import find_quantities

IN_THE_WAY = {
    "The tower is 10 to 12 metres longer than the wall.": "10 to 12",
    "The tower is 10-12 metres longer than the wall.": "10-12",
    "The tower is 10/12 metres longer than the wall.": "10/12",
    "Leo is 5/7 years older than Mia.": "5/7",
    "The tower is 10–12 m longer than twice the wall.": "10–12",
    "The tower is 10 m to 12 m longer than the wall.": "10 m to 12",
    "The tower is ten to twelve metres longer than the wall.": "ten to twelve",
    "Leo is 10-12 years older than Mia.": "10-12",
    "Leo has 10 or 12 more stamps than Mia.": "10 or 12",
    "Leo has 10 to 12 stamps more than Mia.": "10 to 12",
    "The coat costs $10 to $12 more than the hat.": "10 to $12",
    "Prices are 3 % to 4 % higher than last year.": "3 % to 4",
    "The coat costs between 10 and 12 euros more than the hat.": "10 and 12",
    "The sum of two numbers is between 10 and 12.": "10 and 12",
    "A number plus 3 is between 10 and 12.": "10 and 12",
    "The tower exceeds the wall by 10 to 12 metres.": "10 to 12",
    "There are 3 to 4 times as many larks as wrens.": "3 to 4",
    "The rod is 30±2 mm longer than the bar.": "30±2",
    "The rod is 30 ± 2 mm longer than the bar.": "30 ± 2",
    "The rod is 30 mm ± 2 mm longer than the bar.": "30 mm ± 2",
    "The rod is 30 plus or minus 2 mm longer than the bar.": "30 plus or minus 2",
    "The rod is 30 +/- 2 mm longer than the bar.": "30 +/- 2",
    "The rod is thirty, give or take two, mm longer than the bar.": "thirty, give or take two",
    "The rope is 10 to 12 metres long.": "10 to 12",
    "The tank holds ±5 litres more than the pail.": "±5",
    "The tank holds +/-5 litres more than the pail.": "+/-5",
    "The rope is ± 3 metres longer than the cord.": "± 3",
    "The rope is +/- 3 metres longer than the cord.": "+/- 3",
    "The tank is plus or minus 5 litres larger than the pail.": "plus or minus 5",
    "The mast is ±0.5 m taller than the boom.": "±0.5",
    "The cost is ±$5 more than the fee.": "±$5",
    "A number plus ±4 is 12.": "±4",
    "The barn is longer than the shed by ±2 metres.": "±2",
    "The barn is give or take 2 metres longer than the shed.": "give or take 2",
    "The result is ±1 % higher than the last.": "±1",
    "The rope exceeds the cord by 4 to 17 days.": "4 to 17",
    "A number plus 3 lies from 30 to 40.": "30 to 40",
    "A number minus 4 is anywhere from 10 to 12.": "10 to 12",
    "Twice a number is above 20 but below 40.": "20 but below 40",
    "The sum of two numbers is more than 20 and less than 40.": "20 and less than 40",
    "The sum of two numbers is under 40 but over 20.": "40 but over 20",
    "The mast is at least 4 but at most 6 metres longer than the boom.": "4 but at most 6",
    "The mast is 9 metres longer than the boom, give or take 1.": "9 metres longer than the boom, give or take 1",
    "The fee is 30 euros more than the fine, plus or minus 2.": "30 euros more than the fine, plus or minus 2",
    "The oak is between twice and three times as tall as the elm.": "twice and three",
    "Ben is twice or three times as old as Ann.": "twice or three",
    "Ben is twice or even thrice as old as Ann.": "twice or even thrice",
    "The price is double or triple that of the vase.": "double or triple",
    "The oak is 10 or perhaps 12 metres taller than the elm.": "10 or perhaps 12",
    "The sum of two numbers is somewhere between 30 and 40.": "30 and 40",
}


@pytest.mark.parametrize("text", IN_THE_WAY)
def test_an_interval_that_is_in_the_way(text):
    start, end = interval_in_the_way(text, find_quantities(text))
    assert text[start:end] == IN_THE_WAY[text]


@pytest.mark.parametrize(
    "text",
    [
        "From 2010 to 2012 sales rose by 5.",
        "Children of 3 to 11 years pay 5 less than adults.",
        "Children aged 3 to 11 pay 5 less than adults.",
        "Larks and wrens stand at 3 to 5.",
        "The ratio of larks to wrens is 3 to 5.",
        "The mix is 3 to 5 litres in proportion.",
        "The Stags won 3-2, 5 points more than last week.",
        "The price rose from 10 to 12 euros.",
        "The price rose 2 to 5 euros.",
        "Births rose by 38 to 291.",
        "The dividend was raised 8 % to 13.5 cents.",
        "The difference between 10 and 12 is a number.",
        "The sum of 10 and 12 is a number.",
        "The shop opens between 9 and 4 and sells 3 more lamps than rugs.",
        "Rows 10 to 24 board first, 5 minutes earlier than the rest.",
        "10 - 12 is a number.",
        "12 - 10 metres is the length of the rope.",
        "A number is 10 more than 12.",
        "Lead times have shortened by 4 days to 17.",
        "The wait has come down by 6 weeks to 15.",
        "The lap was trimmed by 3 seconds to 58.",
        "The stay was lengthened by two nights to five.",
        "The notice was extended by 2 weeks to 6.",
        "The gap narrowed by $3 to $9.",
        "The pole was lowered by 3 feet to 8.",
        "The limit was eased by 5 mph to 12.",
        "The loaf got heavier by nearly 2 ounces to 5.",
        "The queue was shortened by about 8 minutes to 20.",
        "The fare rose from 30 to 40 euros.",
        "The shortfall doubles to 40 as the year begins.",
        "The hall above 20 sheds is 40 metres longer than the barn.",
        "The sum of two numbers is below 40, and one of them is above 20.",
        "The van is over 20 kilos heavier than the cart and below 40 metres long.",
        "It rang twice or three times a day, 5 more than in May.",
        "Twice the fee and three times the fare come to 40.",
        "The oak is 6 metres more than twice the height of the elm.",
    ],
)
def test_an_interval_that_is_not(text):
    assert interval_in_the_way(text, find_quantities(text)) is None
