"""What is written without its space, or with a dot too many: "2y" -> "2 y", "3 yrs. older" -> "3 yrs older"."""

from __future__ import annotations

import re

from eqparse.text.edited import Edited
from eqparse.text.numbers.tables import compiled

MAY_BE_STUCK = re.compile(r"\d[a-zA-Z](?!\w)|\d\s?[a-z]{2,4}\.\s", re.IGNORECASE)
"""Anything that is set apart; a text without it is left as it is."""

_DOT = re.compile(r"""(?<=\d)(?P<keep>\s?(?i:yrs?|hrs?|mins?|secs?|wks?|mos?|ft|in|yds?|mi|[ckm]m|lbs?|oz|k?g|gal|pts?
    |qts?|tbsp|tsp|doz))\.(?=\s[a-z(])""", re.VERBOSE)
_LETTER = re.compile(r"(?<=\d)(?=[a-zA-Z](?!\w))")
_NO_UNIT = frozenset("xyznabqruXYZNABQRU")
# Beside it, the letter of a unit or scale is an unknown, too: "5k is 3 more than m", "3c and 4b come to 20".
_UNKNOWN = re.compile(r"""(?<![\w'’.$-])(?<!\d\s)(?<!\d)[b-hj-z](?:(?=\s?[.,;:?!]?\s*\Z)|(?=\s?[-+−=])
    |(?=\s(?:is|equals?|plus|minus|and|more|less|times)\b))""", re.VERBOSE)
_PAIR = re.compile(r"""(?:\A|[.:;,]\s|\b(?:if|that|when)\s)\d++(?:\.\d++)?([a-z])
    \s(?:and|plus|minus)\s\d++(?:\.\d++)?(?!\1)([a-z])\s(?:comes?\sto|totals?|makes?|adds?\sup\sto
    |equals?|is|are|gives?)\s\d++(?:\.\d++)?\s?[.;!]?\s*\Z""", re.VERBOSE)
_COEFFICIENT = re.compile(r"(?<![\w.,/])\d+(?:\.\d+)?\Z")
_BEFORE = compiled(r"""(?:\A|[-+−–*/=<>(,:;]\s?|\b(?:than|of|and|plus|minus|from|equals?|is|are|by|to|times|adds?
    |subtract|if|when|that|solve|makes|gives|twice|with|or|both|between)\s)[-−]?\Z""")
_AFTER = compiled(r"""\s?[-+−–*/=<>·÷)]|[.,;:?!]?\s*\Z|[.,;:?!]\s|\s(?:plus|minus|is|are|was|equals?|and|gives?
    |comes?\sto|totals?|adds?\sup
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
    pair = _PAIR.search(text, max(0, at - 40))
    paired = pair and not _NO_UNIT.isdisjoint(pair.groups())
    if text[at] not in _NO_UNIT and not (paired or _UNKNOWN.search(text, max(0, at - 200), at + 200)):
        return None
    before = text[max(0, number.start() - 20) : number.start()]
    rest = text[max(0, at - 300) : number.start()] + text[at + 1 : at + 300]
    algebra = paired or _THAN.search(before) or _ALGEBRA.search(rest)
    return " " if _BEFORE.search(before) and algebra else None
