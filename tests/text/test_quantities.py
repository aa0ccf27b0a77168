"""Number mentions: values and exact characters, look-alikes left alone, any text survived."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqparse.text.numbers.intervals import interval_in_the_way
from eqparse.text.numbers.units import MEASURES
from eqparse.text.quantities import Quantity, find_quantities


def found(text: str) -> list[tuple[str, float]]:
    return [(text[q.start : q.end], pytest.approx(q.value, rel=1e-12)) for q in find_quantities(text)]


def values(text: str) -> list[float]:
    return [q.value for q in find_quantities(text)]


NUMBERS = {
    # digits
    "The silo holds 10,000 litres": [("10,000", 10000)],
    "It closed at 1,525.87 on Friday": [("1,525.87", 1525.87)],
    "a share of .833 or 2.5": [(".833", 0.833), ("2.5", 2.5)],
    "Take 1,2,3 in turn": [("1", 1), ("2", 2), ("3", 3)],
    "The crate weighs 40.": [("40", 40)],
    # signs
    "The reading is -12 and then (-8)": [("-12", -12), ("-8", -8)],
    "It fell to −7.5 overnight": [("−7.5", -7.5)],
    "a 5-foot plank and a 3-2 win": [("5", 5), ("3", 3), ("2", 2)],
    "Work out 5 -3 or 5 - 3": [("5", 5), ("3", 3), ("5", 5), ("3", 3)],
    "The balance is negative 8": [("negative 8", -8)],
    "The low was minus twenty-two": [("minus twenty-two", -22)],
    "some amount minus 5": [("5", 5)],
    "a loss of -$5": [("5", -5)],
    # number words
    "twenty-five goats": [("twenty-five", 25)],
    "three hundred and five tiles and four": [("three hundred and five", 305), ("four", 4)],
    "a hundred nails and a dozen screws": [("a hundred", 100), ("a dozen", 12)],
    "two dozen rolls": [("two dozen", 24)],
    "one thousand two hundred thirty-four": [("one thousand two hundred thirty-four", 1234)],
    "Fifteen hundred and six": [("Fifteen hundred and six", 1506)],
    "from one hundred and two hundred": [("one hundred", 100), ("two hundred", 200)],
    "between two thousand and three thousand": [("two thousand", 2000), ("three thousand", 3000)],
    "one two three": [("one", 1), ("two", 2), ("three", 3)],
    "zero point zero five": [("zero point zero five", 0.05)],
    # magnitudes
    "4.5 billion kroner": [("4.5 billion", 4.5e9)],
    "2 hundred thousand bees": [("2 hundred thousand", 200000)],
    "5 dozen eggs": [("5 dozen", 60)],
    "$2.39B against US$3M and €10k": [("2.39B", 2.39e9), ("3M", 3e6), ("10k", 1e4)],
    "half a million bricks, half a dozen masons": [("half a million", 5e5), ("half a dozen", 6)],
    # fractions
    "2/3 of the cake": [("2/3", 2 / 3)],
    "1 1/2 cups and 1½ spoons and ¾ jug": [("1 1/2", 1.5), ("1½", 1.5), ("¾", 0.75)],
    "two-thirds of the crew": [("two-thirds", 2 / 3)],
    "three quarters of the field": [("three quarters", 0.75)],
    "a third of the rope, one-half of the wire": [("a third", 1 / 3), ("one-half", 0.5)],
    "one third and seven tenths": [("one third", 1 / 3), ("seven tenths", 0.7)],
    "five hundredths": [("five hundredths", 0.05)],
    "Output shrank by a quarter.": [("a quarter", 0.25)],
    "The pile lost its own fifth": [("fifth", 0.2)],
    "two and a half hours": [("two and a half", 2.5)],
    "2 and a half million": [("2 and a half million", 2.5e6)],
    "five and a third of the load": [("five", 5), ("a third", 1 / 3)],
    "the sum of 5 and 1/2": [("5", 5), ("1/2", 0.5)],
    # multipliers
    "twice, thrice, double, triple, quadruple": [
        ("twice", 2), ("thrice", 3), ("double", 2), ("triple", 3), ("quadruple", 4)],
    "The price doubled, then was halved": [("doubled", 2), ("halved", 0.5)],
    "half as wide, half of it, half the sum, halve it": [("half", 0.5)] * 3 + [("halve", 0.5)],
    "4 times, 3x, three times": [("4", 4), ("3", 3), ("three", 3)],
    "a threefold rise and a 3-fold drop": [("threefold", 3), ("3", 3)],
    "a twenty-fivefold rise and a two hundredfold drop": [("twenty-fivefold", 25), ("two hundredfold", 200)],
    "a two-hundred-fold rise, ten thousandfold": [("two-hundred", 200), ("ten thousandfold", 10_000)],
    "two threefold and twenty twofold rises": [("two", 2), ("threefold", 3), ("twenty", 20), ("twofold", 2)],
    # percent and cents
    "5 % or 5% or 5 percent or 5 per cent or 5 pct": [("5", 0.05)] * 5,
    "up 0.7 percentage points": [("0.7", 0.007)],
    # points beside a percentage
    "The Greens are at 33 %, down seven points": [("33", 0.33), ("seven", 0.07)],
    "a 6-point swing leaves them on 41 percent": [("6", 0.06), ("41", 0.41)],
    "with 58 per cent they are 11 pts clear": [("58", 0.58), ("11", 0.11)],
    "won 60 % of its games and scored 24 points": [("60", 0.6), ("24", 24)],
    "The index rose 2 %, or 12 points": [("2", 0.02), ("12", 12)],
    "3 points of 5 agreed with 40 % of us": [("3", 3), ("5", 5), ("40", 0.4)],
    "They led by 12 points": [("12", 12)],
    "twenty-five percent": [("twenty-five", 0.25)],
    "25 basis points": [("25", 0.0025)],
    "half a percent": [("half", 0.005)],
    "60 cents, a 15-cent stamp, 75¢": [("60", 0.6), ("15", 0.15), ("75", 0.75)],
    "from 3.4 to 3.6 percent": [("3.4", 0.034), ("3.6", 0.036)],
    "between 5 and 7 % of 5 and 7": [("5", 0.05), ("7", 0.07), ("5", 5), ("7", 7)],
    "a toll of $5 to 7 %": [("5", 5), ("7", 0.07)],
    # with what stands around it
    "a mere fifth of it, a good third went": [("a mere fifth", 0.2), ("a good third", 1 / 3)],
    "one nine-hundredth of R4,500 million": [("one nine-hundredth", 1 / 900), ("4,500 million", 4.5e9)],
    "a couple of jars, a couple of hundred": [("a couple", 2), ("a couple of hundred", 200)],
    "two cups and a half of rice, a pie and a half": [("two cups and a half", 2.5), ("a pie and a half", 1.5)],
    "one pound forty, a fiver, 15ish": [("one pound forty", 1.4), ("a fiver", 5), ("15", 15)],
    "in 2:08:41, won by 1:52.5, 1'14\"": [("2:08:41", 7721 / 3600), ("1:52.5", 1.875), ("1'14\"", 74 / 60)],
    "80p, 50c and $2": [("80", 80), ("50", 0.5), ("2", 2)],
    # units
    "$71.20/bbl, 12cm, 3kg": [("71.20", 71.2), ("12", 12), ("3", 3)],
    "a 30-feet pole, 16GB": [("30", 30), ("16", 16)],
    # ratios
    "mixed 5 to 3, odds of 4:15, and 5:3": [("5", 5), ("3", 3), ("4", 4), ("15", 15), ("5", 5), ("3", 3)],
    # one
    "one more than One goat, one of the pair": [("one", 1), ("One", 1), ("one", 1)],
    # years that are counts
    "The clerk sold 1950 stamps": [("1950", 1950)],
    "a total of 2000 dollars, run in 2000 metres": [("2000", 2000), ("2000", 2000)],
    "The new figure exceeds the old by 1999.": [("1999", 1999)],
    "Ali gave May 5 euros": [("5", 5)],
    "In May 200 kites flew": [("200", 200)],
    # coins and terms
    "12 quarters and three quarters beside two dimes": [("12", 12), ("three", 3), ("two", 2)],
    "two third graders, a twenty second wait": [("two", 2), ("twenty", 20)],
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_number_is_found_with_its_characters(text: str) -> None:
    assert found(text) == NUMBERS[text]


LOOKALIKES = [
    "MP3 and A4 and R2D2 and H-1B and COVID-19 and 3-D and 5G and v1.2",
    "item #3, No. 3, version 1.2.3",
    "the first, the 3rd, the 21st, the twenty-first and the one hundred fifth",
    "the third angle, a third angle, the third of them",
    "the first half, the second half of the year, the third quarter, quarterly, each half",
    "quarters and dimes",
    "in 2010, since 1998, the 2015 budget, by 2020, the end of 2004, fiscal 2012, 2010-2012",
    "at 3:30 pm, at 5 pm, 5 p.m., five o'clock, 10:45, half past six",
    "March 3, March 3, 2015, 3 March 2015, 3/14/2015, 2015-03-14, May 2015",
    "call 555-1234 or (212) 555-1234 or 1-800-555-1234 or +44 20 7946 0958",
    "the couple, several thousand, a few dozen, hundreds",
    "the other one, this one, which one is it, no one, one another",
    "no, a, an, a second",
    "double-digit growth at half-time",
]


@pytest.mark.parametrize("text", LOOKALIKES)
def test_lookalike_is_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "unit"),
    [
        ("7", "digits", ""), ("seven", "word", ""), ("twice", "multiplier", ""), ("half", "multiplier", ""),
        ("tenfold", "multiplier", ""), ("3/4", "fraction", ""), ("one half", "fraction", ""),
        ("½", "fraction", ""), ("two and a half", "word", ""), ("a tenth of a percent", "fraction", "%"),
        ("7 percent", "digits", "%"), ("seven cents", "word", "cents"), ("25 bps", "digits", "bp"),
        ("$7", "digits", "$"), ("7 dollars", "digits", "$"), ("£7", "digits", "£"), ("¥7", "digits", "¥"),
        ("₹7", "digits", "₹"), ("7 euros", "digits", "€"),
    ],
)  # fmt: skip
def test_kind_and_unit(text: str, kind: str, unit: str) -> None:
    assert [(q.kind, q.unit) for q in find_quantities(text)] == [(kind, unit)]


def test_quantity_is_a_plain_value() -> None:
    assert find_quantities("a box of 12") == [Quantity(value=12.0, start=9, end=11, kind="digits", unit="")]


# An independent speller: an integer in words, which the grammar must take back as one number.
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()


def spell(number: int, joiner: str) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    for scale, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= scale:
            head, rest = divmod(number, scale)
            link = joiner if rest < 100 else " "
            return f"{spell(head, joiner)} {name}" + (link + spell(rest, joiner) if rest else "")
    raise AssertionError(number)


@given(st.integers(0, 10**12 - 1), st.sampled_from([" ", " and "]))
def test_integer_in_words_is_read_back(number: int, joiner: str) -> None:
    words = spell(number, joiner)
    assert found(f"The depot stores {words} crates") == [(words, number)]


@given(st.integers(0, 10**15), st.sampled_from([" ", ", ", "-metre ", ") "]))
def test_integer_with_commas_is_read_back(number: int, after: str) -> None:
    assert found(f"We counted {number:,}{after}crates") == [(f"{number:,}", number)]


@given(
    st.decimals(0, 10**6, places=2),
    st.sampled_from(["%", " %", " percent", " per cent", "-percent", " cents", "¢"]),
)
def test_scaled_decimal_is_read_back_exactly(number: Decimal, unit: str) -> None:
    assert values(f"The duty came to {number}{unit} in all") == [float(number.scaleb(-2))]


@given(st.integers(1, 12), st.integers(13, 99))
def test_fraction_is_read_back(upper: int, lower: int) -> None:
    assert found(f"Pour in {upper}/{lower} of it") == [(f"{upper}/{lower}", upper / lower)]
    assert found(f"Pour in 7 {upper}/{lower} of it") == [(f"7 {upper}/{lower}", 7 + upper / lower)]


@pytest.mark.parametrize(("sign", "lower"), [("/", "9" * 400), ("⁄", "9" * 400), ("/", "0")])
def test_a_fraction_with_a_denominator_beyond_all_floats_is_none(sign: str, lower: str) -> None:
    assert found(f"Pour in 1{sign}{lower} of 3 jugs") == [("3", 3)]
    assert found(f"Pour in 1{sign}8 of 3 jugs") == [(f"1{sign}8", 0.125), ("3", 3)]


UNITS = {unit.name for unit in MEASURES.values()} | {"square foot", "cubic foot"}
PIECES = st.sampled_from(
    "1 12 1950 2015 3.5 , . : / - – − $ € % ¢ # ' ( ) + ½ ٣ ３ one two twenty hundred thousand million dozen"
    " zero and of"
    " the a an half third thirds quarter quarters twice fold times percent cents to between in by May March"
    " pm no. ratio negative minus point first few x k B _ é 数 😀"
    " lakh score grand oh e5 ^ × 10 ⁵ ³ ⁄ ₄ ± ’ hour hours foot m km ft lb"
    " exercise Q square longer than more b) [".split()
    + ["\n", "\t", "\0", "\ud800", " ", "  "]
)  # fmt: skip


def check_invariants(text: str) -> None:
    quantities = find_quantities(text)
    ends = [0, *(q.end for q in quantities)]
    for quantity, end_before in zip(quantities, ends, strict=False):
        assert end_before <= quantity.start < quantity.end <= len(text)
        assert text[quantity.start : quantity.end].strip()
        assert math.isfinite(quantity.value)
        assert quantity.kind in ("digits", "word", "multiplier", "fraction")
        assert float(quantity.exact) == quantity.value
        if quantity.unit not in ("", "%", "bp", "cents", "$", "€", "£", "¥", "₹"):
            assert quantity.unit in UNITS or quantity.unit in text.lower()
    interval = interval_in_the_way(text, quantities)
    assert interval is None or text[slice(*interval)].strip()


@given(st.text())
def test_any_text_is_survived(text: str) -> None:
    check_invariants(text)


@given(st.lists(PIECES, max_size=14), st.sampled_from(["", " "]))
def test_any_arrangement_of_number_pieces_is_survived(pieces: list[str], between: str) -> None:
    check_invariants(between.join(pieces))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1" * 100_000, []),  # beyond the largest float: left out
        ("9" * 308 + " billion", []),
        ("0." + "1" * 100_000, [float("0." + "1" * 50)]),
        ("1e400", []),
        ("3/0", []),
        ("7 " * 10_000, [7.0] * 10_000),
        ("word " * 10_000, []),
        ("five " * 10_000, [5.0] * 10_000),
        ("one and " * 10_000, [1.0] * 10_000),
        (" ".join(["sixty"] * 60), [60.0] * 60),
        ("111" + ",111" * 30_000 + "1", [111.0] * 30_000 + [1111.0]),
        ("2." * 50_000, []),
        ("2/" * 50_000, [2.0] * 50_000),
        ("a " * 50_000, []),
        ("-" * 100_000 + "5", [5.0]),
        (" " * 100_000 + "5", [5.0]),
        ("$" * 100_000 + "5", [5.0]),
        ("A-" * 50_000, []),
        ("x" * 100_000 + "5", []),
        ("+1 (" * 25_000, [1.0] * 25_000),
        ("May " * 25_000, []),
        ("half a " * 15_000, [0.5] * 15_000),
        ("half an hour and " * 15_000, [0.5] * 15_000),
        ("5 foot 10 and " * 15_000, [35 / 6] * 15_000),
        ("5 (5) " * 15_000, [5.0] * 15_000),
        ("111 " * 30_000, [111.0] * 30_000),
        ("1e5 " * 30_000, [1e5] * 30_000),
        ("3 × 10^" * 15_000, [3000.0] + [1000.0] * 14_998 + [10.0]),
        ("point oh " * 15_000, []),
        ("minus " * 30_000 + "5", [-5.0]),
        ("1) " * 30_000, [1.0] * 29_997),
        ("twenty ten " * 10_000, [20.0, 10.0] * 10_000),
        ("a pie and a half, " * 15_000, [1.5] * 15_000),
        ("a couple of " * 30_000, [2.0] * 30_000),
        ("a mere fifth, " * 20_000, [0.2] * 20_000),
        ("R4,500 " * 20_000, [4500.0] * 20_000),
        ("50c or $1; " * 10_000, [0.5, 1.0] * 10_000),
        ("in 1:30 " * 20_000, [1.5] * 20_000),
        ("1'30\" " * 20_000, [1.5] * 20_000),
        ("two pounds twenty, " * 15_000, [2.2] * 15_000),
        ("kr" * 50_000 + "5", []),
    ],
    ids=lambda value: None if isinstance(value, list) else re.sub(r"\W+", "_", value[:12]),
)
def test_long_input_gives_the_right_values(text: str, expected: list[float]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("٣", [3.0]), ("٣٫٥", [3.5]), ("١٬٠٠٠", [1000.0]), ("３", [3.0]), ("三", [])]
)
def test_other_digits_give_the_right_value_or_none(text: str, expected: list[float]) -> None:
    assert values(text) == expected


def constants(equation: str) -> list[float]:
    """The number constants of a published equation; a minus after "(" or "=" is a sign."""
    marked = re.sub(r"(?<=[(=])-(?=[\d.])", "~", equation.replace(" ", ""))
    tokens = re.findall(r"~?(?<![V\d.])(?:\d+\.?\d*|\.\d+)", marked)
    return [float(token.replace("~", "-")) for token in tokens]


def test_every_constant_of_the_published_equations_is_found(shared: Path) -> None:
    missing, read = [], 0
    for path in sorted((shared / "roy2016").glob("*.txt")):
        lines = path.read_text(encoding="utf-8").split("\n")
        left = values(lines[0])
        for constant in constants(lines[2]):
            read += 1
            match = next((value for value in left if abs(value - constant) <= 1e-4), None)
            if match is None:
                missing.append((path.name, constant))
            else:
                left.remove(match)
    assert read > 400
    assert missing == []
