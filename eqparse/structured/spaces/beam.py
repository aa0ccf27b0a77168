"""A choice of one among several problems and then a structure of that problem: joint inference in two steps.

An outer part says how good it is to choose problem k at all, an inner structure y how good its solution is:

    f(k, y) = outer_k + <inner_k, y>        max_{k, y} f = max_k [outer_k + max_y <inner_k, y>]

Where there are too many problems to solve each, `keep_best` leaves those with the best outer scores, a beam, and the
space says for which rows the beam was wide enough to be exact.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from eqparse.errors import EqparseError
from eqparse.structured.spaces.enumeration import OneOf
from eqparse.structured.spaces.output_space import (
    NO_STRUCTURE,
    Best,
    OutputSpace,
    check_rows,
    check_scores,
    feasible,
    ordinary,
    value_and_gradient,
)


class Kept(NamedTuple):
    """What a beam leaves of [B, N] choices."""

    index: Tensor
    """int64 [B, K]: the choices of highest score, best first; of equal ones the first."""
    mask: Tensor
    """Boolean [B, K]: false where a row has fewer."""
    exact: Tensor
    """Boolean [B]: whether nothing was left out."""


def keep_best(outer: Tensor, mask: Tensor, *, beam: int) -> Kept:
    """The `beam` allowed choices of highest outer score; outer, mask: [B, N]."""
    if beam < 1:
        raise EqparseError(f"keep_best: expected a beam of at least 1, found {beam}")
    check_scores(outer, tuple(mask.shape), "keep_best")
    order = outer.detach().masked_fill(~mask, -torch.inf).sort(dim=1, descending=True, stable=True).indices
    index = order[:, :beam]
    return Kept(index, mask.gather(1, index), mask.sum(1) <= beam)


class OneThen:
    """One of K problems, then a structure of it: scores [B, K, 1 + F], column 0 the outer score.

    inner: the output space of all B * K problems, in that order, over scores [B * K, *P]. columns: int64 [F], which
    flat inner part each further column is; parts without a column have score 0 and must not occur. inner_shape: *P.
    mask: boolean [B, K], at least one a row. exact: boolean [B], whether the K problems are all there are; all true
    unless a beam left some out.
    """

    def __init__(
        self,
        inner: OutputSpace,
        mask: Tensor,
        *,
        columns: Tensor,
        inner_shape: tuple[int, ...],
        exact: Tensor | None = None,
    ) -> None:
        check_rows(mask, "OneThen: allowed problems", "leave that row out of the batch")
        self.inner = inner
        self.mask = ordinary(mask)
        self.columns = ordinary(columns)
        self.inner_shape = inner_shape
        self.exact = torch.ones_like(mask[:, 0]) if exact is None else exact
        self._choice = OneOf(self.mask)

    def argmax(self, scores: Tensor) -> Best:
        """The best problem with its best structure; a problem without structures is passed over."""
        scores = scores.detach()
        best = self.inner.argmax(self._inner(scores))
        chosen = self._choice.argmax(self._totals(scores, best.value))
        parts = torch.cat([torch.ones_like(scores[..., :1]), self._outer(best.parts, scores)], -1)
        parts = parts * (chosen.parts * feasible(chosen.value).unsqueeze(1)).unsqueeze(-1)
        return Best(chosen.value.masked_fill(~feasible(chosen.value), NO_STRUCTURE), parts)

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k best pairs of a problem and a structure of it: value [k, B], parts [k, B, K, 1 + F]."""
        scores = scores.detach()
        best = self.inner.kbest(self._inner(scores), k)
        totals = torch.stack([self._totals(scores, value) for value in best.value], 1)  # [B, k, K]
        totals = totals.masked_fill(~self.mask.unsqueeze(1), NO_STRUCTURE)
        value, order = totals.flatten(1).sort(dim=1, descending=True, stable=True)
        value, order = value[:, :k], order[:, :k]
        count, problems = scores.shape[:2]
        inner = torch.stack([self._outer(parts, scores) for parts in best.parts], 1).flatten(1, 2)  # [B, k * K, F]
        rows = torch.arange(count, device=scores.device).unsqueeze(1)
        parts = scores.new_zeros(count, k, *scores.shape[1:])
        ranks = torch.arange(k, device=scores.device)
        parts[rows, ranks, order % problems, 0] = 1
        parts[rows, ranks, order % problems, 1:] = inner[rows, order]
        real = feasible(value)
        return Best(value.masked_fill(~real, NO_STRUCTURE).T, (parts * real[..., None, None]).transpose(0, 1))

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: log sum_k exp(outer_k) Z_k."""
        return self._choice.log_partition(self._totals(scores, self.inner.log_partition(self._inner(scores))))

    def marginals(self, scores: Tensor) -> Tensor:
        """[B, K, 1 + F]: the probability of each part under p(k, y) proportional to exp f(k, y)."""
        return value_and_gradient(self.log_partition, scores)[1]

    def _inner(self, scores: Tensor) -> Tensor:
        """[B * K, *P]: the inner scores in the form that the inner space takes."""
        check_scores(scores, (*self.mask.shape, 1 + len(self.columns)), "OneThen")
        flat = scores.new_zeros(self.mask.numel(), torch.Size(self.inner_shape).numel())
        return flat.index_copy(1, self.columns, scores[..., 1:].flatten(0, 1)).view(-1, *self.inner_shape)

    def _outer(self, parts: Tensor, scores: Tensor) -> Tensor:
        """[B, K, F]: inner parts [B * K, *P] in columns."""
        return parts.flatten(1).index_select(1, self.columns).view(*scores.shape[:2], -1)

    def _totals(self, scores: Tensor, value: Tensor) -> Tensor:
        """[B, K]: outer score and inner value."""
        return (scores[..., 0] + value.view(self.mask.shape)).clamp(min=NO_STRUCTURE)
