"""Step 4, hashed features -> the input of a linear scorer: which features each part of a batch has."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.hashing import Features


class FeatureTable:
    """How often each bucket occurs in each row, for the buckets that occur at all.

    Worth building for inputs that are scored in every epoch: multiplying by it, gradient included, takes a small part
    of the time of looking the features up, and no more of it where there are more buckets.

    used: int64 [u], the buckets that occur, in order.
    matrix, transpose: sparse [rows, u] and [u, rows], compressed by row.
    """

    def __init__(self, inputs: PartInputs) -> None:
        self.used, number = inputs.bucket.long().unique(return_inverse=True)
        self.matrix = _compressed(inputs.row, number, (inputs.rows, len(self.used)))
        self.transpose = _compressed(number, inputs.row, (len(self.used), inputs.rows))


def _compressed(row: Tensor, column: Tensor, shape: tuple[int, int]) -> Tensor:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse")  # torch warns that the layout is in beta
        ones = torch.ones(len(row), device=row.device)
        long = torch.sparse_coo_tensor(torch.stack([row, column]).long(), ones, shape).coalesce().to_sparse_csr()
        # half the memory, and the multiplication needs no conversion
        indices = long.crow_indices().int(), long.col_indices().int()
        return torch.sparse_csr_tensor(*indices, long.values().clone(), shape)


@dataclass(frozen=True)
class PartInputs:
    """The features of the parts of a batch, hashed to buckets."""

    bucket: Tensor
    """int32 [f]: the bucket of each feature. Empty, like `row`, where `table` stands for them."""
    row: Tensor
    """int32 [f]: the row (a quantity, a phrase, a node) that each feature belongs to."""
    rows: int
    """The number of rows."""
    entry: Tensor
    """int64 [e]: row * labels + label of each entry."""
    part: Tensor
    """int64 [e]: the part (flat index into `shape`) to whose score each entry is added."""
    shape: tuple[int, ...]
    """(B, *P), the shape of the scores."""
    table: FeatureTable | None = None
    """The same features as a matrix, for inputs that are scored repeatedly; see `compact`."""
    names: Sequence[tuple[str, tuple[int, ...]]] = ()
    """The template and values of each feature, if they were traced."""

    def to(self, device: torch.device | str) -> PartInputs:
        """The same inputs on another device."""
        moved = {name: getattr(self, name).to(device) for name in ("bucket", "row", "entry", "part")}
        return replace(self, **moved)

    def spread(self, rows: Tensor) -> Tensor:
        """The scores [B, *P] of the parts from those of the rows under each label, [rows, labels]."""
        parts = rows.new_zeros(math.prod(self.shape))
        return parts.index_add(0, self.part, rows.flatten()[self.entry]).view(self.shape)


def bucket_of(features: Features, *, bits: int) -> Tensor:
    """int32 [f]: the bucket of each feature, which is the top `bits` bits of its hash."""
    return torch.from_numpy((features.hash >> np.uint64(64 - bits)).astype(np.int32))


def compact(inputs: list[PartInputs]) -> tuple[list[PartInputs], Tensor]:
    """Renumber the buckets that occur in a training set 0..U-1, so that solvers work on short vectors.

    Returns the inputs with their features in a `FeatureTable` alone, and int64 [U], the original bucket of each number.
    The list is emptied: both forms of a large training set would not fit into memory together.
    """
    size = max((int(i.bucket.max()) + 1 for i in inputs if len(i.bucket)), default=0)
    seen = torch.zeros(size, dtype=torch.bool, device=inputs[0].bucket.device)
    for i in inputs:
        seen[i.bucket] = True
    number, used = seen.cumsum(0) - 1, seen.nonzero().flatten()
    tabled = []
    inputs.reverse()
    while inputs:
        i = inputs.pop()
        table = FeatureTable(replace(i, bucket=number[i.bucket]))
        tabled.append(replace(i, table=table, bucket=i.bucket[:0].clone(), row=i.row[:0].clone()))
    return tabled, used


def with_copy(inputs: PartInputs, buckets: int) -> PartInputs:
    """Give every feature a copy in a second bucket, `buckets` further on, with a separate weight."""
    return replace(
        inputs, bucket=torch.cat([inputs.bucket, inputs.bucket + buckets]), row=torch.cat([inputs.row, inputs.row])
    )
