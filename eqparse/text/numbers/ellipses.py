"""A unit that is said once: "from 2 % to nearly 6", "to 71 % from 54"."""

from __future__ import annotations

from itertools import pairwise

from eqparse.text.numbers.compound import PLAIN
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import CLAUSE_END, compiled
from eqparse.text.numbers.units import FACTORS

_HEDGE = r"(?:(?:nearly|almost|about|around|just|only|over|under|well\sover|well\sunder|as\s(?:much|little)\sas)\s)?"
_PERCENT = r"(?:\s?(?:%|per\s?cent|pct))"
_FROM = compiled(rf"\bfrom\s{_HEDGE}\Z")
_LEVEL = compiled(rf"\b(?:to|at)\s{_HEDGE}\Z")
_TO = compiled(rf"{_PERCENT}\sto\s{_HEDGE}")
_BACK = compiled(rf"{_PERCENT},?\sfrom\s{_HEDGE}")
_STOP = compiled(rf"{CLAUSE_END}|\s(?:in|on|at|by|last|this|over|after|since|during|within|among|as|when|while|next)\b")


def with_units_said_once(text: str, found: list[Amount]) -> list[Amount]:
    """The amounts, where a plain number after a percentage is one, too, if the sentence leaves it out."""
    amounts = found[:1]
    for first, second in pairwise(found):
        plain = not second.unit and second.measure is None and second.kind in PLAIN
        if plain and 0 < second.value < 100 and first.unit == "%" and _goes_on(text, first, second):
            second = second._replace(value=second.value * FACTORS["%"], unit="%")
        amounts.append(second)
    return amounts


def _goes_on(text: str, first: Amount, second: Amount) -> bool:
    gap = first.end, second.start
    before = text[max(0, first.start - 24) : first.start]
    onward = _TO.fullmatch(text, *gap) and _FROM.search(before)
    back = _BACK.fullmatch(text, *gap) and _LEVEL.search(before)
    return bool((onward or back) and _STOP.match(text, second.end))
