"""Joint inference: the best trigger list and tree together, rather than one stage after the other (section 6.3).

The score of a sentence's equation is the sum of the stages' scores, and all stages are searched at once:

    f(x, Q, P, T) = sum_{q in Q} f_quantity(q) + f_variable(P | Q) + f_tree(T | Q, P)

Trigger lists (Q, P) are enumerated first, in descending order of their own part of the score. The best tree is found
for each list in the beam, and the highest sum wins. The search is exact if the beam holds every trigger list of the
sentence. Whether two phrases are the same variable is decided before the tree is searched, as in the pipeline.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from eqparse.parser.decode import NO_TREE, grounded, refuse
from eqparse.parser.limits import Reason, check_leaves, reason
from eqparse.parser.parse import GroundedEquation
from eqparse.parser.pipeline import MAX_WORK, EquationParser, chunks, work
from eqparse.stages.coreference import resolve
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.structured.spaces.beam import keep_best
from eqparse.structured.spaces.output_space import feasible
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import TriggerChoice

MAX_CHARTS = 200_000  # trees searched at once, times the size of their charts; bounds memory


class GoldTriggers(NamedTuple):
    """The gold answer that the loss of a trigger list is measured against.

    quantities: indices of a gold set of quantities.
    phrases: the gold structures of the variable stage.
    """

    quantities: Sequence[int]
    phrases: Collection[tuple[int, ...]]


@dataclass(frozen=True)
class TriggerBeam:
    """The trigger lists of a sentence that the beam kept.

    choices: the lists, best first.
    scores: the score of each list.
    exact: whether these are all the trigger lists that the sentence has.
    """

    choices: tuple[TriggerChoice, ...]
    scores: tuple[float, ...]
    exact: bool


class BeamDecoder:
    """Searches the stages together. beam: how many trigger lists of a sentence a tree is searched for."""

    stages_apart = False

    def __init__(self, *, beam: int = 30) -> None:
        self.beam = beam

    def decode(self, parser: EquationParser, mentions: Sequence[Mentions]) -> list[GroundedEquation | Reason]:
        beams = best_triggers(parser, mentions, beam=self.beam)
        best: dict[int, tuple[float, int, TreeProblem, Any]] = {}
        sizes: dict[int, list[tuple[int, int]]] = {}  # number of leaves -> (sentence, rank in its beam)
        for at, found in enumerate(beams):
            for rank, choice in enumerate(found.choices):
                sizes.setdefault(choice.leaves, []).append((at, rank))
        for size, group in sorted(sizes.items()):
            for some in chunks(group, max(1, MAX_CHARTS // parser.tree.chart_size(size))):
                problems = [
                    TreeProblem(mentions[at], beams[at].choices[rank].triggers(mentions[at])) for at, rank in some
                ]
                trees, values = parser.tree.argmax(problems)
                rows = zip(some, problems, trees, values.tolist(), feasible(values).tolist(), strict=True)
                for (at, rank), problem, tree, value, there in rows:
                    total = beams[at].scores[rank] + value
                    # of equal scores, the earlier in the beam wins
                    if there and (at not in best or (total, -rank) > (best[at][0], -best[at][1])):
                        best[at] = (total, rank, problem, tree)
        return [
            self._answer(parser, beams[at], *best[at]) if at in best else self._reason(parser, m, beams[at])
            for at, m in enumerate(mentions)
        ]

    @staticmethod
    def _answer(
        parser: EquationParser, found: TriggerBeam, total: float, rank: int, problem: TreeProblem, tree: Any
    ) -> GroundedEquation | Reason:
        return refuse(found.choices[rank], parser) or grounded(parser, problem, tree, total)

    @staticmethod
    def _reason(parser: EquationParser, m: Mentions, found: TriggerBeam) -> Reason:
        """Why a sentence has no tree."""
        if found.choices:
            return NO_TREE
        least = f"{len(m.quantities)} numbers, none of which can be left out within the beam"
        return check_leaves(len(m.quantities) + 1, parser.limits) or reason("no_equation", least)


@torch.no_grad()
def best_triggers(
    parser: EquationParser, mentions: Sequence[Mentions], *, beam: int, gold: Sequence[GoldTriggers] | None = None
) -> list[TriggerBeam]:
    """The `beam` best trigger lists of each sentence by their quantity and variable scores.

    If there are more than `beam` sets of quantities, only the `beam` best are considered. If `gold` is given, the task
    loss of quantities and phrases is added to the score, for training. Lists with more leaves than the parser's limit
    are left out.
    """
    sets = _quantity_sets(parser, mentions, beam, gold)
    problems = [(at, VariableProblem(m, q), value) for at, m in enumerate(mentions) for q, value in sets[at]]
    ranked: list[list[tuple[float, tuple[int, ...], tuple[int, ...]]]] = [[] for _ in mentions]
    covered = [2 ** len(m.quantities) - 1 <= beam for m in mentions]
    phrases = [structures(m) for m in mentions]
    at_once = max(1, MAX_WORK // max(work(m) for m in mentions))
    for some in chunks(problems, at_once):
        batch = parser.variable.batch([problem for _, problem, _ in some])
        scores = parser.variable.scores(batch)
        if gold is not None:
            cost = np.zeros(scores.shape, dtype=np.float32)
            for row, (at, _, _) in enumerate(some):
                known = phrases[at][: scores.shape[1]]
                cost[row, : len(known)] = [p not in gold[at].phrases for p in known]
            scores = scores + torch.from_numpy(cost).to(scores)
        kept = keep_best(scores, batch.space.mask, beam=beam)
        values = scores.gather(1, kept.index).tolist()
        rows = zip(some, values, kept.index.tolist(), kept.mask.tolist(), kept.exact.tolist(), strict=True)
        for (at, problem, outer), value, index, mask, exact in rows:
            covered[at] = covered[at] and exact
            chosen = [(v, i) for v, i, there in zip(value, index, mask, strict=True) if there]
            ranked[at] += [(outer + v, problem.quantities, phrases[at][i]) for v, i in chosen]
    return _resolved(parser, mentions, ranked, covered, beam)


def _quantity_sets(parser, mentions, beam, gold) -> list[list[tuple[tuple[int, ...], float]]]:
    """The best sets of quantities of each sentence, with their scores."""
    batch = parser.quantity.batch(mentions)
    scores = parser.quantity.scores(batch)
    constant = scores.new_zeros(len(mentions))
    if gold is not None:
        right = torch.zeros_like(scores)
        for row, g in enumerate(gold):
            right[row, list(g.quantities)] = 1
        scores, constant = scores + 1 - 2 * right, right.sum(1)
    most = max(2 ** len(m.quantities) - 1 for m in mentions)
    best = batch.space.kbest(scores, min(beam, most))
    rows = [parser.quantity.decode(parts, mentions) for parts in best.parts]
    values, there = (best.value + constant).tolist(), feasible(best.value).tolist()
    return [
        [(rows[k][b], values[k][b]) for k in range(len(rows)) if there[k][b]] for b in range(len(mentions))
    ]


def _resolved(parser, mentions, ranked, covered, beam) -> list[TriggerBeam]:
    """The best trigger lists of each sentence, with their phrases named V1 and V2."""
    result = []
    for m, lists, all_there in zip(mentions, ranked, covered, strict=True):
        lists = [entry for entry in lists if not check_leaves(len(entry[1]) + len(entry[2]), parser.limits)]
        order = sorted(range(len(lists)), key=lambda n: -lists[n][0])[:beam]
        chosen = [lists[n] for n in order]
        count = len(chosen)
        named = resolve(parser.coreference, [m] * count, [p for _, _, p in chosen], [len(q) for _, q, _ in chosen])
        choices = tuple(TriggerChoice(q, groundings) for (_, q, _), groundings in zip(chosen, named, strict=True))
        result.append(TriggerBeam(choices, tuple(v for v, _, _ in chosen), all_there and len(lists) <= beam))
    return result
