"""The parts of the variable stage, which are candidates and unordered pairs of them, and what their features use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eqparse.scoring.features.hashing import expand
from eqparse.scoring.features.tokens import TokenTable
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions


@dataclass(frozen=True)
class VariableParts:
    """The parts of a batch in flat arrays.

    owner, first, last: int64 [candidates], sentence and tokens (in the table) of each candidate.
    a, b: int64 [pairs], candidates of each pair, a <= b (a = b where one phrase grounds two mentions).
    pair_owner: int64 [pairs], sentence of each pair.
    """

    owner: np.ndarray
    first: np.ndarray
    last: np.ndarray
    a: np.ndarray
    b: np.ndarray
    pair_owner: np.ndarray

    @classmethod
    def build(cls, mentions: Sequence[Mentions], table: TokenTable) -> VariableParts:
        """All candidates and all pairs that do not nest, in order of sentence, a, b."""
        owner = np.array([i for i, m in enumerate(mentions) for _ in m.candidates], dtype=np.int64)
        spans = np.array([c[:2] for m in mentions for c in m.candidates], dtype=np.int64).reshape(-1, 2)
        first, last = spans[:, 0] + table.base[owner], spans[:, 1] + table.base[owner]
        a, b = apart(owner, first, last)
        return cls(owner, first, last, a, b, owner[a])


def apart(owner: np.ndarray, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All pairs a <= b of spans first..last (inclusive) of one owner in which neither holds the other, or a = b."""
    a, b = expand(np.arange(len(owner)), np.searchsorted(owner, owner, side="right"))
    holds = (first[a] <= first[b]) & (last[b] <= last[a])
    held = (first[b] <= first[a]) & (last[a] <= last[b])
    kept = (a == b) | ~(holds | held)
    return a[kept], b[kept]


def sources(mentions: Sequence[Mentions]) -> np.ndarray:
    """uint64 [candidates]: a hash of how each candidate of the batch was found."""
    return np.array([string_id(c.source) for m in mentions for c in m.candidates], dtype=np.uint64)


def number_state(table: TokenTable, relevant: np.ndarray) -> np.ndarray:
    """The state of each token: 0 not a number, 1 an irrelevant number, 2 a relevant number."""
    state = np.zeros(table.size, dtype=np.int64)
    covered = table.number >= 0
    state[covered] = 1 + relevant[table.number[covered]]
    return state
