"""The choice of one of several problems, and of a structure for that problem: joint inference in two steps.

An outer part scores the choice of problem k, and an inner structure y scores its solution:

    f(k, y) = outer_k + <inner_k, y>        max_{k, y} f = max_k [outer_k + max_y <inner_k, y>]
"""

from __future__ import annotations

import math

from torch import Tensor

from eqparse.errors import EqparseError
from eqparse.structured.spaces.output_space import NO_STRUCTURE, OutputSpace, check_rows, ordinary


class OneThen(OutputSpace):
    """One of K problems, then a structure of it; scores are [B, K, 1 + F], with the outer score in column 0."""

    def __init__(self, inner: OutputSpace, mask: Tensor, *, columns: Tensor) -> None:
        """inner: the output space of all B * K problems, in that order, over scores [B * K, *P].
        mask: boolean [B, K], the problems that may be chosen, at least one per row.
        columns: int64 [F], the flat inner part of each further column; parts without a column have score 0 and must
            not occur in a structure.
        """
        check_rows(mask, "OneThen: allowed problems", "leave that row out of the batch")
        if inner.shape[0] != mask.numel():
            raise EqparseError(f"OneThen: expected {mask.numel()} inner problems, found {inner.shape[0]}")
        self.inner = inner
        self.mask = ordinary(mask)
        self.columns = ordinary(columns)
        self.shape = (*mask.shape, 1 + len(columns))

    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        # sum over k of outer_k * inside(k); a problem without structures adds nothing
        outer = semiring.convert(scores[..., 0].masked_fill(~self.mask, NO_STRUCTURE))
        flat = scores.new_zeros(self.mask.numel(), math.prod(self.inner.shape[1:]))
        flat = flat.index_copy(1, self.columns, scores[..., 1:].flatten(0, 1))
        inner = self.inner.inside(semiring, flat.view(self.inner.shape))
        return semiring.sum(semiring.mul(outer, inner.unflatten(1, self.mask.shape)))
