"""The relation stage: which of the most probable relations is the one that is stated? Ours.

A reranker (Collins, Discriminative Reranking for Natural Language Parsing, ICML 2000): its features see a whole
equation, which no other stage does. It learns from the relations that parsers find for sentences that they were not
trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.naming import FeatureNames
from eqparse.scoring.features.relation import WholeEquation, relation_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.stages.base import Batch, Stage
from eqparse.stages.derivation import NODE_LABELS, Node
from eqparse.stages.tree import TreeStage
from eqparse.structured.spaces.enumeration import OneOf
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger


@dataclass(frozen=True)
class Candidate:
    """A relation in its most probable form.

    log_p: the logarithm of its probability.
    steps: the log-probabilities of each stage's decision for that form.
    """

    triggers: tuple[Trigger, ...]
    nodes: tuple[Node, ...]
    log_p: float
    steps: tuple[float, ...] = ()


@dataclass(frozen=True)
class RelationProblem:
    """A sentence and the relations that it may state, most probable first; at least one."""

    mentions: Mentions
    candidates: tuple[Candidate, ...]


class RelationStage(Stage):
    """Structure: the index of a candidate. Loss: 1 for a relation that is not the one stated."""

    name = "relation"
    label_names = ("the relation",)
    feature_groups = ("rich",)

    @staticmethod
    def probes(mentions: Mentions) -> list[RelationProblem]:
        """All triggers of a sentence under two trees that branch to the right, the second less probable."""
        found = []
        for triggers in (problem.triggers for problem in TreeStage.probes(mentions)):
            last = len(triggers) - 1
            trees = [
                tuple((i, i, last, (i and 1 + (i + shift) % (len(NODE_LABELS) - 1))) for i in range(last))
                for shift in (0, 1)
            ]
            steps = [(-0.1,), (-2.2, -0.3)]
            found.append(RelationProblem(
                mentions, tuple(Candidate(triggers, t, sum(s), s) for t, s in zip(trees, steps, strict=True))
            ))
        return found

    def feature_names(self, problem: RelationProblem, strings: Callable[[int], str | None]) -> FeatureNames:
        return FeatureNames(problem.mentions, strings, [t for c in problem.candidates for t in c.triggers])

    def batch(self, problems: Sequence[RelationProblem]) -> Batch:
        mentions = [p.mentions for p in problems]
        equations = [
            WholeEquation(
                at, c.triggers, c.nodes, [NODE_LABELS[label] for *_, label in c.nodes],
                (c.log_p - p.candidates[0].log_p, *c.steps),
            )
            for at, p in enumerate(problems) for c in p.candidates
        ]
        features = relation_features(equations, mentions, TokenTable(mentions), groups=self.groups)
        sizes = np.array([len(p.candidates) for p in problems])
        mask = np.arange(sizes.max()) < sizes[:, None]
        row = np.arange(len(equations))
        inputs = self.inputs(features, row, np.flatnonzero(mask), mask.shape)
        return Batch(inputs, OneOf(torch.from_numpy(mask).to(self.device)), problems)

    def encode(self, structure: int, problem: RelationProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([structure])

    def decode(self, parts: Tensor, problems: Sequence[RelationProblem]) -> list[int]:
        """parts [B, P] -> the index of a candidate."""
        return parts.argmax(1).tolist()
