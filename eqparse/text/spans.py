"""Spans of a text, and how much two of them overlap."""

from __future__ import annotations

from collections.abc import Sequence

Span = tuple[int, int]
"""Characters start..end of a text, end exclusive."""


def jaccard(a: Span, b: Span) -> float:
    """Length of the overlap of two spans, divided by the length of the shortest span that covers both."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return max(0, shared) / (max(a[1], b[1]) - min(a[0], b[0]))


def nearest(span: Span, candidates: Sequence[Span]) -> Span | None:
    """The candidate with the greatest overlap with a span; among equals the shortest, then the first (section 6.1)."""
    return max(candidates, key=lambda c: (jaccard(c, span), c[0] - c[1]), default=None)
