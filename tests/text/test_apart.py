"""Coefficients, abbreviated units, raised digits and blocks are set apart, names and factors are not."""

from __future__ import annotations

import pytest

from eqparse.text.markup import strip_markup

APART = [
    ("x is 3 more than 2y.", "x is 3 more than 2 y."),
    ("2x is 3 more than y.", "2 x is 3 more than y."),
    ("2X is 3 more than Y.", "2 X is 3 more than Y."),
    ("3x plus 2y is 12.", "3 x plus 2 y is 12."),
    ("The sum of 2x and 3 is 9.", "The sum of 2 x and 3 is 9."),
    ("5 less than 3x is 13.", "5 less than 3 x is 13."),
    ("3x + 5 is 20", "3 x + 5 is 20"),
    ("2n plus 7 is 21.", "2 n plus 7 is 21."),
    ("4a minus 3b equals 10.", "4 a minus 3 b equals 10."),
    ("x is 0.5y less 4.", "x is 0.5 y less 4."),
    ("If 2x is added to 5, the result is 17.", "If 2 x is added to 5, the result is 17."),
    ("Twice y is 4 less than 3z.", "Twice y is 4 less than 3 z."),
    ("y is 4x.", "y is 4 x."),
    ("3a and 4b come to 20.", "3 a and 4 b come to 20."),
    ("5a and 2c add up to 31", "5 a and 2 c add up to 31"),
    ("3p minus 2q equals 40.", "3 p minus 2 q equals 40."),
    ("2u and 9m total 60.", "2 u and 9 m total 60."),
    ("5k is 3 more than m", "5 k is 3 more than m"),
    ("5m is 3 more than n.", "5 m is 3 more than n."),
    ("2c plus d is 9.", "2 c plus d is 9."),
    ("4t equals s minus 3.", "4 t equals s minus 3."),
    ("7g is 2 less than h.", "7 g is 2 less than h."),
    ("k is 5 more than 3m.", "k is 5 more than 3 m."),
    ("The sum of 4c and d is 30.", "The sum of 4 c and d is 30."),
    ("6h minus t is 12", "6 h minus t is 12"),
    ("w is 8 less than 2k.", "w is 8 less than 2 k."),
    ("Tom is 3 yrs. older than Ann.", "Tom is 3 yrs older than Ann."),
    ("The rope is 3 ft. longer than the cord.", "The rope is 3 ft longer than the cord."),
    ("The rope is 5 in. longer than the cord.", "The rope is 5 in longer than the cord."),
    ("It took 3 min. less than the bus.", "It took 3 min less than the bus."),
    ("The sack is 9 lbs. heavier than the bag.", "The sack is 9 lbs heavier than the bag."),
    ("The nap was 2hrs. shorter than the film.", "The nap was 2hrs shorter than the film."),
    ("The cup holds 4 oz. less than the jug.", "The cup holds 4 oz less than the jug."),
    ("The lane is 80 yds. shorter than the road.", "The lane is 80 yds shorter than the road."),
    ("The rope is 7 cm. longer than the cord.", "The rope is 7 cm longer than the cord."),
    ("The soup needs 2 tbsp. more than the stew.", "The soup needs 2 tbsp more than the stew."),
    ("The stay was 6 wks. longer than planned.", "The stay was 6 wks longer than planned."),
]
RAISED_AND_BLOCKS = [
    ("A number is 3<sup>2</sup> more than another.", "A number is 3^2 more than another."),
    ("10<sup>6</sup> more than a number is 12.", "10^6 more than a number is 12."),
    ("x<sup>2</sup> plus 3 is 12.", "x^2 plus 3 is 12."),
    ("The sum of 2<sup>-3</sup> and a number is 5.", "The sum of 2^-3 and a number is 5."),
    ("(a + b)<sup>2</sup> is 30 more than a.", "(a + b)^2 is 30 more than a."),
    ("A number is 5<sup>n</sup> less than 30.", "A number is 5^n less than 30."),
    ("A number is 101<sub>2</sub> more than another.", "A number is 101_2 more than another."),
    ("The 1<sup>st</sup> lap was 3 seconds faster than the 2<sup>nd</sup>.",
     "The 1st lap was 3 seconds faster than the 2nd."),
    ("CO<sub>2</sub> rose by 3 tonnes.", "CO2 rose by 3 tonnes."),
    ("The barn<sup>1</sup> is 10 m<sup>2</sup> larger than the shed.", "The barn is 10 m2 larger than the shed."),
    ("The rope is 3<br>500 more than the cord.", "The rope is 3\n500 more than the cord."),
    ("The rope is 3<br/> 500 more than the cord.", "The rope is 3\n500 more than the cord."),
    ("<p>The rent is 3</p><p>500 more than the fee</p>", "The rent is 3\n500 more than the fee"),
    ("The <td>3</td><td>500</td> cases", "The 3\n500 cases"),
    ("The barn is<br>10 metres longer than the shed.", "The barn is 10 metres longer than the shed."),
    ("<div>The barn is 10 metres</div><div>longer than the shed.</div>",
     "The barn is 10 metres longer than the shed."),
    ("<ul><li>The barn is 3 m longer than</li> <li>the shed</li></ul>", "The barn is 3 m longer than the shed"),
    ('Rows of <li class="a">4</li><li>200</li> seats', "Rows of 4\n200 seats"),
    ("The score was 12<hr>345 more than last time.", "The score was 12\n345 more than last time."),
    ("<h2>Twice a number</h2> is 18.", "Twice a number is 18."),
    ("3<b>500</b> more than a number is 4000.", "3500 more than a number is 4000."),
]
TOGETHER = [
    "The mast is 2x the height of the boom.", "The plan is 3x as dear as the old one plus 2.", "Sales grew 2x.",
    "Ann is 5y older than Ben.", "Seat 12b costs 3 more than seat 14b.", "A 2x4 beam is 3 inches longer than x.",
    "The 5a team has 3 more than the 5b team.", "The walk took 3 hrs. Then it rained.", "The rope is 3 ft.",
    "Line 7n is 3 km longer than line 9n.", "The road is 5 km. Its length is 3 km more.",
    "The 4x is 3 more than it was.",
    "5m is 3 more than the width.", "A 5k is 3 km longer than the walk.", "5k is 3 more than last year.",
    "Classes 3a and 4b come to 20 pupils.", "2h and 30m make 150.", "The hall is 5m and the barn is 3m longer.",
    "Line 5k is 3 more than vitamin C.", "Room 3a and 4b come to 20.",
    "Version 2b plus 3 patches came out.",
]


@pytest.mark.parametrize(("given", "right"), APART)
def test_what_is_stuck_is_set_apart(given, right):
    edited = strip_markup(given)
    assert edited.text == right and strip_markup(right).text == right
    assert edited.span(0, len(right)) == (0, len(given))


@pytest.mark.parametrize("text", TOGETHER)
def test_names_and_factors_stay_as_they_are(text):
    assert strip_markup(text).text == text


@pytest.mark.parametrize(("given", "right"), RAISED_AND_BLOCKS)
def test_raised_and_lowered_digits_and_those_of_two_blocks_stay_apart(given, right):
    assert strip_markup(given).text == right
