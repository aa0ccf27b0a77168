"""Step 8, annotated text -> `Parse`: the whole pipeline in one readable function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import nn

from eqparse.parser.limits import Limits, Reason, check_leaves, check_mentions, reason
from eqparse.parser.parse import Parse
from eqparse.stages.coreference import SAME, CoreferenceProblem, CoreferenceStage, rule_same_variable
from eqparse.stages.derivation import Node, tree_equation
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.refusal import EQUATION, RefusalStage
from eqparse.stages.tree import MAX_LEAVES, TreeProblem, TreeStage
from eqparse.stages.variable import VariableProblem, VariableStage
from eqparse.structured.spaces.output_space import feasible
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span
from eqparse.text.triggers import Trigger, trigger_list

MAX_WORK = 4_000_000  # features a batch may have, estimated; bounds memory at some hundred MB


class EquationParser(nn.Module):
    """Refusal stage, quantity stage, variable stage, coreference and tree stage, one after the other.

    coreference: the learned stage, or None for the paper's three rules. refusal: None where every sentence that can be
    parsed is taken to state an equation.
    """

    stages_apart = True
    """Whether each stage decides by itself, so that its own accuracy means something."""

    def __init__(
        self,
        *,
        quantity: QuantityStage,
        variable: VariableStage,
        tree: TreeStage,
        coreference: CoreferenceStage | None = None,
        refusal: RefusalStage | None = None,
        limits: Limits | None = None,
        batch_size: int = 128,
    ) -> None:
        super().__init__()
        self.quantity = quantity
        self.variable = variable
        self.tree = tree
        self.coreference = coreference
        self.refusal = refusal
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
        parses = iter([parse for batch in batches(able, self.batch_size) for parse in self._parse(batch)])
        return [refused(m, why) if why else next(parses) for m, why in zip(mentions, reasons, strict=True)]

    def states_equation(self, mentions: Sequence[Mentions]) -> list[bool]:
        """Whether the refusal stage takes each sentence to state an equation."""
        told = []
        for at in range(0, len(mentions), self.batch_size):
            batch = self.refusal.batch(mentions[at : at + self.batch_size])
            told += (batch.space.argmax(self.refusal.scores(batch)).parts[:, EQUATION] > 0.5).tolist()
        return told

    def _parse(self, mentions: list[Mentions]) -> list[Parse]:
        batch = self.quantity.batch(mentions)
        best = batch.space.argmax(self.quantity.scores(batch))
        quantities = self.quantity.decode(best.parts)
        score = best.value.cpu()

        problems = [VariableProblem(m, q) for m, q in zip(mentions, quantities, strict=True)]
        batch = self.variable.batch(problems)
        best = batch.space.argmax(self.variable.scores(batch))
        choices = self.variable.decode(problems, best.parts.argmax(1).tolist())
        score = score + best.value.cpu()

        labelled = self.label(mentions, choices, [len(q) for q in quantities])
        triggers = [trigger_list(m, q, v) for m, q, v in zip(mentions, quantities, labelled, strict=True)]
        parses: list[Parse | None] = [None] * len(mentions)
        sizes: dict[int, list[int]] = {}  # number of leaves -> problems: charts of one size need no padding
        for at, (m, leaves) in enumerate(zip(mentions, triggers, strict=True)):
            if why := check_leaves(len(leaves), self.limits):
                parses[at] = refused(m, why)
            elif len(leaves) < 2:
                parses[at] = refused(m, reason("no_equation", "one noun phrase and no number"))
            else:
                sizes.setdefault(len(leaves), []).append(at)
        for group in sizes.values():
            batch = self.tree.batch([TreeProblem(mentions[at], triggers[at]) for at in group])
            best = batch.space.argmax(self.tree.scores(batch))
            nodes, found = self.tree.decode(best.parts), feasible(best.value).tolist()
            for at, tree, value, there in zip(group, nodes, best.value.tolist(), found, strict=True):
                if there:
                    leaves, tree = self.tree.arrange(tree, triggers[at])
                    parses[at] = assemble(mentions[at], leaves, tree, float(score[at]) + value)
                else:
                    parses[at] = refused(mentions[at], reason("no_equation", "the lexicon allows no tree"))
        return parses

    def label(
        self, mentions: Sequence[Mentions], choices: Sequence[tuple[int, ...]], quantities: Sequence[int]
    ) -> list[list[tuple[str, int]]]:
        """Name the mentions: V1 and V2, or V1 twice where they are one variable."""
        pairs = [at for at, choice in enumerate(choices) if len(choice) == 2]
        same = dict.fromkeys(pairs, False)
        if pairs and self.coreference is not None:
            batch = self.coreference.batch(
                [CoreferenceProblem(mentions[at], choices[at], quantities[at]) for at in pairs]
            )
            chosen = batch.space.argmax(self.coreference.scores(batch)).parts[:, SAME]
            same = dict(zip(pairs, (chosen > 0.5).tolist(), strict=True))
        elif pairs:
            for at in pairs:
                first, second = (mentions[at].candidates[c] for c in choices[at])
                text = mentions[at].sentence.text
                same[at] = rule_same_variable(
                    text[first.start : first.end], text[second.start : second.end], same_phrase=first == second
                )
        return [
            list(zip(("V1", "V1" if same.get(at) else "V2"), choice, strict=False)) for at, choice in enumerate(choices)
        ]


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


def work(m: Mentions) -> int:
    """About how many features the pairs and the tree nodes of a sentence have: 60 and one a token between, for each."""
    leaves = min(len(m.quantities) + 2, MAX_LEAVES)
    parts = len(m.candidates) ** 2 // 2 + leaves**3 // 6
    return parts * (60 + len(m.sentence))


def refused(m: Mentions, why: Reason) -> Parse:
    """A parse without an equation."""
    return Parse(m.sentence.text, reason=why.text, reason_code=why.code, candidates=spans_of(m))


def spans_of(mentions: Mentions) -> tuple[Span, ...]:
    """The character spans of all candidates."""
    return tuple((c.start, c.end) for c in mentions.candidates)


def assemble(mentions: Mentions, triggers: tuple[Trigger, ...], nodes: tuple[Node, ...], score: float) -> Parse:
    """A parse from the leaves and the nodes of its tree."""
    variables: dict[str, tuple[Span, ...]] = {}
    for t in triggers:
        if t.label and (t.start, t.end) not in variables.get(t.label, ()):
            variables[t.label] = (*variables.get(t.label, ()), (t.start, t.end))
    equation = tree_equation(nodes, triggers)
    return Parse(
        mentions.sentence.text, equation, variables, triggers, nodes, score, candidates=spans_of(mentions)
    )
