"""Joint inference: the best trigger list and tree together, rather than one stage after the other (section 6.3).

The score of a sentence's equation is the sum of the stages' scores, all searched at once:

    f(x, Q, P, T) = sum_{q in Q} f_quantity(q) + f_variable(P | Q) + f_tree(T | Q, P)

Trigger lists (Q, P) are enumerated first, best first by their own part of the score; a beam of them gets its best tree,
and the best sum wins. That is exact where the beam holds every trigger list of the sentence. Whether two phrases are
one variable is decided beforehand, as in the pipeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from eqparse.parser.limits import check_leaves, reason
from eqparse.parser.parse import Parse
from eqparse.parser.pipeline import MAX_WORK, EquationParser, assemble, refused, work
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.structured.spaces.beam import keep_best
from eqparse.structured.spaces.output_space import feasible
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import trigger_list
from eqparse.training.evaluate import chunks
from eqparse.training.gold import Gold
from eqparse.training.train import phrase_choices

MAX_CHARTS = 200_000  # cells of the charts of a batch


@dataclass(frozen=True)
class TriggerChoice:
    """A trigger list, not yet laid out: indices of quantities, (label, candidate) of each mention of a variable."""

    quantities: tuple[int, ...]
    uses: tuple[tuple[str, int], ...]

    @property
    def leaves(self) -> int:
        return len(self.quantities) + len(self.uses)

    @property
    def phrases(self) -> tuple[int, ...]:
        return tuple(candidate for _, candidate in self.uses)


@dataclass(frozen=True)
class Enumerated:
    """The trigger lists that a beam leaves of a sentence, best first, with their scores.

    exact: whether they are all that the sentence has.
    """

    choices: tuple[TriggerChoice, ...]
    scores: tuple[float, ...]
    exact: bool


class JointParser(EquationParser):
    """The pipeline's stages, searched together. beam: how many trigger lists of a sentence get a tree."""

    stages_apart = False

    def __init__(self, *, beam: int = 30, **stages) -> None:
        super().__init__(**stages)
        self.beam = beam

    def _parse(self, mentions: list[Mentions]) -> list[Parse]:
        found = enumerate_choices(self, mentions, beam=self.beam)
        best: list[Parse | None] = [None] * len(mentions)
        sizes: dict[int, list[tuple[int, TriggerChoice, float]]] = {}
        for at, lists in enumerate(found):
            for choice, score in zip(lists.choices, lists.scores, strict=True):
                sizes.setdefault(choice.leaves, []).append((at, choice, score))
        totals: dict[tuple[int, TriggerChoice], tuple[float, tuple, tuple]] = {}
        for size, group in sorted(sizes.items()):
            for some in chunks(group, max(1, MAX_CHARTS // size**3)):
                triggers = [trigger_list(mentions[at], c.quantities, c.uses) for at, c, _ in some]
                owners = [mentions[at] for at, _, _ in some]
                batch = self.tree.batch([TreeProblem(m, t) for m, t in zip(owners, triggers, strict=True)])
                trees = batch.space.argmax(self.tree.scores(batch))
                values = zip(self.tree.decode(trees.parts), trees.value.tolist(), feasible(trees.value), strict=True)
                for (at, choice, score), leaves, (nodes, value, there) in zip(some, triggers, values, strict=True):
                    if there:
                        totals[at, choice] = (score + value, leaves, nodes)
        for at, (m, lists) in enumerate(zip(mentions, found, strict=True)):
            trees = [totals[at, c] for c in lists.choices if (at, c) in totals]
            if trees:
                score, leaves, nodes = max(trees, key=lambda tree: tree[0])  # of equal ones the earlier in the beam
                best[at] = assemble(m, leaves, nodes, score)
            elif lists.choices:
                best[at] = refused(m, reason("no_equation", "the lexicon allows no tree"))
            else:
                least = f"{len(m.quantities)} numbers, none of which can be left out within the beam"
                best[at] = refused(m, check_leaves(len(m.quantities) + 1, self.limits) or reason("no_equation", least))
        return best


@torch.no_grad()
def enumerate_choices(
    parser: EquationParser, mentions: Sequence[Mentions], *, beam: int, gold: Sequence[Gold] | None = None
) -> list[Enumerated]:
    """The `beam` best trigger lists of each sentence by their quantity and variable scores.

    Of more than `beam` sets of quantities only the `beam` best are looked at. With gold the task loss of quantities and
    phrases is added to the score, for training. Lists of more leaves than the chart holds are left out.
    """
    sets = _quantity_sets(parser, mentions, beam, gold)
    problems = [(at, VariableProblem(m, q), value) for at, m in enumerate(mentions) for q, value in sets[at]]
    ranked: list[list[tuple[float, tuple[int, ...], tuple[int, ...]]]] = [[] for _ in mentions]
    counts = [2 ** len(m.quantities) - 1 <= beam for m in mentions]
    phrases = [structures(m) for m in mentions]
    golds = [{tuple(p) for p in phrase_choices(g)} for g in gold] if gold is not None else None
    at_once = max(1, MAX_WORK // max(work(m) for m in mentions))
    for some in chunks(problems, at_once):
        batch = parser.variable.batch([problem for _, problem, _ in some])
        scores = parser.variable.scores(batch)
        if golds is not None:
            cost = np.zeros(scores.shape, dtype=np.float32)
            for row, (at, _, _) in enumerate(some):
                cost[row, : len(phrases[at])] = [p not in golds[at] for p in phrases[at]]
            scores = scores + torch.from_numpy(cost).to(scores)
        kept = keep_best(scores, batch.space.mask, beam=beam)
        values = scores.gather(1, kept.index).tolist()
        rows = zip(some, values, kept.index.tolist(), kept.mask.tolist(), kept.exact.tolist(), strict=True)
        for (at, problem, outer), value, index, mask, exact in rows:
            counts[at] = counts[at] and exact
            chosen = [(v, i) for v, i, there in zip(value, index, mask, strict=True) if there]
            ranked[at] += [(outer + v, problem.quantities, phrases[at][i]) for v, i in chosen]
    return _labelled(parser, mentions, ranked, counts, beam)


def _quantity_sets(parser, mentions, beam, gold) -> list[list[tuple[tuple[int, ...], float]]]:
    """The best sets of quantities of each sentence, with their scores."""
    batch = parser.quantity.batch(mentions)
    scores = parser.quantity.scores(batch)
    constant = scores.new_zeros(len(mentions))
    if gold is not None:
        right = torch.zeros_like(scores)
        for row, g in enumerate(gold):
            right[row, list(g.quantities[0])] = 1
        scores, constant = scores + 1 - 2 * right, right.sum(1)
    most = max(2 ** len(m.quantities) - 1 for m in mentions)
    best = batch.space.kbest(scores, min(beam, most))
    rows = [parser.quantity.decode(parts) for parts in best.parts]
    values, there = (best.value + constant).tolist(), feasible(best.value).tolist()
    return [
        [(rows[k][b], values[k][b]) for k in range(len(rows)) if there[k][b]] for b in range(len(mentions))
    ]


def _labelled(parser, mentions, ranked, counts, beam) -> list[Enumerated]:
    """The best of all lists of a sentence, their phrases named V1 and V2."""
    result = []
    for m, lists, covered in zip(mentions, ranked, counts, strict=True):
        lists = [entry for entry in lists if not check_leaves(len(entry[1]) + len(entry[2]), parser.limits)]
        order = sorted(range(len(lists)), key=lambda n: -lists[n][0])[:beam]
        chosen = [lists[n] for n in order]
        uses = parser.label([m] * len(chosen), [p for _, _, p in chosen], [len(q) for _, q, _ in chosen])
        choices = tuple(TriggerChoice(q, tuple(u)) for (_, q, _), u in zip(chosen, uses, strict=True))
        result.append(Enumerated(choices, tuple(v for v, _, _ in chosen), covered and len(lists) <= beam))
    return result
