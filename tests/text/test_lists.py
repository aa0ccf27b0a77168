"""Lists of three or more things."""

from __future__ import annotations

import pytest

from eqparse.text.lists import lists


@pytest.mark.parametrize("text, things", [
    ("The length, the width and the height add up to 90.", ["The length", "the width", "the height"]),
    ("Ann and Bea and Cy are 90.", ["Ann", "Bea", "Cy"]), ("x + y + z is 30.", ["x", "y", "z"]),
    ("The oak plus the elm plus the birch weigh 9.", ["The oak", "the elm", "the birch"]),
    ("Together, Ida, Jon, and Kai weigh 180 kilos.", ["Ida", "Jon", "Kai"]),
    ("The sum of the ages of Ann, Bea and Cy is 90.", ["Ann", "Bea", "Cy"]),
    ("In May, the rent, the power and the water came to 9.", ["the rent", "the power", "the water came to"]),
    ("90 euros were spent on rent, power and water.", ["rent", "power", "water"]),
    ("It weighs as much as the lamp, the rug and the 12 kilo chair.", ["the lamp", "the rug", "the 12 kilo chair"]),
    ("A mother, a father, a son and a dog are here.", ["A mother", "a father", "a son", "a dog"]),
])
def test_a_list(text, things):
    (found,) = lists(text)
    assert [text[start:end].strip() for start, end in found] == things


@pytest.mark.parametrize("text", [
    "The length and the width add up to 90.", "On Monday, the length and the width add up to 90.",
    "Ida, a nurse, and Jon have 84 stamps.", "The twins, Ann and Bea, are 90.", "Two lakes, Elm and Oak, hold 9.",
    "Between them, oil and gas netted 212.", "Owen, you and Gareth get 640.",
    "My 2 rods, the red and the tan, total 3.",
    "The bridge and the road together, and work starts in May.", "Ann is 9, Bea and Cy are 8.", "",
])
def test_no_list(text):
    assert lists(text) == ()
