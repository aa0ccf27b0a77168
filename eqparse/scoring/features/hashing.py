"""Hashed sparse features: template and values are mixed to 64 bits by a fixed function, the same on every machine."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd: Fibonacci hashing
SHIFT = np.uint64(29)

_tracing = ContextVar("tracing", default=False)


def mix(state: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Mix values (uint64, any broadcastable shape) into hash states; order matters."""
    state = (state ^ value) * MULTIPLIER
    return state ^ (state >> SHIFT)


@lru_cache(maxsize=4096)
def template_id(name: str) -> np.uint64:
    """A template's 64-bit id."""
    return np.uint64(int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little"))


@contextmanager
def tracing() -> Iterator[None]:
    """Within this context, keep the template and values of every feature, so that it can be named for a reader."""
    token = _tracing.set(True)
    try:
        yield
    finally:
        _tracing.reset(token)


@dataclass(frozen=True)
class Features:
    """Sparse binary features of `rows` parts: part row[f] has the feature hash[f]."""

    hash: np.ndarray
    """uint64 [f]."""
    row: np.ndarray
    """int64 [f]."""
    rows: int
    names: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    """[f]: the (template, values) of each feature if it was made under `tracing`; otherwise empty."""


class FeatureBuilder:
    """Collects the features of `rows` parts, template by template, vectorised over parts.

    A template is named "group:name". Templates whose group is not in `groups` are left out, which is how feature sets
    and ablations are made.
    """

    def __init__(self, rows: int, *, groups: Collection[str]) -> None:
        self.rows = rows
        self.groups = frozenset(groups)
        self._hashes: list[np.ndarray] = []
        self._rows: list[np.ndarray] = []
        self._names: list[tuple[str, tuple[int, ...]]] = []

    def wants(self, group: str) -> bool:
        """Is this group in the feature set? Asking first saves computing features that would be left out."""
        return group in self.groups

    def add(self, template: str, row: np.ndarray, *values: np.ndarray) -> None:
        """Give each part row[m] the feature (template, values[0][m], values[1][m], ...).

        row: int64 [m].
        values: integer arrays [m].
        """
        if template.split(":", 1)[0] not in self.groups or not len(row):
            return
        state: np.ndarray = np.full(len(row), template_id(template), dtype=np.uint64)
        columns = [np.asarray(v).astype(np.uint64, copy=False) for v in values]
        for column in columns:
            state = mix(state, column)
        self._hashes.append(state)
        self._rows.append(np.asarray(row, dtype=np.int64))
        if _tracing.get():
            self._names += [(template, tuple(c)) for c in zip(*(v.tolist() for v in columns), strict=True)] if columns \
                else [(template, ())] * len(row)

    def build(self) -> Features:
        """All features added so far."""
        if not self._hashes:
            return Features(np.empty(0, np.uint64), np.empty(0, np.int64), self.rows)
        return Features(np.concatenate(self._hashes), np.concatenate(self._rows), self.rows, self._names)


def no_features(rows: int) -> Features:
    """No features for any of `rows` parts."""
    return FeatureBuilder(rows, groups=()).build()


def merge(a: Features, b: Features) -> Features:
    """The features of both, for the same parts."""
    names = a.names + b.names
    return Features(np.concatenate([a.hash, b.hash]), np.concatenate([a.row, b.row]), a.rows, names)


def stack(a: Features, b: Features) -> Features:
    """The features of the parts of both: the rows of `b` follow those of `a`."""
    names = a.names + b.names
    return Features(np.concatenate([a.hash, b.hash]), np.concatenate([a.row, b.row + a.rows]), a.rows + b.rows, names)


def expand(start: np.ndarray, stop: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All positions in the ranges start[r]..stop[r]-1 -> (range index r, position), both int64 [total length].

    Empty and reversed ranges contribute nothing.
    """
    length = np.maximum(stop - start, 0)
    row = np.repeat(np.arange(len(start)), length)
    first = np.cumsum(length) - length
    return row, np.arange(len(row)) - first[row] + start[row]
