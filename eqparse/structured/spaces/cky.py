"""Binary trees over a sequence of leaves; each inner node is a labelled join of two adjacent spans (CKY)."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from eqparse.structured.spaces.chart import chart
from eqparse.structured.spaces.trees import Trees


class BinaryTrees(Trees):
    """Projective binary trees with labels on the inner nodes.

    Part scores are [B, n, n, n, L], with n the greatest length: entry [b, i, k, j, l] is for joining the leaves i..k
    and k+1..j (inclusive), i <= k < j < lengths[b], under label l; all other entries are ignored. The root takes a
    label from `root_labels`, every other inner node one of the rest. A single leaf is a tree without parts; its value
    is 0.
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
        """lengths: integer [B], the number of leaves of each problem, on the device of the scores.
        labels: L.
        root_labels: some of 0..L-1.
        allowed: boolean [B, n, n, n, L]; no tree has a part where it is false. If this leaves a problem without any
            tree, its value is `NO_STRUCTURE` and `feasible(value)` is false.
        max_leaves: the greatest length that is accepted; memory grows as B n^3 L.

        Raises `EqparseError` for lengths outside 1..max_leaves, for labels out of range, and for `allowed` of the wrong
        shape.
        """
        n = self.check_lengths(lengths, max_leaves)
        self._joins, layout = chart(n, lengths.device)
        shape = (len(lengths), n, n, n, labels)
        super().__init__(lengths, root_labels, shape=shape, layout=layout, allowed=allowed)

    def joins(self, scores: Tensor) -> Tensor:
        return scores.flatten(1, 3).index_select(1, self._joins)
