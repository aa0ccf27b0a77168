"""Numbers as they are spoken: "two point five thousand", "point five", "nineteen eighty-four", "one twenty two"."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.context import compared_next, word_before
from eqparse.text.numbers.scales import scale_after
from eqparse.text.numbers.tables import DIGIT_WORDS, SMALL, compiled, one_of
from eqparse.text.numbers.units import unit_end

_SPOKEN = one_of([*SMALL, "oh"])
_DECIMALS = rf"(?P<decimals>\d++(?![\w.])|(?:{_SPOKEN}(?!\w)(?:[\s-](?={_SPOKEN}(?!\w)))?){{1,9}}+)"
_POINT = compiled(rf"[\s-]point[\s-]{_DECIMALS}")
_LEADING_POINT = compiled(rf"(?P<oh>oh?\s)?point\s{_DECIMALS}")
_REPEATS = {"double": 2, "triple": 3}
_DIGIT = rf"(?:(?:double|triple)\s)?{one_of([*DIGIT_WORDS, 'oh'])}(?!\w)"
_SPELT = compiled(rf"{_DIGIT}(?:\s{_DIGIT}){{1,9}}+")
_WORDS = re.compile(r"[a-z]++")
# words after which "point" is not a place, aim or mark: "is point five metres long"
_BEFORE_POINT = frozenset(
    """is was are were be equals equal plus minus times by than of and or about only nearly almost exactly just roughly
    weighs measures adds gains loses gives makes over under negative another further mere barely some to from up down
    off grew grow grows rose rise rises risen fell fall falls fallen dropped drop drops gained added lost slipped
    climbed jumped dipped slid shed sheds put take weighed measured reads read showed held has had""".split()
) | {""}
# any other verb may stand there too where an amount follows, but not what makes "point" a noun: "the dew point two
# degrees below", "the picnic point five miles on", "a boiling point two degrees higher", "Cedar Point two miles south"
_NO_VERB = compiled(r"""(?:\b(?:an?|the|this|that|these|those|every|each|any|no|its|his|her|my|our|your|their
        |\w+['’]s?)\s(?:\S+\s)?
    |\b(?:\S+ing|same|right|first|second|third|last|next|one|data|bullet|check|view|vantage|end|break|match|set|game|high|low
    |dew|flash|entry|focal|decimal|base|basis|percentage|grid|power|access|at|in|on|into|until|till|past|near|between|halfway
    |midway|(?-i:[A-Z])\w*)\s)\Z""")


def spelt_out(text: str, start: int) -> tuple[int, int] | None:
    """The value and the end of digits spelt out with a "double" or "triple" among them: "one double five" is 155."""
    match = _SPELT.match(text, start)
    words = _WORDS.findall(match[0].lower()) if match else ()
    if _REPEATS.keys().isdisjoint(words):
        return None
    shown, times = "", 1
    for word in words:
        if word in _REPEATS:
            times = _REPEATS[word]
        else:
            shown, times = shown + str(SMALL.get(word, 0)) * times, 1  # "oh" is zero
    return int(shown), match.end()


def point_after(text: str, end: int) -> tuple[Fraction, int, int] | None:
    """Decimals, scale and end of the "point five thousand" after a number."""
    match = _POINT.match(text, end)
    return _scaled(text, match) if match else None


def leading_point(text: str, start: int) -> tuple[Fraction, int, int] | None:
    """Decimals, scale and end of a number that begins with "point" or "oh point" at `start`: "point five metres"."""
    match = _LEADING_POINT.match(text, start)
    if match is None:
        return None
    found = _scaled(text, match)
    if match["oh"] or word_before(text, start) in _BEFORE_POINT:
        return found if found[0] else None
    amount = not match["decimals"].isdigit() and (unit_end(text, found[2]) > found[2] or compared_next(text, found[2]))
    return found if found[0] and amount and not _NO_VERB.search(text[max(0, start - 40) : start]) else None


def _scaled(text: str, match: re.Match[str]) -> tuple[Fraction, int, int]:
    factor, end = scale_after(text, match.start("decimals"), match.end(), "") or (1, match.end())
    return decimals(match["decimals"].lower()), factor, end


def decimals(words: str) -> Fraction:
    """"zero five" is 0.05, "twenty-five" is 0.25: digits are read one by one, tens with the digit after them."""
    digits, last = words if words.isdecimal() else "", 0
    for word in _WORDS.findall(words):
        value = SMALL.get(word, 0)  # "oh" is zero
        digits = digits[:-1] + str(value) if last >= 20 and 0 < value < 10 else digits + str(value)
        last = value
    digits = digits[:400]
    return Fraction(int(digits), 10 ** len(digits))
