"""What people type, through the model that ships."""

from __future__ import annotations

from functools import cache

import pytest

import eqparse
from eqparse.equation.equation import Equation
from eqparse.training.metrics import equal_relation

pytestmark = pytest.mark.pipeline
ANSWERED = [
    ("If you add 7 to a number you get 15.", "7 + V1 = 15", ["a number"]),
    ("If we add 7 to a number we get 15.", "7 + V1 = 15", ["a number"]),
    ("When I subtract 4 from a number I get 9.", "V1 - 4 = 9", ["a number"]),
    ("Tom and Ann are 7 years apart in age.", "V1 - V2 = 7", ["Tom", "Ann"]),
    ("If you add 7 to a number, you get 15.", "7 + V1 = 15", ["a number"]),
    ("A number added to 5 gives 9.", "V1 + 5 = 9", ["A number"]),
    ("12 is the sum of a number and 7.", "12 = V1 + 7", ["a number"]),
    ("Her savings added to 40 make 95.", "V1 + 40 = 95", ["Her savings"]),
    ("Tom is twice as old as Ann.", "V1 = 2 * V2", ["Tom", "Ann"]),
    ("Otto has 6 more than Hans.", "V1 = 6 + V2", ["Otto has", "Hans"]),
    ("Tom's age and Ann's age add up to 30.", "V1 + V2 = 30", ["Tom's age", "Ann's age"]),
    ("The tank takes 3 hours longer to fill than to empty.", "V1 = 3 + V2", ["The tank takes", "to empty"]),
    ("The sum of a number and twice another number is 15.", "V1 + (2 * V2) = 15", ["a number", "another number"]),
    ("The sum of a number and twice that number is 15.", "V1 + (2 * V1) = 15", ["a number", "that number"]),
    ("The average of two numbers is 15.", "(V1 + V2) / 2 = 15", ["two numbers", "two numbers"]),
    ("Twice $x$ is 14.", "2 * V1 = 14", ["x"]),
    ("A number plus threescore and ten is 100.", "V1 + 70 = 100", ["A number"]),
    ("The new fee is 200 % more than the old fee.", "V1 = V2 + (2 * V2)", ["The new fee", "the old fee"]),
    ("The lamp is 4 times smaller than the door.", "V1 = V2 / 4", ["The lamp", "the door"]),
    ("Her desk costs 2.5 times less than the shelf.", "V1 = V2 / 2.5", ["Her desk costs", "the shelf"]),
    ("The bus was 12 minutes slower than the tram.", "V1 = 12 + V2", ["The bus", "the tram"]),
    ("The new route is half an hour faster than the old one.", "V1 = V2 - 0.5", ["The new route", "the old one"]),
    ("The kart runs 5 miles an hour faster than the dog.", "V1 = 5 + V2", ["The kart runs", "the dog"]),
    ("The mirror is 12-fold larger than the lens.", "V1 = 12 * V2", ["The mirror", "the lens"]),
    ("The pool is threefold deeper than the pond.", "V1 = 3 * V2", ["The pool", "the pond"]),
    ("The sum of 12 and a number is multiplied by 3 to give 60.", "(12 + V1) * 3 = 60", ["a number"]),
]
REFUSED = [
    "The barn is 10 metres tall.", "A rectangle is 8 centimetres long.", "The perimeter of a square is 36 cm.",
    "The volume of a cube is 27 cubic centimetres.",
    "The average of three numbers is 12.", "The sum of three numbers is 36.",
    "Three consecutive numbers add up to 36.", "A is 3 more than B, which is 2 more than C.", "A number squared is 16.",
    "The barn is a metre longer than twice the shed.", "The crowd was several hundred more than twice the last one.",
    "The average of four tests is 12.",
    "The mean age of both twins is 11.", "A number plus XII is 20.", "The barn is 1,5 metres longer than the shed.",
]


@cache
def parser():
    return eqparse.load()


@pytest.mark.parametrize("text, equation, phrases", ANSWERED)
def test_it_is_read(text, equation, phrases):
    parse = parser()(text)
    assert equal_relation(Equation.parse(equation), parse.equation)
    assert [phrase for label in sorted(parse.phrases) for phrase in parse.phrases[label]] == phrases


@pytest.mark.parametrize("text", REFUSED)
def test_it_is_refused(text):
    assert parser()(text).reason_code in ("no_equation", "unreadable_number")


def test_a_parse_does_not_depend_on_what_else_is_in_its_batch():
    texts = [text for text, *_ in ANSWERED] + REFUSED
    assert parser().parse_batch(texts) == [parser()(text) for text in texts]
