"""Step 8, annotated text -> `Parse`: limits, refusal stage, and the stages that a decoder searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import nn

from eqparse.parser.decode import Decoder, Greedy
from eqparse.parser.limits import Limits, Reason, check_mentions, reason
from eqparse.parser.parse import Parse
from eqparse.stages.coreference import CoreferenceStage
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.refusal import EQUATION, RefusalStage
from eqparse.stages.tree import MAX_LEAVES, TreeStage
from eqparse.stages.variable import VariableStage
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span
from eqparse.text.triggers import MAX_VARIABLE_MENTIONS

MAX_WORK = 4_000_000  # features a batch may have, estimated; bounds memory at some hundred MB


class EquationParser(nn.Module):
    """The stages of `eqparse.stages.registry`, and the decoder that searches them.

    coreference: the learned stage, or None for the paper's three rules. refusal: None where every sentence that can be
    parsed is taken to state an equation.
    """

    def __init__(
        self,
        *,
        quantity: QuantityStage,
        variable: VariableStage,
        tree: TreeStage,
        coreference: CoreferenceStage | None = None,
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
        self.refusal = refusal
        self.decoder = decoder or Greedy()
        self.limits = limits or Limits()
        self.batch_size = batch_size

    @torch.no_grad()
    def parse_mentions(self, mentions: Sequence[Mentions]) -> list[Parse]:
        """Parse annotated sentences, in order."""
        reasons = [check_mentions(m, self.limits) for m in mentions]
        able = [m for m, why in zip(mentions, reasons, strict=True) if why is None]
        if self.refusal is not None and able:
            told = iter(self.states_equation(able))
            reasons = [why if why is not None or next(told) else reason("no_equation") for why in reasons]
            able = [m for m, why in zip(mentions, reasons, strict=True) if why is None]
        found = iter([
            answer for batch in batches(able, self.batch_size) for answer in self.decoder.decode(self, batch)
        ])
        answers = [why or next(found) for why in reasons]
        return [
            refused(m, answer) if isinstance(answer, Reason)
            else Parse(m.sentence.text, (answer,), candidates=spans_of(m))
            for m, answer in zip(mentions, answers, strict=True)
        ]

    def states_equation(self, mentions: Sequence[Mentions]) -> list[bool]:
        """Whether the refusal stage takes each sentence to state an equation."""
        told = [one for some in chunks(mentions, self.batch_size) for one in self.refusal.argmax(some)[0]]
        return [one == EQUATION for one in told]


def batches(mentions: Sequence[Mentions], size: int) -> Iterator[list[Mentions]]:
    """Runs of at most `size` sentences and `MAX_WORK` features together, unless one sentence alone has more."""
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
    """About how many features the pairs and the tree nodes of a sentence have: 60 and one a token between, for each."""
    leaves = min(len(m.quantities) + MAX_VARIABLE_MENTIONS, MAX_LEAVES)
    parts = len(m.candidates) ** 2 // 2 + leaves**3 // 6
    return parts * (60 + len(m.sentence))


def refused(m: Mentions, why: Reason) -> Parse:
    """A parse without an equation."""
    return Parse(m.sentence.text, reason=why.text, reason_code=why.code, candidates=spans_of(m))


def spans_of(mentions: Mentions) -> tuple[Span, ...]:
    """The character spans of all candidates."""
    return tuple((c.start, c.end) for c in mentions.candidates)
