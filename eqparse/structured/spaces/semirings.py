"""The k-max semiring with deterministic ties; torch-struct's own may pick any of several equal values."""

from __future__ import annotations

import torch_struct
from torch import Tensor


def k_max_semiring(k: int) -> type:
    """The semiring of the k greatest sums, best first; ties go to the earlier choice, then to the better rank.

    Sums are over the last axis.
    """

    class KMax(torch_struct.KMaxSemiring(k)):
        @staticmethod
        def sum(xs: Tensor, dim: int = -1) -> Tensor:
            return _greatest(xs.movedim(0, -1).flatten(-2), k).movedim(-1, 0)

        @staticmethod
        def mul(a: Tensor, b: Tensor) -> Tensor:
            pairs = (a.unsqueeze(1) + b.unsqueeze(0)).flatten(0, 1)
            return _greatest(pairs.movedim(0, -1), k).movedim(-1, 0)

    return KMax


def _greatest(values: Tensor, k: int) -> Tensor:
    return values.sort(dim=-1, descending=True, stable=True).values[..., :k]
