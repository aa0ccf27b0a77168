"""A scale that is said once for both ends of an interval: "10-12k", "between 10 and 12 million"."""

from __future__ import annotations

from eqparse.text.numbers.compound import PLAIN
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import ANY_SCALE, CURRENCIES, SCALE, SHORT_SCALE, compiled, one_of
from eqparse.text.numbers.units import FACTORS

HEDGE = r"""(?:a\s(?:peak|high|low|record)\sof\s)?
    (?:(?:nearly|almost|about|around|roughly|just|only|barely|some|(?:just\s|well\s|a\slittle\s)?(?:over|under)
        |a\s(?:mere|further)|as\s(?:much|little)\sas|(?:more|less|fewer)\sthan)\s)?"""
TO = r"(?:\sall\sthe\sway)?(?:\s(?:up|down|back))?\sto\s"
_RANGE = compiled(rf"(?:{TO}{HEDGE}|\sor\s|\s?[-–—]\s?|(?P<and>\sand\s{HEDGE}))[{CURRENCIES}]?")
_BETWEEN = compiled(rf"\bbetween\s{HEDGE}[{CURRENCIES}]?\Z")
_SCALE_AT_END = compiled(rf"(?<=\d)(?:k|m|bn?)\Z|(?<=[\s\d-]){one_of([*SCALE, *SHORT_SCALE, 'grand'])}\Z")
MAX_RATIO = 5  # between the ends of an interval whose scale is said once


def scale_of_interval(text: str, first: Amount, second: Amount) -> int:
    """The "thousand" that the first end of an interval shares with the second, or 0: "10-12k", "$10 to $12 million"."""
    scaled = _SCALE_AT_END.search(text, second.start, second.end)
    gap = _RANGE.fullmatch(text, first.end, second.start)
    plain = first.measure is None and first.kind == second.kind and first.kind in PLAIN and first.unit not in FACTORS
    if scaled is None or gap is None or not plain or (first.unit and second.unit and first.unit != second.unit):
        return 0
    if gap["and"] and not _BETWEEN.search(text[max(0, first.start - 24) : first.start]):
        return 0
    scale = ANY_SCALE[scaled[0].lower()]
    near = second.value <= MAX_RATIO * first.value * scale and first.value * scale < second.value
    return scale if near and first.value < 1000 else 0
