"""A comparison whose one amount has its value beside it uses that value, and where it belongs."""

from __future__ import annotations

import pytest
from answers import answered

from eqparse.parser.rules.known import leaves_out_what_is_known


@pytest.mark.parametrize("text, one, other, right", [
    ("Tom, who is 12, is twice as old as {}.", "Tom", "Ann", "12 = 2 * V1"),
    ("Tom, 12, is 3 years younger than {}.", "Tom", "Ann", "12 = V1 - 3"),
    ("Tom (12) is 3 years older than {}.", "Tom", "Ann", "12 = 3 + V1"),
    ("Maria, aged 40, is half the age of {}.", "Maria", "her aunt", "40 = 0.5 * V1"),
    ("The tower, which is 80 metres high, is 12 metres taller than {}.", "The tower", "the church", "80 = 12 + V1"),
    ("The fee, $60, is $9 less than {}.", "The fee", "the fine", "60 = V1 - 9"),
    ("The bridge, 240 metres long, is twice as long as {}.", "The bridge", "the old one", "240 = 2 * V1"),
    ("Tom is 12, and he is 3 years older than {}.", "Tom", "Ann", "12 = 3 + V1"),
    ("My sister is 14; she is 3 years older than {}.", "My sister", "me", "14 = 3 + V1"),
    ("The hall is 9 metres wide, 2 metres wider than {}.", "The hall", "the barn", "9 = 2 + V1"),
])
def test_the_first_amount_has_a_value(text, one, other, right):
    text = text.format(other)
    assert not leaves_out_what_is_known(answered(text, right, other))
    assert leaves_out_what_is_known(answered(text, right, one))
    number, operation = right.split(" = ")
    assert leaves_out_what_is_known(answered(text, f"V1 = {operation.replace('V1', 'V2')}", one, other))


@pytest.mark.parametrize("text, one, other, right", [
    ("{} was 15 lower than {}, and she got 82.", "My score", "Ella's", "V1 = 82 - 15"),
    ("{} is 4 years younger than {}, and she is 17.", "Ben", "his sister", "V1 = 17 - 4"),
    ("{} pay $200 more than {}, and he pays $900.", "I", "my brother", "V1 = 200 + 900"),
    ("{} earns twice as much as {}, and Tom earns $2,100.", "Eva", "Tom", "V1 = 2 * 2100"),
    ("{} cost 3,000 more than {}, and theirs cost 9,000.", "Our car", "theirs", "V1 = 3000 + 9000"),
    ("{} is 5 euros cheaper than {}; the belt costs 32 euros.", "The bag", "the belt", "V1 = 32 - 5"),
    ("{} is six times as old as {}, and I'm 11.", "Grandpa", "me", "V1 = 6 * 11"),
    ("{} was 15 lower than {} (82).", "My score", "Ella's", "V1 = 82 - 15"),
    ("{} is 8 cm taller than {}, and she's 165 cm.", "My dad", "my mum", "V1 = 8 + 165"),
    ("{} has half as many stamps as {}, and Leo has 64.", "Ann", "Leo", "V1 = 0.5 * 64"),
])
def test_the_second_amount_has_a_value(text, one, other, right):
    text = text.format(one, other)
    assert not leaves_out_what_is_known(answered(text, right, one))
    assert leaves_out_what_is_known(answered(text, right, other))
    start, operation, number = right.rsplit(" ", 2)
    half = f"V1 = V2 - {number}" if operation == "-" else f"{start} {operation} V2"
    assert leaves_out_what_is_known(answered(text, half, one, other))


@pytest.mark.parametrize("text, right, one", [
    ("The belt costs 32 euros, and the bag is 5 euros cheaper than the belt.", "V1 = 32 - 5", "the bag"),
    ("The elm is 12 metres tall, and the oak is 3 metres taller than it.", "V1 = 12 + 3", "the oak"),
    ("Zoe is 17, and her brother is 4 years younger than her.", "V1 = 17 - 4", "her brother"),
])
def test_the_second_amount_had_a_value(text, right, one):
    assert not leaves_out_what_is_known(answered(text, right, one))
    assert leaves_out_what_is_known(answered(text, right.replace("-", "/").replace("+", "-"), one))


@pytest.mark.parametrize("text", [
    "Sue is 4 years younger than Ann, and she is 17.", "Sue is 17, and she is 4 years older than she was.",
])
def test_a_value_of_either(text):
    first, last = ("Sue", "Ann") if "Ann" in text else ("Sue", "she was")
    assert leaves_out_what_is_known(answered(text, "17 = V1 - 4", last))
    assert leaves_out_what_is_known(answered(text, "V1 = 17 - 4", first))


@pytest.mark.parametrize("text, one, other, equation", [
    ("Al, 12, has 3 stickers more than {}.", "Al", "Bo", "V1 = 3 + V2"),
    ("My uncle, 52, is 6 cm taller than {}.", "My uncle", "my dad", "V1 = 6 + V2"),
    ("Tom is 3 years older than {}, and he has 2 dogs.", "Tom", "Ann", "V1 = 3 + V2"),
    ("Al earns $200 more than {}, and he is 34.", "Al", "Bo", "V1 = 200 + V2"),
    ("Ida, who is now 17, was twice as old as {} in May.", "Ida", "Ann", "V1 = 2 * V2"),
    ("Cara is two years younger than {}, who is 11.", "Cara", "Liam", "V1 = V2 - 2"),
    ("The pond, 40 metres long, is twice as deep as {}.", "The pond", "the lake", "V1 = 2 * V2"),
    ("Tom has 3 years more than {}, who sold 12 vans.", "Tom", "Ann", "V1 = 3 + V2"),
])
def test_what_is_another_matter(text, one, other, equation):
    assert not leaves_out_what_is_known(answered(text.format(other), equation, one, other))


def test_the_value_of_another_dimension_is_not_used():
    text = "The pond, 40 metres long, is twice as deep as the lake."
    assert leaves_out_what_is_known(answered(text, "40 = 2 * V1", "the lake"))


@pytest.mark.parametrize("text", ["Tom, 12, is twice as old as " + "x" * 20_000, "a" * 20_000 + " is 3 more than b",
                                  "3 more than " + "b " * 8_000, "is 3, " + "c " * 8_000 + "4 more than d"])
def test_long_texts_take_no_time(text):
    from eqparse.parser.rules.known import _known

    _known.__wrapped__(text)
