"""What the heads know of a number beside its text: its kind, its unit and its size."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from eqparse.text.annotate import string_id
from eqparse.text.quantities import Quantity

BUCKETS = 64  # kinds with their units are hashed to so many; there are fewer
SIZES = 8  # powers of ten, from 0.001 up
WIDTH = 64  # of the embedding


class NumberEmbedding(nn.Module):
    """Quantities -> [quantities, WIDTH]."""

    def __init__(self) -> None:
        super().__init__()
        self.kind, self.size = nn.Embedding(BUCKETS, 32), nn.Embedding(SIZES, 16)
        self.small, self.whole = nn.Embedding(2, 8), nn.Embedding(2, 8)

    def forward(self, quantities: Sequence[Quantity]) -> Tensor:
        columns = torch.tensor([number_classes(q) for q in quantities], dtype=torch.long).reshape(-1, 4)
        kind, size, small, whole = columns.to(self.kind.weight.device).T
        return torch.cat([self.kind(kind), self.size(size), self.small(small), self.whole(whole)], dim=-1)


def number_classes(quantity: Quantity) -> tuple[int, int, int, int]:
    """(kind and unit, power of ten, is it 1 or 2, is it whole)."""
    size = abs(quantity.value)
    power = min(SIZES - 1, max(0, math.floor(math.log10(size)) + 3)) if size else 0
    kind = string_id(f"{quantity.kind}{quantity.unit}") % BUCKETS
    return kind, power, int(quantity.value in (1, 2)), int(float(quantity.value).is_integer())
