"""From text to numerals: where a number or a look-alike may start, and which function reads it.

One pattern splits the text into words and signs. One table maps each word to its reader. Every reader looks at a
bounded stretch of text, so the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from eqparse.text.numbers.clocks import read_clock
from eqparse.text.numbers.context import CLOSED, word_before
from eqparse.text.numbers.digits import read_digits, read_fraction_sign
from eqparse.text.numbers.fractions import read_own_part
from eqparse.text.numbers.lookalikes import LOOKALIKE_WORDS, digits_lookalike, word_lookalike
from eqparse.text.numbers.money import is_rand, shillings
from eqparse.text.numbers.numeral import UNREAD, Numeral
from eqparse.text.numbers.tables import (
    CIRCLED,
    CODES,
    CURRENCIES,
    FOLDS,
    ISH,
    MINUS,
    MULTIPLIERS,
    PARTS,
    PENCE,
    PLURALS,
    SCALE,
    SMALL,
    SUPERSCRIPT,
    TIMES_WHAT,
    VULGAR,
    compiled,
)
from eqparse.text.numbers.words import read_article, read_couple, read_point, read_spelt, read_words

# A sign, not the hyphen of "3-2", nor the minus of "5 -3", nor the tolerance of "+/-3".
_NO_UNKNOWN = r"(?<!\b[aA]\snumber\s)(?<!\A[xyznXYZN]\s)(?<!\s[xyznXYZN]\s)"  # "a number −8" subtracts
_SIGN = rf"(?<![^\s(\[{{=:;<>≤≥≠≈*+/×·\"'“,{CURRENCIES}])(?<![\d)%]\s)(?<!\+/){_NO_UNKNOWN}[{MINUS}]"
_MONEY = rf"[{CURRENCIES}¢]\s?|{CODES}"
_PIECE = re.compile(rf"""(?<!\w)(?:
    (?P<fraction>(?P<below>{_SIGN}(?=[{"".join(VULGAR)}]))?(?:[{"".join(VULGAR)}]|{SUPERSCRIPT}))
  | (?P<number>(?=[{MINUS}{CURRENCIES}¢\d.A-Zk])(?P<outer>{_MONEY})?(?P<minus>{_SIGN})?
    (?P<inner>{_MONEY})?(?=\d|(?<!\.)\.\d))
  | (?P<word>[^\W\d_]++)(?!_)(?:(?P<identifier>\d\w*+(?:[.-]\w++)*+)|(?P<hyphened>(?=-\d)))?  # MP3, COVID-19
  | (?P<mark>[\#№]|\+(?=\d)|\((?=\d)|['’](?=\d)))""", re.VERBOSE)  # fmt: skip
_IDENTIFIER = re.compile(r"\d\w*+(?:[.-]\w++)*+")
_HYPHENED = re.compile(r"-\d\w*+")
_MULTIPLIERS = MULTIPLIERS | FOLDS
_PREFIXES = frozenset(("mid", "top", "under", "over", "sub", "plus"))
_DOZEN = compiled(r"['’]s\sdozen(?!\w)")
_TIMES_WHAT = compiled(TIMES_WHAT)
_HALFPENNY = compiled(r"[\s-]ha(?:lf|')penny\b")
_HALVES_WHAT = compiled(rf"""\s(?:the|it|its|that|this|between)\b|,\sfrom\s
    |(?:\s[a-z]++){{0,2}}\sto\s(?:(?:about|around|just|only|nearly|almost|under|over)\s)?[{CURRENCIES}]?\d""")
_OF_PLAY = frozenset("both the two second first of all these those equal in into".split())

Reader = Callable[[str, int, int, list[Numeral]], int]
"""Takes the text, a word's start and end, and the numerals so far, which it may extend; returns where to continue."""


def numerals(text: str, at: int = 0) -> list[Numeral]:
    """All numerals of a text from character `at` on, in order of position; they never overlap."""
    found: list[Numeral] = []
    for piece in _PIECE.finditer(text, at):
        start = piece.start()
        if start < at:
            continue
        word, end, kind = piece["word"], piece.end(), piece.lastgroup
        if kind == "word":
            if reader := _READERS.get(word.lower()):
                at = reader(text, start, end, found)
        elif word:
            at = _after_identifier(text, piece, found)
        elif kind == "fraction":
            at = read_fraction_sign(text, piece.end() - 1, found)
            if piece["below"]:
                found[-1] = found[-1]._replace(value=-found[-1].value, start=start)
        else:
            at = _read_number(text, piece, found)
    return found


def _after_identifier(text: str, piece: re.Match[str], found: list[Numeral]) -> int:
    """Skip names such as "MP3" and "COVID-19"; the number in "mid-30" or "pre-5" is left to be read later, and that of
    "than5" is not read.
    """
    word, end = piece["word"], piece.end()
    if piece["identifier"] and word in "xX" and piece["identifier"].isdecimal() and _TIMES_WHAT.match(text, end):
        found.append(Numeral(int(piece["identifier"]), piece.start(), end, "multiplier"))  # "x2 the height"
    elif piece["identifier"] and piece["identifier"].isdecimal() and len(word) > 1 and word in CLOSED:
        found.append(Numeral(0, piece.start(), end, UNREAD))
    if not piece["identifier"] and word.isascii() and word[0].isupper() and word.lower() not in _PREFIXES:
        return _HYPHENED.match(text, end).end()
    return end


def _read_number(text: str, piece: re.Match[str], found: list[Numeral]) -> int:
    start = piece.start()
    if piece["number"] is not None and piece["number"]:
        if "R" in (piece["outer"], piece["inner"]) and not is_rand(text, piece.end() - 1):
            return _IDENTIFIER.match(text, piece.end()).end()
        return read_digits(text, piece, found)
    if past := digits_lookalike(text, start):
        return past
    if piece["mark"]:
        return piece.end()
    if old := shillings(text, start):
        found.append(Numeral(old[0], start, old[1], "digits"))
        return old[1]
    return read_clock(text, start, found) or read_digits(text, piece, found)


def _read_multiplier(text: str, start: int, end: int, found: list[Numeral]) -> int:
    found.append(Numeral(_MULTIPLIERS[text[start:end].lower()], start, end, "multiplier"))
    return end


def _read_double(text: str, start: int, end: int, found: list[Numeral]) -> int:
    return read_spelt(text, start, found) or _read_multiplier(text, start, end, found)


def _read_plural(text: str, start: int, end: int, found: list[Numeral]) -> int:
    if found and found[-1].end == start - 1 and found[-1].kind in ("digits", "word"):  # "four fives"
        found.append(Numeral(PLURALS[text[start:end].lower()], start, end, "word"))
    return end


def _read_circled(text: str, start: int, end: int, found: list[Numeral]) -> int:
    found.append(Numeral(CIRCLED[text[start:end]], start, end, "digits"))
    return end


def _read_pence(text: str, start: int, end: int, found: list[Numeral]) -> int:
    if word_before(text, start) not in ("a", "the"):  # a coin
        value, half = PENCE[text[start:end].lower()], _HALFPENNY.match(text, end)
        end = half.end() if half else end
        found.append(Numeral(value + Fraction(1, 2) if half else value, start, end, "word"))
    return end


def _read_bakers_dozen(text: str, start: int, end: int, found: list[Numeral]) -> int:
    if match := _DOZEN.match(text, end):
        found.append(Numeral(13, start, match.end(), "word"))
        return match.end()
    return end


def _read_ish(text: str, start: int, end: int, found: list[Numeral]) -> int:
    if word_before(text, start) not in ("at", "by", "around", "until", "till"):  # a time of day
        found.append(Numeral(ISH[text[start:end].lower()], start, end, "word"))
    return end


def _read_halves(text: str, start: int, end: int, found: list[Numeral]) -> int:
    if _HALVES_WHAT.match(text, end) and word_before(text, start) not in _OF_PLAY | SMALL.keys():
        return _read_multiplier(text, start, end, found)
    return end


def _unless_lookalike(word: str, reader: Reader | None) -> Reader:
    """A reader that skips a look-alike beginning with `word`, and otherwise calls `reader`."""

    def read(text: str, start: int, end: int, found: list[Numeral]) -> int:
        return word_lookalike(text, start, word) or (reader(text, start, end, found) if reader else end)

    return read


_READERS: dict[str, Reader] = (
    dict.fromkeys(PARTS, read_own_part)
    | dict.fromkeys((*SMALL, *SCALE), lambda text, start, end, found: read_words(text, start, found))
    | dict.fromkeys(_MULTIPLIERS, _read_multiplier)
    | dict.fromkeys(("double", "triple"), _read_double)
    | dict.fromkeys(ISH, _read_ish)
    | dict.fromkeys(CIRCLED, _read_circled)
    | dict.fromkeys(PLURALS, _read_plural)
    | dict.fromkeys(PENCE, _read_pence)
    | {"halves": _read_halves, "a": read_article, "an": read_article, "couple": read_couple}
    | {"baker": _read_bakers_dozen}
    | dict.fromkeys(("point", "oh", "o"), read_point)
)
_READERS |= {word: _unless_lookalike(word, _READERS.get(word)) for word in LOOKALIKE_WORDS}
