"""The named reasons why a text gets no equation."""

from __future__ import annotations

from typing import NamedTuple

REASONS = {
    "not_text": "the input is not a string",
    "not_unicode": "the text holds half of a surrogate pair, which is not a character",
    "not_utf8": "the bytes are not valid UTF-8",
    "not_json": "this cannot be read as a JSON object",
    "no_text": "the JSON object lacks the field of the text",
    "not_csv": "the row does not fit the table",
    "empty": "the text is empty or white space",
    "too_long": "the text is too long",
    "no_number": "the text has no number",
    "no_noun_phrase": "the text has no noun phrase that a variable could stand for",
    "too_many_quantities": "the text has too many numbers",
    "too_many_candidates": "the text has too many noun phrases",
    "too_many_leaves": "the equation would have too many numbers and variables",
    "unreadable_number": "the text has a number that cannot be read",
    "interval": "the text gives an interval where the equation needs one number",
    "several_sentences": "the text has several sentences with numbers; give them one at a time",
    "no_equation": "the text states no equation",
    "low_confidence": "the parser is not confident enough of its answer",
    "failed": "parsing this text failed",
}
"""Code -> its meaning. Codes do not change from one version to the next."""


class Reason(NamedTuple):
    """Why a text gets no equation: a code of `REASONS`, and an explanation with the details.

    read: of a text that could not be read, what was read in its place, say the whole line.
    """

    code: str
    text: str
    read: str = ""


def reason(code: str, detail: str = "", *, read: str = "") -> Reason:
    """The reason with that code, followed by details of the case if there are any."""
    return Reason(code, REASONS[code] + (f": {detail}" if detail else ""), read)
