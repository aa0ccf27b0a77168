"""A unit that is said once: "from 2 % to nearly 6", "71 %, from a low of 54", "1.4 %, 0.3 below"."""

from __future__ import annotations

from itertools import pairwise

from eqparse.text.numbers.compound import PLAIN
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import CLAUSE_END, compiled
from eqparse.text.numbers.units import FACTORS

_HEDGE = r"""(?:a\s(?:peak|high|low|record)\sof\s)?
    (?:(?:nearly|almost|about|around|just|only|over|under|well\sover|well\sunder|as\s(?:much|little)\sas)\s)?"""
_PERCENT = r"(?:\s?(?:%|per\s?cent|pct))"
_FROM = compiled(rf"\bfrom\s{_HEDGE}\Z")
_LEVEL = compiled(rf"\b(?:to|at)\s{_HEDGE}\Z")
_TO = compiled(rf"{_PERCENT}\sto\s{_HEDGE}")
_BACK = compiled(rf"{_PERCENT},?\sfrom\s{_HEDGE}")
_LATER = compiled(rf"{_PERCENT}[^.;%\d]{{0,60}},\s(?:(?:up|down)\s)?from\s{_HEDGE}")
_BESIDE = compiled(rf"{_PERCENT}(?:\s[^.;,%\d]{{1,24}})?,\s{_HEDGE}")
_APART = compiled(r"\s(?:below|above|(?:down|up|lower|higher)(?=\s(?:on|than)\b))(?!\w)")
_BASIS = compiled(r"\s(?:basis\spoints?|bps?)\sto\s")
_STOP = compiled(rf"""{CLAUSE_END}
    |\s(?:in|on|at|by|last|this|over|after|since|during|within|among|as|when|while|next|the|before)\b""")


def with_units_said_once(text: str, found: list[Amount]) -> list[Amount]:
    """The amounts, where a plain number after a percentage is one, too, if the sentence leaves it out."""
    amounts = found[:1]
    for first, second in pairwise(found):
        plain = not second.unit and second.measure is None and second.kind in PLAIN
        if plain and (unit := _unit_left_out(text, first, second)):
            second = second._replace(value=second.value * FACTORS[unit], unit=unit)
        amounts.append(second)
    return amounts


def _unit_left_out(text: str, first: Amount, second: Amount) -> str:
    """The unit that the second amount shares with the first, or ""."""
    gap = first.end, second.start
    if first.unit == "bp" and _BASIS.fullmatch(text, *gap):
        return "bp" if _STOP.match(text, second.end) else ""
    if first.unit != "%" or not 0 < second.value < 100:
        return ""
    before = text[max(0, first.start - 24) : first.start]
    onward = _TO.fullmatch(text, *gap) and _FROM.search(before)
    back = (_BACK.fullmatch(text, *gap) and _LEVEL.search(before)) or _LATER.fullmatch(text, *gap)
    apart = _BESIDE.fullmatch(text, *gap) and _APART.match(text, second.end)
    return "%" if apart or ((onward or back) and _STOP.match(text, second.end)) else ""
