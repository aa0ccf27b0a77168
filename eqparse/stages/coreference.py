"""The coreference stage: are two variable mentions one variable? Learned; the paper's rules are the other choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from eqparse.scoring.features.coreference import coreference_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.stages.base import Batch, Stage
from eqparse.stages.variable import probe_pairs
from eqparse.structured.spaces.enumeration import OneOf
from eqparse.text.mentions import Mentions

DIFFERENT, SAME = 0, 1

# A phrase that speaks of two things ("the two jars") can ground two variables at once.
TWO = re.compile(r"(?<![\w.,-])(?:two|2)(?![\w-]|[.,]\d)", re.IGNORECASE)
BACK_REFERENCE = re.compile(r"(?<![\w-])(?:itself|the\s+same\s+number)(?![\w-])", re.IGNORECASE)


@dataclass(frozen=True)
class CoreferenceProblem:
    """Two candidates (perhaps the same one) that ground two mentions, and how many quantities count."""

    mentions: Mentions
    pair: tuple[int, int]
    quantities: int


class CoreferenceStage(Stage):
    """Structure: DIFFERENT or SAME. Score: 0 for different, w . phi for same. Loss: 1 for the wrong one."""

    name = "coreference"
    label_names = ("one variable",)
    feature_groups = ("rich",)

    @staticmethod
    def probes(mentions: Mentions) -> list[CoreferenceProblem]:
        return [CoreferenceProblem(mentions, pair, len(mentions.quantities)) for pair in probe_pairs(mentions)]

    def batch(self, problems: Sequence[CoreferenceProblem]) -> Batch:
        table = TokenTable([p.mentions for p in problems])
        pairs = [(*p.mentions.candidates[p.pair[0]][:2], *p.mentions.candidates[p.pair[1]][:2]) for p in problems]
        features = coreference_features(table, pairs, [p.quantities for p in problems], groups=self.groups)
        rows = np.arange(len(problems))
        inputs = self.inputs(features, rows, 2 * rows + SAME, (len(problems), 2))
        return Batch(inputs, OneOf(torch.ones(len(problems), 2, dtype=torch.bool, device=self.device)))

    def encode(self, structure: int, problem: CoreferenceProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([structure])


def rule_same_variable(first: str, second: str, *, same_phrase: bool) -> bool:
    """Return whether the variable mentions `first` and `second`, in text order, are one variable.

    Args:
        first: the phrase that starts earlier in the sentence.
        second: the phrase that starts later, or the same one again.
        same_phrase: whether both mentions are one noun phrase (one span), not merely equal words.

    One phrase is one variable unless it says "two" or "2"; two phrases are one variable if the later one says
    "itself" or "the same number"; any other pair is two variables. Case is ignored, words match whole.
    """
    if same_phrase:
        return TWO.search(first) is None
    return BACK_REFERENCE.search(second) is not None
