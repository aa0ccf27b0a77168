"""Step 8, from annotated text to `Parse`: the limits, the stages that a decoder searches, and the refusal stage."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from eqparse.parser.calibration import Calibration
from eqparse.parser.confidence import DIGITS, judged
from eqparse.parser.decode import Decoder, Greedy
from eqparse.parser.limits import Limits, Reason, check_mentions, reason
from eqparse.parser.parse import GroundedEquation, Parse
from eqparse.parser.rules.unsaid import unsaid
from eqparse.scoring.encoder.encoder import remembering
from eqparse.stages.base import Stage
from eqparse.stages.coreference import CoreferenceStage
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.refusal import EQUATION, NONE, RefusalProblem, RefusalStage
from eqparse.stages.relation import RelationStage
from eqparse.stages.tree import MAX_LEAVES, TreeStage
from eqparse.stages.variable import VariableStage
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span
from eqparse.text.triggers import MAX_VARIABLE_MENTIONS

MAX_WORK = 4_000_000  # estimated features in a batch, at most; keeps memory to a few hundred MB


class EquationParser(nn.Module):
    """The stages of `eqparse.stages.registry`, and the decoder that searches them.

    coreference: the learned stage, or None for the paper's three rules.
    relation: the stage that chooses among the most probable relations, or None to take the most probable; only the
        decoder `NBest` asks it.
    refusal: the stage that decides whether a sentence states the equation found, or None to assume that all do.
    decoder: by default `Greedy`.
    limits: how large a sentence may be.
    batch_size: how many sentences are parsed at once, at most.
    encoder: what the stages' heads share, if they have heads; see `eqparse.systems.encoder`.
    """

    def __init__(
        self,
        *,
        quantity: QuantityStage,
        variable: VariableStage,
        tree: TreeStage,
        coreference: CoreferenceStage | None = None,
        relation: RelationStage | None = None,
        refusal: RefusalStage | None = None,
        decoder: Decoder | None = None,
        limits: Limits | None = None,
        batch_size: int = 128,
    ) -> None:
        super().__init__()
        self.quantity = quantity
        self.variable = variable
        self.tree = tree
        self.coreference = coreference
        self.relation = relation
        self.refusal = refusal
        self.encoder: nn.Module | None = None
        self.decoder = decoder or Greedy()
        self.limits = limits or Limits()
        self.batch_size = batch_size

    @property
    def calibration(self) -> Calibration | None:
        """What makes probabilities of the scores; None if none was fitted, and so there is no confidence either."""
        found = getattr(self.decoder, "calibration", None)
        return found if found is not None and found.sentences else None

    @property
    def stages(self) -> dict[str, Stage]:
        """The stages that the parser has, by name."""
        return {name: part for name, part in self.named_children() if isinstance(part, Stage)}

    @torch.no_grad()
    def parse_mentions(self, mentions: Sequence[Mentions]) -> list[Parse]:
        """The parses of annotated sentences, in their order."""
        with remembering():
            return self._parse_mentions(mentions)

    def _parse_mentions(self, mentions: Sequence[Mentions]) -> list[Parse]:
        reasons = [check_mentions(m, self.limits) for m in mentions]
        able = [m for m, why in zip(mentions, reasons, strict=True) if why is None]
        found = self.answers(able)
        margins = self.refusal_margins(able, found)
        parses = iter([self._parse(*each) for each in zip(able, found, margins, strict=True)])
        return [next(parses) if why is None else refused(m, why) for m, why in zip(mentions, reasons, strict=True)]

    def _parse(self, m: Mentions, answer: GroundedEquation | Reason, margin: float) -> Parse:
        """The parse of a sentence within the limits; margin: see `refusal_margins`."""
        if isinstance(answer, Reason):
            return refused(m, answer)
        parse = Parse(m.sentence.text, (replace(answer, weighed=()),), candidates=spans_of(m))
        if self.calibration is None:
            return parse if margin > 0 else refused(m, reason("no_equation"))
        parse = judged(parse, answer.weighed, self.calibration, margin)
        if self.refusal is None or parse.confidence >= self.calibration.least:
            return parse
        return replace(refused(m, reason("no_equation")), confidence=round(1 - parse.confidence, DIGITS))

    def refusal_margins(
        self, mentions: Sequence[Mentions], answers: Sequence[GroundedEquation | Reason]
    ) -> list[float]:
        """How much higher the refusal stage scores each answer than none; infinite without that stage."""
        if self.refusal is None:
            return [math.inf] * len(answers)
        problems = [refusal_problem(m, answer) for m, answer in zip(mentions, answers, strict=True)]
        scores = [self.refusal.scores(self.refusal.batch(some)) for some in chunks(problems, self.batch_size)]
        return [value for some in scores for value in (some[:, EQUATION] - some[:, NONE]).tolist()]

    @torch.no_grad()
    def answers(self, mentions: Sequence[Mentions]) -> list[GroundedEquation | Reason]:
        """The best equation of each sentence within the limits, whether or not the sentence states it."""
        found = [one for some in batches(mentions, self.batch_size) for one in self.decoder.decode(self, some)]
        return [unsaid(m.sentence.text, one) or one for m, one in zip(mentions, found, strict=True)]


def refusal_problem(mentions: Mentions, answer: GroundedEquation | Reason) -> RefusalProblem:
    """The problem of the refusal stage for a sentence and the answer to it."""
    found = () if isinstance(answer, Reason) else (answer.triggers, answer.nodes)
    return RefusalProblem(mentions, *found)


def batches(mentions: Sequence[Mentions], size: int) -> Iterator[list[Mentions]]:
    """Yield batches of at most `size` sentences and `MAX_WORK` features; a sentence with more is a batch by itself."""
    batch, total = [], 0
    for m in mentions:
        cost = work(m)
        if batch and (len(batch) == size or total + cost > MAX_WORK):
            yield batch
            batch, total = [], 0
        batch.append(m)
        total += cost
    if batch:
        yield batch


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """The items in pieces of at most `size`."""
    return [items[at : at + size] for at in range(0, len(items), size)]


def work(m: Mentions) -> int:
    """Estimate of the features of a sentence: for each pair of phrases and tree node, 60 and one for each token."""
    leaves = min(len(m.quantities) + MAX_VARIABLE_MENTIONS, MAX_LEAVES)
    parts = len(m.candidates) ** 2 // 2 + leaves**3 // 6
    return parts * (60 + len(m.sentence))


def refused(m: Mentions, why: Reason) -> Parse:
    """A parse without an equation."""
    return Parse(m.sentence.text, reason=why.text, reason_code=why.code, candidates=spans_of(m))


def spans_of(mentions: Mentions) -> tuple[Span, ...]:
    """The character spans of all candidates."""
    return tuple((c.start, c.end) for c in mentions.candidates)
