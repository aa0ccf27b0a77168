"""Spans of a text, and how much two of them overlap."""

from __future__ import annotations

import re
from collections.abc import Sequence

Span = tuple[int, int]
"""Characters start..end of a text, end exclusive."""

UNSEEN = "\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
"""Of a class of characters: those that nobody sees, and that are no white space. Joiners stay, which emoji need."""
_EDGES = re.compile(rf"\A[\s{UNSEEN}]++|(?<![\s{UNSEEN}])[\s{UNSEEN}]++[.,;:!?]*+[\s{UNSEEN}]*+\Z")
_BLANK, _HIDDEN = re.compile(r"\s+"), re.compile(f"[{UNSEEN}]+")


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the white space, and the characters that nobody sees, at its ends."""
    edges = [match.span() for match in _EDGES.finditer(text[start:end])]
    first = next((b for a, b in edges if not a), 0)
    last = next((a for a, _ in edges if a), end - start)
    return (start + first, start + last) if first < last else (start, end)


def printed(text: str) -> str:
    """A phrase as it is printed: with single spaces, and without characters that nobody sees."""
    return _BLANK.sub(" ", _HIDDEN.sub("", text)).strip()


def jaccard(a: Span, b: Span) -> float:
    """Length of the overlap of two spans, divided by the length of the shortest span that covers both."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return max(0, shared) / (max(a[1], b[1]) - min(a[0], b[0]))


def nearest(span: Span, candidates: Sequence[Span]) -> Span | None:
    """The candidate with the greatest overlap with a span; among equals the shortest, then the first (section 6.1)."""
    return max(candidates, key=lambda c: (jaccard(c, span), c[0] - c[1]), default=None)
