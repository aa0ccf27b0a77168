"""Step 8, text -> `Parse`: the whole pipeline in one readable function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import nn

from eqparse.coreference import rule_same_variable
from eqparse.corpus.example import Span
from eqparse.equation import Equation
from eqparse.gold import Node, tree_equation
from eqparse.mentions import Mentions
from eqparse.stages.coreference import SAME, CoreferenceProblem, CoreferenceStage
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.tree import TreeProblem, TreeStage
from eqparse.stages.variable import VariableProblem, VariableStage
from eqparse.triggers import Trigger, trigger_list


@dataclass(frozen=True)
class Limits:
    """What a sentence may hold; one that holds more is refused with a reason, never tried."""

    characters: int = 4000
    quantities: int = 60
    candidates: int = 150
    leaves: int = 12


@dataclass(frozen=True)
class Parse:
    """What the parser says of one text.

    equation: None where it finds none, and then `reason` says why. variables: label -> character spans of its mentions,
    end exclusive, in order of position. triggers, nodes: the leaves of the tree and its inner nodes (i, k, j, label).
    score: the sum of the stages' scores, comparable between parses of one text only. candidates: every span that could
    have grounded a variable.
    """

    text: str
    equation: Equation | None = None
    variables: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    triggers: tuple[Trigger, ...] = ()
    nodes: tuple[Node, ...] = ()
    score: float | None = None
    reason: str = ""
    candidates: tuple[Span, ...] = ()


class EquationParser(nn.Module):
    """Quantity stage, variable stage, coreference and tree stage, one after the other.

    coreference: the learned stage, or None for the paper's three rules.
    """

    def __init__(
        self,
        *,
        quantity: QuantityStage,
        variable: VariableStage,
        tree: TreeStage,
        coreference: CoreferenceStage | None = None,
        limits: Limits | None = None,
        batch_size: int = 128,
    ) -> None:
        super().__init__()
        self.quantity = quantity
        self.variable = variable
        self.tree = tree
        self.coreference = coreference
        self.limits = limits or Limits()
        self.batch_size = batch_size

    def refusal(self, m: Mentions) -> str:
        """Why a sentence cannot be parsed, or ""."""
        limits = self.limits
        if not m.sentence.text.strip():
            return "the text is empty"
        if not m.quantities:
            return "no number"
        if not m.candidates:
            return "no noun phrase"
        for name in ("quantities", "candidates"):
            found, most = len(getattr(m, name)), getattr(limits, name)
            if found > most:
                return f"too long: {found} {name}, and the limit is {most}"
        return ""

    @torch.no_grad()
    def parse_mentions(self, mentions: Sequence[Mentions]) -> list[Parse]:
        """Parse annotated sentences, in order."""
        refusals = [self.refusal(m) for m in mentions]
        able = [m for m, r in zip(mentions, refusals, strict=True) if not r]
        parses = iter(self._parse(able) if able else ())
        return [
            Parse(m.sentence.text, reason=r, candidates=spans_of(m)) if r else next(parses)
            for m, r in zip(mentions, refusals, strict=True)
        ]

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
        trees = []
        for at, (m, leaves) in enumerate(zip(mentions, triggers, strict=True)):
            if len(leaves) > self.limits.leaves:
                reason = f"too long: {len(leaves)} leaves, and the limit is {self.limits.leaves}"
                parses[at] = Parse(m.sentence.text, reason=reason, candidates=spans_of(m))
            else:
                trees.append(at)
        if trees:
            batch = self.tree.batch([TreeProblem(mentions[at], triggers[at]) for at in trees])
            best = batch.space.argmax(self.tree.scores(batch))
            nodes = self.tree.decode(best.parts)
            for at, tree, value in zip(trees, nodes, best.value.tolist(), strict=True):
                parses[at] = assemble(mentions[at], triggers[at], tree, float(score[at]) + value)
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
    return Parse(mentions.sentence.text, equation, variables, triggers, nodes, score, "", spans_of(mentions))
