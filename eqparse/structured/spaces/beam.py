"""A beam: the highest-scoring of many choices, and whether any choice was left out."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from eqparse.errors import EqparseError


class Kept(NamedTuple):
    """The choices that a beam keeps of [B, N]."""

    index: Tensor
    """int64 [B, K]: the highest-scoring choices, best first; ties go to the earlier choice."""
    mask: Tensor
    """Boolean [B, K]: false beyond the number of choices that a row has."""
    exact: Tensor
    """Boolean [B]: whether nothing was left out."""


def keep_best(scores: Tensor, mask: Tensor, *, beam: int) -> Kept:
    """The `beam` highest-scoring allowed choices of each row.

    scores: [B, N].
    mask: boolean [B, N], true for allowed choices.
    beam: K, at least 1.
    """
    if beam < 1:
        raise EqparseError(f"keep_best: expected a beam of at least 1, found {beam}")
    if scores.shape != mask.shape:
        raise EqparseError(f"keep_best: expected scores {list(mask.shape)}, found {list(scores.shape)}")
    order = scores.detach().masked_fill(~mask, -torch.inf).sort(dim=1, descending=True, stable=True).indices
    index = order[:, :beam]
    return Kept(index, mask.gather(1, index), mask.sum(1) <= beam)
