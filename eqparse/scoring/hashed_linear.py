"""Step 4, hashed features -> scores: the linear scoring function w . phi(x, y) as a torch module."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from eqparse.scoring.features.hashing import Features


class FeatureTable:
    """How often each row has each bucket, as a sparse matrix [rows, buckets] and its transpose, both compressed by row.

    Worth building for inputs that are scored in every epoch: a product with it, and the gradient of that, take a
    seventh of the time that looking the features up takes.
    """

    def __init__(self, inputs: PartInputs, buckets: int) -> None:
        self.matrix = _compressed(inputs.row, inputs.bucket, (inputs.rows, buckets))
        self.transpose = _compressed(inputs.bucket, inputs.row, (buckets, inputs.rows))


def _compressed(row: Tensor, column: Tensor, shape: tuple[int, int]) -> Tensor:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse")  # torch says that the layout is in beta
        ones = torch.ones(len(row), device=row.device)
        return torch.sparse_coo_tensor(torch.stack([row, column]), ones, shape).coalesce().to_sparse_csr()


class _Product(torch.autograd.Function):
    """matrix @ weight, whose gradient is transpose @ gradient."""

    @staticmethod
    def forward(context, weight: Tensor, table: FeatureTable) -> Tensor:
        context.table = table
        return table.matrix.to(weight.dtype) @ weight

    @staticmethod
    def backward(context, gradient: Tensor) -> tuple[Tensor, None]:
        return context.table.transpose.to(gradient.dtype) @ gradient.contiguous(), None


@dataclass(frozen=True)
class PartInputs:
    """What a linear model needs to score the parts of a batch.

    bucket, row: int64 [f], feature f stands in this bucket and belongs to this row (a quantity, a phrase, a node).
    rows: number of rows. entry: int64 [e], row * labels + label. part: int64 [e], the part (flat index into `shape`)
    that this entry adds to. shape: (B, *P), of the scores. table: the same features as a matrix, for inputs that are
    scored again and again; see `compact`. names: the template and values of each feature, where they were traced.
    """

    bucket: Tensor
    row: Tensor
    rows: int
    entry: Tensor
    part: Tensor
    shape: tuple[int, ...]
    table: FeatureTable | None = None
    names: Sequence[tuple[str, tuple[int, ...]]] = ()

    def to(self, device: torch.device | str) -> PartInputs:
        """The same on another device."""
        moved = {name: getattr(self, name).to(device) for name in ("bucket", "row", "entry", "part")}
        return replace(self, **moved)


class HashedLinear(nn.Module):
    """f(part) = sum over its entries (row, label), over the features of the row, of weight[bucket, label].

    One lookup of a feature scores every label. weight: [buckets, labels].
    """

    def __init__(self, *, buckets: int, labels: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(buckets, labels))

    def forward(self, inputs: PartInputs) -> Tensor:
        """Scores of all parts, [B, *P]; a part without entries has score 0."""
        return linear_scores(self.weight, inputs)

    def explain(self, inputs: PartInputs, parts: Sequence[int]) -> Iterator[tuple[int, int, float]]:
        """What the score of these parts (flat) is made of: (feature f, label, weight), whose weights sum to it."""
        entry, part, row = inputs.entry.cpu().numpy(), inputs.part.cpu().numpy(), inputs.row.cpu().numpy()
        weight, bucket = self.weight.detach().cpu().numpy(), inputs.bucket.cpu().numpy()
        count = Counter(found for number in parts for found in entry[part == number].tolist())
        for found, times in count.items():
            of_row, label = divmod(found, weight.shape[1])
            for feature in np.flatnonzero(row == of_row).tolist():
                yield feature, label, times * float(weight[bucket[feature], label])


def linear_scores(weight: Tensor, inputs: PartInputs) -> Tensor:
    """Scores of all parts, [B, *P], under weights [buckets, labels]."""
    if inputs.table is not None:
        rows = _Product.apply(weight, inputs.table)
    else:
        rows = weight.new_zeros(inputs.rows, weight.shape[1])
        rows = rows.index_add(0, inputs.row, functional.embedding(inputs.bucket, weight))
    parts = weight.new_zeros(math.prod(inputs.shape))
    return parts.index_add(0, inputs.part, rows.flatten()[inputs.entry]).view(inputs.shape)


def bucket_of(features: Features, *, bits: int) -> Tensor:
    """The bucket of each feature, the top bits of its hash -> int64 [f]."""
    return torch.from_numpy((features.hash >> np.uint64(64 - bits)).astype(np.int64))


def compact(inputs: list[PartInputs]) -> tuple[list[PartInputs], Tensor]:
    """Renumber the buckets that occur in a training set 0..U-1, so that solvers work on short vectors.

    Returns the renumbered inputs, each with its `FeatureTable`, and int64 [U], the bucket behind each number.
    """
    used, inverse = torch.unique(torch.cat([i.bucket for i in inputs]), return_inverse=True)
    pieces = torch.split(inverse, [len(i.bucket) for i in inputs])
    renumbered = [replace(i, bucket=piece) for i, piece in zip(inputs, pieces, strict=True)]
    return [replace(i, table=FeatureTable(i, len(used))) for i in renumbered], used


def with_copy(inputs: PartInputs, buckets: int) -> PartInputs:
    """Give every feature a second bucket, `buckets` further on: a copy of it with a weight of its own."""
    return replace(
        inputs, bucket=torch.cat([inputs.bucket, inputs.bucket + buckets]), row=torch.cat([inputs.row, inputs.row])
    )
