"""The coreference stage: are two variable mentions one variable? Learned; the paper's rules are the other choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from eqparse.features.coreference import coreference_features
from eqparse.features.tokens import TokenTable
from eqparse.inference.enumeration import OneOf
from eqparse.mentions import Mentions
from eqparse.stages.base import Batch, Stage

DIFFERENT, SAME = 0, 1


@dataclass(frozen=True)
class CoreferenceProblem:
    """Two candidates (perhaps the same one) that ground two mentions, and how many quantities count."""

    mentions: Mentions
    pair: tuple[int, int]
    quantities: int


class CoreferenceStage(Stage):
    """Structure: DIFFERENT or SAME. Score: 0 for different, w . phi for same. Loss: 1 for the wrong one."""

    name = "coreference"
    labels = 1

    def batch(self, problems: Sequence[CoreferenceProblem]) -> Batch:
        table = TokenTable([p.mentions for p in problems])
        pairs = [(*p.mentions.candidates[p.pair[0]][:2], *p.mentions.candidates[p.pair[1]][:2]) for p in problems]
        features = coreference_features(table, pairs, [p.quantities for p in problems], groups=self.groups)
        rows = np.arange(len(problems))
        inputs = self.inputs(features, rows, 2 * rows + SAME, (len(problems), 2))
        return Batch(inputs, OneOf(torch.ones(len(problems), 2, dtype=torch.bool, device=self.device)))

    def encode(self, structure: int, problem: CoreferenceProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([structure])
