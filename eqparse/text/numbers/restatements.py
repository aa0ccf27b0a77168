"""One amount given twice: "four (4) years", "4 metres (13 ft)", "$5 (€4.60)", "a third (33 %)"."""

from __future__ import annotations

from fractions import Fraction

from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import CURRENCIES, compiled
from eqparse.text.numbers.units import CURRENCY_NEXT, FACTORS, Measure, measure, scaling_unit, unit_end

TOLERANCE = Fraction(1, 10)  # "5 miles (8 km)", "2 gallons (9 litres)"
IMPERIAL = Fraction(12, 10)  # to a US pint
_PINTS = frozenset("pint quart gallon".split())
_MONTH = Fraction(365 * 86400, 12)
POINT = Fraction(1, 100)  # "a third (33 per cent)"
_BETWEEN = compiled(rf"""[.]?\s?(?P<word>%|[^\W\d_]++(?P<words>(?:\s[^\W\d_]++){{1,3}})?)?\s?
    (?P<mark>[(\[{{]|,\s(?:or|i\.e\.,?|that\sis,?)\s|,\s(?P<same>(?:equivalent|equal)\sto|the\sequivalent\sof)\s|/|—|\s–|\s-(?=\s))\s?
    (?:(?:about|around|approx(?:\.|imately)?|roughly|nearly|almost|circa|ca?\.|or|i\.e\.,?|that\sis,?|equivalent\sto)\s)?
    [~≈=]?\s?["“]?(?:US)?[{CURRENCIES}]?""")
_ONE_MORE = compiled(rf"[;,]\s(?:or\s|about\s)?[~≈=]?(?:US)?[{CURRENCIES}]?")
_CLOSING = compiled(r"(?:\s?(?:x|×|times|-?fold)(?!\w))?(?:\sonly)?\.?[\"”]?\s?(?:(?P<more>(?=[;,]\s))|[)\]}])")
_LEADING = compiled(r"[)\]]\s")
_CLOSED = {"—": "—", "–": " –", "-": " -"}
_OF_ALL = compiled(r"\s(?:in|out\sof)\s(?:every\s)?")
_MONEY = {"cents": "$", "dollars": "$", "euros": "€", "sterling": "£", "rupees": "₹"}
# units that are restated, and are no part of an amount elsewhere
_FURTHER = [
    (compiled(rf"(?:\s{{0,2}}|-)(?:{words})(?!\w)"), Measure(name, dimension, Fraction(size)))
    for name, dimension, size, words in (
        ("fluid ounce", "volume", "0.0295735", r"fl\.?\s?oz|fluid\sounces?"),
        ("US gallon", "volume", "3.785411784", r"US\sgal(?:lons?)?"),
        ("imperial gallon", "volume", "4.54609", r"imp(?:erial|\.)?\sgal(?:lons?)?"),
        ("nautical mile", "length", "1852", r"nautical\smiles?|nmi"),
        ("kilowatt", "power", "1000", r"kW|kilowatts?"),
        ("horsepower", "power", "745.7", r"b?hp|horsepower|PS"),
        ("psi", "pressure", "6894.76", r"psi"),
        ("bar", "pressure", "100000", r"bars?"),
        ("kilopascal", "pressure", "1000", r"kPa|kilopascals?"),
        ("knot", "speed", "1.852", r"knots?|kn|kts?"),
        ("m/s", "speed", "3.6", r"m/s|met(?:re|er)s\s(?:a|per)\ssecond"),
        ("mph", "speed", "1.609344", r"mi/h|miles\s(?:an|per)\shour"),
        ("km/h", "speed", "1", r"kilomet(?:re|er)s\s(?:an|per)\shour"),
        ("°C", "temperature", "1", r"(?:degrees?|°)\s?C(?:elsius)?"),
        ("°F", "temperature", "1", r"(?:degrees?|°)\s?F(?:ahrenheit)?"),
    )
]


def without_restatements(text: str, amounts: list[Amount]) -> list[Amount]:
    """The amounts without those that restate the one before them; its unit may stand behind: "five (5) per cent"."""
    kept: list[Amount] = []
    reach, within = None, False  # the last one, up to the end of what restates it, and whether that bracket is open
    for amount in amounts:
        if reach and _leads(text, reach, amount):  # "(4) four years"
            kept.pop()
        elif len(kept) > 1 and _is_share_again(text, *kept[-2:], amount):
            continue
        elif reach and (closing := _restated(text, reach, amount, within=within)):
            reach, within = reach._replace(end=closing[0]), closing[1]
            unit = "" if reach.unit or reach.measure or within else scaling_unit(text, reach.end)
            if unit in FACTORS:
                reach = reach._replace(value=reach.value * FACTORS[unit], unit=unit)
                kept[-1] = kept[-1]._replace(value=reach.value, unit=unit)
            elif measured := None if reach.measure else _restatable(text, kept[-1].end):
                reach = reach._replace(measure=measured[0])
            continue
        kept.append(amount)
        reach, within = amount, False
    return kept


def _leads(text: str, first: Amount, second: Amount) -> bool:
    """Whether the first amount stands in brackets before the same one in words."""
    bracketed = first.start and text[first.start - 1] in "([" and _LEADING.fullmatch(text, first.end, second.start)
    same = first.value == second.value / FACTORS.get(second.unit, Fraction(1))
    return bool(bracketed) and same and (first.kind, second.kind) == ("digits", "word")


def _restated(text: str, first: Amount, second: Amount, *, within: bool) -> tuple[int, bool] | None:
    """Where what restates the first amount ends if the second one does, and whether its bracket is still open."""
    if second.start - first.end > 40:
        return None
    ours, begin = (first.measure, first.end) if within else _unit(text, first)
    theirs, end = _unit(text, second)
    between = (_ONE_MORE if within else _BETWEEN).fullmatch(text, begin, second.start)
    if between is None or (not within and ours and between["word"]):
        return None
    mark = "(" if within else between["mark"].strip()
    closing = _CLOSING.match(text, end)
    bracketed = mark in ("(", "[", "{")
    if not within and between["words"] and not (bracketed and _are_equal(first, second)):
        return None
    if (bracketed and not closing) or not text.startswith(_CLOSED.get(mark, ""), end):
        return None
    behind = (closing.end(), closing["more"] is not None) if bracketed else (end, False)
    if bracketed and _are_equal(first, second) and (theirs is None or ours in (None, theirs)):
        return behind
    monies = _money(text, first, ours), _money(text, second, theirs)
    if all(monies) and monies[0] != monies[1]:
        return behind if bracketed or (not within and between["same"]) else None
    ours, theirs = _in_seconds(ours, theirs), _in_seconds(theirs, ours)
    if ours is None or theirs is None or ours.dimension != theirs.dimension or ours == theirs:
        return None
    if ours.dimension == "temperature":
        return behind if bracketed or mark == "/" else None  # "180 C/350 F"
    this, that = first.value * ours.size, second.value * theirs.size
    sizes = (1, IMPERIAL, 1 / IMPERIAL) if _PINTS & {ours.name, theirs.name} else (1,)
    return behind if any(abs(this * size - that) <= TOLERANCE * abs(this) for size in sizes) else None


def _in_seconds(unit: Measure | None, other: Measure | None) -> Measure | None:
    """A month or year in seconds where the other unit is a day or the like: "ninety days (three months)"."""
    if unit and other and (unit.dimension, other.dimension) == ("calendar", "time"):
        return Measure(unit.name, "time", unit.size * _MONTH)
    return unit


def _is_share_again(text: str, part: Amount, whole: Amount, share: Amount) -> bool:
    """Whether a percentage restates the two numbers before it: "three in four (75 %)"."""
    if share.unit != "%" or whole.unit or not _OF_ALL.fullmatch(text, part.end, whole.start):
        return False
    if text[whole.end : share.start].strip() != "(" or not _CLOSING.match(text, unit_end(text, share.end)):
        return False
    return 0 < part.value < whole.value and abs(Fraction(part.value) / whole.value - share.value) < POINT


def _are_equal(first: Amount, second: Amount) -> bool:
    share = {first.unit, second.unit} == {"", "%"} and "fraction" in (first.kind, second.kind)
    return first.value == second.value or (share and abs(first.value - second.value) < POINT)


def _money(text: str, amount: Amount, unit: Measure | None) -> str:
    """The currency of an amount, or ""."""
    if amount.unit:
        return amount.unit if amount.unit in CURRENCIES else _MONEY.get(amount.unit, "")
    if unit:
        return _MONEY.get(unit.dimension, "")
    named = CURRENCY_NEXT.match(text, amount.end)
    return named[0].strip(" -").lower().removesuffix("s") if named else ""


def _unit(text: str, amount: Amount) -> tuple[Measure | None, int]:
    """The unit of measure in or after an amount, and where it, or the percent or currency in its place, ends."""
    if amount.measure:
        return amount.measure, amount.end
    if found := _restatable(text, amount.end):
        return found
    money = CURRENCY_NEXT.match(text, amount.end)
    return None, money.end() if money else unit_end(text, amount.end)


def _restatable(text: str, at: int) -> tuple[Measure, int] | None:
    """The unit of measure at `at`, one of those that are only restated among them, and where it ends."""
    further = ((match.end(), unit) for pattern, unit in _FURTHER if (match := pattern.match(text, at)))
    end, unit = next(further, (0, None))
    return (unit, end) if unit else measure(text, at)
