"""Stretches of a text, and how much two of them share."""

from __future__ import annotations

Span = tuple[int, int]
"""Characters start..end of a text, end exclusive."""


def jaccard(a: Span, b: Span) -> float:
    """Characters shared by two spans over those of the stretch that holds both."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return max(0, shared) / (max(a[1], b[1]) - min(a[0], b[0]))
