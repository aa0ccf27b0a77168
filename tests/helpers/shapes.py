"""Shapes of answers, as the tests of the rules about answers write them."""

from __future__ import annotations

from eqparse.parser.rules.shape import Shape

NOTHING = Shape("", (), (), adds=False, multiplies=False, divides=False)


def span(text: str, part: str) -> tuple[int, int]:
    """Where `part` first stands in `text`."""
    at = text.index(part)
    return at, at + len(part)
