"""Rules about answers that leave out a number which the words around it need."""

from __future__ import annotations

from functools import lru_cache

from eqparse.parser.shape import Shape
from eqparse.text.numbers.tables import SMALL, compiled, one_of
from eqparse.text.numbers.units import unit_end

_COUNT = rf"(?P<count>[2-9]|[1-9]\d+|{one_of(word for word, value in SMALL.items() if value > 1)})\s"
_THINGS = r"(?!times\b)(?:[a-z-]+s|people|men|women|children|sheep|mice|geese|fish)"
_MORE_THAN = r"(?:more|less|fewer|[a-z]{2,}er)\s(?:[a-z]+\s){0,2}?than\s"
_THAN_SEVERAL = compiled(rf"""(?:\d|\b{one_of(SMALL)})\s(?:[^\W\d_]+\s){{0,3}}?{_MORE_THAN}{_COUNT}
    (?={_THINGS}\b(?:\s(?:do|does|did|weigh|cost|hold|can|would)\b)?\s?(?:[.!?;]|\Z))""")
_SEVERAL = compiled(rf"""\A{_COUNT}(?=(?:[a-z-]+\s){{0,2}}?{_THINGS}\s
    (?:weigh|cost|hold|contain|measure|carry|need)\s(?:(?:about|nearly|exactly|almost)\s)?\S+\s[^.;:]*\bthan\b)""")
AHEAD = rf"""(?:\bin\s(?P<in>\d+|{one_of(SMALL)})\syears(?:['’]\stime)?
    |\b(?P<hence>\d+|{one_of(SMALL)})\syears\s(?:from\snow|hence)),?\s[^.;:,]*(?:\b(?:will|shall)|['’]ll)\sbe\s"""
"""Begins a statement about a time to come."""
_YEARS = compiled(rf"""{AHEAD}[^.;:,]*\b(?:as\sold\sas|the\sage|what)\s
    [^.;:,]*\b(?:is|am|are)\s?(?:now|today)?\s?[.!?]?\Z""")


def leaves_out_a_count(of: Shape) -> bool:
    """The answer has several things that are compared and leaves out how many, or takes their number for an amount:
    "12 kilos more than 3 vans".
    """
    counts = compared_counts(of.text)
    factors = {(start, end) for sign, start, end in of.applied if sign == "*"}
    if len(of.numbers) < 3 and not (counts & {*of.numbers}) <= factors:
        return True
    return any(not {start, end + 1}.isdisjoint(of.phrases) for start, end in counts.difference(of.numbers))


def leaves_out_the_years(of: Shape) -> bool:
    """The answer compares an age to come with one of now, and not by the years between: "in 5 years she'll be twice as
    old as she is now".
    """
    return not years_to_come(of.text) <= {*of.numbers}


@lru_cache(maxsize=16)  # a text has many readings, and the rules ask the same of each
def compared_counts(text: str) -> frozenset[tuple[int, int]]:
    """The start and end of each number of several things that are compared."""
    found = [_SEVERAL.match(text), *_THAN_SEVERAL.finditer(text)]
    spans = {rule.span("count") for rule in found if rule}
    return frozenset((start, end) for start, end in spans if unit_end(text, end) == end)


@lru_cache(maxsize=16)
def years_to_come(text: str) -> frozenset[tuple[int, int]]:
    """The start and end of each number of years until an age that is compared with one of now."""
    return frozenset(match.span(match.lastgroup) for match in _YEARS.finditer(text))


LEFT_OUT = {
    leaves_out_a_count: "several things, and their number does not multiply",
    leaves_out_the_years: "an age to come, without the years until then",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
