"""The tree stage without projectivity: a node joins any two disjoint subsets of the leaves, of which there are few.

The features of a node are those of `features/tree.py`, which depend only on its children's span ends, and so do the
scores of an encoder's head. So a node of a projective tree has the same score as in the projective stage, and many
other nodes share theirs. Over more leaves than `MAX_LEAVES` the trees are those of the projective stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np
import torch
from torch import Tensor

from eqparse.equation.equation import Equation
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts, node_grid
from eqparse.stages.base import Batch
from eqparse.stages.derivation import NODE_LABELS, Node, equation_tree, leaf_places
from eqparse.stages.tree import TreeProblem, TreeStage
from eqparse.structured.spaces.cky import BinaryTrees
from eqparse.structured.spaces.subset_trees import MAX_LEAVES, SubsetTrees, split_numbers, splits
from eqparse.structured.spaces.trees_by_size import TreesBySize
from eqparse.text.triggers import Trigger

SubsetNode = tuple[int, int, int]
"""(left, right, label): joins two sets of leaves, as bit masks, under NODE_LABELS[label]; left has the first leaf."""


class SubsetTreeStage(TreeStage):
    """Structure: the nodes of a tree, sorted. Each part is a split of a subset, and its label. Loss as in `TreeStage`.

    Over more than `MAX_LEAVES` leaves, structure and parts are those of `TreeStage`.
    """

    @property
    def options(self) -> dict[str, Any]:
        return {**super().options, "projective": False}

    @staticmethod
    def chart_size(leaves: int) -> int:
        return 3**leaves if leaves <= MAX_LEAVES else TreeStage.chart_size(leaves)

    def batch(self, problems: Sequence[TreeProblem]) -> Batch:
        table = TokenTable([p.mentions for p in problems])
        sizes = [len(p.triggers) for p in problems]
        lengths = torch.tensor(sizes, device=self.device)
        most = BinaryTrees.check_lengths(lengths, self.max_leaves)
        parts = TreeParts.build([p.triggers for p in problems], table, grid=lambda size: distinct_ends(size)[0])
        features = self.features(problems, table, parts)
        every_part = part_count(most)
        base, rows, cells = 0, [], []
        for number, size in enumerate(sizes):
            ends, row = distinct_ends(size)
            rows.append(row + base)
            cells.append(number * every_part + places(size, most))
            base += len(ends)
        row, cell = np.concatenate(rows), np.concatenate(cells)
        shape = (len(problems), every_part, self.labels)
        every = np.arange(self.labels)
        entry = (row[:, None] * self.labels + every).ravel()
        inputs = self.inputs(features, entry, (cell[:, None] * self.labels + every).ravel(), shape)
        allowed = self.allowed(problems, parts)
        if allowed is not None:
            grid = np.ones((shape[0] * shape[1], self.labels), dtype=bool)
            grid[cell] = allowed[row]
            allowed = torch.from_numpy(grid.reshape(shape)).to(self.device)
        kind = SubsetTrees if most <= MAX_LEAVES else TreesBySize
        space = kind(lengths, self.labels, [0], allowed=allowed, max_leaves=self.max_leaves)
        return Batch(inputs, space, problems, parts)

    def encode(self, structure: Sequence[Any], problem: TreeProblem, shape: tuple[int, ...]) -> np.ndarray:
        most = most_leaves(shape[0])
        if len(problem.triggers) > MAX_LEAVES:
            before = (shape[0] - most**3) * self.labels
            return before + super().encode(structure, problem, (most, most, most, self.labels))
        number = split_numbers(min(most, MAX_LEAVES))
        return np.array([number[left, right] * self.labels + label for left, right, label in structure])

    def decode(self, parts: Tensor, problems: Sequence[TreeProblem]) -> list[tuple[Any, ...]]:
        """parts [B, P, labels] -> the nodes of each tree, sorted."""
        most = most_leaves(parts.shape[1])
        table = splits(min(most, MAX_LEAVES))
        nodes: list[list[Any]] = [[] for _ in range(len(parts))]
        for b, part, label in torch.nonzero(parts > 0.5).tolist():
            if part < len(table.left):
                nodes[b].append((int(table.left[part]), int(table.right[part]), label))
            else:
                nodes[b].append((*map(int, np.unravel_index(part - len(table.left), (most, most, most))), label))
        return [tuple(sorted(n)) for n in nodes]

    def gold(self, equation: Equation, triggers: Sequence[Trigger]) -> tuple[Any, ...]:
        """The structures over the triggers that express the equation in its own form; as in `TreeStage` over many."""
        if len(triggers) > MAX_LEAVES:
            return super().gold(equation, triggers)
        trees = set()
        for assigned in leaf_places(equation, triggers):
            nodes: list[SubsetNode] = []
            _subset(equation_tree(equation), iter(assigned), nodes)
            trees.add(tuple(sorted(nodes)))
        return tuple(sorted(trees))

    def arrange(
        self, structure: Sequence[Any], triggers: Sequence[Trigger]
    ) -> tuple[tuple[Trigger, ...], tuple[Node, ...]]:
        """The leaves in an order in which the tree is projective, with left children first."""
        if len(triggers) > MAX_LEAVES:
            return super().arrange(structure, triggers)
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

    def structure(
        self, leaves: Sequence[Trigger], nodes: Sequence[Node], triggers: Sequence[Trigger]
    ) -> tuple[Any, ...]:
        if len(triggers) > MAX_LEAVES:
            return super().structure(leaves, nodes, triggers)
        free = list(range(len(triggers)))
        place = []
        for leaf in leaves:  # of equal ones, which are neighbours, the first comes first
            place.append(next(at for at in free if triggers[at] == leaf))
            free.remove(place[-1])

        def over(i: int, j: int) -> int:
            return sum(1 << at for at in place[i : j + 1])

        return tuple(sorted((over(i, k), over(k + 1, j), label) for i, k, j, label in nodes))


def part_count(leaves: int) -> int:
    """The number of parts of problems with at most so many leaves."""
    return len(splits(min(leaves, MAX_LEAVES)).left) + (leaves**3 if leaves > MAX_LEAVES else 0)


def most_leaves(parts: int) -> int:
    """The number of leaves for which there are so many parts: the inverse of `part_count`."""
    return next(leaves for leaves in count(1) if part_count(leaves) >= parts)


@lru_cache(maxsize=16)
def distinct_ends(leaves: int) -> tuple[np.ndarray, np.ndarray]:
    """int64 [rows, 4], the distinct span ends of the nodes over so many leaves, and int64 [N], the row of each node."""
    if leaves < 2:
        return np.empty((0, 4), np.int64), np.empty(0, np.int64)
    if leaves > MAX_LEAVES:
        ends = node_grid(leaves)
        return ends, np.arange(len(ends))
    ends, row = np.unique(splits(leaves).ends, axis=0, return_inverse=True)
    return ends, row.reshape(-1)


@lru_cache(maxsize=128)
def places(leaves: int, most: int) -> np.ndarray:
    """int64 [N]: the part of each node over `leaves` leaves, in a batch of problems with at most `most` leaves."""
    if leaves > MAX_LEAVES:
        i, k, _, j = node_grid(leaves).T
        return part_count(most) - most**3 + np.ravel_multi_index((i, k, j), (most, most, most))
    number, table = split_numbers(min(most, MAX_LEAVES)), splits(leaves)
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
