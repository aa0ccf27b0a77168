"""Spans against sets of characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eqparse.text.spans import jaccard, nearest, trimmed

spans = st.tuples(st.integers(0, 12), st.integers(1, 6)).map(lambda s: (s[0], s[0] + s[1]))


@given(spans, spans)
def test_jaccard_is_what_two_spans_share_of_the_stretch_they_cover(a, b):
    shared = set(range(*a)) & set(range(*b))
    assert jaccard(a, b) == jaccard(b, a) == len(shared) / (max(a[1], b[1]) - min(a[0], b[0]))


@given(spans, st.lists(spans, min_size=1))
def test_the_nearest_has_the_greatest_overlap_and_of_equal_ones_is_the_shortest(span, candidates):
    found = nearest(span, candidates)
    best = max(jaccard(span, c) for c in candidates)
    ties = [c for c in candidates if jaccard(span, c) == best]
    assert found in ties and found[1] - found[0] == min(b - a for a, b in ties)
    assert found == next(c for c in ties if c[1] - c[0] == found[1] - found[0])


def test_without_candidates_nothing_is_near():
    assert nearest((0, 3), []) is None


def test_blanks_are_trimmed_at_the_ends_alone_and_in_time_that_grows_with_their_number():
    def cut(text: str) -> str:
        start, end = trimmed(text, 0, len(text))
        return text[start:end]

    assert cut(" \u200bthe shed .,\n") == "the shed"
    assert cut("the shed.") == cut("the shed. ") == "the shed."
    inner = "the" + " " * 100_000 + "shed"
    assert cut(inner) == inner and cut(f"{' ' * 100_000}{inner}{' ' * 100_000}") == inner
    assert trimmed("   ", 0, 3) == (0, 3)
