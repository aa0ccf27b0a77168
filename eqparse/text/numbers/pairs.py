"""Two number words side by side: one number ("one twenty two", "five and twenty"), a price, a time, or two numbers."""

from __future__ import annotations

from fractions import Fraction

from eqparse.text.numbers.context import (
    CLOSED,
    LABELS,
    OF_SOME,
    PRICE,
    compared_next,
    is_attribute,
    word_after,
    word_before,
)
from eqparse.text.numbers.lookalikes import is_counted
from eqparse.text.numbers.tables import CLAUSE_ENDS, SCALE, SMALL, compiled, one_of
from eqparse.text.numbers.units import unit_end

_OPERANDS = compiled(r"""\b(?:(?:sum|difference|product|quotient|total|average|mean)\sof|between|both|add|adding
    |multiply)\s\Z""")
_STANDS_AT = compiled(r"(?<!\bsat\s)(?<!\bsit\s)\b(?:sitting|down|up|now|stands|standing)\sat\s\Z")
_WEIGHT = compiled(r"\b(?:pounds?|lbs?|kilos?|kgs?|weigh\w*|lift\w*|bench\w*)\b")
_LASTS = compiled(r"""\b(?:laps?|films?|movies?|races?|heats?|splits?|flights?|swims?|swam|marathons?|runtime|runs?|ran
    |takes?|took|lasts?|lasted|finish\w*|clock\w*|timed?)\b""")
_THE_ONE = compiled(r"\b(?:the|this|that|another|each|every|which|other)\s(?:[a-z-]+\s)?one\b")
_COUNTED_VERBS = frozenset("are were have had".split())  # "on page five twenty are missing"
_NAMES = compiled(rf"(?:\A|[.,;:]\s|\b(?:and|but|that|than|when|if)\s){one_of(LABELS)}\s\Z")
_THE_LABEL = compiled(rf"\b(?:the|an?|this|that|my|our|your|his|her|its|their)\s{one_of(LABELS)}\s\Z")
_VERB = compiled(rf"\s[a-z]+s\s(?:\d|an?\b|the\b|its\b|half\b|twice\b|{one_of(SMALL)}\b)")
_TIME = compiled(r"\b(?:at|until|till|past)\s\Z")
# "weighs fourteen two", "weighed in at nine eleven, the trainer ten four", "down to twelve six after the diet"
_WEIGHED = compiled(r"\b(?:weigh(?:s|ed|ing)?|scales?|weigh-?in|diet\w*)\b")
_POUNDS_IN_A_STONE = 14
_STONES = range(6, 36)


def pair_of(words: list[str], numbers: list[tuple[int, int, int]]) -> int | None:
    """The value of two numbers spoken as one: "nineteen eighty-four", "one twenty two", "nineteen oh five"."""
    values = [value for value, _, _ in numbers]
    if any(word in SCALE or word == "and" for word in words) or not 0 < values[0] < 100:
        return None
    if len(values) == 3:
        return 100 * values[0] + values[2] if words[numbers[1][1]] == "oh" and 0 < values[2] < 10 else None
    shares = values[0] >= 50 and sum(values) == 100  # "split it sixty-forty"
    return 100 * values[0] + values[1] if 10 <= values[1] < 100 and not shares else None


def stones(text: str, start: int, end: int, words: list[str], values: list[int]) -> Fraction | None:
    """The value, in stones, of stones and pounds without their names: "weighs fourteen two"; None if it is none."""
    if len(values) != 2 or "and" in words or not (values[0] in _STONES and 0 <= values[1] < _POUNDS_IN_A_STONE):
        return None
    alone = word_after(text, end) in CLOSED - {"are", "were", "have"} | {""} and unit_end(text, end) == end
    if not alone or word_before(text, start) in LABELS or not _WEIGHED.search(text, max(0, start - 60), end + 60):
        return None
    return values[0] + Fraction(values[1], _POUNDS_IN_A_STONE)


def tens_last(words: list[str], numbers: list[tuple[int, int, int]]) -> bool:
    """Whether two numbers may be one with its tens behind: "five and twenty"."""
    (ones, *_), (tens, at, _) = numbers
    return words[at - 1] == "and" and 0 < ones < 10 and 20 <= tens < 100 and not tens % 10


def counts_one_thing(text: str, start: int, end: int) -> bool:
    """Whether a noun or a comparison follows, and no operation precedes, as in "the sum of five and twenty"."""
    noun = word_after(text, end)
    counted = compared_next(text, end) or unit_end(text, end) > end or noun == "times"
    counted = counted or (noun.endswith("s") and noun not in CLOSED)
    return counted and not _OPERANDS.search(text[max(0, start - 20) : start])


def is_price(text: str, start: int, end: int, pair: int) -> bool:
    """Whether "three fifty" may be 3.50 as well as 350."""
    alone = pair < 2000 and word_after(text, end) in CLOSED | {""} and unit_end(text, end) == end
    return alone and bool(PRICE.search(text[max(0, start - 60) : end + 30]))


def is_lasting(text: str, start: int, end: int, pair: int) -> bool:
    """Whether "two-forty-five" may be a time that something takes as well as 245."""
    if pair >= 1300 or pair % 100 >= 60 or "-" not in text[start : start + 6] or unit_end(text, end) > end:
        return False
    alone = word_after(text, end) in CLOSED | {""} or compared_next(text, end)
    return bool(alone and is_lap(text, start, end))


def is_lap(text: str, start: int, end: int) -> bool:
    """Whether the words around text[start:end] speak of how long something takes: "he finished in fourteen twenty"."""
    return bool(_LASTS.search(text[max(0, start - 60) : end + 30]))


def are_apart(text: str, start: int, end: int) -> bool:
    """Whether adjacent numbers are separate: "two ten-pound notes", "of the twenty twelve", "on page five twenty men",
    "the short one twelve times as long".
    """
    if word_after(text, end) == "times" and _THE_ONE.search(text, max(0, start - 24), start + 3):
        return True
    if word_before(text, start) in LABELS:
        return not _is_label(text, start, end)
    return is_attribute(text, end) or bool(OF_SOME.search(text[max(0, start - 10) : start]))


def _is_label(text: str, start: int, end: int) -> bool:
    """Whether what follows shows that two numbers name one thing: "Flight two twenty carries 30", "room two ten."."""
    noun = word_after(text, end)
    if _THE_LABEL.search(text[max(0, start - 20) : start]):  # "split the door sixty forty"
        return False
    if noun in CLOSED - _COUNTED_VERBS or CLAUSE_ENDS.match(text, end):
        return True
    return bool(_NAMES.search(text[max(0, start - 16) : start]) and (noun in _COUNTED_VERBS or _VERB.match(text, end)))


def is_time(text: str, start: int, end: int, pair: int) -> bool:
    """Whether "six thirty" is a time of day."""
    if not (pair // 100 <= 12 and pair % 100 < 60 and _TIME.search(text[max(0, start - 6) : start])):
        return False
    if _STANDS_AT.search(text[max(0, start - 20) : start]) and _WEIGHT.search(text[max(0, start - 80) : end + 80]):
        return False
    return not is_counted(text, end) and word_after(text, end) not in ("a", "an", "per", "each", "apiece")
