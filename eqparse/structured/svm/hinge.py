"""The structured hinge loss with margin rescaling (Tsochantaridis et al., JMLR 2005)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from eqparse.structured.spaces.output_space import OutputSpace, loss_augmented_argmax, score


class Violation(NamedTuple):
    """The structure at which the hinge loss is attained, for each problem."""

    hinge: Tensor
    """[B]: max(0, max_y <scores, y> + delta(y) - <scores, y+>)."""
    parts: Tensor
    """[B, *P]: the maximising y-; y+ itself where the hinge is 0."""
    loss: Tensor
    """[B]: delta(y-); 0 where the hinge is 0."""


@torch.no_grad()
def most_violating(scores: Tensor, space: OutputSpace, cost: Tensor, constant: Tensor, positive: Tensor) -> Violation:
    """y- and its hinge, detached; see `structured_hinge`."""
    best = loss_augmented_argmax(space, scores, cost)
    loss = constant + score(cost, best.parts)
    hinge = loss + score(scores, best.parts - positive)
    violates = hinge > 0
    shape = (-1,) + (1,) * (scores.dim() - 1)
    parts = torch.where(violates.view(shape), best.parts, positive.to(scores.dtype))
    return Violation(hinge * violates, parts, loss * violates)


def structured_hinge(scores: Tensor, space: OutputSpace, cost: Tensor, constant: Tensor, positive: Tensor) -> Tensor:
    """[B]: max(0, max_y [<scores, y> + delta(y)] - <scores, y+>), with delta(y) = constant + <cost, y>.

    Differentiable in the scores, with gradient y- - y+.

    scores, cost: [B, *P].
    constant: [B].
    positive: [B, *P], y+.
    """
    violation = most_violating(scores, space, cost, constant, positive)
    return violation.loss + score(scores, violation.parts - positive)
