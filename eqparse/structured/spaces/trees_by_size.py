"""Trees over subsets for problems with few leaves, and projective trees for those with more, in one batch."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from eqparse.structured.spaces.cky import BinaryTrees
from eqparse.structured.spaces.output_space import OutputSpace, ordinary
from eqparse.structured.spaces.subset_trees import MAX_LEAVES, SubsetTrees, splits


class TreesBySize(OutputSpace):
    """`SubsetTrees` for problems of at most `few` leaves, `BinaryTrees` for larger ones.

    Part scores are [B, T + n^3, L], with n the greatest length: the first T are those of `SubsetTrees` over min(n, few)
    leaves, which count for small problems; the rest are those of `BinaryTrees`, flat, which count for large ones.
    """

    def __init__(
        self,
        lengths: Tensor,
        labels: int,
        root_labels: Sequence[int],
        *,
        allowed: Tensor | None = None,
        max_leaves: int = 16,
        few: int = MAX_LEAVES,
    ) -> None:
        """lengths, labels, root_labels, max_leaves: as in `BinaryTrees`.
        allowed: boolean [B, T + n^3, L]; no tree has a part where it is false.
        few: the greatest number of leaves over whose subsets trees are searched.

        Raises `EqparseError` as `BinaryTrees` does.
        """
        n = BinaryTrees.check_lengths(lengths, max_leaves)
        self._splits = len(splits(min(n, few)).left)
        self.shape = (len(lengths), self._splits + n**3, labels)
        if allowed is not None:
            self.check(allowed)
        over_subsets, in_chart = (None, None) if allowed is None else self._apart(allowed)
        self._small = ordinary(lengths <= few)
        # each searches all problems, of which it has the right ones chosen: large problems are rare
        self._subsets = SubsetTrees(
            lengths.clamp(max=few), labels, root_labels, allowed=over_subsets, max_leaves=few
        )
        self._chart = BinaryTrees(lengths, labels, root_labels, allowed=in_chart, max_leaves=max_leaves)

    def inside(self, semiring: type, scores: Tensor) -> Tensor:
        over_subsets, in_chart = self._apart(scores)
        return torch.where(
            self._small, self._subsets.inside(semiring, over_subsets), self._chart.inside(semiring, in_chart)
        )

    def _apart(self, scores: Tensor) -> tuple[Tensor, Tensor]:
        """[B, T, L] and [B, n, n, n, L]: the scores (or mask) of the two kinds of trees."""
        over_subsets, in_chart = scores.tensor_split([self._splits], dim=1)
        n = round(in_chart.shape[1] ** (1 / 3))
        return over_subsets, in_chart.unflatten(1, (n, n, n))
