"""Step 4, features -> scores: the linear scoring function w . phi(x, y) as a torch module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from eqparse.errors import CheckpointError
from eqparse.scoring.part_inputs import FeatureTable, PartInputs, compact, with_copy
from eqparse.scoring.scorer import Scorer


class HashedLinear(Scorer):
    """f(part) = the sum of weight[bucket, label] over the part's entries (row, label) and the features of each row.

    One lookup of a feature gives its weights for all labels.

    buckets, labels: the shape of `weight`.
    buckets_behind: int64 [buckets], for a scorer made by `for_training`: the original scorer's bucket for each bucket.
    """

    linear = True

    def __init__(self, *, buckets: int, labels: int, buckets_behind: Tensor | None = None) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(buckets, labels))
        self.buckets_behind = buckets_behind

    @property
    def size(self) -> int:
        return int((self.weight != 0).sum())

    def forward(self, inputs: PartInputs) -> Tensor:
        """Scores of all parts, [B, *P]; a part without entries has score 0."""
        return linear_scores(self.weight, inputs)

    def explain(self, inputs: PartInputs, parts: Sequence[int]) -> Iterator[tuple[int, int, float]]:
        entry, part, row = inputs.entry.cpu().numpy(), inputs.part.cpu().numpy(), inputs.row.cpu().numpy()
        weight, bucket = self.weight.detach().cpu().numpy(), inputs.bucket.cpu().numpy()
        count = Counter(found for number in parts for found in entry[part == number].tolist())
        for found, times in count.items():
            of_row, label = divmod(found, weight.shape[1])
            for feature in np.flatnonzero(row == of_row).tolist():
                yield feature, label, times * float(weight[bucket[feature], label])

    def for_training(
        self, inputs: list[PartInputs], auxiliary: Sequence[bool] | None = None
    ) -> tuple[HashedLinear, list[PartInputs]]:
        """A scorer, with weights 0, of only the features that occur in these inputs; and the inputs renumbered for it.

        inputs: emptied, as by `compact`.

        auxiliary: for each input, whether its features have a second weight besides the one shared with the others
            ("frustratingly easy" domain adaptation, Daume III, ACL 2007, with a copy for one side only); none by
            default.
        """
        buckets, labels = self.weight.shape
        for n in np.flatnonzero(auxiliary or []):
            inputs[n] = with_copy(inputs[n], buckets)
        renumbered, used = compact(inputs)
        return HashedLinear(buckets=len(used), labels=labels, buckets_behind=used).to(self.device), renumbered

    @torch.no_grad()
    def take(self, trained: HashedLinear) -> None:
        """Replace all weights by those of a scorer from `for_training`, rounded to half precision.

        The second weights of auxiliary inputs are dropped.
        """
        own = trained.buckets_behind < len(self.weight)
        self.weight.zero_()
        self.weight[trained.buckets_behind[own]] = trained.weight[own].half().float()

    def to_tensors(self) -> dict[str, np.ndarray]:
        """One bit for each weight (is it nonzero?), and the nonzero weights as float16.

        Most weights are 0, so this is several times smaller than storing all weights, or all nonzero rows.
        """
        with np.errstate(over="ignore"):
            half = self.weight.detach().cpu().numpy().astype(np.float16).ravel()
        if not np.isfinite(half).all():
            raise CheckpointError("expected weights that fit half precision, found larger ones")
        nonzero = half != 0
        return {"nonzero": np.packbits(nonzero), "values": half[nonzero]}

    def from_tensors(self, tensors: Mapping[str, np.ndarray]) -> None:
        if tensors.keys() != {"nonzero", "values"}:
            raise CheckpointError(f"expected the tensors nonzero and values, found {sorted(tensors) or 'none'}")
        bits, values = tensors["nonzero"], tensors["values"]
        shape, size = tuple(self.weight.shape), self.weight.numel()
        if bits.dtype != np.uint8 or bits.shape != ((size + 7) // 8,):
            expected = f"{(size + 7) // 8} bytes for weights of shape {shape}"
            raise CheckpointError(f"expected {expected}, found {bits.dtype} {bits.shape}")
        nonzero = np.unpackbits(bits, count=size).astype(bool)
        if values.dtype != np.float16 or values.shape != (int(nonzero.sum()),):
            raise CheckpointError(f"expected {int(nonzero.sum())} float16 values, found {values.dtype} {values.shape}")
        if not np.isfinite(values).all():
            raise CheckpointError("expected finite weights, found some that are not")
        weight = np.zeros(size, dtype=np.float32)
        weight[nonzero] = values
        with torch.no_grad():
            self.weight.copy_(torch.from_numpy(weight.reshape(shape)))


class StackedLinear(nn.Module):
    """Several scorers as one linear model, trained together; `weight` holds their weights one after another.

    A subclass combines their scores into one in `forward`.
    """

    linear = True

    def __init__(self, scorers: Sequence[HashedLinear]) -> None:
        super().__init__()
        self._scorers = tuple(scorers)
        self.weight = nn.Parameter(torch.cat([s.weight.detach().flatten() for s in scorers]))

    def scores(self, inputs: Sequence[PartInputs]) -> list[Tensor]:
        """Each scorer's scores for its own inputs."""
        return [linear_scores(weight, own) for weight, own in zip(self._weights(), inputs, strict=True)]

    @torch.no_grad()
    def unstack(self) -> None:
        """Copy the trained weights back to the scorers."""
        for scorer, weight in zip(self._scorers, self._weights(), strict=True):
            scorer.weight.copy_(weight)

    def _weights(self) -> list[Tensor]:
        pieces = self.weight.split([s.weight.numel() for s in self._scorers])
        return [piece.view(s.weight.shape) for piece, s in zip(pieces, self._scorers, strict=True)]


class _Product(torch.autograd.Function):
    """matrix @ weight, whose gradient is transpose @ gradient: sparse, but dense for a piece of other weights."""

    @staticmethod
    def forward(context, weight: Tensor, table: FeatureTable) -> Tensor:
        context.table, context.shape, context.sparse = table, weight.shape, weight.is_leaf
        return table.matrix.to(weight.dtype) @ weight[table.used]

    @staticmethod
    def backward(context, gradient: Tensor) -> tuple[Tensor, None]:
        used, values = context.table.used, context.table.transpose.to(gradient.dtype) @ gradient.contiguous()
        if context.sparse:
            return torch.sparse_coo_tensor(used[None], values, context.shape, is_coalesced=True), None
        return values.new_zeros(context.shape).index_copy(0, used, values), None


def linear_scores(weight: Tensor, inputs: PartInputs) -> Tensor:
    """Scores of all parts, [B, *P], under weights [buckets, labels]."""
    return inputs.spread(row_scores(weight, inputs))


def row_scores(weight: Tensor, inputs: PartInputs) -> Tensor:
    """[rows, labels]: the sum of the weights of each row's features."""
    if inputs.table is not None:
        return _Product.apply(weight, inputs.table)
    zero, found = weight.new_zeros(inputs.rows), functional.embedding(inputs.bucket, weight)
    # label by label, since index_add takes several times as long for rows as for single numbers
    return torch.stack([zero.index_add(0, inputs.row, of_label) for of_label in found.unbind(1)], dim=1)
