"""Is a difference more than chance? An exact paired test, its correction for several rows, and intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RESAMPLES = 10_000


def sign_flip_p(differences: Sequence[int]) -> float:
    """Two-sided p of an exact sign-flip (paired permutation) test.

    differences: one integer a sentence, how often (over the seeds) the one system has it right less how often the
    other does. Under the null hypothesis each is as likely to have the other sign; p is the share of all 2^n choices
    of signs whose sum is at least as far from 0 as the one observed, counted exactly. With one seed the differences
    are -1, 0 and 1 and this is the exact McNemar test. A sentence, not a run, is the unit: seeds repeat a sentence and
    give no new one. Differences that are all 0 have p = 1.
    """
    sizes = [abs(d) for d in differences if d]
    total, observed = sum(sizes), abs(sum(differences))
    ways = [0] * (2 * total + 1)  # ways[total + s]: choices of signs with the sum s
    ways[total] = 1
    for size in sizes:
        ways = [
            (ways[at - size] if at >= size else 0) + (ways[at + size] if at + size <= 2 * total else 0)
            for at in range(2 * total + 1)
        ]
    extreme = sum(count for at, count in enumerate(ways) if abs(at - total) >= observed)
    return extreme / 2 ** len(sizes)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction (Scandinavian Journal of Statistics 6, 1979), in the order of the values.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none falls below one before it, or exceeds 1.
    """
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        corrected[at] = highest
    return corrected


def bootstrap_interval(values: Sequence[float], *, level: float = 0.95, seed: int = 0) -> tuple[float, float]:
    """Percentile bootstrap interval of the mean of some values, one a sentence; the seed makes it repeatable."""
    sample = np.asarray(values, dtype=np.float64)
    draws = np.random.default_rng(seed).integers(0, len(sample), size=(RESAMPLES, len(sample)))
    low, high = np.quantile(sample[draws].mean(axis=1), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
