"""From numerals to amounts: a numeral is combined with the sign, scale, unit and second number that belong to it.

An amount may need the words of a unit ("half an hour", "a mile and a half", "2 hours 15 minutes"): its characters then
include them, and its value is in that unit, the larger of two. An amount given twice, as in "four (4)" or
"4 metres (13 ft)", is kept once, as first written.
"""

from __future__ import annotations

from eqparse.text.numbers.compound import odds, part_of_one, part_of_unit, scale_chain, unit_and_part
from eqparse.text.numbers.context import COMPARED
from eqparse.text.numbers.ellipses import with_units_said_once
from eqparse.text.numbers.fractions import scale_of
from eqparse.text.numbers.mixed import half_more, mixed_number, scaled_by_letter, tenths_and_part
from eqparse.text.numbers.numeral import Amount, Numeral
from eqparse.text.numbers.points import percentage_points
from eqparse.text.numbers.quotes import is_no_share
from eqparse.text.numbers.restatements import without_restatements
from eqparse.text.numbers.scaled_intervals import HEDGE, TO
from eqparse.text.numbers.signs import sign_before
from eqparse.text.numbers.tables import CLAUSE_END, compiled
from eqparse.text.numbers.two_units import two_units, two_units_and_part
from eqparse.text.numbers.units import FACTORS, scaling_unit

_RANGE = compiled(rf"\s(?:to|or)\s|\s?[-–—~]\s?|(?P<and>\sand\s{HEDGE})|(?P<from>{TO}{HEDGE})")
_FROM = compiled(rf"\bfrom\s{HEDGE}\Z")
_ODD = compiled(r"[\s-]odd(?=\s?(?:%|per\s?cent))")
_OF_A = compiled(r"\sof\san?\s")
_STANDS = compiled(rf"(?<=half)(?:{CLAUSE_END}|{COMPARED.pattern})")
_BETWEEN = compiled(rf"\b(?:between|both)\s{HEDGE}\Z")


def amounts(text: str, numerals: list[Numeral]) -> list[Amount]:
    """The amounts that the numerals of a text make, in order of position."""
    found: list[Amount] = []
    for numeral in numerals:
        amount = Amount(*numeral)
        last = found[-1] if found else None
        if last and amount.start < last.end:  # "a million" of "half a million"
            continue
        part = 0 < amount.value < 1 and amount.kind in ("fraction", "multiplier")
        if part:
            amount = _with_part(text, last, amount)
        else:
            joined = (join(text, last, amount) for join in (scale_chain, two_units, odds, part_of_one))
            amount = next(filter(None, joined), amount)
        if last and amount.start <= last.start:
            found.pop()
        sign = sign_before(text, amount.start, amount.end, below=bool(last and last.value < 0))
        if sign is not None:
            bracket = text.startswith(")", amount.end) and "(" in text[sign : amount.start]  # "times minus (4)"
            amount = amount._replace(value=-amount.value, start=sign, end=amount.end + bracket)
        found.append(amount if amount.measure else _scaled(text, found, amount, part=part))
    return percentage_points(text, with_units_said_once(text, without_restatements(text, found)))


def _with_part(text: str, last: Amount | None, part: Amount) -> Amount:
    """A fraction, combined with the whole number before it, the scale after it, and the unit that it is part of."""
    amount = part
    if half := half_more(text, last, part):
        return half
    if part.kind == "fraction" and not part.unit:
        joined = (join(text, last, part) for join in (two_units_and_part, tenths_and_part, mixed_number, unit_and_part))
        amount = next(filter(None, joined), part)
    elif _STANDS.match(text, part.end):  # "an hour and half longer"
        amount = unit_and_part(text, last, part) or part
    if amount.measure:
        return amount
    if amount.kind == "fraction" and is_no_share(text, amount.start, amount.end):
        return amount._replace(kind="word")
    if scale := scale_of(text, amount.end) or scaled_by_letter(text, amount):
        return amount._replace(value=amount.value * scale[0], end=scale[1], kind="word")
    return part_of_unit(text, amount) if amount.value < 1 and not amount.unit else amount


def _scaled(text: str, found: list[Amount], amount: Amount, *, part: bool) -> Amount:
    """The amount in its unit; the "3" of "3 to 5 %" takes the unit of the second number."""
    part = part or bool(0 < amount.value < 1 and _OF_A.match(text, amount.end))  # "0.6 of a cent"
    odd = _ODD.match(text, amount.end)  # "30-odd percent"
    unit = amount.unit or scaling_unit(text, odd.end() if odd else amount.end, of=part)
    factor = FACTORS.get(unit)
    if factor is None:
        return amount._replace(unit=unit) if unit else amount
    last = found[-1] if found else None
    if last and not last.unit and last.kind in ("digits", "word", amount.kind):
        gap = _RANGE.fullmatch(text, last.end, amount.start)
        before = text[max(0, last.start - 24) : last.start]
        if gap and (not gap["and"] or _BETWEEN.search(before)) and (
            not gap["from"] or (last.value <= 100 and _FROM.search(before))
        ):
            found[-1] = last._replace(value=last.value * factor, unit=unit)
    return amount._replace(value=amount.value * factor, unit=unit)
