"""What an output space is, and the searches that follow for any space from its one recursion.

A structure y is a 0/1 indicator over *parts*, a float tensor shaped like the part scores. `P` stands for the
shape of one problem's parts and `B` for the number of problems in a batch:

    scores [B, *P]      f(x, y) = <scores, y> = the sum of the scores of the parts of y

The recursion is written once, over a semiring (Goodman, "Semiring Parsing", Computational Linguistics 1999): under max
its value is the best structure's score, under k-max the scores of the k best, and under log-sum-exp the log partition
function. The structures are the gradient of that value with respect to the scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch_struct import LogSemiring, MaxSemiring

from eqparse.errors import EqparseError
from eqparse.structured.spaces.semirings import k_max_semiring

NO_STRUCTURE = -1e5
"""The value of a structure that does not exist. Not -inf, which turns marginals into NaN."""


class Best(NamedTuple):
    """The best structure of each problem; from `kbest`, both fields have a leading axis [k] of ranks.

    Where there is no structure (see `feasible`), the value is `NO_STRUCTURE` and the parts are all 0.
    """

    value: Tensor
    """[B]: <scores, parts>, detached from the graph; `score` computes it differentiably."""
    parts: Tensor
    """[B, *P]: 0/1, in the dtype and on the device of the scores."""


class OutputSpace(ABC):
    """A batch of finite sets Y_b of structures; scores are [B, *P], and |f(x, y)| must stay below 5e4.

    A space sets `shape` and defines `inside`; the rest follows. Every search works under `torch.no_grad` and
    `torch.inference_mode`, is deterministic (ties included), and raises `EqparseError` for scores of the wrong shape.
    Only `log_partition` is differentiable.
    """

    shape: tuple[int, ...]
    """(B, *P), the shape of the scores."""

    @abstractmethod
    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        """[ssize, B]: the semiring sum over all structures y of the product of the scores of y's parts.

        semiring: a torch-struct class with `size`, `convert`, `one_`, `mul` and `sum` (over the last axis); ssize is
            its size.
        scores: [B, *P], already checked by the caller. A part that occurs in no structure is given `NO_STRUCTURE`.
        """

    def argmax(self, scores: Tensor) -> Best:
        """argmax_{y in Y_b} <scores_b, y>: value [B], parts [B, *P]."""
        self.check(scores)
        return existing(*_value_and_gradient(lambda s: self.inside(MaxSemiring, s)[0], scores))

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k highest-scoring structures, best first: value [k, B], parts [k, B, *P].

        Ranks beyond the number of structures have the value `NO_STRUCTURE` (see `feasible`) and no parts.
        """
        self.check(scores, k)
        semiring = k_max_semiring(k)
        return existing(*_value_and_gradient(lambda s: self.inside(semiring, s), scores))

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: log sum_{y in Y_b} exp <scores_b, y>; its gradient is `marginals`."""
        self.check(scores)
        value = self.inside(LogSemiring, scores)[0]
        return value.where(feasible(value), torch.full_like(value, NO_STRUCTURE))

    def marginals(self, scores: Tensor) -> Tensor:
        """[B, *P]: sum_{y in Y_b} p(y) y, with p(y) proportional to exp <scores_b, y>."""
        return _value_and_gradient(self.log_partition, scores)[1]

    def check(self, scores: Tensor, k: int = 1) -> None:
        """Raise `EqparseError` unless the scores (or a mask) have the shape of the space, and k is at least 1."""
        if k < 1:
            raise EqparseError(f"kbest: expected k of at least 1, found {k}")
        if scores.shape != self.shape:
            raise EqparseError(
                f"{type(self).__name__}: expected scores {list(self.shape)}, found {list(scores.shape)}; "
                "build the space from the batch that is scored"
            )


def score(scores: Tensor, parts: Tensor, *, first: int = 1) -> Tensor:
    """<scores, parts>, summed over the axes of the parts, which start at axis `first`; differentiable."""
    return (scores * parts).flatten(first).sum(-1)


def feasible(value: Tensor) -> Tensor:
    """Whether each value is that of a structure, not `NO_STRUCTURE`: boolean, of the shape of `value`."""
    return value > NO_STRUCTURE / 2


def loss_augmented_argmax(space: OutputSpace, scores: Tensor, cost: Tensor) -> Best:
    """y- = argmax_y <scores, y> + delta(y), for a task loss that is a sum over parts (both [B, *P]).

    delta(y) = constant + <cost, y>; the constant does not change the argmax, and `value` leaves it out.
    """
    return space.argmax(scores + cost)


def gold_argmax(scores: Tensor, gold: Tensor, gold_mask: Tensor) -> Best:
    """y+ = argmax_{y in Y_gold} <scores, y>; the first if several are equal.

    scores: [B, *P].
    gold: [B, G, *P], the indicators of up to G gold structures.
    gold_mask: [B, G], true where `gold` holds a structure.

    Raises `EqparseError` where a problem has no gold structure.
    """
    if gold.shape[:2] != gold_mask.shape or gold.shape[:1] + gold.shape[2:] != scores.shape:
        raise EqparseError(
            f"gold structures: expected gold [B, G, *P] and gold_mask [B, G] for scores {list(scores.shape)}, "
            f"found {list(gold.shape)} and {list(gold_mask.shape)}"
        )
    check_rows(gold_mask, "gold structures", "drop that problem, or give it a gold structure")
    values = score(scores.detach().unsqueeze(1), gold, first=2)
    value, index = values.masked_fill(~gold_mask, -torch.inf).max(1)
    return Best(value, gold[torch.arange(len(gold), device=gold.device), index].to(scores.dtype))


def ordinary(tensor: Tensor) -> Tensor:
    """The tensor itself, or an ordinary copy of an inference tensor, which autograd refuses to save."""
    with torch.inference_mode(False):
        return tensor.clone() if tensor.is_inference() else tensor


def check_rows(mask: Tensor, name: str, advice: str) -> None:
    """Raise `EqparseError` naming the first row of a boolean [B, ...] mask that allows nothing."""
    empty = ~mask.flatten(1).any(1)
    if bool(empty.any()):
        row = int(empty.int().argmax())
        raise EqparseError(f"{name}: expected at least one in every row, found none in row {row}; {advice}")


def existing(value: Tensor, parts: Tensor) -> Best:
    """The best structures, with value `NO_STRUCTURE` and no parts where the semiring found none."""
    real = feasible(value)
    parts = parts * real.view(real.shape + (1,) * (parts.dim() - real.dim()))
    return Best(value.masked_fill(~real, NO_STRUCTURE), parts)


def _value_and_gradient(value: Callable[[Tensor], Tensor], scores: Tensor) -> tuple[Tensor, Tensor]:
    """value(scores) and its gradient, both detached, whatever gradient mode the caller is in.

    Each entry of a value [B] depends only on its own problem, so the gradient has the shape of the scores; a value
    [k, B] has k gradients, stacked.
    """
    # autograd records nothing on inference tensors, so leave that mode and work on an ordinary copy
    with torch.inference_mode(False), torch.enable_grad():
        leaf = scores.detach().clone().requires_grad_()
        out = value(leaf)
        if not out.requires_grad:  # the value depends on no part, as in trees of a single leaf
            return out, leaf.new_zeros(out.shape[:-1] + leaf.shape)
        ranks = [
            torch.autograd.grad(rank.sum(), leaf, retain_graph=True, materialize_grads=True)[0]
            for rank in out.reshape(-1, out.shape[-1])
        ]
        gradient = torch.stack(ranks).view(out.shape[:-1] + leaf.shape) if out.dim() > 1 else ranks[0]
    return out.detach(), gradient
