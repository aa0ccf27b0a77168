"""The variable stage: which noun phrase, or which two, the variables are grounded in (section 4.2).

The paper has one or two mentions of variables in an equation. "The fee is 20 % higher than the fine" mentions three,
V1 = V2 + (0.2 * V2), one of its two phrases twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from eqparse.errors import ConfigError
from eqparse.scoring.features.hashing import no_features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.variable import variable_features
from eqparse.scoring.features.variable_parts import VariableParts
from eqparse.stages.base import Batch, Stage
from eqparse.stages.phrases import pairs_of, structure, structures
from eqparse.structured.spaces.enumeration import OneOf
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions
from eqparse.text.quantities import Quantity
from eqparse.text.triggers import MAX_VARIABLE_MENTIONS
from eqparse.text.wholes import compared_whole

PLURAL = frozenset(map(string_id, ("NNS", "NNPS")))
SEVERAL = frozenset("two 2 both pair twins couple each either and they them we us these those".split())

ALONE, FIRST, SECOND, BOTH, LATER_TWICE, EARLIER_TWICE = range(6)
"""Labels: a phrase that grounds the only mention, the first of two, the second of two, or both of two; and what is
added to the score of a pair if its later phrase, or its earlier one, is mentioned twice."""


@dataclass(frozen=True)
class VariableProblem:
    """A sentence with at least one candidate, and its relevant quantities."""

    mentions: Mentions
    quantities: tuple[int, ...]


class VariableStage(Stage):
    """Structure: (c,) or (c, d), candidates in order of position; (c, c) where one phrase grounds two mentions; and
    (c, d, d) or (c, c, d), of three mentions, where a number that counts is a share (below 1, or a percentage).

    Each structure is one part, and exactly one is chosen; two candidates of which one contains the other are not a
    structure. Score: the phrases under their labels, the pair, and the sentence; with three mentions also the phrase
    that is mentioned twice, the pair and the sentence under its label. Loss: 1 for a structure that is not gold.

    In the search for a parse, no phrase is a part of what is compared as a whole ("than Kim and Lee together"), and
    one phrase grounds two mentions only if it speaks of several things ("two jars", "they"), or if a number that counts
    is a share or a multiplier, as in "a number and its double".

    max_mentions: 2 leaves out structures of three mentions, as in the paper.

    overlap: whether a phrase may overlap a relevant quantity. If not, the search for a parse considers only the
        structures with the fewest phrases that do, which is none in most sentences. Training is not affected, since
        the limit could forbid a gold structure.
    """

    name = "variable"
    labels = 6
    label_names = (
        "the only phrase", "first phrase", "second phrase", "both phrases", "later phrase twice", "earlier phrase twice"
    )
    feature_groups = ("variable", "neighbourhood", "rich")

    def __init__(
        self, *, groups: Collection[str], bits: int, overlap: bool = True,
        max_mentions: int = MAX_VARIABLE_MENTIONS,
    ) -> None:
        super().__init__(groups=groups, bits=bits)
        if max_mentions not in (2, 3):
            raise ConfigError(f"variable stage: expected max_mentions of 2 or 3, found {max_mentions!r}")
        self.overlap = overlap
        self.max_mentions = max_mentions

    @property
    def options(self) -> dict[str, Any]:
        known = {"overlap": (self.overlap, True), "max_mentions": (self.max_mentions, MAX_VARIABLE_MENTIONS)}
        return {name: value for name, (value, default) in known.items() if value != default}

    @staticmethod
    def probes(mentions: Mentions) -> list[VariableProblem]:
        return [VariableProblem(mentions, (0,)), VariableProblem(mentions, tuple(range(len(mentions.quantities))))]

    def batch(self, problems: Sequence[VariableProblem]) -> Batch:
        mentions = [p.mentions for p in problems]
        table = TokenTable(mentions)
        parts = VariableParts.build(mentions, table)
        features = (
            variable_features(mentions, table, parts, relevance(problems), groups=self.groups) if self.hashed
            else no_features(len(parts.owner) + len(parts.a) + len(problems))
        )
        three = np.array([self.holds_three(p) for p in problems])
        inputs, mask = self._assemble(parts, features, three)
        if not self.training:
            mask &= one_phrase_for_two(problems, mask.shape[1])
            mask &= no_part_of_a_whole(problems, mask.shape[1])
            if not self.overlap:
                mask &= fewest_overlaps(problems, mask.shape[1])
        return Batch(inputs, OneOf(torch.from_numpy(mask).to(self.device)), problems, parts)

    def holds_three(self, problem: VariableProblem) -> bool:
        """Whether structures of three mentions are among those of a problem."""
        return self.max_mentions > 2 and any(is_share(problem.mentions.quantities[q]) for q in problem.quantities)

    def _assemble(self, parts: VariableParts, features, three: np.ndarray):
        count = len(three)
        singles, pairs = len(parts.owner), len(parts.a)
        apart = np.flatnonzero((parts.a != parts.b) & three[parts.pair_owner])  # pairs of which one may be twice
        owner = np.concatenate([parts.owner, parts.pair_owner, *[parts.pair_owner[apart]] * 2])
        order = np.argsort(owner, kind="stable")  # a problem's parts: its candidates, pairs, threes
        totals = np.bincount(owner, minlength=count)
        width = int(totals.max())
        base = np.cumsum(totals) - totals
        part = np.empty(len(owner), dtype=np.int64)
        part[order] = np.arange(len(owner)) - base[owner[order]] + owner[order] * width
        single, pair = part[:singles], part[singles : singles + pairs]
        later, earlier = part[singles + pairs :].reshape(2, -1)
        both = parts.a == parts.b
        label = np.where(both, BOTH, FIRST)
        sentence = singles + pairs
        rows = [
            (np.arange(singles), ALONE, single),
            (sentence + parts.owner, ALONE, single),
            (parts.a, label, pair),
            (parts.b[~both], SECOND, pair[~both]),
            (singles + np.arange(pairs), label, pair),
            (sentence + parts.pair_owner, label, pair),
        ]
        for twice, phrase, target in ((LATER_TWICE, parts.b, later), (EARLIER_TWICE, parts.a, earlier)):
            rows += [
                (parts.a[apart], FIRST, target),
                (parts.b[apart], SECOND, target),
                (phrase[apart], twice, target),
                *[(singles + apart, one, target) for one in (FIRST, twice)],
                *[(sentence + parts.pair_owner[apart], one, target) for one in (FIRST, twice)],
            ]
        entry = np.concatenate([row * self.labels + label for row, label, _ in rows])
        target = np.concatenate([target for _, _, target in rows])
        mask = np.arange(width) < totals[:, None]
        return self.inputs(features, entry, target, mask.shape), mask

    def encode(self, structure: tuple[int, ...], problem: VariableProblem, shape: tuple[int, ...]) -> np.ndarray:
        return np.array([structures(problem.mentions).index(structure)], dtype=np.int64)

    def decode(self, parts: Tensor, problems: Sequence[VariableProblem]) -> list[tuple[int, ...]]:
        """parts [B, structures] -> the structure of each problem."""
        return [structure(p.mentions, c) for p, c in zip(problems, parts.argmax(1).tolist(), strict=True)]


def is_share(quantity: Quantity) -> bool:
    """Whether a number may be the share of an amount by which another one is larger or smaller."""
    return quantity.unit == "%" or 0 < quantity.value < 1


def probe_pairs(mentions: Mentions) -> list[tuple[int, ...]]:
    """Three pairs of a sentence's phrases: one phrase that grounds both mentions, and two pairs that lie apart."""
    pairs = [choice for choice in structures(mentions) if len(choice) == 2]
    two = [pair for pair in pairs if pair[0] != pair[1]]
    return [pairs[0], two[0], two[-1]]


def one_phrase_for_two(problems: Sequence[VariableProblem], width: int) -> np.ndarray:
    """bool [B, width]: false for a structure in which one phrase grounds two mentions, and nothing says that it may."""
    allowed = np.ones((len(problems), width), dtype=bool)
    for row, problem in zip(allowed, problems, strict=True):
        m = problem.mentions
        used = [m.quantities[q] for q in problem.quantities]
        if any(is_share(q) or q.kind == "multiplier" for q in used):
            continue
        pairs = np.equal(*pairs_of(m)).nonzero()[0] + len(m.candidates)  # one for each candidate, in their order
        row[[at for candidate, at in enumerate(pairs.tolist()) if not is_several(m, candidate)]] = False
    return allowed


def no_part_of_a_whole(problems: Sequence[VariableProblem], width: int) -> np.ndarray:
    """bool [B, width]: false for a structure with a part of what the only number compares as a whole."""
    allowed = np.ones((len(problems), width), dtype=bool)
    for row, problem in zip(allowed, problems, strict=True):
        m = problem.mentions
        numbers = [m.quantities[q] for q in problem.quantities]
        whole = compared_whole(m.sentence.text, numbers[0].end) if len(numbers) == 1 else None
        if whole is not None:
            parts = {n for n, c in enumerate(m.candidates) if whole.is_cut_by(c.start, c.end)}
            fits = [parts.isdisjoint(choice) for choice in structures(m)[:width]]
            row[: len(fits)] = fits if any(fits) else True
    return allowed


def is_several(mentions: Mentions, candidate: int) -> bool:
    """Whether a phrase speaks of several things."""
    first, last = mentions.candidates[candidate][:2]
    sentence = mentions.sentence
    return bool(PLURAL.intersection(sentence.tag[first : last + 1].tolist())) or not SEVERAL.isdisjoint(
        sentence.words[first : last + 1]
    )


def fewest_overlaps(problems: Sequence[VariableProblem], width: int) -> np.ndarray:
    """bool [B, width]: whether a structure has the fewest phrases that overlap a relevant quantity."""
    allowed = np.zeros((len(problems), width), dtype=bool)
    for row, problem in zip(allowed, problems, strict=True):
        m = problem.mentions
        used = [m.quantities[q] for q in problem.quantities]
        over = [any(c.start < q.end and q.start < c.end for q in used) for c in m.candidates]
        counts = np.array([sum(over[c] for c in set(choice)) for choice in structures(m)[:width]])
        row[: len(counts)] = counts == counts.min()
    return allowed


def relevance(problems: Sequence[VariableProblem]) -> np.ndarray:
    """bool [quantities]: which quantities of the batch are relevant."""
    flags = [np.zeros(len(p.mentions.quantities), dtype=bool) for p in problems]
    for flag, problem in zip(flags, problems, strict=True):
        flag[list(problem.quantities)] = True
    return np.concatenate(flags)
