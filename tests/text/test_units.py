"""The unit of each number of a text: as written, and as pint names it."""

from __future__ import annotations

import pytest

from eqparse.text import unit_names
from eqparse.text.quantities import find_quantities
from eqparse.text.unit_names import BY_MEASURE, FURTHER, unit_name
from eqparse.text.units import unit_of

NONE = (None, None)
SENTENCES = [
    ("The pole is 30 metres longer than the rope.", ("metres", "meter")),
    ("The wall is 6 ft higher than the gate.", ("ft", "foot")),
    ("The shelf is 40 cm wider than the door.", ("cm", "centimeter")),
    ("A 5-foot pole leans on the shed.", ("foot", "foot")),
    ("The yard is 12 yards longer than the lane.", ("yards", "yard")),
    ("The hem is 3 in. shorter than the sleeve.", ("in", "inch")),
    ("The fibre is 80 µm thinner than the hair.", ("µm", "micrometer")),
    ("The lamp costs $5 more than the shade.", ("$", "$")),
    ("The lamp costs 5 dollars more than the shade.", ("dollars", "$")),
    ("The lamp costs 40 US dollars.", ("US dollars", "USD")),
    ("A ticket is €9 dearer than a pass.", ("€", "EUR")),
    ("A ticket is 9 euros dearer than a pass.", ("euros", "EUR")),
    ("A ticket is £12 dearer than a pass.", ("£", "GBP")),
    ("A ticket is 12GBP dearer than a pass.", ("GBP", "GBP")),
    ("A sari is ₹500 dearer than a shawl.", ("₹", "INR")),
    ("A hat is A$27 dearer than a cap.", ("A$", "AUD")),
    ("The bill came to CHF 80 and the tip.", ("CHF", "CHF")),
    ("A bowl is 700 yen dearer than a cup.", ("yen", "JPY")),
    ("A jar is 60 cents dearer than a tin.", ("cents", None)),
    ("The melon is 3 pounds more than the plum.", ("pounds", None)),
    ("The melon is 3 lb heavier than the plum.", ("lb", "pound")),
    ("The coat is 3 pounds sterling dearer.", ("pounds sterling", "GBP")),
    ("He ran 5 km/h faster than his sister.", ("km/h", "kilometer / hour")),
    ("The bus does 60 miles an hour.", ("miles an hour", "mile / hour")),
    ("The bus does 60 mph.", ("mph", "mile / hour")),
    ("The tap gives 12 litres per minute.", ("litres per minute", "liter / minute")),
    ("The tap gives 12 litres for each guest.", ("litres", "liter")),
    ("Sales fell 12 % on last year.", ("%", "percent")),
    ("Sales fell 12 per cent on last year.", ("per cent", "percent")),
    ("Support fell 5 percentage points.", ("percentage points", None)),
    ("The pot holds 3 kilos of salt.", ("kilos", "kilogram")),
    ("Ida was 3 stone lighter than Jon.", ("stone", "stone")),
    ("Ida has 3 stones more than Jon.", ("stones", None)),
    ("The play is half an hour longer than the film.", ("hour", "hour")),
    ("The trip took 2 hours 15 minutes more.", ("hours", "hour")),
    ("Ida is 5 ft 10.", ("ft", "foot")),
    ("Ida won in 2:08:41.", (None, "hour")),
    ("The hut is 20 degrees Celsius warmer.", ("degrees Celsius", "degree_Celsius")),
    ("The hut is 20 degrees warmer.", ("degrees", None)),
    ("The hut is at 20 C and the shed is not.", ("C", None)),
    ("The farm is 40 hectares larger.", ("hectares", "hectare")),
    ("The hall has 65 square metres more.", ("square metres", "meter ** 2")),
    ("The hall has 65m2 more.", ("m2", "meter ** 2")),
    ("The disk holds 500 GB more than the stick.", ("GB", "gigabyte")),
    ("The fan draws 40 W less than the lamp.", ("W", "watt")),
    ("The radio is tuned to 99 MHz.", ("MHz", "megahertz")),
    ("The bar has 90 kcal more than the bun.", ("kcal", "kilocalorie")),
    ("The bar has 90 calories more than the bun.", ("calories", None)),
    ("Ida paid 12 fares more than Jon.", ("fares", None)),
    ("Ida bought 7 pins more than Jon.", ("pins", None)),
    ("The farm has 4 mares more than last year.", ("mares", None)),
    ("The Hawks have 14 points more than the Owls.", ("points", None)),
    ("The mason used 8 bags of lime.", ("bags", None)),
    ("The street held 12 yard sales.", NONE),
    ("The town grew by 3 million people.", ("people", None)),
    ("Two dozen eggs were left.", ("eggs", None)),
    ("Seven of them were late.", NONE),
    ("Twice the height of the mast is left.", NONE),
    ("The mast is 3 times as high as the shed.", NONE),
    ("The sum of a number and 5 is left.", NONE),
    ("8 exceeds a number.", NONE),
    ("The two numbers are equal.", NONE),
]


def first_unit(text, candidates=()):
    return unit_of(text, find_quantities(text)[0], candidates)


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_a_number_has_the_unit_that_the_text_gives_it(text, expected):
    pytest.importorskip("pint")
    unit = first_unit(text)
    assert (unit.text, unit.name) == expected
    assert unit.text is None or unit.text in text


def test_a_phrase_tells_the_noun_of_a_number():
    text = "Of the seven old barns 12 red oak doors remain."
    barns, doors = find_quantities(text)
    assert [unit_of(text, q, [(3, 22), (23, 39), (30, 39)]).text for q in (barns, doors)] == ["barns", "doors"]
    assert [unit_of(text, q).text for q in (barns, doors)] == [None, None]


def test_one_unit_in_two_spellings_is_one():
    sorts = [first_unit(f"It is {shown} longer.").sort for shown in ("30 m", "2 metres", "half a metre", "3 feet")]
    assert sorts[0] == sorts[1] == sorts[2] != sorts[3]
    assert first_unit("It took 5 euros.").sort == first_unit("It took €5.").sort == "EUR"
    assert first_unit("It took 1 egg less.", [(8, 13)]).sort == first_unit("It took 5 eggs.").sort


def test_only_a_number_known_to_be_pure_has_no_unit_to_compare():
    pure = ["twice B", "5 % of B", "3 times B", "two thirds of B", "B divided by 4 is C"]
    open_ones = ["12 more", "$3 each", "$3 a kilo", "4 for every five of B", "60 cents"]
    assert [first_unit(text).sort for text in pure] == [""] * 5
    assert [first_unit(text).sort for text in open_ones] == [None] * 5


def test_pint_reads_every_unit_that_it_is_asked_for():
    pint = pytest.importorskip("pint")
    registry = pint.UnitRegistry()
    for symbol in {*BY_MEASURE.values(), *FURTHER.values()}:
        assert unit_name(symbol) == str(registry.parse_units(symbol))


def test_without_pint_only_currencies_have_names(monkeypatch):
    monkeypatch.setattr(unit_names, "_registry", lambda: None)
    unit_name.cache_clear()
    assert (unit_name("metre"), unit_name("GBP"), unit_name("$")) == (None, "GBP", "$")
    unit_name.cache_clear()
