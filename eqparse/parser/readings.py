"""The most probable readings of a sentence: the k best structures of every stage, scored by one normalised probability.

Each stage is a log-linear model over its own output space, given the choices of the stages before it; its scores are
divided by a temperature t, which calibration fits:

    log p = log p(Q) + log p(P | Q) + log p(same | Q, P) + log p(T | Q, P, same)
    log p(y) = f(x, y) / t - log sum_{y'} exp(f(x, y') / t)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from eqparse.parser.beam import MAX_CHARTS
from eqparse.parser.decode import refuse
from eqparse.parser.pipeline import MAX_WORK, EquationParser, chunks, work
from eqparse.stages.base import Stage
from eqparse.stages.coreference import PAIR, SAME, CoreferenceProblem, another, rules_say_same
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem
from eqparse.structured.spaces.output_space import feasible
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import Trigger, TriggerChoice, name_mentions


@dataclass(frozen=True, kw_only=True)
class Widths:
    """How many structures are kept of each stage, for each choice of the stages before it.

    starts: trigger lists of a sentence, for each of which trees are searched.
    least: a trigger list is left out if its probability is below this share of the best one's.
    """

    quantities: int = 3
    variables: int = 4
    trees: int = 3
    starts: int = 8
    least: float = 1e-2


class Reading(NamedTuple):
    """A way of reading a sentence, as far as the stages have gone.

    log_p: the sum of the stages' log-probabilities.
    steps: its terms.
    score: the sum of the stages' scores, as in `GroundedEquation`.
    choice: the quantities and the phrases, once it is known which phrases are the same variable.
    triggers: the leaves of the tree.
    """

    log_p: float = 0.0
    score: float = 0.0
    steps: tuple[float, ...] = ()
    quantities: tuple[int, ...] = ()
    phrases: tuple[int, ...] = ()
    choice: TriggerChoice = TriggerChoice((), ())
    triggers: tuple[Trigger, ...] = ()
    tree: Any = None

    def then(self, log_p: float, score: float = 0.0, **chosen: Any) -> Reading:
        """The reading with what the next stage chose."""
        return self._replace(
            log_p=self.log_p + log_p, score=self.score + score, steps=(*self.steps, log_p), **chosen
        )

    def named(self, log_p: float, *, same: bool) -> Reading:
        """The reading with its trigger list. same: whether two phrases are mentions of one variable."""
        return self.then(log_p, choice=TriggerChoice(self.quantities, name_mentions(self.phrases, same=same)))


Ranked = tuple[float, float, Any]
"""A structure of a stage: its log-probability, its score, and the structure itself."""


@torch.no_grad()
def k_best(stage: Stage, problems: Sequence[Any], k: int, *, temperature: float = 1.0) -> list[list[Ranked]]:
    """The k best structures of each problem of a stage, best first."""
    batch = stage.batch(problems)
    scores = stage.scores(batch).double() / temperature  # exact enough that no probability depends on the batch
    best = batch.space.kbest(scores, k)
    log_p = (best.value - batch.space.log_partition(scores)).T.tolist()
    values, there = (best.value * temperature).T.tolist(), feasible(best.value).T.tolist()
    structures = zip(*(stage.decode(parts, problems) for parts in best.parts), strict=True)
    return [
        [(p, v, y) for p, v, y, real in zip(*ranks, strict=True) if real]
        for ranks in zip(log_p, values, structures, there, strict=True)
    ]


class Search:
    """The search for readings with one parser, at the temperatures of its stages (1 for one that is not there)."""

    def __init__(self, parser: EquationParser, temperatures: Mapping[str, float], widths: Widths) -> None:
        self.parser = parser
        self.temperatures = temperatures
        self.widths = widths

    def readings(self, mentions: Sequence[Mentions]) -> list[list[Reading]]:
        """The most probable readings of each sentence, best first; those that a decoder may not answer are left out.

        mentions: sentences that have passed the limits.
        """
        found = self.with_phrases(mentions, self.with_quantities(mentions))
        return self.with_trees(mentions, self.resolved(mentions, found))

    def ranked(self, stage: str, problems: Sequence[Any], k: int) -> list[list[Ranked]]:
        """`k_best` of one of the parser's stages."""
        return k_best(getattr(self.parser, stage), problems, k, temperature=self.temperatures.get(stage, 1.0))

    def likely(self, found: Iterable[Reading]) -> list[Reading]:
        """The best readings, without those that are far less probable than the best."""
        best = sorted(found, key=lambda r: -r.log_p)[: self.widths.starts]
        return [r for r in best if r.log_p >= best[0].log_p + math.log(self.widths.least)]

    def with_quantities(self, mentions: Sequence[Mentions]) -> list[list[Reading]]:
        """The k best sets of quantities of each sentence."""
        most = 2 ** max(len(m.quantities) for m in mentions)
        sets = self.ranked("quantity", mentions, min(self.widths.quantities, most))
        return [self.likely(Reading(p, v, quantities=q) for p, v, q in best if q) for best in sets]

    def with_phrases(self, mentions: Sequence[Mentions], found: Sequence[Sequence[Reading]]) -> list[list[Reading]]:
        """The readings with their k best phrases."""
        longer: list[list[Reading]] = [[] for _ in mentions]
        readings = [(at, r) for at, old in enumerate(found) for r in old]
        for some in chunks(readings, max(1, MAX_WORK // max(map(work, mentions)))):
            problems = [VariableProblem(mentions[at], r.quantities) for at, r in some]
            for (at, r), best in zip(some, self.ranked("variable", problems, self.widths.variables), strict=True):
                longer[at] += [r.then(p, v, phrases=phrases) for p, v, phrases in best]
        return [self.likely(one) for one in longer]

    def resolved(self, mentions: Sequence[Mentions], found: Sequence[Sequence[Reading]]) -> list[list[Reading]]:
        """The readings with what the coreference stage, or the rules, say of their two phrases."""
        apart = [(0.0, False)]
        pairs = [(at, r) for at, old in enumerate(found) for r in old if len(r.phrases) == PAIR]
        if self.parser.coreference is not None and pairs:
            problems = [CoreferenceProblem(mentions[at], r.phrases, len(r.quantities)) for at, r in pairs]
            told = iter([
                apart if another(mentions[at], r.phrases) else [(p, y == SAME) for p, _, y in best]
                for (at, r), best in zip(pairs, self.ranked("coreference", problems, 2), strict=True)
            ])
        else:
            told = iter([[(0.0, rules_say_same(mentions[at], r.phrases))] for at, r in pairs])
        return [
            self.likely(
                r.named(p, same=same) for r in old for p, same in (next(told) if len(r.phrases) == PAIR else apart)
            )
            for old in found
        ]

    def with_trees(self, mentions: Sequence[Mentions], found: Sequence[Sequence[Reading]]) -> list[list[Reading]]:
        """The readings with their k best trees, best first."""
        sizes: dict[int, list[tuple[int, Reading]]] = {}  # number of leaves: charts of equal size need no padding
        for at, old in enumerate(found):
            for r in old:
                if refuse(r.choice, self.parser) is None:
                    sizes.setdefault(r.choice.leaves, []).append((at, r))
        whole: list[list[Reading]] = [[] for _ in mentions]
        for size, group in sorted(sizes.items()):
            charts = self.parser.tree.chart_size(size) * self.widths.trees
            for some in chunks(group, max(1, MAX_CHARTS // charts)):
                problems = [TreeProblem(mentions[at], r.choice.triggers(mentions[at])) for at, r in some]
                ranked = self.ranked("tree", problems, self.widths.trees)
                for (at, r), problem, trees in zip(some, problems, ranked, strict=True):
                    whole[at] += [r.then(p, v, triggers=problem.triggers, tree=tree) for p, v, tree in trees]
        return [sorted(one, key=lambda r: -r.log_p) for one in whole]
