"""A beam: of too many choices to look into each, those of highest score, and whether they are all there are."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from eqparse.errors import EqparseError


class Kept(NamedTuple):
    """What a beam leaves of [B, N] choices."""

    index: Tensor
    """int64 [B, K]: the choices of highest score, best first; of equal ones the first."""
    mask: Tensor
    """Boolean [B, K]: false where a row has fewer."""
    exact: Tensor
    """Boolean [B]: whether nothing was left out."""


def keep_best(scores: Tensor, mask: Tensor, *, beam: int) -> Kept:
    """The `beam` allowed choices of highest score.

    scores: [B, N].
    mask: boolean [B, N], the allowed ones.
    beam: K, at least 1.
    """
    if beam < 1:
        raise EqparseError(f"keep_best: expected a beam of at least 1, found {beam}")
    if scores.shape != mask.shape:
        raise EqparseError(f"keep_best: expected scores {list(mask.shape)}, found {list(scores.shape)}")
    order = scores.detach().masked_fill(~mask, -torch.inf).sort(dim=1, descending=True, stable=True).indices
    index = order[:, :beam]
    return Kept(index, mask.gather(1, index), mask.sum(1) <= beam)
