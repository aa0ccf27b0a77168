"""The tree stage without projectivity: a node joins any two disjoint subsets of the leaves (an ablation).

The features of a node are those of `features/tree.py`, which depend only on its children's span ends. So a node of a
projective tree has the same features as in the projective stage, and many other nodes share theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from eqparse.equation.equation import Equation
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts
from eqparse.stages.base import Batch
from eqparse.stages.derivation import NODE_LABELS, Node, equation_tree, leaf_places
from eqparse.stages.tree import TreeProblem, TreeStage
from eqparse.structured.spaces import subset_trees
from eqparse.structured.spaces.subset_trees import SubsetTrees, split_numbers, splits
from eqparse.text.triggers import Trigger

SubsetNode = tuple[int, int, int]
"""(left, right, label): joins two sets of leaves, as bit masks, under NODE_LABELS[label]; left has the first leaf."""


class SubsetTreeStage(TreeStage):
    """Structure: the nodes of a tree, sorted. Each part is a split of a subset, and its label. Loss as in `TreeStage`.
    """

    max_leaves = subset_trees.MAX_LEAVES

    @property
    def options(self) -> dict[str, Any]:
        return {**super().options, "projective": False}

    def batch(self, problems: Sequence[TreeProblem]) -> Batch:
        table = TokenTable([p.mentions for p in problems])
        sizes = [len(p.triggers) for p in problems]
        n = max(sizes)
        # made first, since it refuses problems with too many leaves
        space = SubsetTrees(
            torch.tensor(sizes, device=self.device), self.labels, [0], max_leaves=self.max_leaves
        )
        parts = TreeParts.build([p.triggers for p in problems], table, grid=lambda size: distinct_ends(size)[0])
        features = self.features(problems, table, parts)
        base, cells = 0, []
        rows = []
        for number, size in enumerate(sizes):
            ends, row = distinct_ends(size)
            rows.append(row + base)
            cells.append(number * len(splits(n).left) + places(size, n))
            base += len(ends)
        row, cell = np.concatenate(rows), np.concatenate(cells)
        shape = (len(problems), len(splits(n).left), self.labels)
        every = np.arange(self.labels)
        entry = (row[:, None] * self.labels + every).ravel()
        inputs = self.inputs(features, entry, (cell[:, None] * self.labels + every).ravel(), shape)
        allowed = self.allowed(problems, parts)
        if allowed is not None:
            grid = np.ones((shape[0] * shape[1], self.labels), dtype=bool)
            grid[cell] = allowed[row]
            space = SubsetTrees(
                space.lengths, self.labels, [0], max_leaves=self.max_leaves,
                allowed=torch.from_numpy(grid.reshape(shape)).to(self.device),
            )
        return Batch(inputs, space, problems, parts)

    def encode(self, structure: Sequence[SubsetNode], problem: TreeProblem, shape: tuple[int, ...]) -> np.ndarray:
        leaves = next(n for n in range(1, self.max_leaves + 1) if len(splits(n).left) == shape[0])
        number = split_numbers(leaves)
        return np.array([number[left, right] * self.labels + label for left, right, label in structure])

    def decode(self, parts: Tensor, problems: Sequence[TreeProblem]) -> list[tuple[SubsetNode, ...]]:
        """parts [B, T, labels] -> the nodes of each tree, sorted."""
        leaves = next(n for n in range(1, self.max_leaves + 1) if len(splits(n).left) == parts.shape[1])
        table = splits(leaves)
        nodes: list[list[SubsetNode]] = [[] for _ in range(len(parts))]
        for b, split, label in torch.nonzero(parts > 0.5).tolist():
            nodes[b].append((int(table.left[split]), int(table.right[split]), label))
        return [tuple(sorted(n)) for n in nodes]

    def gold(self, equation: Equation, triggers: Sequence[Trigger]) -> tuple[Any, ...]:
        if len(triggers) > self.max_leaves:
            return ()
        trees = set()
        for assigned in leaf_places(equation, triggers):
            nodes: list[SubsetNode] = []
            _subset(equation_tree(equation), iter(assigned), nodes)
            trees.add(tuple(sorted(nodes)))
        return tuple(sorted(trees))

    def arrange(
        self, structure: Sequence[SubsetNode], triggers: Sequence[Trigger]
    ) -> tuple[tuple[Trigger, ...], tuple[Node, ...]]:
        """The leaves in an order in which the tree is projective, with left children first."""
        children = {left | right: (left, right, label) for left, right, label in structure}
        order: list[int] = []
        nodes: list[Node] = []

        def walk(subset: int) -> tuple[int, int]:
            if subset not in children:
                order.append(subset.bit_length() - 1)
                return len(order) - 1, len(order) - 1
            left, right, label = children[subset]
            (i, k), (_, j) = walk(left), walk(right)
            nodes.append((i, k, j, label))
            return i, j

        walk((1 << len(triggers)) - 1)
        return tuple(triggers[leaf] for leaf in order), tuple(sorted(nodes))


@lru_cache(maxsize=16)
def distinct_ends(leaves: int) -> tuple[np.ndarray, np.ndarray]:
    """int64 [rows, 4]: the distinct span ends of the splits over `leaves` leaves; and the row of each split."""
    if leaves < 2:
        return np.empty((0, 4), np.int64), np.empty(0, np.int64)
    ends, row = np.unique(splits(leaves).ends, axis=0, return_inverse=True)
    return ends, row.reshape(-1)


@lru_cache(maxsize=128)
def places(leaves: int, size: int) -> np.ndarray:
    """int64 [T]: for each of `splits(leaves)`, its index in `splits(size)`."""
    number, table = split_numbers(size), splits(leaves)
    pairs = zip(table.left.tolist(), table.right.tolist(), strict=True)
    return np.array([number[pair] for pair in pairs], dtype=np.int64)


def _subset(tree, at, nodes: list[SubsetNode]) -> int:
    """Collect a subtree's nodes -> its leaves, as a bit mask."""
    if tree is None:
        return 1 << next(at)
    op, left, right = tree
    a, b = _subset(left, at, nodes), _subset(right, at, nodes)
    first = a & -a < b & -b
    name = op + ("lr" if first else "rl") if op in "-/" else op
    nodes.append((a, b, NODE_LABELS.index(name)) if first else (b, a, NODE_LABELS.index(name)))
    return a | b
