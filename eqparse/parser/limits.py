"""How large a text may be."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass, fields

from eqparse.errors import ConfigError, kind_of
from eqparse.parser.reasons import REASONS, Reason, reason
from eqparse.stages.tree import MAX_LEAVES
from eqparse.text.mentions import Mentions
from eqparse.text.numbers.intervals import interval_in_the_way
from eqparse.text.numbers.unreadable import unreadable_number
from eqparse.text.sentences import tell_numbers

__all__ = ["REASONS", "Limits", "Reason", "check_leaves", "check_length", "check_mentions", "check_text", "reason"]

_PIECE = re.compile(r"\w+(?:[^\w\s]+\w+)*|[^\w\s]")

_DIGITS = re.compile(r"(?<!\w)[^\W\d_]{0,20}+\d(?:[\w:./-]*\w)?")


@dataclass
class Limits:
    """How large a text may be. A larger one is not parsed; it gets a reason instead.

    Time and memory grow with the square of `candidates` and the cube of `leaves`, so these limits bound both. A long
    sentence of newspaper prose (120 tokens, 800 characters, 75 candidates) is well within them.

    characters, tokens: length of the text.
    quantities: numbers in the text.
    candidates: noun phrases in the text.
    leaves: numbers and variables in the equation.

    Raises ConfigError for a limit that is not an integer of at least 1, and for more leaves than the chart holds.
    """

    characters: int = 4000
    tokens: int = 500
    quantities: int = 60
    candidates: int = 150
    leaves: int = MAX_LEAVES

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self)):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise ConfigError(f"limits.{name}: expected an integer of at least 1, found {value!r}")
        if self.leaves > MAX_LEAVES:
            raise ConfigError(f"limits.leaves: expected at most {MAX_LEAVES}, the chart's size; found {self.leaves}")


def check_text(text: object, limits: Limits) -> Reason | None:
    """Why a text cannot be annotated, or None if it can. Takes time linear in its length."""
    if is_missing(text):
        return reason("empty", f"found {text!r}")
    if not isinstance(text, str):
        return reason("not_text", f"expected a str, found {kind_of(text)}")
    if len(text) > limits.characters:
        return reason("too_long", f"{len(text)} characters, and the limit is {limits.characters}")
    if all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf") for c in text):
        return reason("empty", "it has only characters that are not seen" if text.strip() else "")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return reason("not_unicode", f"character {error.start}")
    # spaCy's tokenizer takes seconds for thousands of brackets, so count first: it makes at least this many tokens
    pieces = sum(1 for _ in _PIECE.finditer(text))
    return check_length(pieces, limits)


def is_missing(value: object) -> bool:
    """Whether it is what tables have where a cell is empty: None, NaN, and what pandas and numpy have for it."""
    nothing = type(value).__name__ in ("NoneType", "NAType", "NaTType", "MaskedConstant")
    return nothing or (isinstance(value, float) and math.isnan(value))


def check_length(tokens: int, limits: Limits) -> Reason | None:
    """Why a text is too long to be searched for mentions, or None if it is not."""
    if tokens > limits.tokens:
        return reason("too_long", f"{tokens} tokens, and the limit is {limits.tokens}")
    return None


def check_mentions(m: Mentions, limits: Limits) -> Reason | None:
    """Why an annotated text cannot be parsed, or None if it can."""
    known = check_text(m.sentence.text, limits) or check_length(len(m.sentence), limits)
    if known:
        return known
    if span := unreadable_number(m.sentence.text, m.quantities):
        return reason("unreadable_number", repr(m.sentence.text[slice(*span)]))
    if not m.quantities:
        digits = _DIGITS.search(m.sentence.text)
        return reason("no_number", f"{digits[0]!r} is read as a name, a date, a time or a rank" if digits else "")
    if not m.candidates:
        return reason("no_noun_phrase")
    if span := interval_in_the_way(m.sentence.text, m.quantities):
        return reason("interval", repr(m.sentence.text[slice(*span)]))
    for name in ("quantities", "candidates"):
        found, most = len(getattr(m, name)), getattr(limits, name)
        if found > most:
            return reason(f"too_many_{name}", f"{found}, and the limit is {most}")
    told = tell_numbers(m.sentence, m.quantities)
    # their numbers would be mixed into one equation
    return reason("several_sentences", f"{told} of them") if told > 1 else None


def check_leaves(leaves: int, limits: Limits) -> Reason | None:
    """Why no tree is searched for over that many leaves, or None if one is."""
    if leaves > limits.leaves:
        return reason("too_many_leaves", f"{leaves}, and the limit is {limits.leaves}")
    return None
