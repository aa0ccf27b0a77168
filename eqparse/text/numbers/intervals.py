"""Intervals where an equation needs one number: "10 to 12 metres longer", "is between 10 and 12", "30±2"."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from eqparse.text.numbers.context import CLOSED, COMPARED, LABELS, word_after, word_before
from eqparse.text.numbers.tables import CLAUSE_ENDS, CURRENCIES, compiled
from eqparse.text.numbers.units import unit_end

if TYPE_CHECKING:
    from eqparse.text.quantities import Quantity

MAX_RATIO = 3  # between the ends of an interval; more is a change, as in "shares rose 12 to 206 points"
_EITHER = rf"(?:±|\+\s?/\s?[-−–]|plus(?:\sor\s|[/-])minus|give\sor\stake)\s?[{CURRENCIES}]?"
_TOLERANCE = compiled(rf"\s?,?\s?(?:{_EITHER}|\+\s?[-−–]\s?[{CURRENCIES}]?)")
_EITHER_BEFORE = compiled(rf"(?<!\w){_EITHER}\Z")
_PERHAPS = r"(?:(?:even|perhaps|maybe|possibly)\s)?"
_OR_ELSE = r"""(?:well,\s)?(?:(?:or|even)\s)?(?:maybe|perhaps|possibly|probably|if\snot|at\smost|no\smore\sthan
    |say|is\sit|more\slike)\s(?:even\s|more\slike\s|nearer\s|closer\sto\s)?"""
_OR_SO = r"\sor\s(?:so|thereabouts)\b"
_RANGE = compiled(rf"""(?:[\s-](?:to|(?P<or>or))[\s-]{_PERHAPS}|(?P<bare>,\s)
    |(?:{_OR_SO}(?:\s[^\W\d_]++)?|[\s-]?ish)?(?P<aside>,\s|\s\(?){_OR_ELSE}|(?P<open>\s\()or\s
    |(?P<dash>\s?[-–—\u2011~～〜]\s?)|(?P<and>\sand\s))[{CURRENCIES}]?""")
_IS_EITHER = compiled(rf"""\A(?!.*\bthan\b).*\b(?:is|are|was|were|be|equals?|gives?|makes?|comes\sto|get)
    \s(?:either\s)?[{CURRENCIES}]?\Z""")
_TEXT_END = compiled(r"\s?[.!?]?\s*\Z")
_CLOSED = {"(": compiled(r"\)"), ",": compiled(r",(?=\s)")}
_BETWEEN = compiled(rf"\b(?P<before>[^\W\d_]+)?\s?\bbetween\s[{CURRENCIES}]?\Z")
_MULTIPLES = compiled(rf"(?:\stimes)?(?:[\s-](?:to|or|(?P<and>and))[\s-]{_PERHAPS}|,\s{_OR_ELSE})")
_MULTIPLIED = compiled(r"""(?:,(?=\sas\s[a-z]+\sas\b))?
    \s(?:as|the|that|what|her|his|its|their|more|less|[a-z]+er\sthan)\b""")
_LIES_FROM = compiled(rf"\b(?:lies?|lay|is|are|was|were|anywhere)\sfrom\s[{CURRENCIES}]?\Z")
_LEAST = r"(?:(?:more|greater|larger|bigger|higher|longer|older|no\sless|not\sless)\sthan|above|over|at\sleast|exceeds)"
_MOST = r"(?:(?:less|smaller|fewer|lower|shorter|younger|no\smore|not\smore)\sthan|below|under|at\smost|up\sto)"
_BOUND = r"(?:\s[^\W\d_]+){0,2}?,?\s(?:but|and|yet)\s(?:(?:also|still|is|are|was)\s){0,2}?"
_BOUNDS = tuple(
    (compiled(rf"\b{one}\s[{CURRENCIES}]?\Z"), compiled(rf"{_BOUND}{other}\s[{CURRENCIES}]?"))
    for one, other in ((_LEAST, _MOST), (_MOST, _LEAST))
)
_GIVE_OR_TAKE = compiled(rf"[^.;:]*\b{_EITHER}")
_BY = compiled(rf"\bby\s(?:(?:about|nearly|almost|just|another|only)\s)?[{CURRENCIES}]?\Z")
_OPERATOR = compiled(r"\b(?:by|plus|minus|times|than|add|subtract)\s\Z")
_FROM = compiled(rf"\bfrom\s[{CURRENCIES}]?\Z")
_RATIO = compiled(r"\b(?:ratio|proportion|odds|scale)\b")
_DIFFER = compiled(rf"\b(?:exceed|differ|outnumber|outweigh|surpass|trail|lead)[a-z]*\b.*\bby\s[{CURRENCIES}]?\Z")
_CHANGE = compiled(r"""\b(?:increas|decreas|ris|rose|fall|fell|cut|gr[eo]w|rais|lower|reduc|up\b|down\b|drop|gain
    |lost|los|climb|jump|slip|slid|dwindl|shr[aiu]nk|swell|add)""")
_OPERANDS = frozenset("difference gap ratio distance differences sum product".split())
_STATES = frozenset(
    "is was are were be lies equals gives weighs costs takes measures makes by of somewhere anywhere".split()
)
_TIMES = compiled(r"\stimes\s(?:as|the|that|what|more|his|her|its|their|a|[b-z]|[^\W\d_]+['’]s|[a-z]+er)\b")
_SLASHED = compiled(r"(\d{1,3})/(\d{1,3})(?!\w)")
_DENOMINATORS = frozenset((2, 3, 4, 5, 6, 8, 10, 12, 16, 32, 60, 64, 100))  # as people write fractions of a unit
_OF_WHAT = compiled(r"\sof\s[^\W\d_]++")
# "an hour or two longer", "a thousand or two more", "by a mile or three"
_ONE_OR_MORE = compiled(rf"""(?<!\w)an?\s(?:[^\W\d_]++\s)?[^\W\d_]++(?:(?P<aside>,\s){_OR_ELSE}|,?\sor\s{_PERHAPS})
    (?:two|three|four|[234])(?![\w.,]*\d)(?!\w)""")
_MEASURED_UP = compiled(r"\s(?:more|longer|taller|heavier|older|wider|deeper|bigger|larger|dearer|thicker)\sthan\b")
_NEAR = Fraction(3, 2)  # between the ends of "ten, twelve metres"
_SO = compiled(_OR_SO)


def interval_in_the_way(text: str, quantities: Sequence[Quantity]) -> tuple[int, int] | None:
    """The span of an interval that stands where the equation would need one number; None if there is none.

    A tolerance always counts. A pair of ends counts if it makes a comparison ("10 to 12 metres longer", "3 to 4 times
    as many"), if the text says that something lies between the ends, or if the text has no other number. Ages, years,
    pages and scores beside other numbers ("children of 3 to 11 pay 5 less") do not count, nor do ratios and changes
    "from 10 to 12".
    """
    for first, second in zip(quantities, quantities[1:], strict=False):
        end = unit_end(text, first.end)
        if _has_two_bounds(text, first, second, end) or _is_between_multiples(text, first, second):
            return first.start, second.end
        tolerance = _TOLERANCE.fullmatch(text, end, second.start) or (
            _is_compared(text, first.end) and _GIVE_OR_TAKE.fullmatch(text, end, second.start)
        )
        if tolerance or _is_in_the_way(text, first, second, end, alone=len(quantities) == 2):
            return first.start, second.end
    for match in _ONE_OR_MORE.finditer(text):
        by = _BY.search(text, max(0, match.start() - 16), match.start()) and CLAUSE_ENDS.match(text, match.end())
        closed = match["aside"] and text.startswith(",", match.end())
        if len(quantities) < 3 and (by or _is_compared(text, match.end() + bool(closed))):
            return match.span()
    for quantity in quantities:
        if _is_slashed(text, quantity):
            return quantity.start, quantity.end
    for quantity in quantities:  # "±5 litres more", not "a margin of error of ±3"
        sign = _EITHER_BEFORE.search(text, max(0, quantity.start - 16), quantity.start)
        if sign is None:
            continue
        before = text[max(0, sign.start() - 10) : sign.start()]
        if _is_compared(text, quantity.end) or _OPERATOR.search(before):
            return sign.start(), quantity.end
    return None


def _has_two_bounds(text: str, first: Quantity, second: Quantity, end: int) -> bool:
    """Whether the text gives a least and a most: "above 20 but below 40", "lies from 30 to 40"."""
    before = text[max(0, first.start - 30) : first.start]
    if _LIES_FROM.search(before) and first.value < second.value:
        return bool(_RANGE.fullmatch(text, end, second.start))
    return any(one.search(before) and two.fullmatch(text, first.end, second.start) for one, two in _BOUNDS)


def _is_between_multiples(text: str, first: Quantity, second: Quantity) -> bool:
    """Whether the text gives two numbers of times: "between twice and three times as tall"."""
    join = _MULTIPLES.fullmatch(text, first.end, second.start)
    if join is None or not first.value < second.value or "multiplier" not in (first.kind, second.kind):
        return False
    between = _BETWEEN.search(text, max(0, first.start - 60), first.start)
    times = second.end + len(" times") * text.startswith(" times", second.end)
    said = times > second.end or second.kind == "multiplier"
    return bool(said and _MULTIPLIED.match(text, times) and (between or not join["and"]))


def _is_slashed(text: str, quantity: Quantity) -> bool:
    """Whether what looks like a fraction counts from one whole number of units to another: "10/12 metres longer"."""
    match = _SLASHED.match(text, quantity.start)
    if match is None or match.end(2) > quantity.end:
        return False
    first, second = int(match[1]), int(match[2])
    written = gcd(first, second) == 1 and (second in _DENOMINATORS or first == 1)
    end = unit_end(text, match.end())
    counted = end > match.end() and text[end - 1] == "s"
    return 1 < first < second and not written and counted and bool(COMPARED.match(text, end))


def _is_in_the_way(text: str, first: Quantity, second: Quantity, end: int, *, alone: bool) -> bool:
    join = _RANGE.fullmatch(text, end, second.start)
    if join is None or not first.value < second.value or "multiplier" in (first.kind, second.kind):
        return False
    if first.unit and second.unit and first.unit != second.unit:  # "raised 8 % to 13.5 cents"
        return False
    before = text[max(0, first.start - 60) : first.start]
    if end > first.end and unit_end(text, second.end) == second.end and _BY.search(before):
        return False  # "shortened by 4 days to 17"
    measured = unit_end(text, second.end) > second.end
    if join["dash"] and measured and _BY.search(before):
        return True
    if join["bare"]:  # "is ten, twelve metres longer than", where 10 = 12 + V1 would leave less than nothing
        past = unit_end(text, second.end)
        near = end == first.end and second.value <= _NEAR * first.value and word_before(text, first.start) not in LABELS
        return near and past > second.end and bool(_MEASURED_UP.match(text, past))
    if join["or"] and _IS_EITHER.search(before) and _TEXT_END.match(text, unit_end(text, second.end)):
        return True
    between = _BETWEEN.search(before)
    if _RATIO.search(before + text[second.end : second.end + 30]):
        return False
    if join["and"] and (between is None or between["before"] in _OPERANDS):
        return False
    aside = join["aside"] or join["open"]
    closing = _CLOSED.get((aside or "").strip())
    past = closing and closing.match(text, unit_end(text, second.end))
    if _is_compared(text, past.end() if past else second.end) or _DIFFER.search(before):
        return True
    if aside:
        return False
    if between:
        return bool(join["and"]) and (between["before"] or "").lower() in _STATES
    near = second.value <= MAX_RATIO * first.value
    return alone and measured and near and not _FROM.search(before) and not _CHANGE.search(before)


def _is_compared(text: str, end: int) -> bool:
    """Whether a comparison follows: "metres longer than", "more stamps", "times as many"."""
    if _TIMES.match(text, end):
        return True
    if so := _SO.match(text, end):
        end = so.end()
    past, noun = unit_end(text, end), word_after(text, end)
    if past == end and noun.endswith("s") and noun not in CLOSED:
        past = end + 1 + len(noun)
    of = _OF_WHAT.match(text, past)
    return bool(COMPARED.match(text, of.end() if of else past))
