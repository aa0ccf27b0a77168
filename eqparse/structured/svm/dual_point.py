"""Where a block is in the dual of the structured SVM: a convex combination of structures for each of its problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from eqparse.structured.svm.block import Block
from eqparse.structured.svm.working_set import WorkingSet


@dataclass
class DualPoint:
    """The combination of one block."""

    positive: Tensor
    """[B, *P]: y+."""
    mean: Tensor
    """[B, *P]: mu, the mean of the structures."""
    loss: Tensor
    """[B]: l, the mean of delta; y+ counts as 0."""
    weight: Tensor
    """[B]: the share of y+ in the combination, to be exchanged when y+ changes."""
    working_set: WorkingSet | None = None
    """The structures themselves, while a solver that keeps them is at work."""

    @classmethod
    def at(cls, positive: Tensor, loss: Tensor) -> DualPoint:
        """y+ alone."""
        return cls(positive.clone(), positive.clone(), torch.zeros_like(loss), torch.ones_like(loss))

    def exchanged(self, positive: Tensor) -> DualPoint:
        """The same combination, with the new y+ in the place of the old one."""
        share = self.weight.view((-1,) + (1,) * (positive.dim() - 1))
        mean = self.mean + share * (positive - self.positive)
        return DualPoint(positive.clone(), mean, self.loss.clone(), self.weight.clone())


def starting_points(
    blocks: Sequence[Block], positives: Sequence[Tensor], state: Sequence[DualPoint] | None
) -> list[DualPoint]:
    """Of each block: that of the state, with its y+ exchanged, or mu = y+ and so w = 0."""
    if state is None:
        pairs = zip(blocks, positives, strict=True)
        return [DualPoint.at(positive.to(block.cost.dtype), block.constant) for block, positive in pairs]
    return [point.exchanged(y.to(point.mean.dtype)) for point, y in zip(state, positives, strict=True)]
