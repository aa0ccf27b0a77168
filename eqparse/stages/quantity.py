"""The quantity stage: which quantities the equation uses, all of them decided at once (section 4.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.quantity import quantity_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.stages.base import Batch, Stage
from eqparse.structured.spaces.enumeration import AnySubset, NonEmptySubset
from eqparse.text.mentions import Mentions


class QuantityStage(Stage):
    """Problem: the mentions of a sentence with at least one quantity. Structure: indices of those that count.

    One part a quantity, present where it counts; not all may be absent. Loss: quantities decided wrongly.

    independent: all may be absent. Score and loss are sums over quantities, so that each is then decided by itself, by
    one binary classifier: the structured hinge loss of a sentence is the sum of its quantities' hinge losses.
    """

    name = "quantity"
    label_names = ("counts",)
    feature_groups = ("neighbourhood", "quantity", "rich")

    def __init__(self, *, groups: Collection[str], bits: int, independent: bool = False) -> None:
        super().__init__(groups=groups, bits=bits)
        self.independent = independent

    @property
    def options(self) -> dict[str, Any]:
        return {"independent": True} if self.independent else {}

    def batch(self, problems: Sequence[Mentions]) -> Batch:
        features = quantity_features(problems, TokenTable(problems), groups=self.groups)
        counts = np.array([len(m.quantities) for m in problems])
        width = int(counts.max())
        inside = np.arange(width) < counts[:, None]
        inputs = self.inputs(features, np.arange(features.rows), np.flatnonzero(inside), inside.shape)
        space = AnySubset if self.independent else NonEmptySubset
        return Batch(inputs, space(torch.from_numpy(inside).to(self.device)))

    def encode(self, structure: Sequence[int], problem: Mentions, shape: tuple[int, ...]) -> np.ndarray:
        return np.array(structure, dtype=np.int64)

    def cost(self, gold: Tensor, gold_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Hamming loss to the first gold set (several differ only by equal numbers)."""
        first = gold[:, 0]
        return 1 - 2 * first, first.sum(1)

    def decode(self, parts: Tensor, problems: Sequence[Mentions]) -> list[tuple[int, ...]]:
        """parts [B, quantities] -> the indices that count, a tuple a problem."""
        return [tuple(np.flatnonzero(row).tolist()) for row in parts.cpu().numpy()]
