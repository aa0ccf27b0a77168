"""The tree stage: the best projective equation tree over a trigger list (section 4.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from eqparse.equation.equation import Equation
from eqparse.errors import ConfigError
from eqparse.scoring.features.hashing import FeatureBuilder, Features, merge, no_features
from eqparse.scoring.features.naming import FeatureNames
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts, tree_features
from eqparse.stages.base import Batch, Stage
from eqparse.stages.derivation import NODE_LABELS, Node
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.rearranged import trees_that_say
from eqparse.stages.syntax import crosses_constituent
from eqparse.stages.variable import is_share, probe_pairs
from eqparse.structured.spaces.cky import BinaryTrees
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger, trigger_list

MAX_LEAVES = 12
LEXICON_USES = ("constraint", "feature")


@dataclass(frozen=True)
class TreeProblem:
    """A sentence and its trigger list, which has at least two triggers."""

    mentions: Mentions
    triggers: tuple[Trigger, ...]


class TreeStage(Stage):
    """Structure: the nodes of a tree. Each part is a node [i, k, j, label]. Loss: the nodes that are in no gold tree.

    lexicon: rules that give the operations of inner nodes, or None.
    lexicon_use: "constraint": they restrict the search for a parse, but not training, where they could forbid a gold
        tree; "feature": a feature of each node says which operation they give.
    syntactic: in the search for a parse, no node may cross a constituent (see `syntax.py`).
    """

    name = "tree"
    labels = len(NODE_LABELS)
    label_names = NODE_LABELS
    feature_groups = ("neighbourhood", "connecting", "number", "rich")
    max_leaves = MAX_LEAVES

    def __init__(
        self,
        *,
        groups: Collection[str],
        bits: int,
        lexicon: Lexicon | None = None,
        lexicon_use: str = "constraint",
        syntactic: bool = False,
    ) -> None:
        super().__init__(groups=groups, bits=bits)
        if lexicon_use not in LEXICON_USES:
            raise ConfigError(f"lexicon_use: expected one of {', '.join(LEXICON_USES)}; found {lexicon_use!r}")
        self.lexicon = lexicon
        self.lexicon_use = lexicon_use
        self.syntactic = syntactic

    @property
    def options(self) -> dict[str, Any]:
        known = {"lexicon_use": (self.lexicon_use, "constraint"), "syntactic": (self.syntactic, False)}
        return {name: value for name, (value, default) in known.items() if value != default}

    @staticmethod
    def probes(mentions: Mentions) -> list[TreeProblem]:
        every = range(len(mentions.quantities))
        return [
            TreeProblem(mentions, trigger_list(mentions, every, list(zip(("V1", "V2"), pair, strict=True))))
            for pair in probe_pairs(mentions)
        ]

    def feature_names(self, problem: TreeProblem, strings: Callable[[int], str | None]) -> FeatureNames:
        return FeatureNames(problem.mentions, strings, problem.triggers)

    def batch(self, problems: Sequence[TreeProblem]) -> Batch:
        table = TokenTable([p.mentions for p in problems])
        parts = TreeParts.build([p.triggers for p in problems], table)
        features = self.features(problems, table, parts)
        n = int(parts.size.max())
        shape = (len(problems), n, n, n, self.labels)
        b, i, k, j = parts.node.T
        cell = ((b * n + i) * n + k) * n + j
        every = np.arange(self.labels)
        entry = (np.arange(len(cell))[:, None] * self.labels + every).ravel()
        inputs = self.inputs(features, entry, (cell[:, None] * self.labels + every).ravel(), shape)
        lengths = torch.from_numpy(parts.size).to(self.device)
        allowed = self.allowed(problems, parts)
        if allowed is not None:
            grid = np.ones((math.prod(shape[:-1]), self.labels), dtype=bool)
            grid[cell] = allowed
            allowed = torch.from_numpy(grid.reshape(shape)).to(self.device)
        space = BinaryTrees(lengths, self.labels, [0], allowed=allowed, max_leaves=self.max_leaves)
        return Batch(inputs, space, problems, parts)

    def features(self, problems: Sequence[TreeProblem], table: TokenTable, parts: TreeParts) -> Features:
        """The features of each node."""
        if not self.hashed:
            return no_features(len(parts.node))
        features = tree_features(table, parts, groups=self.groups)
        if self.lexicon is None or self.lexicon_use != "feature":
            return features
        operation = lexicon_operations(self.lexicon, problems, parts)
        build = FeatureBuilder(features.rows, groups=("lexicon",))
        rows = np.flatnonzero(operation >= 0)
        build.add("lexicon:operation", rows, operation[rows])
        return merge(features, build.build())

    def allowed(self, problems: Sequence[TreeProblem], parts: TreeParts) -> np.ndarray | None:
        """Boolean [nodes, labels]: the labels allowed for each node in a parse; None for no limits, as in training."""
        if self.training:
            return None
        allowed = None
        if self.lexicon is not None and self.lexicon_use == "constraint":
            allowed = np.ones((len(parts.node), self.labels), dtype=bool)
            operation = lexicon_operations(self.lexicon, problems, parts)
            fixed = operation >= 0
            allowed[fixed, 1:] = False  # label 0 is "=", which only the root takes
            allowed[fixed, operation[fixed] + 1] = True
        if self.syntactic:
            free = ~crosses_constituent([(p.mentions.sentence, p.triggers) for p in problems], parts)
            allowed = free[:, None] & (True if allowed is None else allowed)
            allowed = np.broadcast_to(allowed, (len(parts.node), self.labels))
        return allowed

    def gold(self, equation: Equation, triggers: Sequence[Trigger]) -> tuple[Any, ...]:
        """The structures over the triggers that express the equation, in its own form if one does; or empty."""
        return trees_that_say(equation, triggers)

    def arrange(
        self, structure: Sequence[Node], triggers: Sequence[Trigger]
    ) -> tuple[tuple[Trigger, ...], tuple[Node, ...]]:
        """The leaves from left to right and the nodes of the structure over them."""
        return tuple(triggers), tuple(structure)

    def structure(
        self, leaves: Sequence[Trigger], nodes: Sequence[Node], triggers: Sequence[Trigger]
    ) -> tuple[Any, ...]:
        """The structure over the triggers that `arrange` makes these leaves and nodes of."""
        return tuple(nodes)

    @staticmethod
    def chart_size(leaves: int) -> int:
        """What the time and the memory of the search over so many leaves grow with."""
        return leaves**3

    def encode(self, structure: Sequence[Node], problem: TreeProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.ravel_multi_index(np.array(structure).T, shape)

    def decode(self, parts: Tensor, problems: Sequence[TreeProblem]) -> list[tuple[Node, ...]]:
        """parts [B, n, n, n, labels] -> the nodes of each tree, sorted."""
        nodes: list[list[Node]] = [[] for _ in range(len(parts))]
        for b, *node in torch.nonzero(parts > 0.5).tolist():
            nodes[b].append(tuple(node))
        return [tuple(sorted(n)) for n in nodes]


def lexicon_operations(lexicon: Lexicon, problems: Sequence[TreeProblem], parts: TreeParts) -> np.ndarray:
    """int [nodes]: the operation that the lexicon fixes for each node, as an index into NODE_LABELS[1:], or -1.

    If a node's children are not adjacent, which never happens in a projective tree, all the text between them is the
    middle; if one begins before the other ends, the lexicon says nothing, nor does it of an amount and a share of it.
    """
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
    between = gaps_between(problems, parts)
    silent = np.array([adds_share(p.triggers) for p in problems])[parts.node[:, 0]]
    texts = list(dict.fromkeys([*gaps, *leaves, *between.values()]))
    number = {text: n for n, text in enumerate(texts)}
    gap = np.array([number[text] for text in gaps])
    leaf = np.array([number[text] for text in leaves])
    before = parts.left + parts.node[:, 0]  # each earlier sentence has one gap more than it has leaves
    shift = before - parts.left
    flags = np.column_stack([parts.left == parts.split, parts.following == parts.right])
    middle = gap[parts.following + shift]
    middle[list(between)] = [number[text] for text in between.values()]
    operation = lexicon.operations(
        texts, gap[before], middle, gap[parts.top + 1 + shift], leaf[parts.split], leaf[parts.following], flags
    )
    return np.where((parts.following > parts.split) & ~silent, operation, -1)


def adds_share(triggers: Sequence[Trigger]) -> bool:
    """Whether an amount is taken together with a share of itself, though the text names it once ("20 % more than X").

    The words around then fix the operation of the two, and not that of the share, which multiplies.
    """
    twice = any((a.start, a.end, a.label) == (b.start, b.end, b.label) for a, b in pairwise(triggers))
    return twice and any(t.quantity is not None and is_share(t.quantity) for t in triggers)


def gaps_between(problems: Sequence[TreeProblem], parts: TreeParts) -> dict[int, str]:
    """Node -> the text between its children, for nodes whose children have other leaves between them."""
    base = np.cumsum(parts.size) - parts.size
    texts = {}
    for node in np.flatnonzero(parts.following > parts.split + 1).tolist():
        owner = int(parts.node[node, 0])
        triggers, words = problems[owner].triggers, problems[owner].mentions.sentence.words
        a, b = (triggers[int(leaves[node] - base[owner])] for leaves in (parts.split, parts.following))
        texts[node] = " ".join(words[a.last + 1 : b.first])
    return texts
