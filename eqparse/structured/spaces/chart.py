"""Chart indexing: where the spans and the joins of a binary tree over n leaves lie in flat tensors.

Spans (start, width) are ordered by width, then start, so the n leaves come first and the whole comes last. Joins
(span, split) are ordered by width, then start, then split. All spans of one width are then a slice, and finding their
children takes one lookup.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from eqparse.structured.spaces.trees import Layer, Layout


class Chart(NamedTuple):
    """All T joins over n leaves."""

    joins: Tensor
    """[T]: flat index i * n^2 + k * n + j of each join of leaves i..k and k+1..j (inclusive)."""
    layout: Layout


@lru_cache(maxsize=256)
def chart(leaves: int, device: torch.device) -> Chart:
    """The chart over `leaves` leaves; computed once and shared."""
    first = [0, 0]  # first[w]: the first flat span of width w
    for width in range(1, leaves + 1):
        first.append(first[width] + leaves - width + 1)
    joins, ends, layers = [], [], []
    for width in range(2, leaves + 1):
        spots = [(start, split) for start in range(leaves - width + 1) for split in range(1, width)]
        begin = len(joins)
        for start, split in spots:
            end = start + width - 1
            joins.append((start * leaves + start + split - 1) * leaves + end)
            ends.append(end)
        left = [first[split] + start for start, split in spots]
        right = [first[width - split] + start + split for start, split in spots]
        layers.append(Layer(width - 1, slice(begin, len(joins)), indices(left, device), indices(right, device)))
    return Chart(indices(joins, device), Layout(indices(ends, device), tuple(layers)))


def indices(values: list[int], device: torch.device) -> Tensor:
    """An int64 tensor, shared between callers; never an inference tensor, even if the first caller is in that mode."""
    with torch.inference_mode(False):
        return torch.tensor(values, dtype=torch.long, device=device)
