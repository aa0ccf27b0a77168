"""Binary trees over a set of leaves; each inner node is a labelled join of any two disjoint subsets (not projective).

A subset is split into parts L and R with min(L) < min(R). n leaves have (3^n - 2^(n+1) + 1) / 2 splits, 3025 for 8
leaves, so the number of leaves is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from eqparse.structured.spaces.chart import indices
from eqparse.structured.spaces.trees import Layer, Layout, Trees

MAX_LEAVES = 8


class Splits(NamedTuple):
    """All T splits of subsets of n leaves, ordered by subset size; a subset is a bit mask in which leaf p is 1 << p."""

    left: np.ndarray
    """int64 [T]: the part that holds the subset's smallest leaf."""
    right: np.ndarray
    """int64 [T]: the other part."""

    @property
    def ends(self) -> np.ndarray:
        """int64 [T, 4]: first and last leaf of the left part, first and last of the right part."""
        return np.array([(*_ends(a), *_ends(b)) for a, b in zip(self.left.tolist(), self.right.tolist(), strict=True)])


@lru_cache(maxsize=16)
def splits(leaves: int) -> Splits:
    """The splits over `leaves` leaves, in the order of the parts of `SubsetTrees`; computed once and shared."""
    pairs = []
    for size in range(2, leaves + 1):
        for subset in _subsets(leaves, size):
            part = rest = subset & (subset - 1)  # without its smallest leaf
            while part:  # every nonempty subset of the rest, as the right part
                pairs.append((subset ^ part, part))
                part = (part - 1) & rest
    return Splits(*np.array(pairs, dtype=np.int64).reshape(-1, 2).T)


@lru_cache(maxsize=16)
def split_numbers(leaves: int) -> dict[tuple[int, int], int]:
    """The index of each split (left, right) in `splits(leaves)`."""
    table = splits(leaves)
    return {pair: n for n, pair in enumerate(zip(table.left.tolist(), table.right.tolist(), strict=True))}


@lru_cache(maxsize=64)
def layout(leaves: int, device: torch.device) -> Layout:
    """The splits over `leaves` leaves, in the form that the recursion uses; computed once and shared."""
    sizes = [_subsets(leaves, size) for size in range(1, leaves + 1)]
    number = {subset: n for n, subset in enumerate(subset for subsets in sizes for subset in subsets)}
    left, right = ([number[part] for part in parts.tolist()] for parts in splits(leaves))
    last = [max(a.bit_length(), b.bit_length()) - 1 for a, b in split_numbers(leaves)]
    layers, begin = [], 0
    for size, subsets in enumerate(sizes[1:], start=2):
        ways = 2 ** (size - 1) - 1
        span = slice(begin, begin + len(subsets) * ways)
        layers.append(Layer(ways, span, indices(left[span], device), indices(right[span], device)))
        begin = span.stop
    return Layout(indices(last, device), tuple(layers))


def _subsets(leaves: int, size: int) -> list[int]:
    """The subsets of that size; the one with the first leaves comes first."""
    return [sum(1 << p for p in subset) for subset in combinations(range(leaves), size)]


def _ends(subset: int) -> tuple[int, int]:
    return (subset & -subset).bit_length() - 1, subset.bit_length() - 1


class SubsetTrees(Trees):
    """Binary trees with labels on the inner nodes, projective or not.

    Part scores are [B, T, L], with T the number of `splits(n)` for the greatest length n: entry [b, t, l] is for
    joining the two parts of split t under label l. Splits with a leaf beyond lengths[b] are ignored. The root takes a
    label from `root_labels`, every other inner node one of the rest. A single leaf is a tree without parts; its value
    is 0.
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
        """lengths: integer [B], the number of leaves of each problem, on the device of the scores.
        labels: L.
        root_labels: some of 0..L-1.
        allowed: boolean [B, T, L]; no tree has a part where it is false.
        max_leaves: the greatest length that is accepted; memory grows as B 3^n L.

        Raises `EqparseError` for lengths outside 1..max_leaves, for labels out of range, and for `allowed` of the wrong
        shape.
        """
        n = self.check_lengths(lengths, max_leaves)
        shape = (len(lengths), len(splits(n).left), labels)
        super().__init__(
            lengths, root_labels, shape=shape, layout=layout(n, lengths.device), allowed=allowed
        )
