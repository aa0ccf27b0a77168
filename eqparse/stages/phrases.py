"""The structures of the variable stage: the phrases that a sentence's variables may be grounded in; see `variable.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from eqparse.scoring.features.variable_parts import apart
from eqparse.text.mentions import Mentions


def structures(mentions: Mentions) -> Sequence[tuple[int, ...]]:
    """All structures of a sentence, in the order of their parts; those of three mentions come last."""
    a, b = pairs_of(mentions)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    two = [(c, d) for c, d in pairs if c != d]
    singles = ((c,) for c in range(len(mentions.candidates)))
    return (*singles, *pairs, *((c, d, d) for c, d in two), *((c, c, d) for c, d in two))


def structure(mentions: Mentions, at: int) -> tuple[int, ...]:
    """One of `structures`, without the others, of which there are hundreds."""
    a, b = pairs_of(mentions)
    pair = at - len(mentions.candidates)
    if pair < 0:
        return (at,)
    if pair < len(a):
        return int(a[pair]), int(b[pair])
    two = np.flatnonzero(a != b)
    earlier, three = divmod(pair - len(a), len(two))
    c, d = int(a[two[three]]), int(b[two[three]])
    return (c, c, d) if earlier else (c, d, d)


def pairs_of(mentions: Mentions) -> tuple[np.ndarray, np.ndarray]:
    """The candidates of each structure of two mentions: int64 [pairs], twice."""
    return _pairs(tuple([c[:2] for c in mentions.candidates]))


@lru_cache(maxsize=256)  # several problems in a row are about one sentence
def _pairs(bounds: tuple[tuple[int, int], ...]) -> tuple[np.ndarray, np.ndarray]:
    spans = np.array(bounds, dtype=np.int64).reshape(-1, 2)
    return apart(np.zeros(len(bounds), dtype=np.int64), spans[:, 0], spans[:, 1])
