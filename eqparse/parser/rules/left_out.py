"""Rules about answers that leave out a number which the words around it need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from eqparse.parser.rules.shape import Shape, needs
from eqparse.text.lists import lists
from eqparse.text.numbers.tables import SMALL, compiled, one_of
from eqparse.text.numbers.units import measure, unit_end
from eqparse.text.quantities import Quantity, find_quantities
from eqparse.text.spans import Span

_COUNT = rf"(?P<count>[2-9]|[1-9]\d+|{one_of(word for word, value in SMALL.items() if value > 1)})\s"
_THINGS = r"(?!(?:times|across)\b)(?:[a-z-]+s|people|men|women|children|sheep|mice|geese|fish)"
_MORE_THAN = r"(?:more|less|fewer|[a-z]{2,}er)\s(?:[a-z]+\s){0,2}?than\s"
_THAN_SEVERAL = compiled(rf"""(?:\d|\b{one_of(SMALL)})\s(?:[^\W\d_]+\s){{0,3}}?{_MORE_THAN}{_COUNT}
    (?={_THINGS}\b(?:\s(?:do|does|did|weigh|cost|hold|can|would)\b)?\s?(?:[.!?;]|\Z))""")
_SEVERAL = compiled(rf"""\A{_COUNT}(?=(?:(?:\d[\d\s.,]{{0,8}}-)?[a-z-]+\s){{0,2}}?{_THINGS}\s
    (?:weigh|cost|hold|contain|measure|carry|need)\s(?:(?:about|nearly|exactly|almost)\s)?\S+\s[^.;:]*\bthan\b)""")
_PRODUCT_OF = compiled(r"\bproduct\sof\b")
_A_NUMBER = compiled(r"(?:the\s(?=\d)|an?\s(?=\d+\s))")  # not "the shell, a 3-gram affair"
THAN = compiled(r"\b(?:than|as)\b")
"""Behind it stands what something is compared with."""
AHEAD = rf"""(?:\bin\s(?P<in>\d+|{one_of(SMALL)})\syears(?:['’]\stime)?
    |\b(?P<hence>\d+|{one_of(SMALL)})\syears\s(?:from\snow|hence)),?\s[^.;:,]*(?:\b(?:will|shall)|['’]ll)\sbe\s"""
"""Begins a statement about a time to come."""
_YEARS = compiled(rf"""{AHEAD}[^.;:,]*\b(?:as\sold\sas|the\sage|what)\s
    [^.;:,]*\b(?:is|am|are)\s?(?:now|today)?\s?[.!?]?\Z""")
_SIZE = compiled(r"-(?P<unit>[a-z]{1,12})\s")
_COUNTED = compiled(r"\s?(?P<unit>[a-z]{1,12}?)s?(?![a-z])")


@needs(lambda text: counted_sizes(text))
def leaves_out_a_size(of: Shape) -> bool:
    """The answer multiplies how many things there are, and not by the size of one, or by both and an unknown, though
    the total has the unit of the size: "four 90-watt lamps and the heater draw 1,200 watts".
    """
    used = {*of.numbers}
    return any(
        count in used and (size not in used or size[0] in of.phrases) for count, size in counted_sizes(of.text)
    )


@needs(lambda text: compared_counts(text))
def leaves_out_a_count(of: Shape) -> bool:
    """The answer has several things that are compared and leaves out how many, or takes their number for an amount:
    "12 kilos more than 3 vans".
    """
    counts = compared_counts(of.text)
    factors = {(start, end) for sign, start, end in of.applied if sign == "*"}
    if len(of.numbers) < 3 and not (counts & {*of.numbers}) <= factors:
        return True
    return any(not {start, end + 1}.isdisjoint(of.phrases) for start, end in counts.difference(of.numbers))


@needs(lambda text: years_to_come(text))
def leaves_out_the_years(of: Shape) -> bool:
    """The answer compares an age to come with one of now, and not by the years between: "in 5 years she'll be twice as
    old as she is now".
    """
    return not years_to_come(of.text) <= {*of.numbers}


def leaves_out_of_a_list(of: Shape) -> bool:
    """The answer adds or multiplies two amounts of a list of three or more, and leaves out another."""
    unknown = (*of.letters, *of.phrases)
    used = (*unknown, *(at for at, _ in of.numbers))
    return (of.adds or (of.multiplies and bool(_PRODUCT_OF.search(of.text)))) and any(
        sum(_begins_in(thing, unknown) for thing in things) > 1 and not all(_begins_in(thing, used) for thing in things)
        for things in lists(of.text)
    )


def is_open(text: str) -> bool:
    """Whether a list of three or more may be more than a sum of unknown amounts: it is compared with something, or one
    thing has a number: "as much as the lamp, the rug and the 12 kilo chair".
    """
    return bool(THAN.search(text)) or any(_known(text, things) for things in lists(text))


@needs(lists)
def parts_a_list(of: Shape) -> bool:
    """The answer adds some of such a list, or has the number of one thing without the others on its side."""
    return (leaves_out_of_a_list(of) and is_open(of.text)) or any(
        len({side for thing in things for side in _sides(of, thing)}) > 1
        for things in lists(of.text) if not {*of.sides}.isdisjoint(_known(of.text, things))
    )


def _known(text: str, things: Sequence[Span]) -> list[int]:
    """Where the numbers of things stand: the 12 of "the 12 kilo chair"."""
    return [match.end() for thing in things if (match := _A_NUMBER.match(text, *thing))]


def _sides(of: Shape, thing: Span) -> list[int]:
    """The sides of what the answer has of a thing, or 0."""
    return [side for at, side in of.sides.items() if _begins_in(thing, [at])] or [0]


def _begins_in(thing: Span, places: Iterable[int]) -> bool:
    return any(thing[0] <= at < thing[1] for at in places)


@lru_cache(maxsize=16)  # a text has many readings, and the rules ask the same of each
def compared_counts(text: str) -> frozenset[tuple[int, int]]:
    """The start and end of each number of several things that are compared."""
    found = [_SEVERAL.match(text), *_THAN_SEVERAL.finditer(text)]
    spans = {rule.span("count") for rule in found if rule}
    return frozenset((start, end) for start, end in spans if unit_end(text, end) == end)


@lru_cache(maxsize=16)
def counted_sizes(text: str) -> frozenset[tuple[Span, Span]]:
    """The count and the size of things, such as the 4 and 90 of "four 90-watt lamps", where another number has the unit
    of the size.
    """
    if not _SIZE.search(text):
        return frozenset()
    found = find_quantities(text)
    return frozenset(
        ((count.start, count.end), (size.start, size.end))
        for count, size in pairwise(found)
        if text[count.end : size.start] == " " and not count.unit and _SIZE.match(text, size.end)
        and any(_unit(text, q) == _unit(text, size) for q in found if q is not count and not _SIZE.match(text, q.end))
    )


def _unit(text: str, quantity: Quantity) -> str:
    """What the quantity counts or measures, in the singular."""
    if found := measure(text, quantity.end):
        return found[0].name
    match = _SIZE.match(text, quantity.end) or _COUNTED.match(text, quantity.end)
    return match["unit"].lower() if match else ""


@lru_cache(maxsize=16)
def years_to_come(text: str) -> frozenset[tuple[int, int]]:
    """The start and end of each number of years until an age that is compared with one of now."""
    return frozenset(match.span(match.lastgroup) for match in _YEARS.finditer(text))


LEFT_OUT = {
    leaves_out_a_count: "several things, and their number does not multiply",
    parts_a_list: "a list of three or more, and only some of it is used",
    leaves_out_a_size: "several things of a size that is not used, though the total is of its kind",
    leaves_out_the_years: "an age to come, without the years until then",
}
"""Rule -> what is wrong with an answer that it finds; another reading may be right."""
