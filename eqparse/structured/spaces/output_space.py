"""What an output space can be asked, and the searches that follow from that for any of them.

A structure y is a 0/1 indicator over *parts*, a float tensor shaped like the part scores. `P` stands for the
shape of one problem's parts and `B` for the number of problems in a batch:

    scores [B, *P]      f(x, y) = <scores, y> = the sum of the scores of the parts of y
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from eqparse.errors import EqparseError

NO_STRUCTURE = -1e5
"""The value of a structure that does not exist. Not -inf, which turns marginals into NaN."""


class Best(NamedTuple):
    """The best structure of each problem; from `kbest`, both fields have a leading axis [k] of ranks.

    Where there is no structure (see `feasible`) the value is `NO_STRUCTURE` and the parts are all 0.
    """

    value: Tensor
    """[B]: <scores, parts>, detached from the graph; `score` gives it differentiably."""
    parts: Tensor
    """[B, *P]: 0/1, in the dtype and on the device of the scores."""


class OutputSpace(Protocol):
    """A batch of finite sets Y_b of structures; scores are [B, *P], and |f(x, y)| must stay below 5e4.

    Every method works under `torch.no_grad` and `torch.inference_mode`, is deterministic (ties included), and
    raises `EqparseError` for scores of the wrong shape. Only `log_partition` is differentiable.
    """

    def argmax(self, scores: Tensor) -> Best:
        """argmax_{y in Y_b} <scores_b, y>."""
        ...

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k structures of highest score, best first: value [k, B], parts [k, B, *P].

        Ranks beyond the number of structures have the value `NO_STRUCTURE` (`feasible` tells) and no parts.
        """
        ...

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: log sum_{y in Y_b} exp <scores_b, y>; its gradient is `marginals`."""
        ...

    def marginals(self, scores: Tensor) -> Tensor:
        """[B, *P]: sum_{y in Y_b} p(y) y, with p(y) proportional to exp <scores_b, y>."""
        ...


def score(scores: Tensor, parts: Tensor, *, first: int = 1) -> Tensor:
    """<scores, parts>, summed over the axes of the parts, which start at axis `first`; differentiable."""
    return (scores * parts).flatten(first).sum(-1)


def feasible(value: Tensor) -> Tensor:
    """Whether a value belongs to a structure at all: boolean, the shape of `value`."""
    return value > NO_STRUCTURE / 2


def loss_augmented_argmax(space: OutputSpace, scores: Tensor, cost: Tensor) -> Best:
    """y- = argmax_y <scores, y> + delta(y), for a task loss that is a sum over parts (both [B, *P]).

    delta(y) = constant + <cost, y>; the constant does not change the argmax, and `value` leaves it out.
    """
    return space.argmax(scores + cost)


def gold_argmax(scores: Tensor, gold: Tensor, gold_mask: Tensor) -> Best:
    """y+ = argmax_{y in Y_gold} <scores, y>; of equal ones the first.

    scores [B, *P]; gold [B, G, *P], the indicators of up to G gold structures; gold_mask [B, G], true where
    there is one. Raises `EqparseError` where a problem has no gold structure.
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


def value_and_gradient(value: Callable[[Tensor], Tensor], scores: Tensor) -> tuple[Tensor, Tensor]:
    """value(scores) and its gradient, both detached, whatever gradient mode the caller is in.

    A value [B], of which each entry depends on its own problem alone, has a gradient of the shape of the scores;
    a value [k, B] has k of them, stacked. In the max semiring that is the best structure; in the k-max semiring
    the k best; in the log semiring the marginals.
    """
    # autograd records nothing on inference tensors: leave the mode and work on an ordinary copy
    with torch.inference_mode(False), torch.enable_grad():
        leaf = scores.detach().clone().requires_grad_()
        out = value(leaf)
        ranks = [_gradient(rank, leaf) for rank in out.reshape(-1, out.shape[-1])]
        gradient = torch.stack(ranks).reshape(out.shape[:-1] + leaf.shape) if out.dim() > 1 else ranks[0]
    return out.detach(), gradient


def _gradient(value: Tensor, leaf: Tensor) -> Tensor:
    if not value.requires_grad:  # no part of the leaf takes part, as in trees of a single leaf
        return torch.zeros_like(leaf)
    return torch.autograd.grad(value.sum(), leaf, retain_graph=True, materialize_grads=True)[0]


def ordinary(tensor: Tensor) -> Tensor:
    """The tensor itself, or a copy of one that was made in inference mode, which autograd refuses to save."""
    with torch.inference_mode(False):
        return tensor.clone() if tensor.is_inference() else tensor


def check_rows(mask: Tensor, name: str, advice: str) -> None:
    """Raise `EqparseError` naming the first row of a boolean [B, ...] mask that allows nothing."""
    empty = ~mask.flatten(1).any(1)
    if bool(empty.any()):
        row = int(empty.int().argmax())
        raise EqparseError(f"{name}: expected at least one in every row, found none in row {row}; {advice}")


def check_scores(scores: Tensor, shape: tuple[int, ...], name: str) -> None:
    """Raise `EqparseError` unless the scores have this shape."""
    if scores.shape != shape:
        raise EqparseError(
            f"{name}: expected scores {list(shape)}, found {list(scores.shape)}; "
            "build the space from the batch that is scored"
        )


def check_leaves(name: str, lengths: Tensor, labels: int, root_labels: Sequence[int], max_leaves: int) -> int:
    """The longest of the lengths [B] of a space of trees; raises `EqparseError` naming the space where they do not fit.

    They are integers from 1 to max_leaves, which bounds memory; the root's labels are some of 0..labels-1.
    """
    if lengths.dim() != 1 or lengths.numel() == 0 or lengths.is_floating_point():
        raise EqparseError(
            f"{name}: expected integer lengths [B] with B >= 1, found {lengths.dtype} {list(lengths.shape)}"
        )
    shortest, longest = (int(length) for length in lengths.aminmax())
    if shortest < 1:
        raise EqparseError(f"{name}: expected at least 1 leaf a problem, found {shortest}")
    if longest > max_leaves:
        raise EqparseError(
            f"{name}: expected at most {max_leaves} leaves, found {longest}; leave that problem out of the batch or "
            "raise max_leaves"
        )
    if not root_labels or not set(root_labels) <= set(range(labels)):
        raise EqparseError(f"{name}: expected root labels in 0..{labels - 1}, found {list(root_labels)}")
    return longest
