"""Output spaces without inner structure: exactly one part, any subset of the parts, any nonempty subset."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import one_hot, pad

from eqparse.errors import EqparseError
from eqparse.structured.spaces.output_space import NO_STRUCTURE, Best, OutputSpace, check_rows, existing, ordinary

# Each argmax below and the k best parts are in closed form, since taking a gradient would be several times slower.


class _Masked(OutputSpace):
    """A space over the parts that a mask allows."""

    def __init__(self, mask: Tensor) -> None:
        """mask: boolean [B, P], true for allowed parts; `EqparseError` names the first row that has none."""
        name = type(self).__name__
        if mask.dim() != 2 or mask.dtype != torch.bool:
            found = f"{mask.dtype} {list(mask.shape)}"
            raise EqparseError(f"{name}: expected a boolean mask [B, P], one row a problem, found {found}")
        check_rows(mask, f"{name}: allowed parts", "leave that problem out of the batch")
        self.mask = ordinary(mask)
        self.shape = tuple(mask.shape)

    def _allowed(self, scores: Tensor) -> Tensor:
        return scores.masked_fill(~self.mask, NO_STRUCTURE)


class OneOf(_Masked):
    """Exactly one of the allowed parts; mask and scores are [B, P]."""

    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        return semiring.sum(semiring.convert(self._allowed(scores)))

    def argmax(self, scores: Tensor) -> Best:
        """The highest-scoring allowed part, the first if several are equal."""
        self.check(scores)
        value, index = self._allowed(scores.detach()).max(1)
        return Best(value, one_hot(index, scores.shape[1]).to(scores.dtype))

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k highest-scoring allowed parts, the earlier of two that are equal."""
        self.check(scores, k)
        parts = scores.shape[1]
        allowed = pad(self._allowed(scores.detach()), (0, max(k - parts, 0)), value=NO_STRUCTURE)
        value, index = allowed.sort(dim=1, descending=True, stable=True)
        return existing(value[:, :k].T, one_hot(index[:, :k].T, allowed.shape[1])[..., :parts].to(scores.dtype))


class NonEmptySubset(_Masked):
    """Any nonempty set of allowed parts; mask and scores are [B, P]."""

    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        return _subsets(semiring, self._allowed(scores))[1]

    def argmax(self, scores: Tensor) -> Best:
        """All allowed parts with a positive score; if there are none, the single best."""
        self.check(scores)
        allowed = self._allowed(scores.detach())
        positive = allowed > 0
        single = one_hot(allowed.argmax(1), scores.shape[1]).bool()
        chosen = torch.where(positive.any(1, keepdim=True), positive, single)
        return Best(_total(allowed.where(chosen, torch.zeros_like(allowed))), chosen.to(scores.dtype))


class AnySubset(_Masked):
    """Any set of allowed parts; mask and scores are [B, P], and each part is decided independently."""

    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        return _subsets(semiring, self._allowed(scores))[0]

    def argmax(self, scores: Tensor) -> Best:
        """All allowed parts with a positive score."""
        self.check(scores)
        allowed = self._allowed(scores.detach())
        return Best(_total(allowed.clamp_min(0)), (allowed > 0).to(scores.dtype))


def _total(scores: Tensor) -> Tensor:
    """[B]: the sum of each row, in double precision, so that it does not depend on the width of the batch."""
    return scores.double().sum(1).to(scores.dtype)


def _subsets(semiring: type, scores: Tensor) -> tuple[Tensor, Tensor]:
    """[ssize, B], twice: the semiring sums over all subsets and over the nonempty ones.

    The empty subset is left out without a subtraction, so nothing cancels.
    """
    parts = semiring.convert(scores)
    every = semiring.one_(torch.empty_like(parts[..., 0]))
    some = None
    for part in parts.unbind(-1):
        # every(p) = every(p-1) + every(p-1) * s_p        some(p) = some(p-1) + every(p-1) * s_p
        joined = semiring.mul(every, part)
        some = joined if some is None else semiring.plus(some, joined)
        every = semiring.plus(every, joined)
    return every, some
