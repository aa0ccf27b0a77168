"""Answers that cannot be what the text states."""

from __future__ import annotations

import pytest
from tiny import hand_made

from eqparse.equation.equation import Equation
from eqparse.parser.parse import GroundedEquation
from eqparse.parser.reasons import reason
from eqparse.parser.rules.two_facts import is_chained, states_two_results
from eqparse.parser.rules.unsaid import (
    Shape,
    adds_a_distance,
    adds_a_multiplier,
    adds_an_average,
    compares_with_nothing,
    has_three_unknowns,
    multiplies_unsaid,
    takes_powers,
    unsaid,
)
from eqparse.stages.derivation import gold_trees
from eqparse.text.triggers import trigger_list

TEXT = ("The/DT/1/det mean/NN/5/nsubj of/IN/1/prep two/CD/4/nummod jars/NNS/2/pobj is/VBZ/5/ROOT 15/CD/5/attr")


def answer(equation: str, quantities: tuple[int, ...]) -> GroundedEquation:
    """The equation of the text, its variables in "two jars"."""
    (m,) = hand_made(TEXT)
    (jars,) = [n for n, c in enumerate(m.candidates) if m.sentence.text[c.start : c.end] == "two jars"]
    triggers = trigger_list(m, quantities, (("V1", jars), ("V2", jars)))
    return GroundedEquation.from_tree(triggers, gold_trees(Equation.parse(equation), triggers)[0], 0.0)


SUM, MEAN = answer("V1 + V2 = 15", (1,)), answer("(V1 + V2) / 2 = 15", (0, 1))


@pytest.mark.parametrize("text, found, refused", [
    ("The mean of two jars is 15", SUM, True),
    ("The average of two jars is 15", SUM, True),
    ("On average two jars hold 15", SUM, True),
    ("Two jars averaged 15", SUM, True),
    ("The average weight of both jars is 15", SUM, True),
    ("The mean of two jars is 15", MEAN, False),
    ("The sum of two jars is 15", SUM, False),
    ("The two averages add up to 15", SUM, False),
    ("The sum of the average weights of two jars is 15", SUM, False),
    ("The mean weights of two jars total 15", SUM, False),
    ("The mean of two jars is 15", answer("V1 * V2 = 15", (1,)), True),
    ("The mean of two jars is 15", reason("no_equation"), False),
])
def test_an_average_is_no_sum(text, found, refused):
    assert (unsaid(text, found) is not None) is refused


def shape(text: str, number: str = "", *, adds=False, multiplies=False, divides=False) -> Shape:
    """The shape of an answer that uses `number`."""
    at = text.index(number) if number else 0
    numbers = ((at, at + len(number)),) if number else ()
    return Shape(text, numbers, numbers, adds=adds, multiplies=multiplies, divides=divides)


CHAINED = [
    "A is 3 more than B, which is 2 more than C.", "Ida is 4 years older than Olaf, who is twice as old as Pia.",
    "The red rope is 2 m longer than the blue one, which is 3 m longer than the green one.",
    "The hall is twice as long as the shed, and the shed is 3 m longer than the barn.",
    "A pen costs 2 dollars more than a pad that costs 3 dollars more than a clip.",
    "The book is 3 times as heavy as the pad, which is half as heavy as the box.",
    "Tim has 12 marbles, 3 more than Ann, who has 2 more than Bo.",
    "The second number is 3 more than the first, and the third is 4 more than the second.",
    "Max weighs 4 kg less than Leo, whose brother weighs 3 kg less than Tom.",
    "Oslo won 9 more medals than Bergen, which won 3 fewer than Trondheim.",
    "Ann is 5 years older than Ben, but Ben is twice as old as Cy.",
    "A pen costs 2 euros more than a pad, and a clip costs 3 euros less than a pen.",
    "Ida has 3 more cards than Jon; Jon has twice as many cards as Kai.",
    "Max runs 2 km farther than Leo, while Leo runs half as far as Tom.",
    "My lamp is 3 kilos heavier than my vase and your rug is 2 kilos lighter than my lamp.",
]
TWO = [
    "A is 3 more than B, which is 2 more than 10.", "The mast is 3 m longer than the boom, which was built in 1904.",
    "Ann is 3 years older than Ben, who is 12.", "Ann is 3 cm taller than Ben, who is taller than Cy.",
    "The barn is 10 m longer than twice the shed.", "Ida has 3 more than Ben and Cy have together.",
    "The hall is longer than the shed, which has 12 windows.", "Tea costs 2 euros more than milk, and both sell well.",
    "If it held 6 more than it does, it would hold half as many as the bus.",
    "It jumps twice as high as the cat, in a suit 3 kilos lighter than mine.",
    "The pen costs 2 euros more than the pad, but it is cheaper than the clip.",
]


@pytest.mark.parametrize("text", CHAINED)
def test_three_amounts_in_a_chain(text):
    assert is_chained(shape(text))


@pytest.mark.parametrize("text, two", [
    ("There are 50 cows and sheep, and 8 more cows than sheep.", True),
    ("We sold 90 apples and pears, twice as many apples as pears.", True),
    ("There are 31 boys and girls in my class, and there are 5 more girls than boys.", True),
    ("In all, 45 cars and vans were sold, 5 fewer vans than cars.", True),
    ("There are 36 singers, and 8 more women than men.", False),
    ("At 12 cows and sheep graze, and there are 8 more hens than geese.", False),
    ("The sum of two numbers is 20 and their difference is 4.", True),
    ("The product of x and y is 18, and their sum is nine.", True),
    ("Two numbers have a sum of 12; their product is 35.", True),
    ("The difference of two masses is 3 kg, while the total is 9 kg.", True),
    ("Two numbers have a sum of 30 and a difference of 4.", True),
    ("Two numbers add up to 30 and differ by 4.", True), ("x plus y is 30 and x minus y is 4.", True),
    ("Twice x plus y is 30, and x times y is nine.", True),
    ("The sum of two numbers is 20 and they are odd.", False),
    ("The sum of 5 and the product of 3 and a number is 20.", False),
    ("The difference between the sum of 8 and x and the product of 3 and x is 4.", False),
    ("The sum of 4 and the quotient of 12 and a number is 7.", False),
    ("The product of 6 and the difference of 9 and a number is 30.", False),
    ("x plus y is 30 and z.", False), ("Two numbers add up to 30 and a half.", False),
    ("A number plus 4 is 3 more than twice the number and minus one is 4.", False),
    ("A number plus 4 equals 20 minus the number.", False),
    ("The sum of x and the difference of 9 and 4 is 12.", False),
    ("The total is 9 and the average is told later.", False),
    ("Two numbers add up to 15 and one is 3 more than the other.", True),
    ("The sum of two numbers is 20 and one of them is 4 more than the other.", True),
    ("Two numbers have a sum of 30, and the larger is twice the smaller.", True),
    ("The sum of two numbers is 20 such that one is half the other.", True),
    ("one number is 3 times another and they add up to 24", True),
    ("One number is 4 more than another and their sum is 18.", True),
    ("The longer piece is twice the shorter and the two come to 36.", True),
    ("One number is 4 more than another and their sum is even.", False),
    ("The sum of two numbers is 20 and one of them is 8.", False),
    ("The sum of two numbers is 20 and one of them is 8, find the other.", False),
    ("Two numbers add up to 15 and the larger is 9 or another.", False),
    ("The first number is 3 more than the second and both are 4 digits long.", False),
    ("Two numbers add up to 15, and they are whole.", False),
    ("Of two numbers, one is 25 % larger than the other.", False),
])
def test_two_results_of_one_pair(text, two):
    assert states_two_results(shape(text)) is two


@pytest.mark.parametrize("text", TWO)
def test_what_is_no_chain(text):
    assert not is_chained(shape(text))


POWERS = [
    "Square a number and take 4: that makes 60.", "If you cube my number, add 4 to get 31.",
    "Squaring it and adding 4 gives 60.",
    "A number squared is 9.", "The square of a number is 25.", "The cube of an integer plus 3 is 30.",
    "x squared is 9.", "Twice the square root of a number is 8.", "Two squared plus a number is 9.",
    "The square of 5 is 3 more than n.", "A number to the fourth power is 16.", "The factorial of a number is 24.",
    "The squares of two numbers differ by 9.",
]
NO_POWERS = [
    "The square is 10 metres wider than the street.", "It costs 3 dollars a square foot more than the shed.",
    "The market square of the town has 12 stalls.", "A cube of ice weighs 3 grams more than a cube of butter.",
    "The power plant makes 3 megawatts more than the dam.", "The roots are 3 cm longer than the stem.",
    "Square B is 4 boxes longer than square C.",
    "On squared paper the tail is 4 boxes longer than the head.", "She has 12 more squared sheets than plain ones.",
]


@pytest.mark.parametrize("text, has", [*((text, True) for text in POWERS), *((text, False) for text in NO_POWERS)])
def test_powers_and_roots(text, has):
    assert takes_powers(shape(text)) is has


@pytest.mark.parametrize("text, number, adds, refused", [
    ("The sum of three numbers is 36.", "", True, True),
    ("The sum of three numbers is 36.", "three", False, True),
    ("The total of 4 consecutive odd numbers is 36.", "", True, True),
    ("Five consecutive numbers add up to 36.", "Five", False, True),
    ("Four tests averaged 80.", "Four", False, True),
    ("The average of three numbers is 12.", "three", False, True),
    ("The mean of her five marks is 12.", "five", False, True),
    ("The median of three numbers is 12.", "", True, True),
    ("Three numbers have an average of 12.", "", True, True),
    ("The product of 4 numbers is 12.", "4", False, True),
    ("The sum of two numbers is 36.", "", True, False),
    ("The sum of three equal numbers is 36.", "three", False, False),
    ("The sum of three consecutive numbers is 3 times the middle one.", " 3 ", False, False),
    ("The average of 4 tests is 3 more than the worst.", " 3 ", False, False),
    ("The two averages of the three tests add up to 36.", "", True, False),
    ("The total of 5 tickets is 40.", "5", False, False),
])
def test_more_than_two_unknowns(text, number, adds, refused):
    assert has_three_unknowns(shape(text, number, adds=adds)) is refused
    assert has_three_unknowns(shape(text, number, adds=adds, divides=True)) is (adds and refused)


@pytest.mark.parametrize("text, refused", [
    ("The mean of a number and 8 is 12.", True), ("The average of her score and 8 is 3 more than his.", True),
    ("The average of the fee and the fare is 8 euros.", False), ("On average, Ann and Bea sell 8 pies.", False),
    ("The average age of the boys is 8 more than that of Ann and Bea.", False),
])
def test_a_number_that_is_averaged(text, refused):
    assert adds_an_average(shape(text, "8")) is refused
    assert not adds_an_average(shape(text, "8", divides=True))


@pytest.mark.parametrize("text, adds, refused", [
    ("The three angles of a triangle add up to 180.", True, True),
    ("The angles of a triangle add up to 180.", True, True), ("The sum of the sides of a square is 36.", True, True),
    ("The interior angles of a right triangle come to 180.", True, True),
    ("Three sisters have 60 pens altogether.", True, True), ("Together, three boys weigh 180 kilos.", True, True),
    ("The product of three numbers is 30.", False, True),
    ("The length times the width times the height is 60.", False, True), ("x times y times z is 30.", False, True),
    ("Two angles of a triangle add up to 120.", True, False),
    ("The acute angles of the ramp add up to 71.", True, False),
    ("Both sides of the street come to 36 houses.", True, False), ("Two sisters have 60 pens together.", True, False),
    ("3 times the length times the width is 60.", False, False), ("The rows times the chairs make 96.", False, False),
    ("The height times the width, 3 times what it was, is 60.", False, False),
])
def test_three_that_are_added_or_multiplied(text, adds, refused):
    assert has_three_unknowns(shape(text, adds=adds, multiplies=not adds)) is refused
    assert not has_three_unknowns(shape(text))


@pytest.mark.parametrize("text, number", [
    ("Thirty pens and pads weigh 2 kilos more.", "Thirty"), ("26 bikes and trikes have a lock.", "26"),
])
def test_a_number_that_is_their_sum(text, number):
    assert not has_three_unknowns(shape(text, number, adds=True))


@pytest.mark.parametrize("text, number, refused", [
    ("The sisters are 5 years apart.", "5", True), ("Their ages lie 7 years apart.", "7", True),
    ("The bids are 300 dollars apart.", "300", True), ("The two fees are 40 apart.", "40", True),
    ("The hikers left in opposite directions and are 17 miles apart.", "17", False),
    ("Their stations are 90 km apart, and they meet after 3 hours.", "90", False),
    ("In two litters, born 6 days apart, there were 19 pups.", "19", False),
    ("Apart from 3 geese, hens and ducks come to 40.", "40", False),
])
def test_what_lies_apart_is_not_added(text, number, refused):
    assert adds_a_distance(shape(text, number, adds=True)) is refused
    assert not adds_a_distance(shape(text, number))


@pytest.mark.parametrize("text, refused", [
    ("There are 10 % fewer boys than girls.", True), ("The product of two numbers is 12.", False),
    ("A number multiplied by another is 12.", False), ("The area of a rectangle is 12.", True),
])
def test_a_product_is_named(text, refused):
    assert multiplies_unsaid(shape(text, multiplies=True)) is refused


@pytest.mark.parametrize("text, number, refused", [
    ("Dad is 3x older than me.", "3", True), ("The tower is 3 times the height of the chapel.", "3", True),
    ("Dad is five fold older than me.", "five", True), ("Dad is 3-fold older than me.", "3", True),
    ("Sales were 10fold higher than in May.", "10", True), ("The mast is 2× the height of the boom.", "2", True),
    ("The mast is 2 × the height of the boom.", "2", True), ("He took 3 folders more than Ann.", "3", False),
    ("Dad is three times as old as I am.", "three", True), ("The car is 2.5X dearer than the van.", "2.5", True),
    ("Dad is 3 years older than I am.", "3", False), ("He won 3 times in May, once more than Ann.", "3", False),
    ("The board is 3x5 and 2 longer than the other.", "3", False), ("It rang 3 times a day more often.", "3", False),
    ("The loss multiplied by minus 3 is 60.", "minus 3", True), ("A number times 7 is 42.", "7", True),
    ("She rang three times, 7 more than Bo.", "7", False),
])
def test_a_number_of_times_is_not_added(text, number, refused):
    assert adds_a_multiplier(shape(text, number)) is refused
    assert not adds_a_multiplier(shape(text))


@pytest.mark.parametrize("text, first, second, adds", [
    ("The gap has shrunk from 12-fold to 9-fold.", "12", "9", False),
    ("The ratio went from 30 times to 24 times.", "30", "24", False),
    ("Ann rang 40 times, ten times more than Ben.", "40", "ten", False),
    ("He earns 90 times as much as she does, up from 70 times.", "90", "70", True),
    ("A rope is 12 metres, 3 times longer than a tape.", "12", "3", True),
])
def test_numbers_of_times_may_be_compared(text, first, second, adds):
    numbers = shape(text, first).numbers + shape(text, second).numbers
    assert adds_a_multiplier(shape(text)._replace(numbers=numbers, terms=numbers)) is adds


@pytest.mark.parametrize("text, nothing", [
    ("The gap is now 5 times wider.", True), ("Sales were 3 times higher.", True),
    ("The mast is 4 metres taller.", True),
    ("The bill is 5 % lower", True), ("The crew got 12 larger.", True), ("He was two years older!", True),
    ("The gap is 5 times wider than the crack.", False), ("Next to the shed, the barn is 10 metres longer.", False),
    ("The bill was 20 dollars lower at 310.", False), ("What Al gets, Bo gets 5 more.", False),
    ("The mast is 4 metres taller now and 12 metres tall.", False), ("The pair weighs 40 kilos more.", False),
    ("Figs overtook plums in May and are now 15 euros dearer.", False), ("Figs are now 15 euros dearer.", True),
])
def test_what_is_compared_with_nothing(text, nothing):
    assert compares_with_nothing(shape(text)) is nothing


@pytest.mark.parametrize("text, first, second", [
    ("Ines is 61 and Paul is 22 years younger.", "61", "22"), ("They need 90 votes and are four short.", "90", "four"),
    ("The old fee was 70 euros while the new one is 12 higher.", "70", "12"),
    ("A ride costs 80 cents but it was 15 cents cheaper.", "80", "15"),
    ("The hall seats 300 and the tent is 40 seats smaller.", "300", "40"),
])
def test_a_value_in_a_clause_before_may_be_what_is_compared_with(text, first, second):
    number, other = (shape(text, some).numbers for some in (first, second))
    assert not compares_with_nothing(shape(text)._replace(numbers=number + other))
    assert compares_with_nothing(shape(text, second))


def test_a_rough_reason_gives_way_to_a_better_one():
    alone = reason("no_equation", "an amount and its value alone")
    assert "noun phrase" in unsaid("The tank takes 3 hours longer to fill than to empty.", alone).text
    assert "power" in unsaid("A number squared is 16.", alone).text
    assert unsaid("The barn is 10 metres tall.", alone) is None


@pytest.mark.parametrize("text, alone", [
    ("A loaf costs 15 euros.", True), ("The perimeter of a square is 15 cm.", True), ("The hall holds 15.", True),
    ("There are 15 jars in the box.", True), ("The jar weighs 15 kilos.", True), ("The film lasts 15 minutes.", True),
    ("The bag of rice is 15 dollars.", True), ("Our cat is 15.", True), ("The gate is 15 metres wide.", True),
    ("The price of a jar is 15 cents.", True), ("There are 15 % fewer jars than cups.", False),
    ("Each jar and each cup cost 15.", False),
])
def test_an_amount_with_its_value_alone_is_told_so(text, alone):
    why = unsaid(text, answer("V1 * V2 = 15", (1,)))
    assert ("value alone" in why.text) is alone
