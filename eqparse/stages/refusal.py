"""The refusal stage: does the sentence state the equation found for it? Ours; the paper's sentences all state one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.hashing import no_features, stack
from eqparse.scoring.features.naming import FeatureNames
from eqparse.scoring.features.refusal import refusal_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts, tree_features
from eqparse.stages.base import Batch, Stage
from eqparse.stages.derivation import NODE_LABELS, Node
from eqparse.stages.tree import TreeStage
from eqparse.structured.spaces.enumeration import OneOf
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger

NONE, EQUATION = 0, 1


@dataclass(frozen=True)
class RefusalProblem:
    """A sentence and the equation that the other stages found for it: its leaves and nodes, none if they found none."""

    mentions: Mentions
    triggers: tuple[Trigger, ...] = ()
    nodes: tuple[Node, ...] = ()


class RefusalStage(Stage):
    """Structure: NONE or EQUATION. Score: 0 for NONE, w . phi for EQUATION, where phi are features of the sentence and
    of each node of its answer. Loss: 1 for refusing a sentence that states an equation, `answer_cost` for answering
    one that states none.
    """

    name = "refusal"
    labels = 1 + len(NODE_LABELS)
    label_names = ("an equation", *NODE_LABELS)
    feature_groups = ("rich",)

    def __init__(self, *, groups: Collection[str], bits: int, answer_cost: float = 1.0) -> None:
        super().__init__(groups=groups, bits=bits)
        self.answer_cost = answer_cost

    @staticmethod
    def probes(mentions: Mentions) -> list[RefusalProblem]:
        """Each with every node that ends with the last leaf."""
        trees = [problem.triggers for problem in TreeStage.probes(mentions)]
        return [
            RefusalProblem(mentions, t, tuple((i, i, len(t) - 1, i % len(NODE_LABELS)) for i in range(len(t) - 1)))
            for t in trees
        ]

    def feature_names(self, problem: RefusalProblem, strings: Callable[[int], str | None]) -> FeatureNames:
        return FeatureNames(problem.mentions, strings, problem.triggers)

    def cost(self, gold: Tensor, gold_mask: Tensor) -> tuple[Tensor, Tensor]:
        cost, constant = super().cost(gold, gold_mask)
        return torch.where(gold.amax(1)[:, [NONE]] > 0, self.answer_cost * cost, cost), constant

    def batch(self, problems: Sequence[RefusalProblem]) -> Batch:
        mentions, answers = [p.mentions for p in problems], [p.triggers for p in problems]
        table = TokenTable(mentions)
        count = len(problems)
        parts = TreeParts.build(answers, table)
        number = {tuple(node): row for row, node in enumerate(parts.node.tolist())}
        nodes = [(number[(at, *node)], label, at) for at, p in enumerate(problems) for *node, label in p.nodes]
        chosen, label, owner = np.array(nodes, dtype=np.int64).reshape(-1, 3).T
        parts = parts.only(chosen)
        features = stack(
            refusal_features(mentions, answers, table, groups=self.groups),
            tree_features(table, parts, groups=self.groups),
        ) if self.hashed else no_features(count + len(nodes))
        sentence = np.arange(count)
        node = count + np.arange(len(nodes))
        entry = np.concatenate([sentence * self.labels, node * self.labels + 1 + label])
        part = 2 * np.concatenate([sentence, owner]) + EQUATION
        inputs = self.inputs(features, entry, part, (count, 2))
        return Batch(inputs, OneOf(torch.ones(count, 2, dtype=torch.bool, device=self.device)), problems, parts)

    def encode(self, structure: int, problem: RefusalProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([structure])

    def decode(self, parts: Tensor, problems: Sequence[RefusalProblem]) -> list[int]:
        """parts [B, 2] -> NONE or EQUATION."""
        return parts.argmax(1).tolist()
