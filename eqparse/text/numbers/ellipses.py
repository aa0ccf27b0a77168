"""A unit or scale that is said once: "from 2 % to nearly 6", "71 %, from a low of 54", "118 million, up 14"."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from eqparse.text.numbers.compound import PLAIN
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import ANY_SCALE, CLAUSE_END, CURRENCIES, compiled
from eqparse.text.numbers.units import FACTORS

_HEDGE = r"""(?:a\s(?:peak|high|low|record)\sof\s)?
    (?:(?:nearly|almost|about|around|just|only|over|under|well\sover|well\sunder|as\s(?:much|little)\sas)\s)?"""
_PERCENT = r"(?:\s?(?:%|per\s?cent|pct))"
_FROM = compiled(rf"\bfrom\s{_HEDGE}\Z")
_FROM_SIGN = compiled(rf"{_FROM.pattern[:-2]}(?:[A-Z]{{2}})?[{CURRENCIES}]?\Z")
_LEVEL = compiled(rf"\b(?:to|at)\s{_HEDGE}\Z")
_WHEN = r"(?:\s(?:in|on|by|at|this|last)\s[^.;,%\d]{1,20})?"
_TO = compiled(rf"{_PERCENT}{_WHEN}\sto\s{_HEDGE}")
_BACK = compiled(rf"{_PERCENT},?\sfrom\s{_HEDGE}")
_LATER = compiled(rf"{_PERCENT}[^.;%\d]{{0,60}},\s(?:(?:up|down)\s)?from\s{_HEDGE}")
_BESIDE = compiled(rf"{_PERCENT}(?:\s[^.;,%\d]{{1,24}})?,\s{_HEDGE}")
_APART = compiled(r"\s(?:below|above|(?:down|up|lower|higher)(?=\s(?:on|than)\b|\s?(?:[.;,)]|\Z)))(?!\w)")
_CHANGE = r"""(?:an?\s(?:[a-z]+\s)?(?:drop|fall|rise|gain|loss|increase|decrease|decline|jump|slump|dip|climb)\sof
    |(?:up|down)(?:\sby)?|(?:short|ahead|behind)\sby)\s"""
_CHANGED = compiled(rf"{_PERCENT}(?:\s[^.;,%\d]{{1,40}})?,\s(?!up|down){_CHANGE}")  # `points` reads "up 11"
_AGAINST = compiled(rf"{_PERCENT}(?:\s[^.;,%\d]{{1,40}})?,?\s(?:compared\s(?:to|with)|against|versus)\s{_HEDGE}")
_REACHED = compiled(rf"\b(?:to|at|pass(?:ed|es)|reach(?:ed|es)|hits?|topp?(?:ed|s))\s{_HEDGE}\Z")
_UP_FROM = compiled(rf"{_WHEN},?\s(?:up|down)\sfrom\s{_HEDGE}")
_CENTS = r"\s?(?:¢|c(?!\w)|(?:US\s|euro\s)?cents?)"
_EACH = r"\s(?:an?|per|each|the)\s[^\W\d_]++"
_CENTS_CHANGED = compiled(rf"{_CENTS}(?:{_EACH})?,\s(?:(?:up|down)\sfrom\s{_HEDGE}|{_CHANGE})")
_CENTS_BESIDE = compiled(rf"{_CENTS}{_EACH},\s{_HEDGE}")
_BY_CENTS = compiled(rf"\s(?:more|less|higher|lower|dearer|cheaper|above|below)(?=\s(?:than|on)\b|{CLAUSE_END})")
_MILLIONS_TO = compiled(rf"m\sto\s{_HEDGE}")  # "from 1.8m to 2.6m tonnes"
_TONNES_TO = compiled(rf"\s[^\W\d_]++\sto\s{_HEDGE}")  # "by another 2.1m tonnes to 148m"
_GLUED = compiled(r"(?<=\d)m\Z")
_SCALED = compiled(r"(?<=\d)(k|m|bn?)\Z|(?<=[\s\d])(million|[mb]n|billion|trillion)\Z")
_SCALED_CHANGED = compiled(rf"(?:\s[^\W\d_]++)?,\s{_CHANGE}")
_SCALED_TO = compiled(rf"\sto\s{_HEDGE}")
_BASIS = compiled(r"\s(?:basis\spoints?|bps?)\sto\s")
_STOP = compiled(rf"""{CLAUSE_END}
    |\s(?:in|on|at|by|last|this|over|after|since|during|within|among|as|when|while|next|the|before|from\s(?:the|last|a)|a\s(?:year|month|week|day|decade)\sago)\b""")


def with_units_said_once(text: str, found: list[Amount]) -> list[Amount]:
    """The amounts, where a plain number beside one with a unit or scale has that, too, if it is left out."""
    amounts = found[:1]
    for first, second in pairwise(found):
        if _is_plain(second):
            if unit := _unit_left_out(text, first, second):
                second = second._replace(value=second.value * FACTORS[unit], unit=unit)
            elif scale := _scale_left_out(text, first, second):
                second = second._replace(value=second.value * scale)
            elif _are_millions(text, first, second):
                second = second._replace(value=second.value * 10**6, end=second.end + 1)
        elif second.unit == "%" and _is_plain(first) and _comes_from(text, first, second):
            amounts[-1] = first._replace(value=first.value * FACTORS["%"], unit="%")
        if _come_from_millions(text, first, second):
            amounts[-1] = first._replace(value=first.value * 10**6, end=first.end + 1)
        amounts.append(second)
    return amounts


def _is_plain(amount: Amount) -> bool:
    return not amount.unit and amount.measure is None and amount.kind in PLAIN


def _comes_from(text: str, first: Amount, second: Amount) -> bool:
    """Whether a percentage rose or fell to the first number: "passed 70 in May, up from 62 %"."""
    reached = _REACHED.search(text[max(0, first.start - 24) : first.start])
    return 0 < first.value < 100 and bool(reached and _UP_FROM.fullmatch(text, first.end, second.start))


def _in_millions(text: str, amount: Amount) -> bool:
    return amount.kind == "digits" and bool(_GLUED.search(text, amount.start, amount.end))


def _are_millions(text: str, first: Amount, second: Amount) -> bool:
    """Whether the "m" behind the second number is the million of the first: "by 2.1m tonnes to 148m"."""
    glued = text[second.end : second.end + 1] == "m" and _STOP.match(text, second.end + 1)
    return bool(glued and _in_millions(text, first) and _TONNES_TO.fullmatch(text, first.end, second.start))


def _come_from_millions(text: str, first: Amount, second: Amount) -> bool:
    """Whether the "m" behind the first number is the million of the second: "from 1.8m to 2.6m tonnes"."""
    joined = _MILLIONS_TO.fullmatch(text, first.end, second.start) and _FROM.search(text[: first.start][-24:])
    return bool(joined) and _is_plain(first) and _in_millions(text, second)


def _scale_left_out(text: str, first: Amount, second: Amount) -> int:
    """The "million" that the second amount shares with the first, or 0: "118 million, up 14", "from 60k to 45"."""
    scaled = _SCALED.search(text[first.start : first.end])
    if scaled is None or first.kind != "digits" or second.kind != "digits" or not _STOP.match(text, second.end):
        return 0
    scale = ANY_SCALE[scaled[0].lower()]
    share = second.value * scale / first.value
    gap = first.end, second.start
    if scale > 1000 and 0 < share < 1 and _SCALED_CHANGED.fullmatch(text, *gap):
        return scale
    onward = _SCALED_TO.fullmatch(text, *gap) and _FROM_SIGN.search(text[max(0, first.start - 24) : first.start])
    return scale if onward and Fraction(1, 3) < share < 3 else 0


def _unit_left_out(text: str, first: Amount, second: Amount) -> str:
    """The unit that the second amount shares with the first, or ""."""
    gap = first.end, second.start
    if first.unit == "bp" and _BASIS.fullmatch(text, *gap):
        return "bp" if _STOP.match(text, second.end) else ""
    if first.unit == "cents" and 0 < second.value < 100:
        changed = _CENTS_CHANGED.fullmatch(text, *gap) and _STOP.match(text, second.end)
        beside = _CENTS_BESIDE.fullmatch(text, *gap) and _BY_CENTS.match(text, second.end)
        return "cents" if changed or beside else ""
    if first.unit != "%" or not 0 < second.value < 100:
        return ""
    before = text[max(0, first.start - 24) : first.start]
    onward = _TO.fullmatch(text, *gap) and _FROM.search(before)
    back = (_BACK.fullmatch(text, *gap) and _LEVEL.search(before)) or _LATER.fullmatch(text, *gap)
    onward = onward or _CHANGED.fullmatch(text, *gap) or _AGAINST.fullmatch(text, *gap)
    apart = _BESIDE.fullmatch(text, *gap) and _APART.match(text, second.end)
    return "%" if apart or ((onward or back) and _STOP.match(text, second.end)) else ""
