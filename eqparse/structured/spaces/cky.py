"""Binary trees over a row of leaves, each inner node a labelled join of two neighbouring spans (CKY).

The recursion is written once, over a semiring (Goodman, "Semiring Parsing", Computational Linguistics 1999):
with max its value is the best tree's score, with k-max the scores of the k best, with log-sum-exp the log
partition function. The structures are the gradient of that value with respect to the scores.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch_struct import KMaxSemiring, LogSemiring, MaxSemiring

from eqparse.errors import EqparseError
from eqparse.structured.spaces.chart import chart
from eqparse.structured.spaces.output_space import (
    NO_STRUCTURE,
    Best,
    check_leaves,
    check_scores,
    feasible,
    ordinary,
    value_and_gradient,
)


class BinaryTrees:
    """Projective binary trees with labels on the inner nodes.

    Part scores are [B, n, n, n, L], n at least the longest length: entry [b, i, k, j, l] is for joining the
    leaves i..k and k+1..j (inclusive), i <= k < j < lengths[b], under label l; all other entries are ignored.
    The root takes a label of `root_labels`, every other inner node one of the rest. A single leaf is a tree
    without parts, of value 0.

    lengths: integer [B], the leaves of each problem, on the device of the scores.
    allowed: boolean [B, n, n, n, L]; no tree has a part where it is false. A problem may then have no tree at
        all: its value is `NO_STRUCTURE` and `feasible(value)` is false.

    Raises `EqparseError` for lengths outside 1..max_leaves (memory grows as B n^3 L), for labels out of
    range, and for `allowed` of another shape.
    """

    def __init__(
        self,
        lengths: Tensor,
        labels: int,
        root_labels: Sequence[int],
        *,
        allowed: Tensor | None = None,
        max_leaves: int = 16,
    ) -> None:
        self.leaves = check_leaves("BinaryTrees", lengths, labels, root_labels, max_leaves)
        self.lengths = ordinary(lengths).long()
        self.labels = labels
        with torch.inference_mode(False):
            self._closed = self._closed_joins(root_labels, None if allowed is None else ordinary(allowed))

    def argmax(self, scores: Tensor) -> Best:
        """The best tree of each problem: value [B], parts [B, n, n, n, L]."""
        value, joins = value_and_gradient(lambda s: self._value(MaxSemiring, s)[0], self._joins(scores))
        return self._best(value, joins, scores)

    def kbest(self, scores: Tensor, k: int) -> Best:
        """The k best trees of each problem: value [k, B], parts [k, B, n, n, n, L]."""
        if k < 1:
            raise EqparseError(f"kbest: expected k of at least 1, found {k}")
        semiring = KMaxSemiring(k)
        value, joins = value_and_gradient(lambda s: self._value(semiring, s), self._joins(scores))
        return self._best(value, joins, scores)

    def log_partition(self, scores: Tensor) -> Tensor:
        """[B]: log of the sum over all trees of exp(score); differentiable."""
        return self._log_partition(self._joins(scores))

    def marginals(self, scores: Tensor) -> Tensor:
        """[B, n, n, n, L]: the probability of each part under p(tree) proportional to exp(score)."""
        _, joins = value_and_gradient(self._log_partition, self._joins(scores))
        return self._scatter(joins, scores)

    def _log_partition(self, joins: Tensor) -> Tensor:
        value = self._value(LogSemiring, joins)[0]
        return value.where(feasible(value), torch.full_like(value, NO_STRUCTURE))

    def _value(self, semiring: type, joins: Tensor) -> Tensor:
        """[ssize, B]: the semiring sum over all trees of the product of their joins; joins [B, T, L]."""
        if self.leaves == 1:  # no joins, on which the semirings would fail
            return semiring.one_(joins.new_empty(semiring.size(), len(joins)))
        layout = chart(self.leaves, self.leaves, joins.device)
        # [ssize, B, 2, T]: each join summed over the labels of an inner node, and over those of a root
        summed = semiring.sum(semiring.convert(joins.unsqueeze(1).masked_fill(self._closed, NO_STRUCTURE)))
        spans = semiring.one_(summed.new_empty(summed.shape[0], len(joins), self.leaves))
        roots = [spans[..., 0]]
        for width in layout.widths:
            shape = (width.starts, width.splits)
            left = spans.index_select(-1, width.left).unflatten(-1, shape)
            right = spans.index_select(-1, width.right).unflatten(-1, shape)
            # inside(i, j) = sum_k join(i, k, j) * inside(i, k) * inside(k + 1, j)
            children = semiring.mul(left, right).unsqueeze(2)
            inside = semiring.sum(semiring.mul(summed[..., width.joins].unflatten(-1, shape), children))
            spans = torch.cat([spans, inside[:, :, 0]], dim=-1)
            roots.append(inside[:, :, 1, 0])
        whole = (self.lengths - 1).expand(summed.shape[0], -1).unsqueeze(-1)
        return torch.stack(roots, dim=-1).gather(-1, whole).squeeze(-1)

    def _closed_joins(self, root_labels: Sequence[int], allowed: Tensor | None) -> Tensor:
        """Boolean [B, 2, T, L]: where no inner node (0), no root (1) may be."""
        device = self.lengths.device
        is_root = torch.zeros(self.labels, dtype=torch.bool, device=device)
        is_root[list(root_labels)] = True
        layout = chart(self.leaves, self.leaves, device)
        closed = (layout.ends >= self.lengths.unsqueeze(1)).unsqueeze(-1)
        if allowed is not None:
            closed = closed | ~self._joins(allowed)
        return closed.unsqueeze(1) | torch.stack([is_root, ~is_root]).unsqueeze(1)

    def _joins(self, scores: Tensor) -> Tensor:
        """[B, T, L]: the scores (or mask) of the joins that the chart has, in its order; checks the shape."""
        size = max(self.leaves, scores.shape[1]) if scores.dim() == 5 else self.leaves
        check_scores(scores, (len(self.lengths), size, size, size, self.labels), "BinaryTrees")
        return scores.flatten(1, 3).index_select(1, chart(self.leaves, size, scores.device).joins)

    def _scatter(self, joins: Tensor, scores: Tensor) -> Tensor:
        """[..., n, n, n, L]: the inverse of `_joins`, 0 elsewhere; joins [..., T, L]."""
        size = scores.shape[1]
        flat = joins.new_zeros(*joins.shape[:-2], size**3, self.labels)
        flat.index_copy_(-2, chart(self.leaves, size, joins.device).joins, joins)
        return flat.unflatten(-2, (size, size, size))

    def _best(self, value: Tensor, joins: Tensor, scores: Tensor) -> Best:
        """With value `NO_STRUCTURE` and no parts where the semiring found no tree."""
        real = feasible(value)
        parts = self._scatter(joins * real[..., None, None], scores)
        return Best(value.masked_fill(~real, NO_STRUCTURE), parts)
