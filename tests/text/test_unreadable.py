"""Numbers that are not read are found, and names, lists and footnotes are none."""

from __future__ import annotations

import pytest

from eqparse.text.numbers.unreadable import unreadable_number
from eqparse.text.quantities import find_quantities

UNREADABLE = [
    ("A number plus XII is 20.", "XII"),
    ("XII times a number is 24.", "XII"),
    ("IV more than a number is 9.", "IV"),
    ("The sum of a number and VIII is 11.", "VIII"),
    ("The barn is 12_500 metres longer than the shed.", "12_500"),
    ("The barn is 1_250_000 metres longer than the shed.", "1_250_000"),
    ("The barn is 1e400 metres longer than the shed.", "1e400"),
    ("The barn is 1,5 metres longer than the shed.", "1,5"),
    ("0,75 litres more than the jug holds", "0,75"),
    ("Rent is 12,50 euros dearer than last year.", "12,50"),
]
READ = [
    "Henry VIII had 6 wives.", "World War II lasted 6 years.", "Chapter IV has 12 pages.",
    "Rome II is 3 dollars dearer.",
    "Rows 1,2,3 hold 40 seats.", "5,00,000 rupees is 20,000 more than the loan.", "It sold 1,250 cases.",
    "1e5 more than a number is 9.", "I have 12 more than Vi.", "It weighs 1,250.75 grams.",
    "1e100 times a number is 9.",
]


@pytest.mark.parametrize("text, number", UNREADABLE)
def test_a_number_that_is_not_read_is_found(text, number):
    start, end = unreadable_number(text, find_quantities(text))
    assert text[start:end] == number


@pytest.mark.parametrize("text", READ)
def test_what_is_read_or_no_number_is_left_alone(text):
    assert unreadable_number(text, find_quantities(text)) is None


@pytest.mark.parametrize("text, values", [
    ("threescore and ten", [70]), ("fourscore and seven years", [87]), ("threescore and twelve", [72]),
    ("threescore", [60]), ("fourscore and 5", [80, 5]), ("a 6-foot-2 man", [6 + 2 / 12]),
    ("the 5-foot-10 fence", [5 + 10 / 12]), ("a 6-foot man", [6]), ("a 5-foot one", [5, 1]),
])
def test_old_and_hyphenated_numbers(text, values):
    assert [q.value for q in find_quantities(text)] == pytest.approx(values)
