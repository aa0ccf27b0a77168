"""The quantity stage: which quantities the equation uses, decided jointly (section 4.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.hashing import no_features
from eqparse.scoring.features.quantity import quantity_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.stages.base import Batch, Stage
from eqparse.structured.spaces.enumeration import AnySubset, NonEmptySubset
from eqparse.text.mentions import Mentions


class QuantityStage(Stage):
    """Problem: the mentions of a sentence with at least one quantity. Structure: the indices of the relevant ones.

    There is one part per quantity, present if it is relevant; at least one must be present. Loss: the number of
    quantities decided wrongly.

    independent: all may be absent. Since score and loss are sums over quantities, each quantity is then decided by
        itself, by one binary classifier: the hinge loss of a sentence is the sum of its quantities' hinge losses.
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
        counts = np.array([len(m.quantities) for m in problems])
        features = (
            quantity_features(problems, TokenTable(problems), groups=self.groups) if self.hashed
            else no_features(int(counts.sum()))
        )
        width = int(counts.max())
        inside = np.arange(width) < counts[:, None]
        inputs = self.inputs(features, np.arange(features.rows), np.flatnonzero(inside), inside.shape)
        space = AnySubset if self.independent else NonEmptySubset
        return Batch(inputs, space(torch.from_numpy(inside).to(self.device)), problems)

    def encode(self, structure: Sequence[int], problem: Mentions, shape: tuple[int, ...]) -> np.ndarray:
        return np.array(structure, dtype=np.int64)

    def cost(self, gold: Tensor, gold_mask: Tensor) -> tuple[Tensor, Tensor]:
        """The Hamming loss to the first gold set; if there are several, they differ only in equal numbers."""
        first = gold[:, 0]
        return 1 - 2 * first, first.sum(1)

    def decode(self, parts: Tensor, problems: Sequence[Mentions]) -> list[tuple[int, ...]]:
        """parts [B, quantities] -> the indices of the relevant quantities, one tuple per problem."""
        return [tuple(np.flatnonzero(row).tolist()) for row in parts.cpu().numpy()]
