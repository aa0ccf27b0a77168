"""Units: those that scale a number ("%", "cents"), currencies, and measures with their relative sizes."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from eqparse.text.numbers.money import is_cents
from eqparse.text.numbers.tables import CURRENCIES, GAP, compiled, one_of

FACTORS = {"%": Fraction(1, 100), "cents": Fraction(1, 100), "‰": Fraction(1, 1000), "bp": Fraction(1, 10_000)}
_CODES = {"percent": "%", "mille": "‰", "cents": "cents", "basis": "bp", "dollars": "$", "euros": "€"}
_UNIT_WORDS = r"""(?:(?P<percent>%|％|(?<=\d)pc(?!\w|[\s-](?:set|suit))|per\s?cent(?!\w)|percentage[\s-]points?(?!\w)
    |pct(?!\w)|ppt?s?(?!\w|\.\s?(?-i:[a-z\d]))|p\.p\.(?!\w))|(?P<mille>‰|per\smille?(?!\w))
    |(?P<cents>¢|(?:US\s|rand\s|euro[\s-])?cents?(?!\w)|(?P<glued>(?<=\d)c(?!\w)))|(?P<basis>basis[\s-]points?(?!\w)|bps(?!\w)|b\.p\.(?!\w)
    |(?P<pairs>(?:(?<=\d)|(?-i:(?=b)))bp(?!\w)))
    |(?P<dollars>\$(?!\s?[\d.])|(?:(?:US\s)?dollars?|bucks?|USD)(?!\w))
    |(?P<euros>€(?!\s?[\d.])|(?:euros?|EUR)(?!\w)))"""
_GENES = compiled(r"\b(?:DNA|RNA|genes?|genom\w+|fragments?|primers?|sequences?|amplicons?|plasmids?|exons?)\b")
_UNIT = compiled(rf"(?:\s{{0,2}}|-){_UNIT_WORDS}")
_UNIT_OF = compiled(rf"(?:\s{{0,2}}|{GAP}(?:of{GAP})?(?:an?{GAP})?){_UNIT_WORDS}")
CURRENCY_CODES = "USD EUR GBP JPY INR CHF CNY AUD CAD NZD SEK NOK DKK PLN ZAR".split()
CURRENCY_NEXT = compiled(rf"""[\s-]?(?:[{CURRENCIES}]|(?:euros?|dollars?|bucks|pounds?(?!\s(?:of|heavier|lighter))
    |sterling|yen|yuan|renminbi|rupees?|roubles?|rubles?|francs?|marks|lira|won(?=\s(?:more|less|to|in|on|for))|pesos?|reais|zlotys?
    |crowns?|kronor|kroner|kronas?|krona|shekels?|dirhams?|riyals?|nairas?|cedis?|shillings?|rands?|bahts?|{one_of(CURRENCY_CODES)})
    (?!\w))""")


class Measure(NamedTuple):
    """A unit of measure: what it measures, and its size relative to the other units for the same dimension."""

    name: str
    dimension: str
    size: Fraction


# dimension: name, size and abbreviations of each unit; regular plurals are made below
_TABLE = {
    "time": "second 1 s sec secs|minute 60 min mins|hour 3600 h hr hrs|day 86400|week 604800 wk wks|fortnight 1209600",
    "calendar": "month 1 mo mos mth mths|year 12 yr yrs|decade 120|century 1200 centuries",
    "length": "millimetre 0.001 mm millimeter|centimetre 0.01 cm centimeter|metre 1 m meter|kilometre 1000 km kms"
    " kilometer|inch 0.0254 inches in|foot 0.3048 feet ft|yard 0.9144 yd yds|furlong 201.168|mile 1609.344 mi",
    "mass": "milligram 0.001 mg|gram 1 g gramme|kilo 1000 kg kgs kilogram kilogramme|tonne 1000000 t|ton 907184.74|"
    "ounce 28.349523125 oz ozs|pound 453.59237 lb lbs|stone 6350.29318 st",
    "volume": "millilitre 0.001 ml milliliter|centilitre 0.01 cl|litre 1 l L liter|gallon 3.785411784 gal|"
    "quart 0.946352946 qt|bushel 35.23907016688|pint 0.473176473 pt|cup 0.2365882365|tablespoon 0.01478676478125 tbsp|"
    "teaspoon 0.00492892159375 tsp",
    "area": "acre 4046.8564224|hectare 10000 ha",
    "speed": "km/h 1 kph kmh|mph 1.609344",
    "energy": "joule 1|kilojoule 1000 kJ|kilocalorie 4184 kcal calorie|kilowatt-hour 3600000 kWh",
    "temperature": "degree 1 °|°C 1 C|°F 1 F",
    "dollars": "dollar 100 buck|cent 1",
    "euros": "euro 100",
    "sterling": "penny 1 pence p|£ 100 quid",
    "rupees": "rupee 100|paisa 1 paise",
}  # fmt: skip
_SHORT_WORDS = "hour day week year mile yard kilo gram acre cent pint ton euro cup buck".split()
MEASURES: dict[str, Measure] = {}
for _dimension, _units in _TABLE.items():
    for _unit in _units.split("|"):
        _name, _size, *_others = _unit.split()
        for _word in (_name, *_others):
            MEASURES[_word] = Measure(_name, _dimension, Fraction(_size))
            if len(_word) > 4 or _word in _SHORT_WORDS:
                MEASURES.setdefault(f"{_word}s", MEASURES[_word])
_HUNDREDTHS = {("dollar", "cent"), ("£", "penny"), ("euro", "cent"), ("pound", "penny"), ("rupee", "paisa")}
_OF_A_YEAR = {"day": Fraction(365), "week": Fraction(52)}
_TOKEN = compiled(r"""(?:\s{0,2}|-)(?P<power>(?:square|cubic|sq\.?|cu\.?)\s)?
    (?P<word>°\s?[CF](?!\w)|°|km/h(?!\w)|[^\W\d_]++(?:-hours?(?!\w))?+(?!\w))""")
# "2d 3h", "1w 2d", "5y 6m": letters that are units of time beside one another
_SHORT = re.compile(r"(?:(d)(?=\s?\d\d?\s?h(?:(?:ou)?rs?)?(?!\w))|(w)(?=\s?\d\s?d(?!\w))|(y)(?=\s?\d\d?\s?m(?!\w)))")
_SHORT_NAMES = ("day", "week", "year")
_COMPACT = re.compile(r"\s?(h|hr|hrs|m|min|ft|lb|kg|km|st)(?=\d)", re.IGNORECASE)  # 1h30
_MARK = re.compile(r"\s?(''|’’|′′|[\"”″])|\s?(['’′])(?=\s?\d)")
_NO_PREPOSITION = compiled(r"""\.?(?:\s?(?:[.,;:!?)\]}]|\Z|\(\d)
    |\s(?:tall|long|wide|deep|high|thick|and|or|by|than|[a-z]{3,}er(?<!under|after|other))\b)""")


def scaling_unit(text: str, at: int, *, of: bool = False) -> str:
    """The code of the percent, cents, basis points or currency word at `at`, or ""; with `of` also "of a percent"."""
    tail = _scaling(text, at, _UNIT_OF if of else _UNIT)
    return next((code for group, code in _CODES.items() if tail[group]), "") if tail else ""


def _scaling(text: str, at: int, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The match of a scaling unit; the "c" of "50c" is cents where the text speaks of money, "bp" not base pairs."""
    tail = pattern.match(text, at)
    around = text[max(0, at - 99) : at + 99]
    if tail is None or (tail["glued"] and not is_cents(text, tail.start("glued"))):
        return None
    if tail["pairs"] and _GENES.search(around):
        return None
    return tail


_INNER = {("m", "time"): "minute", ("d", "time"): "day", ("m", "calendar"): "month"}  # behind the larger unit


def unit_end(text: str, at: int) -> int:
    """The end of the unit at `at`, whether it scales or measures; `at` itself if there is none."""
    if tail := _scaling(text, at, _UNIT):
        return tail.end()
    found = measure(text, at)
    return found[1] if found else at


def measure(text: str, at: int, *, within: Measure | None = None) -> tuple[Measure, int] | None:
    """The unit of measure at `at`, and where it ends: a word, an abbreviation, or a sign such as ' and ".

    within: the larger unit whose parts are counted; "m" is a minute behind hours, and a metre elsewhere.
    """
    if short := _SHORT.match(text, at):
        return MEASURES[_SHORT_NAMES[short.lastindex - 1]], short.end()
    if token := _TOKEN.match(text, at):
        return _named(text, at, token, within)
    if mark := _MARK.match(text, at):
        return MEASURES["inch" if mark[1] else "foot"], mark.end()
    if compact := _COMPACT.match(text, at):
        minutes = compact[1] == "m" and within and within.dimension == "time"
        return MEASURES["minute" if minutes else compact[1].lower()], compact.end()
    return None


def _named(text: str, at: int, token: re.Match[str], within: Measure | None) -> tuple[Measure, int] | None:
    word = token["word"].replace(" ", "")
    if within and (name := _INNER.get((word, within.dimension))):
        return MEASURES[name], token.end()
    if word == "c" and within and within.name in ("dollar", "euro"):
        return MEASURES["cent"], token.end()
    if word.lower() == "in" and token.start("word") > at and not _NO_PREPOSITION.match(text, token.end()):
        return None
    power = (token["power"] or word[-1])[0].lower()
    found = MEASURES.get(word) or (MEASURES.get(word.lower()) if len(word) > 1 else None)
    if token["power"] or power in "²³":
        length = found or MEASURES.get(word[:-1])
        if length is None or length.dimension != "length":
            return None
        if power in "c³":  # in litres, like the pint
            found = Measure(f"cubic {length.name}", "volume", 1000 * length.size**3)
        else:  # in square metres, like the acre
            found = Measure(f"square {length.name}", "area", length.size**2)
    return (found, token.end()) if found else None


def parts_in(larger: Measure, smaller: Measure) -> Fraction | None:
    """How many of the smaller unit make one of the larger (60 minutes, 12 inches); None if they are incompatible."""
    if (larger.name, smaller.name) in _HUNDREDTHS:
        return Fraction(100)
    if larger.name == "year" and smaller.name in _OF_A_YEAR:
        return _OF_A_YEAR[smaller.name]
    if larger.dimension != smaller.dimension or larger.dimension in ("temperature", "speed"):
        return None
    return larger.size / smaller.size if larger.size > smaller.size else None
