"""One amount given twice: "four (4) years", "4 metres (13 ft)", "$5 (€4.60)"."""

from __future__ import annotations

from fractions import Fraction

from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import CURRENCIES, compiled
from eqparse.text.numbers.units import Measure, measure

TOLERANCE = Fraction(1, 10)  # "5 miles (8 km)", "2 gallons (9 litres)"
_BETWEEN = compiled(rf"""[.]?\s?(?P<word>%|[^\W\d_]++)?\s?(?P<bracket>[(\[]|,\s(?:or|i\.e\.,?|that\sis,?)\s)\s?
    (?:(?:about|around|approx(?:\.|imately)?|roughly|nearly|almost|circa|ca?\.|or|i\.e\.,?|that\sis,?)\s)?
    [~≈=]?\s?(?:US)?[{CURRENCIES}]?""")
_CLOSING = compiled(r"\s?(?:%|per\s?cent|cents?|dollars|euros)?\s?[)\]]")


def without_restatements(text: str, amounts: list[Amount]) -> list[Amount]:
    """The amounts without those that restate the one before them."""
    kept: list[Amount] = []
    for amount in amounts:
        if not (kept and restates(text, kept[-1], amount)):
            kept.append(amount)
    return kept


def restates(text: str, first: Amount, second: Amount) -> bool:
    """Whether the second amount, in brackets after the first, is the same in digits, words or another unit."""
    if second.start - first.end > 40:
        return False
    ours, begin = _measure(text, first)
    theirs, end = _measure(text, second)
    between = _BETWEEN.fullmatch(text, begin, second.start)
    if between is None or (ours and between["word"]):
        return False
    bracketed = between["bracket"] in ("(", "[")
    if bracketed and not _CLOSING.match(text, end):
        return False
    if bracketed and first.value == second.value and (theirs is None or ours in (None, theirs)):
        return True
    if first.unit != second.unit and first.unit in CURRENCIES and second.unit in CURRENCIES:
        return bracketed and bool(first.unit and second.unit)
    if ours is None or theirs is None or ours.dimension != theirs.dimension or ours == theirs:
        return False
    if ours.dimension == "temperature":
        return bracketed
    this, that = first.value * ours.size, second.value * theirs.size
    return abs(this - that) <= TOLERANCE * abs(this)


def _measure(text: str, amount: Amount) -> tuple[Measure | None, int]:
    """The unit of measure in or after an amount, and where it ends."""
    if amount.measure:
        return amount.measure, amount.end
    return measure(text, amount.end) or (None, amount.end)
