"""The coreference stage: are two variable mentions the same variable? Either learned, or by the paper's rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.coreference import coreference_features
from eqparse.scoring.features.hashing import no_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.stages.base import Batch, Stage
from eqparse.stages.variable import probe_pairs
from eqparse.structured.spaces.enumeration import OneOf
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Groundings, name_mentions

DIFFERENT, SAME = 0, 1
PAIR = 2  # mentions of variables; with fewer there is nothing to decide

NAME = string_id("NNP")

# A phrase that speaks of two things ("the two jars") can ground two variables at once.
TWO = re.compile(r"(?<![\w.,-])(?:two|2)(?![\w-]|[.,]\d)", re.IGNORECASE)
BACK_REFERENCE = re.compile(r"(?<![\w-])(?:itself|the\s+same\s+number)(?![\w-])", re.IGNORECASE)

ANOTHER = re.compile(r"(?:another|(?:the\s)?other|(?:the|a)\ssecond|a\sdifferent)(?![\w-])", re.IGNORECASE)
"""Begins a phrase for a second variable, whatever the first one is."""


@dataclass(frozen=True)
class CoreferenceProblem:
    """Two candidates (perhaps the same one) that ground two mentions, and the number of relevant quantities."""

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
        features = (
            coreference_features(table, pairs, [p.quantities for p in problems], groups=self.groups) if self.hashed
            else no_features(len(problems))
        )
        rows = np.arange(len(problems))
        inputs = self.inputs(features, rows, 2 * rows + SAME, (len(problems), 2))
        return Batch(inputs, OneOf(torch.ones(len(problems), 2, dtype=torch.bool, device=self.device)), problems)

    def encode(self, structure: int, problem: CoreferenceProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([structure])

    def decode(self, parts: Tensor, problems: Sequence[CoreferenceProblem]) -> list[int]:
        """parts [B, 2] -> DIFFERENT or SAME."""
        return parts.argmax(1).tolist()


def coreference_of(groundings: Groundings) -> int | None:
    """SAME or DIFFERENT, or None unless there are exactly two mentions."""
    if len(groundings) != PAIR:
        return None
    return SAME if len({label for label, _ in groundings}) == 1 else DIFFERENT


def resolve(
    stage: CoreferenceStage | None,
    mentions: Sequence[Mentions],
    phrases: Sequence[tuple[int, ...]],
    quantities: Sequence[int],
) -> list[Groundings]:
    """Name the variable mentions of each sentence V1 and V2, or V1 twice if they are the same variable.

    stage: the stage that decides, or None for the paper's rules.
    quantities: the number of relevant quantities of each sentence.
    """
    pairs = [at for at, chosen in enumerate(phrases) if len(chosen) == PAIR]
    same: dict[int, bool] = {}
    if pairs and stage is not None:
        found, _ = stage.argmax([CoreferenceProblem(mentions[at], phrases[at], quantities[at]) for at in pairs])
        same = {
            at: one == SAME and not another(mentions[at], phrases[at])
            for at, one in zip(pairs, found, strict=True)
        }
    else:
        same = {at: rules_say_same(mentions[at], phrases[at]) for at in pairs}
    return [name_mentions(chosen, same=same.get(at, False)) for at, chosen in enumerate(phrases)]


def another(mentions: Mentions, pair: Sequence[int]) -> bool:
    """Whether the later phrase says that it stands for a second variable, or both are names, and not the same one."""
    first, second = (mentions.candidates[c] for c in pair)
    names = all(c.first == c.last and mentions.sentence.tag[c.first] == NAME for c in (first, second))
    told = names and mentions.sentence.words[first.first] != mentions.sentence.words[second.first]
    return told or ANOTHER.match(phrase_text(mentions, pair[1])) is not None


def rules_say_same(mentions: Mentions, pair: Sequence[int]) -> bool:
    """`rule_same_variable` for two candidates."""
    first, second = (phrase_text(mentions, c) for c in pair)
    return rule_same_variable(first, second, same_phrase=pair[0] == pair[1])


def phrase_text(mentions: Mentions, candidate: int) -> str:
    """The words of a candidate."""
    found = mentions.candidates[candidate]
    return mentions.sentence.text[found.start : found.end]


def rule_same_variable(first: str, second: str, *, same_phrase: bool) -> bool:
    """Whether the variable mentions `first` and `second`, in text order, are the same variable.

    A single phrase is one variable unless it contains "two" or "2"; two phrases are one variable if the later one
    contains "itself" or "the same number"; any other pair is two variables. Case is ignored; only whole words match.

    first: the phrase that starts earlier in the sentence.
    second: the phrase that starts later, or the same one again.
    same_phrase: whether both mentions are the same noun phrase (one span), not merely equal words.
    """
    if same_phrase:
        return TWO.search(first) is None
    return BACK_REFERENCE.search(second) is not None
