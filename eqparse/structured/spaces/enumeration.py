"""Output spaces without inner structure: exactly one part, any subset of the parts, any but the empty one."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import one_hot, softplus

from eqparse.errors import EqparseError
from eqparse.structured.spaces.output_space import (
    NO_STRUCTURE,
    Best,
    check_rows,
    check_scores,
    feasible,
    ordinary,
    value_and_gradient,
)


class _Masked:
    """A boolean mask [B, P] of allowed parts, at least one a row; otherwise `EqparseError` names the row."""

    def __init__(self, mask: Tensor) -> None:
        name = type(self).__name__
        if mask.dim() != 2 or mask.dtype != torch.bool:
            found = f"{mask.dtype} {list(mask.shape)}"
            raise EqparseError(f"{name}: expected a boolean mask [B, P], one row a problem, found {found}")
        check_rows(mask, f"{name}: allowed parts", "leave that problem out of the batch")
        self.mask = ordinary(mask)

    def _allowed(self, scores: Tensor) -> Tensor:
        check_scores(scores, tuple(self.mask.shape), type(self).__name__)
        return scores.masked_fill(~self.mask, NO_STRUCTURE)

    def log_partition(self, scores: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__}.log_partition")

    def marginals(self, scores: Tensor) -> Tensor:
        """[B, P]: the probability of each part under p(y) proportional to exp <scores, y>."""
        return value_and_gradient(self.log_partition, scores)[1]


class OneOf(_Masked):
    """Exactly one of the allowed parts: mask and scores [B, P]."""

    def argmax(self, scores: Tensor) -> Best:
        """The allowed part of highest score; of equal ones the first."""
        value, index = self._allowed(scores.detach()).max(1)
        return Best(value, one_hot(index, scores.shape[1]).to(scores.dtype))

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k allowed parts of highest score: value [k, B], parts [k, B, P]."""
        value, index = self._allowed(scores.detach()).sort(dim=1, descending=True, stable=True)
        parts = one_hot(index, scores.shape[1]).to(scores.dtype)
        return _ranked(value.T, parts.transpose(0, 1), k)

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: log sum_p exp s_p over the allowed parts."""
        return self._allowed(scores).logsumexp(1)


class NonEmptySubset(_Masked):
    """Any set of allowed parts but the empty one: mask and scores [B, P]."""

    def argmax(self, scores: Tensor) -> Best:
        """All allowed parts with a positive score; where there is none, the single best."""
        allowed = self._allowed(scores.detach())
        positive = allowed > 0
        single = one_hot(allowed.argmax(1), scores.shape[1]).bool()
        chosen = torch.where(positive.any(1, keepdim=True), positive, single)
        return Best(allowed.where(chosen, torch.zeros_like(allowed)).sum(1), chosen.to(scores.dtype))

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k subsets of highest score, merged item by item: value [k, B], parts [k, B, P]."""
        # one more, so that k are left without the empty one
        value, parts = _best_subsets(self._allowed(scores.detach()), k + 1)
        empty = ~parts.bool().any(-1)
        return _ranked(*_top(value.masked_fill(empty, NO_STRUCTURE), parts, k), k)

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: log(prod_p (1 + exp s_p) - 1) over the allowed parts.

        Summed by the first part p of the subset, after which every later part is free:
        log sum_p exp(s_p) prod_{q > p} (1 + exp s_q). Nothing is subtracted, so nothing cancels.
        """
        allowed = self._allowed(scores)
        free = softplus(allowed)
        later = free.flip(1).cumsum(1).flip(1) - free
        return (allowed + later).logsumexp(1)


class AnySubset(_Masked):
    """Any set of allowed parts: mask and scores [B, P]; each part is decided by itself."""

    def argmax(self, scores: Tensor) -> Best:
        """All allowed parts with a positive score."""
        allowed = self._allowed(scores.detach())
        return Best(allowed.clamp_min(0).sum(1), (allowed > 0).to(scores.dtype))

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k subsets of highest score: value [k, B], parts [k, B, P]."""
        return _ranked(*_best_subsets(self._allowed(scores.detach()), max(k, 1)), k)

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: sum_p log(1 + exp s_p) over the allowed parts."""
        return softplus(self._allowed(scores)).sum(1)


def _best_subsets(allowed: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k best subsets, the empty one among them, merged item by item: values [k, B] and parts [k, B, P]."""
    value, parts = allowed.new_zeros(1, len(allowed)), allowed.new_zeros(1, *allowed.shape)
    for item in range(allowed.shape[1]):
        with_item = parts.clone()
        with_item[:, :, item] = 1
        # best(items 0..p) = merge(best(0..p-1), best(0..p-1) + s_p)
        value = torch.cat([value, value + allowed[:, item]])
        value, parts = _top(value, torch.cat([parts, with_item]), k)
    return value, parts


def _top(value: Tensor, parts: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """At most k of the ranks [r, B] and their parts [r, B, P], best first; of equal ones the earlier."""
    value, order = value.sort(dim=0, descending=True, stable=True)
    return value[:k], parts.gather(0, order[:k].unsqueeze(-1).expand(-1, -1, parts.shape[-1]))


def _ranked(value: Tensor, parts: Tensor, k: int) -> Best:
    """Exactly k ranks: cut or filled up with `NO_STRUCTURE`, parts zeroed where there is no structure."""
    if k < 1:
        raise EqparseError(f"kbest: expected k of at least 1, found {k}")
    value, parts = value[:k], parts[:k]
    missing = k - len(value)
    value = torch.cat([value, value.new_full((missing, *value.shape[1:]), NO_STRUCTURE)])
    parts = torch.cat([parts, parts.new_zeros(missing, *parts.shape[1:])])
    real = feasible(value)
    return Best(value.masked_fill(~real, NO_STRUCTURE), parts * real.unsqueeze(-1))
