"""What is written without its space, or with a dot too many: "2y" -> "2 y", "3 yrs. older" -> "3 yrs older"."""

from __future__ import annotations

import re

from eqparse.text.edited import Edited
from eqparse.text.numbers.tables import compiled

MAY_BE_STUCK = re.compile(r"\d[a-zA-Z](?!\w)|\d\s?[a-z]{2,4}\.\s", re.IGNORECASE)
"""Anything that is set apart; a text without it is left as it is."""

_DOT = re.compile(r"""(?<=\d)(?P<keep>\s?(?i:yrs?|hrs?|mins?|secs?|wks?|mos?|ft|in|yds?|mi|[ckm]m|lbs?|oz|k?g|gal|pts?
    |qts?|tbsp|tsp|doz))\.(?=\s[a-z(])""", re.VERBOSE)
# letters that are no unit's, so that "5m" and "3k" stay as they are
_LETTER = re.compile(r"(?<=\d)(?=[xyznabqruXYZNABQRU](?!\w))")
_COEFFICIENT = re.compile(r"(?<![\w.,/])\d+(?:\.\d+)?\Z")
_BEFORE = compiled(r"""(?:\A|[-+−–*/=<>(,:;]\s?|\b(?:than|of|and|plus|minus|from|equals?|is|are|by|to|times|adds?
    |subtract|if|when|that|solve|makes|gives|twice|with|or|both|between)\s)[-−]?\Z""")
_AFTER = compiled(r"""\s?[-+−–*/=<>·÷)]|[.,;:?!]?\s*\Z|[.,;:?!]\s|\s(?:plus|minus|is|are|was|equals?|and|gives?
    |makes?|by|from|to|less(?!\sthan)|times|divided|multiplied|added|subtracted|decreased|increased|exceeds|than|when|if|while|or
    |in)\b""")
_ALGEBRA = compiled(r"""[=+]|\b(?:plus|minus|sum|product|difference|quotient|subtract\w*|add\w*|equals?|number
    |exceeds)\b
    |(?<![\w'’.$-])(?<!\d\s)[b-hj-z](?![\w'’-]|\.\w)""")

_THAN = compiled(r"\d\s(?:more|less|greater)\sthan\s\Z")


def set_apart(edited: Edited) -> None:
    """Take out the dot of an abbreviated unit within a sentence, and put a space behind a coefficient."""
    edited.take_out(_DOT)
    edited.take_out(_LETTER, _space)


def _space(stuck: re.Match[str]) -> str | None:
    """A space where a number multiplies the letter behind it; None in "seat 12b", "2x the height" and "5y older"."""
    text, at = stuck.string, stuck.start()
    number = _COEFFICIENT.search(text, max(0, at - 20), at)
    if number is None or not _AFTER.match(text, at + 1):
        return None
    before, rest = text[max(0, number.start() - 20) : number.start()], text[: number.start()] + text[at + 1 :]
    return " " if _BEFORE.search(before) and (_THAN.search(before) or _ALGEBRA.search(rest)) else None
