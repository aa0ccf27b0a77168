"""The recursion that all binary trees share, whichever sets of leaves a node may join."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from eqparse.errors import EqparseError
from eqparse.structured.spaces.output_space import NO_STRUCTURE, OutputSpace, ordinary


class Layer(NamedTuple):
    """The sets of s >= 2 leaves that a node may cover, and the joins of two smaller sets that form each of them.

    The first set is the leaves 0..s-1, which are all the leaves of a problem with s leaves.
    """

    splits: int
    """How many joins form each set."""
    joins: slice
    """The joins of these sets, set after set, within all joins."""
    left: Tensor
    """int64 [sets * splits]: the left part of each join, as an index into all sets, single leaves first."""
    right: Tensor
    """int64 [sets * splits]: the right part of each join, likewise."""


class Layout(NamedTuple):
    """All T joins over some number of leaves, layer by layer."""

    last: Tensor
    """int64 [T]: the last leaf of each join."""
    layers: tuple[Layer, ...]
    """The layers for s = 2, 3, ... leaves."""


class Trees(OutputSpace):
    """Binary trees with labels on the inner nodes; a subclass says which sets of leaves a node may join.

    The root takes a label from `root_labels`, every other inner node one of the rest. A single leaf is a tree without
    parts, with value 0.
    """

    def __init__(
        self,
        lengths: Tensor,
        root_labels: Sequence[int],
        *,
        shape: tuple[int, ...],
        layout: Layout,
        allowed: Tensor | None,
    ) -> None:
        """lengths: integer [B], on the device of the scores, checked by `check_lengths`.
        root_labels: some of 0..L-1.
        shape: (B, *P, L), the shape of the scores.
        layout: the layout for the greatest of the lengths.
        allowed: boolean [B, *P, L]; no tree has a part where it is false.
        """
        self.shape = shape
        self.lengths = ordinary(lengths).long()
        self.labels = shape[-1]
        self._layout = layout
        if not root_labels or not set(root_labels) <= set(range(self.labels)):
            raise EqparseError(
                f"{type(self).__name__}: expected root labels in 0..{self.labels - 1}, found {list(root_labels)}"
            )
        with torch.inference_mode(False):
            is_root = torch.zeros(self.labels, dtype=torch.bool, device=lengths.device)
            is_root[list(root_labels)] = True
            closed = (layout.last >= self.lengths.unsqueeze(1)).unsqueeze(-1)
            if allowed is not None:
                self.check(allowed)
                closed = closed | ~self.joins(ordinary(allowed))
            # [B, 2, T, L]: where an inner node (0) or the root (1) may not be
            self._closed = closed.unsqueeze(1) | torch.stack([is_root, ~is_root]).unsqueeze(1)

    @classmethod
    def check_lengths(cls, lengths: Tensor, max_leaves: int) -> int:
        """The greatest of the lengths [B]; raises `EqparseError` unless they are integers from 1 to max_leaves."""
        name = cls.__name__
        if lengths.dim() != 1 or lengths.numel() == 0 or lengths.is_floating_point():
            raise EqparseError(
                f"{name}: expected integer lengths [B] with B >= 1, found {lengths.dtype} {list(lengths.shape)}"
            )
        shortest, longest = (int(length) for length in lengths.aminmax())
        if shortest < 1:
            raise EqparseError(f"{name}: expected at least 1 leaf a problem, found {shortest}")
        if longest > max_leaves:
            raise EqparseError(
                f"{name}: expected at most {max_leaves} leaves, found {longest}; leave that problem out of the batch "
                "or raise max_leaves"
            )
        return longest

    def joins(self, scores: Tensor) -> Tensor:
        """[B, T, L]: the scores (or mask) of the joins in the order of the layout."""
        return scores

    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        # inside(S) = sum, over joins of L and R that form S and labels l, of score(L, R, l) * inside(L) * inside(R)
        if not self._layout.layers:  # no joins, on which the semirings would fail
            return semiring.one_(scores.new_empty(semiring.size(), len(scores)))
        # [ssize, B, 2, T]: each join summed over the labels of an inner node, and over those of a root
        joins = self.joins(scores).unsqueeze(1).masked_fill(self._closed, NO_STRUCTURE)
        summed = semiring.sum(semiring.convert(joins))
        sets = semiring.one_(summed.new_empty(summed.shape[0], len(scores), int(self.lengths.max())))
        wholes = [sets[..., 0]]
        for layer in self._layout.layers:
            shape = (-1, layer.splits)
            left = sets.index_select(-1, layer.left).unflatten(-1, shape)
            right = sets.index_select(-1, layer.right).unflatten(-1, shape)
            children = semiring.mul(left, right).unsqueeze(2)
            inside = semiring.sum(semiring.mul(summed[..., layer.joins].unflatten(-1, shape), children))
            sets = torch.cat([sets, inside[:, :, 0]], dim=-1)
            wholes.append(inside[:, :, 1, 0])
        own = (self.lengths - 1).expand(summed.shape[0], -1).unsqueeze(-1)
        return torch.stack(wholes, dim=-1).gather(-1, own).squeeze(-1)
