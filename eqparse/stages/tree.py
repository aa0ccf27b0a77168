"""The tree stage: the best projective equation tree over a trigger list (section 4.3)."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from eqparse.features.tokens import TokenTable
from eqparse.features.tree import TreeParts, tree_features
from eqparse.gold import OPERATIONS, Node
from eqparse.inference.cky import BinaryTrees
from eqparse.lexicon import Lexicon
from eqparse.mentions import Mentions
from eqparse.stages.base import Batch, Stage
from eqparse.triggers import Trigger

MAX_LEAVES = 12


@dataclass(frozen=True)
class TreeProblem:
    """A sentence and its trigger list, of at least two triggers."""

    mentions: Mentions
    triggers: tuple[Trigger, ...]


class TreeStage(Stage):
    """Structure: the nodes of a tree. One part a node, [i, k, j, label]. Loss: nodes that are in no gold tree.

    lexicon: restricts the operation of inner nodes during the search for a parse; None for no restriction. It takes no
    part in training, where it could forbid a gold tree.
    """

    name = "tree"
    labels = len(OPERATIONS)

    def __init__(self, *, groups: Collection[str], bits: int = 18, lexicon: Lexicon | None = None) -> None:
        super().__init__(groups=groups, bits=bits)
        self.lexicon = lexicon

    def batch(self, problems: Sequence[TreeProblem]) -> Batch:
        table = TokenTable([p.mentions for p in problems])
        parts = TreeParts.build([p.triggers for p in problems], table)
        features = tree_features(table, parts, groups=self.groups)
        n = int(parts.size.max())
        shape = (len(problems), n, n, n, self.labels)
        b, i, k, j = parts.node.T
        cell = ((b * n + i) * n + k) * n + j
        every = np.arange(self.labels)
        entry = (np.arange(len(cell))[:, None] * self.labels + every).ravel()
        inputs = self.inputs(features, entry, (cell[:, None] * self.labels + every).ravel(), shape)
        lengths = torch.from_numpy(parts.size).to(self.device)
        allowed = None
        if self.lexicon is not None and not self.training:
            allowed = np.ones((math.prod(shape[:-1]), self.labels), dtype=bool)
            operation = lexicon_operations(self.lexicon, problems, parts)
            fixed = operation >= 0
            allowed[cell[fixed], 1:] = False  # label 0 is "=", which only the root takes
            allowed[cell[fixed], operation[fixed] + 1] = True
            allowed = torch.from_numpy(allowed.reshape(shape)).to(self.device)
        return Batch(inputs, BinaryTrees(lengths, self.labels, [0], allowed=allowed, max_leaves=MAX_LEAVES))

    def encode(self, structure: Sequence[Node], problem: TreeProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.ravel_multi_index(np.array(structure).T, shape)

    def decode(self, parts: Tensor) -> list[tuple[Node, ...]]:
        """parts [B, n, n, n, labels] -> the nodes of each tree, sorted."""
        nodes: list[list[Node]] = [[] for _ in range(len(parts))]
        for b, *node in torch.nonzero(parts > 0.5).tolist():
            nodes[b].append(tuple(node))
        return [tuple(sorted(n)) for n in nodes]


def lexicon_operations(lexicon: Lexicon, problems: Sequence[TreeProblem], parts: TreeParts) -> np.ndarray:
    """The operation that the lexicon fixes for each node -> int [nodes], index into OPERATIONS[1:], or -1."""
    gaps: list[str] = []  # before each leaf, and one more at the sentence's end
    leaves: list[str] = []
    for problem in problems:
        words = problem.mentions.sentence.words
        at = 0
        for trigger in problem.triggers:
            gaps.append(" ".join(words[at : trigger.first]))
            leaves.append(" ".join(words[trigger.first : trigger.last + 1]))
            at = trigger.last + 1
        gaps.append(" ".join(words[at:]))
    texts = list(dict.fromkeys([*gaps, *leaves]))
    number = {text: n for n, text in enumerate(texts)}
    gap = np.array([number[text] for text in gaps])
    leaf = np.array([number[text] for text in leaves])
    before = parts.left + parts.node[:, 0]  # each earlier sentence has one gap more than it has leaves
    shift = before - parts.left
    flags = np.column_stack([parts.left == parts.split, parts.split + 1 == parts.right])
    return lexicon.operations(
        texts, gap[before], gap[parts.split + 1 + shift], gap[parts.right + 1 + shift], leaf[parts.split],
        leaf[parts.split + 1], flags,
    )
