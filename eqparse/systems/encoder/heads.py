"""The heads: from the states of a sentence to the scores of a stage's rows, which are those of its hashed features.

A head takes a batch of a stage's problems, with their layout (where the rows lie in the text), and returns
[rows, labels]. Adding them up to the scores of parts is the stage's business, as with hashed features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import linear, one_hot

from eqparse.scoring.encoder.encoder import Encoder, Marks, States
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.variable_parts import VariableParts, sources
from eqparse.stages.base import Stage
from eqparse.stages.coreference import CoreferenceProblem
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, relevance
from eqparse.systems.encoder.node_flags import FLAGS, MANY, node_flags
from eqparse.systems.encoder.numbers import WIDTH, NumberEmbedding
from eqparse.text.mentions import Mentions

HIDDEN = 128
SOURCES = 32  # the ways in which a candidate is found are hashed to so many
MARK = {"": 1, "V1": 2, "V2": 3}  # of a number that counts, and of a variable's phrase


def perceptron(inputs: int, outputs: int, *, hidden: int = HIDDEN) -> nn.Sequential:
    """A layer of hidden units between inputs and outputs."""
    return nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Dropout(0.1), nn.Linear(hidden, outputs))


class Head(nn.Module):
    """A stage's head. The encoder is shared with the other heads, so it is no part of this module."""

    def __init__(self, encoder: Encoder, *, labels: int) -> None:
        super().__init__()
        self._encoder = (encoder,)  # in a tuple, where torch does not look for modules
        self.labels = labels

    @property
    def encoder(self) -> Encoder:
        return self._encoder[0]

    def forward(self, problems: Sequence[Any], layout: Any) -> Tensor:
        """[rows, labels]."""
        mentions = [p if isinstance(p, Mentions) else p.mentions for p in problems]
        marks = None if self.encoder.marks is None else [self.marks(p) for p in problems]
        states = self.encoder([m.sentence for m in mentions], marks)
        states = replace(states, pieces=states.pieces.to(next(self.parameters()).dtype))
        return self.rows(states, mentions, problems, layout)

    def marks(self, problem: Any) -> Marks:
        """What the stages before have found, marked in the text where the encoder reads marks."""
        return ()

    def rows(self, states: States, mentions: Sequence[Mentions], problems: Sequence[Any], layout: Any) -> Tensor:
        raise NotImplementedError

    def index(self, array: np.ndarray) -> Tensor:
        """An index array on the encoder's device."""
        return torch.from_numpy(np.ascontiguousarray(array, dtype=np.int64)).to(self.encoder.device)


class RefusalHead(Head):
    """Rows: sentences, from their first piece and the mean of all; and the nodes of their answers, which score 0."""

    def __init__(self, encoder: Encoder, *, labels: int) -> None:
        super().__init__(encoder, labels=labels)
        self.score = perceptron(2 * encoder.width, labels)

    def rows(self, states, mentions, problems, layout) -> Tensor:
        mean = states.mean(states.start, states.stop)
        sentences = self.score(torch.cat([states.pieces[states.start], mean], dim=-1))
        return torch.cat([sentences, sentences.new_zeros(len(layout.node), self.labels)])


class QuantityHead(Head):
    """Rows: quantities, from their first and last piece, and their kind."""

    def __init__(self, encoder: Encoder, *, labels: int) -> None:
        super().__init__(encoder, labels=labels)
        self.number = NumberEmbedding()
        self.score = perceptron(2 * encoder.width + WIDTH, labels)

    def rows(self, states, mentions, problems, layout) -> Tensor:
        first, last = quantity_pieces(self, states, mentions)
        numbers = self.number([q for m in mentions for q in m.quantities])
        return self.score(torch.cat([states.pieces[first], states.pieces[last], numbers], dim=-1))


class VariableHead(Head):
    """Rows: candidates, pairs and sentences; a candidate from its ends, its neighbours and the numbers that count."""

    def __init__(self, encoder: Encoder, *, labels: int) -> None:
        super().__init__(encoder, labels=labels)
        self.source = nn.Embedding(SOURCES, 16)
        self.phrase = nn.Linear(5 * encoder.width + 16 + 2, HIDDEN)
        self.alone = nn.Linear(HIDDEN, labels)
        self.pair = perceptron(3 * HIDDEN, labels)
        self.sentence = nn.Linear(2 * encoder.width, labels)

    def marks(self, problem: VariableProblem) -> Marks:
        """The numbers that count."""
        return tuple((*problem.mentions.quantity_tokens[at], MARK[""]) for at in problem.quantities)

    def rows(self, states, mentions, problems: Sequence[VariableProblem], layout: VariableParts) -> Tensor:
        used = relevance(problems)
        start, stop = quantity_pieces(self, states, mentions)
        owner = self.index(np.repeat(np.arange(len(mentions)), [len(m.quantities) for m in mentions]))
        counts = torch.from_numpy(used).to(owner.device)
        numbers = mean_of(states.pieces[start[counts]], owner[counts], len(mentions))
        a, b, of = (self.index(x) for x in (layout.a, layout.b, layout.owner))
        first, last = states.first[self.index(layout.first)], states.last[self.index(layout.last)]
        source = self.source(self.index(sources(mentions) % np.uint64(SOURCES)))
        before, after = (first - 1).clamp(min=0), (last + 1).clamp(max=len(states.pieces) - 1)
        inside = overlaps(first, last, of, start, stop, owner, counts)
        phrase = torch.tanh(self.phrase(torch.cat(
            [*(states.pieces[at] for at in (first, last, before, after)), numbers[of], source, inside], dim=-1
        )))
        of_a, of_b, of_both = self.pair[0].weight.split(HIDDEN, dim=1)
        both = linear(phrase[a] * phrase[b], of_both, self.pair[0].bias)
        hidden = (phrase @ of_a.T)[a] + (phrase @ of_b.T)[b] + both
        pair = self.pair[1:](hidden)  # as of [a, b, a * b] side by side, but a phrase is multiplied once
        sentence = self.sentence(torch.cat([states.pieces[states.start], numbers], dim=-1))
        return torch.cat([self.alone(phrase), pair, sentence])


class CoreferenceHead(Head):
    """Rows: pairs of phrases, from their ends and whether they are one phrase."""

    def __init__(self, encoder: Encoder, *, labels: int) -> None:
        super().__init__(encoder, labels=labels)
        self.score = perceptron(5 * encoder.width + 2 + MANY, labels)

    def rows(self, states, mentions, problems: Sequence[CoreferenceProblem], layout) -> Tensor:
        base = TokenTable(mentions).base
        spans = np.array([
            [(c.first, c.last) for c in (p.mentions.candidates[at] for at in p.pair)] for p in problems
        ]) + base[:, None, None]
        ends = self.index(spans)
        same = self.index(np.array([p.pair[0] == p.pair[1] for p in problems]))
        many = self.index(np.array([min(p.quantities, MANY - 1) for p in problems]))
        pieces = [states.pieces[x] for phrase in (0, 1) for x in (
            states.first[ends[:, phrase, 0]], states.last[ends[:, phrase, 1]]
        )]
        flags = torch.cat([one_hot(same, 2), one_hot(many, MANY)], dim=-1).float()
        return self.score(torch.cat([*pieces, states.pieces[states.start], flags], dim=-1))


class TreeHead(Head):
    """Rows: nodes, from the leaves at the ends of their children, the text between these, and what stands around.

    A child that is not a span has the ends of the one that it lies in; where the two interleave, nothing is between.
    """

    def __init__(self, encoder: Encoder, *, labels: int) -> None:
        super().__init__(encoder, labels=labels)
        width = encoder.width
        self.number = NumberEmbedding()
        self.variable = nn.Embedding(2, WIDTH)
        self.leaf = nn.Linear(2 * width + WIDTH, HIDDEN)
        self.between, self.around = nn.Linear(width, HIDDEN), nn.Linear(width, HIDDEN)
        self.node = perceptron(7 * HIDDEN + len(FLAGS), labels, hidden=2 * HIDDEN)

    def marks(self, problem: TreeProblem) -> Marks:
        """The leaves."""
        return tuple((t.first, t.last, MARK[t.label]) for t in problem.triggers)

    def rows(self, states, mentions, problems: Sequence[TreeProblem], layout) -> Tensor:
        leaves = [t for p in problems for t in p.triggers]
        is_number = torch.tensor([t.quantity is not None for t in leaves]).to(self.encoder.device)
        known = states.pieces.new_zeros(len(leaves), WIDTH)
        known[is_number] = self.number([t.quantity for t in leaves if t.quantity is not None])
        labels = [int(t.label == "V2") for t in leaves if t.quantity is None]
        known[~is_number] = self.variable(torch.tensor(labels, dtype=torch.long).to(self.encoder.device))
        first, last = states.first[self.index(layout.first)], states.last[self.index(layout.last)]
        leaf = self.leaf(torch.cat([states.pieces[first], states.pieces[last], known], dim=-1))
        left, split, following, right, top = (
            self.index(getattr(layout, name)) for name in ("left", "split", "following", "right", "top")
        )
        around = self.around(states.pieces)
        between = states.mean(last[split] + 1, first[following], self.between(states.pieces))
        outside = around[(first[left] - 1).clamp(min=0)], around[(last[top] + 1).clamp(max=len(around) - 1)]
        flags = torch.from_numpy(node_flags(layout)).to(leaf)
        *ends, rest = self.node[0].weight.split([HIDDEN] * 4 + [3 * HIDDEN + len(FLAGS)], dim=1)
        hidden = linear(torch.cat([between, *outside, flags], dim=-1), rest, self.node[0].bias)
        for at, weight in zip((left, split, following, right), ends, strict=True):
            hidden = hidden + (leaf @ weight.T)[at]  # as of all side by side, but a leaf is multiplied once
        return self.node[1:](hidden)


HEADS: dict[str, type[Head]] = {
    "refusal": RefusalHead,
    "quantity": QuantityHead,
    "variable": VariableHead,
    "coreference": CoreferenceHead,
    "tree": TreeHead,
}
"""Stage -> its head."""


def make_head(stage: Stage, encoder: Encoder) -> Head:
    """An untrained head for a stage."""
    return HEADS[stage.name](encoder, labels=stage.labels)


def quantity_pieces(head: Head, states: States, mentions: Sequence[Mentions]) -> tuple[Tensor, Tensor]:
    """int64 [quantities], twice: the first and last piece of each quantity."""
    base = np.repeat(TokenTable(mentions).base, [len(m.quantities) for m in mentions])
    spans = np.array([s for m in mentions for s in m.quantity_tokens], dtype=np.int64).reshape(-1, 2) + base[:, None]
    return states.first[head.index(spans[:, 0])], states.last[head.index(spans[:, 1])]


def mean_of(rows: Tensor, owner: Tensor, count: int) -> Tensor:
    """[count, width]: the mean of each owner's rows, 0 where it has none."""
    total = rows.new_zeros(count, rows.shape[1]).index_add(0, owner, rows)
    return total / torch.bincount(owner, minlength=count).clamp(min=1).unsqueeze(1)


def overlaps(
    first: Tensor, last: Tensor, of: Tensor, start: Tensor, stop: Tensor, owner: Tensor, used: Tensor
) -> Tensor:
    """[candidates, 2]: whether a candidate's pieces overlap a number that counts, and one that does not."""
    meet = (first[:, None] <= stop) & (start <= last[:, None]) & (of[:, None] == owner)
    return torch.stack([(meet & used).any(1), (meet & ~used).any(1)], dim=1).float()
