"""Agreement beyond chance: Cohen's kappa of categories, and by three criteria of lists of spans.

Cohen's kappa (Cohen 1960, "A coefficient of agreement for nominal scales") is (Po - Pe) / (1 - Pe): Po the share of
items to which both annotators give one category, Pe the share expected if each drew categories at random as often as
they use them, the sum over categories of p_a(c) p_b(c). It is None where Pe is 1: then there is nothing to agree about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import comb

from eqparse.text.spans import Span, jaccard

CRITERIA = ("common", "overlap", "first")
OVERLAP = 0.5  # Jaccard, in characters, at which two spans count as one phrase


def kappa(items: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of the categories that two annotators give to items; None where it is undefined."""
    total = len(items)
    ours, theirs = Counter(a for a, _ in items), Counter(b for _, b in items)
    by_chance = sum(count * theirs[category] for category, count in ours.items())  # times total^2
    if by_chance == total * total:
        return None
    return (sum(a == b for a, b in items) * total - by_chance) / (total * total - by_chance)


def agrees(a: Sequence[Span], b: Sequence[Span], criterion: str) -> bool:
    """Do two lists of spans for a variable agree, by one of CRITERIA?

    common: they share a span. overlap: a span of each has a Jaccard index of at least `OVERLAP`. first: each list has
    the span that the other puts first.
    """
    if criterion == "first":
        return a[0] in b and b[0] in a
    return any(one_phrase(x, y, criterion) for x in a for y in b)


def one_phrase(x: Span, y: Span, criterion: str) -> bool:
    """Do two spans count as one phrase, by `common` or `overlap`?"""
    return x == y if criterion == "common" else jaccard(x, y) >= OVERLAP


def chance_agreement(a: Sequence[Span], b: Sequence[Span], phrases: Sequence[Span], criterion: str) -> float:
    """How likely two lists would agree, were one of them drawn at random from the sentence's n phrases.

    common, overlap: with one list kept and the other, of k spans, drawn without replacement: 1 - C(n - m, k) / C(n, k),
    m the phrases that agree with a span of the list kept; the mean of keeping a and of keeping b. first: both first
    spans drawn: (length of a / n) (length of b / n).
    """
    n, k, other = len(phrases), len(set(a)), len(set(b))
    if criterion == "first":
        return k * other / n**2
    missed = [
        comb(n - sum(any(one_phrase(x, y, criterion) for y in kept) for x in phrases), drawn) / comb(n, drawn)
        for kept, drawn in ((a, other), (b, k))
    ]
    return 1 - sum(missed) / 2
