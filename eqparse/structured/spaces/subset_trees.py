"""Binary trees over a set of leaves, each inner node a labelled join of any two disjoint subsets (no projectivity).

The exact recursion over subsets, with the left child the one that holds the smallest leaf:

    best(S) = max over splits of S into L and R, min(L) < min(R), and labels l, of  score(L, R, l) + best(L) + best(R)

n leaves have (3^n - 2^(n+1) + 1) / 2 splits, 3025 for 8 leaves, so it is bounded. As for projective trees the recursion
is written once, over a semiring (see `cky.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch_struct import KMaxSemiring, LogSemiring, MaxSemiring

from eqparse.errors import EqparseError
from eqparse.structured.spaces.output_space import (
    NO_STRUCTURE,
    Best,
    check_leaves,
    check_scores,
    feasible,
    ordinary,
    value_and_gradient,
)

MAX_LEAVES = 8


class Size(NamedTuple):
    """The subsets of one size s >= 2: 2^(s-1) - 1 splits each."""

    count: int
    """How many splits each of them has."""
    span: slice
    """The splits of all of them, subset after subset."""
    whole: int
    """Which of them holds the leaves 0..s-1, the tree over a problem of s leaves."""


class Splits(NamedTuple):
    """All splits of subsets of n leaves, by the size of the subset; a subset is a bit mask, leaf p is 1 << p."""

    left: np.ndarray
    """int64 [T]: the part that holds the subset's smallest leaf."""
    right: np.ndarray
    """int64 [T]: the other part."""
    left_subset: np.ndarray
    """int64 [T]: the number of the left part among all subsets, which are by size, then as they come."""
    right_subset: np.ndarray
    """int64 [T]: that of the right part."""
    sizes: tuple[Size, ...]
    """By size from 2."""

    @property
    def ends(self) -> np.ndarray:
        """int64 [T, 4]: first and last leaf of the left part, first and last of the right part."""
        return np.array([(*_ends(a), *_ends(b)) for a, b in zip(self.left.tolist(), self.right.tolist(), strict=True)])


@lru_cache(maxsize=16)
def splits(leaves: int) -> Splits:
    """The splits over `leaves` leaves, in the order of the parts of `SubsetTrees`; computed once and shared."""
    pairs: list[tuple[int, int]] = []
    sizes = []
    number = {1 << p: p for p in range(leaves)}
    for size in range(2, leaves + 1):
        begin = len(pairs)
        before = len(number)
        for subset in combinations(range(leaves), size):
            whole, first = sum(1 << p for p in subset), 1 << subset[0]
            number[whole] = len(number)
            part = rest = whole ^ first
            while part:  # every nonempty subset of the rest, as the right part
                pairs.append((whole ^ part, part))
                part = (part - 1) & rest
        sizes.append(Size(2 ** (size - 1) - 1, slice(begin, len(pairs)), number[(1 << size) - 1] - before))
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    numbers = np.array([(number[a], number[b]) for a, b in pairs], dtype=np.int64).reshape(-1, 2)
    return Splits(*table.T, *numbers.T, tuple(sizes))


@lru_cache(maxsize=16)
def split_numbers(leaves: int) -> dict[tuple[int, int], int]:
    """(left, right) -> its number among `splits(leaves)`."""
    table = splits(leaves)
    return {pair: n for n, pair in enumerate(zip(table.left.tolist(), table.right.tolist(), strict=True))}


def _ends(subset: int) -> tuple[int, int]:
    return (subset & -subset).bit_length() - 1, subset.bit_length() - 1


class SubsetTrees:
    """Binary trees with labels on the inner nodes, projective or not; the same protocol as `BinaryTrees`.

    Part scores are [B, T, L], T the number of `splits(n)` for the longest length n: entry [b, t, l] is for joining the
    two parts of split t under label l. Splits with a leaf beyond lengths[b] are ignored. The root takes a label of
    `root_labels`, every other inner node one of the rest. A single leaf is a tree without parts, of value 0.

    lengths: integer [B], on the device of the scores. allowed: boolean [B, T, L]; no tree has a part where it is false.

    Raises `EqparseError` for lengths outside 1..max_leaves (memory grows as B 3^n L), for labels out of range, and for
    `allowed` of another shape.
    """

    def __init__(
        self,
        lengths: Tensor,
        labels: int,
        root_labels: Sequence[int],
        *,
        allowed: Tensor | None = None,
        max_leaves: int = MAX_LEAVES,
    ) -> None:
        self.leaves = check_leaves("SubsetTrees", lengths, labels, root_labels, max_leaves)
        self.lengths = ordinary(lengths).long()
        self.labels = labels
        self.splits = splits(self.leaves)
        device = self.lengths.device
        with torch.inference_mode(False):
            self._left = torch.from_numpy(self.splits.left_subset.copy()).to(device)
            self._right = torch.from_numpy(self.splits.right_subset.copy()).to(device)
            is_root = torch.zeros(labels, dtype=torch.bool, device=device)
            is_root[list(root_labels)] = True
            union = torch.from_numpy(self.splits.left | self.splits.right).to(device)
            beyond = union >= (1 << self.lengths).unsqueeze(1)
            closed = beyond.unsqueeze(-1)
            if allowed is not None:
                self._check(allowed)
                closed = closed | ~ordinary(allowed)
            # [B, 2, T, L]: where no inner node (0), no root (1) may be
            self._closed = closed.unsqueeze(1) | torch.stack([is_root, ~is_root]).unsqueeze(1)

    def argmax(self, scores: Tensor) -> Best:
        """The best tree of each problem: value [B], parts [B, T, L]."""
        self._check(scores)
        return _best(*value_and_gradient(lambda s: self._value(MaxSemiring, s)[0], scores))

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k best trees of each problem: value [k, B], parts [k, B, T, L]."""
        if k < 1:
            raise EqparseError(f"kbest: expected k of at least 1, found {k}")
        self._check(scores)
        semiring = KMaxSemiring(k)
        return _best(*value_and_gradient(lambda s: self._value(semiring, s), scores))

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: log of the sum over all trees of exp(score); differentiable."""
        self._check(scores)
        value = self._value(LogSemiring, scores)[0]
        return value.where(feasible(value), torch.full_like(value, NO_STRUCTURE))

    def marginals(self, scores: Tensor) -> Tensor:
        """[B, T, L]: the probability of each part under p(tree) proportional to exp(score)."""
        return value_and_gradient(self.log_partition, scores)[1]

    def _check(self, scores: Tensor) -> None:
        check_scores(scores, (len(self.lengths), len(self._left), self.labels), "SubsetTrees")

    def _value(self, semiring: type, scores: Tensor) -> Tensor:
        """[ssize, B]: the semiring sum over all trees of the product of their parts."""
        if self.leaves == 1:  # no parts, on which the semirings would fail
            return semiring.one_(scores.new_empty(semiring.size(), len(scores)))
        # [ssize, B, 2, T]: each split summed over the labels of an inner node, and over those of a root
        summed = semiring.sum(semiring.convert(scores.unsqueeze(1).masked_fill(self._closed, NO_STRUCTURE)))
        subsets = semiring.one_(summed.new_empty(summed.shape[0], len(scores), self.leaves))
        wholes = [subsets[..., 0]]
        for count, span, whole in self.splits.sizes:
            shape = (-1, count)
            left = subsets.index_select(-1, self._left[span]).unflatten(-1, shape)
            right = subsets.index_select(-1, self._right[span]).unflatten(-1, shape)
            # best(S) = sum over splits of score(L, R) * best(L) * best(R)
            children = semiring.mul(left, right).unsqueeze(2)
            best = semiring.sum(semiring.mul(summed[..., span].unflatten(-1, shape), children))
            subsets = torch.cat([subsets, best[:, :, 0]], dim=-1)
            wholes.append(best[:, :, 1, whole])
        index = (self.lengths - 1).expand(summed.shape[0], -1).unsqueeze(-1)
        return torch.stack(wholes, dim=-1).gather(-1, index).squeeze(-1)


def _best(value: Tensor, parts: Tensor) -> Best:
    """With value `NO_STRUCTURE` and no parts where the semiring found no tree."""
    real = feasible(value)
    return Best(value.masked_fill(~real, NO_STRUCTURE), parts * real[..., None, None])
