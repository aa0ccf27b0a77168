"""Chart indexing: where the spans and the joins of a binary tree over n leaves lie in flat tensors.

Spans (start, width) are flat by width, then start; so the n leaves come first and the whole is last. Joins
(span, split) are flat by width, then start, then split. All spans of one width are then a slice, and their
children one lookup.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor


class Width(NamedTuple):
    """The spans of one width w >= 2: n - w + 1 starts, w - 1 splits each."""

    starts: int
    splits: int
    joins: slice
    """Their joins among all joins."""
    spans: slice
    """They themselves among all spans."""
    left: Tensor
    """[starts * splits]: the flat span of the left child of each join."""
    right: Tensor
    """[starts * splits]: the flat span of the right child of each join."""


class Chart(NamedTuple):
    """All joins over `leaves` leaves, as indices into part scores padded to `size` leaves."""

    leaves: int
    spans: int
    joins: Tensor
    """[T]: flat index i * size^2 + k * size + j of each join of leaves i..k and k+1..j (inclusive)."""
    ends: Tensor
    """[T]: the last leaf j of each join."""
    widths: tuple[Width, ...]
    """By width from 2 to `leaves`."""


@lru_cache(maxsize=256)
def chart(leaves: int, size: int, device: torch.device) -> Chart:
    """The chart over `leaves` leaves for scores padded to `size` >= `leaves`; computed once and shared."""
    first = [0, 0]  # first[w]: the first flat span of width w
    for width in range(1, leaves + 1):
        first.append(first[width] + leaves - width + 1)
    joins, ends, widths = [], [], []
    for width in range(2, leaves + 1):
        starts, splits = leaves - width + 1, width - 1
        spots = [(start, split) for start in range(starts) for split in range(1, width)]
        begin = len(joins)
        for start, split in spots:
            end = start + width - 1
            joins.append((start * size + start + split - 1) * size + end)
            ends.append(end)
        left = [first[split] + start for start, split in spots]
        right = [first[width - split] + start + split for start, split in spots]
        widths.append(
            Width(
                starts,
                splits,
                slice(begin, len(joins)),
                slice(first[width], first[width] + starts),
                _indices(left, device),
                _indices(right, device),
            )
        )
    return Chart(leaves, first[leaves + 1], _indices(joins, device), _indices(ends, device), tuple(widths))


def _indices(values: list[int], device: torch.device) -> Tensor:
    # shared between callers: must not be an inference tensor, even if the first caller is in that mode
    with torch.inference_mode(False):
        return torch.tensor(values, dtype=torch.long, device=device)
