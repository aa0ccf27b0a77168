"""A block's dual variables in the structured SVM: a convex combination of structures for each of its problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from eqparse.structured.svm.block import Block
from eqparse.structured.svm.working_set import WorkingSet


@dataclass
class DualPoint:
    """The convex combinations of one block."""

    positive: Tensor
    """[B, *P]: y+."""
    mean: Tensor
    """[B, *P]: mu, the mean of the structures."""
    loss: Tensor
    """[B]: l, the mean of delta; the loss of y+ counts as 0."""
    weight: Tensor
    """[B]: the share of y+ in the combination, which passes to the new y+ when it changes."""
    working_set: WorkingSet | None = None
    """The structures themselves, for as long as a solver that keeps them is running."""

    @classmethod
    def at(cls, positive: Tensor, loss: Tensor) -> DualPoint:
        """The point whose combination is y+ alone."""
        return cls(positive.clone(), positive.clone(), torch.zeros_like(loss), torch.ones_like(loss))

    def exchanged(self, positive: Tensor) -> DualPoint:
        """The same combination with the old y+ replaced by the new one."""
        share = self.weight.view((-1,) + (1,) * (positive.dim() - 1))
        mean = self.mean + share * (positive - self.positive)
        return DualPoint(positive.clone(), mean, self.loss.clone(), self.weight.clone())


def starting_points(
    blocks: Sequence[Block], positives: Sequence[Tensor], state: Sequence[DualPoint] | None
) -> list[DualPoint]:
    """The starting point of each block: the one in the state, with its y+ replaced; or mu = y+, so that w = 0."""
    if state is None:
        pairs = zip(blocks, positives, strict=True)
        return [DualPoint.at(positive.to(block.cost.dtype), block.constant) for block, positive in pairs]
    return [point.exchanged(y.to(point.mean.dtype)) for point, y in zip(state, positives, strict=True)]
