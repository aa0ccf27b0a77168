"""The refusal stage: does the sentence state an equation at all? Ours; every sentence of the paper states one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.hashing import no_features
from eqparse.scoring.features.refusal import refusal_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.stages.base import Batch, Stage
from eqparse.structured.spaces.enumeration import OneOf
from eqparse.text.mentions import Mentions

NONE, EQUATION = 0, 1


class RefusalStage(Stage):
    """Structure: NONE or EQUATION. Score: 0 for NONE, w . phi for EQUATION. Loss: 1 for refusing a sentence that states
    an equation, `answer_cost` for answering one that states none.
    """

    name = "refusal"
    label_names = ("an equation",)
    feature_groups = ("rich",)

    def __init__(self, *, groups: Collection[str], bits: int, answer_cost: float = 1.0) -> None:
        super().__init__(groups=groups, bits=bits)
        self.answer_cost = answer_cost

    def cost(self, gold: Tensor, gold_mask: Tensor) -> tuple[Tensor, Tensor]:
        cost, constant = super().cost(gold, gold_mask)
        return torch.where(gold.amax(1)[:, [NONE]] > 0, self.answer_cost * cost, cost), constant

    def batch(self, problems: Sequence[Mentions]) -> Batch:
        features = (
            refusal_features(problems, TokenTable(problems), groups=self.groups) if self.hashed
            else no_features(len(problems))
        )
        rows = np.arange(len(problems))
        inputs = self.inputs(features, rows, 2 * rows + EQUATION, (len(problems), 2))
        return Batch(inputs, OneOf(torch.ones(len(problems), 2, dtype=torch.bool, device=self.device)), problems)

    def encode(self, structure: int, problem: Mentions, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([structure])

    def decode(self, parts: Tensor, problems: Sequence[Mentions]) -> list[int]:
        """parts [B, 2] -> NONE or EQUATION."""
        return parts.argmax(1).tolist()
