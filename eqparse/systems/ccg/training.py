"""Training of the CCG parser: averaged MIRA with hidden derivations, and entries learnt from the right equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eqparse.corpus.example import Example
from eqparse.errors import DataError
from eqparse.parser.limits import Limits
from eqparse.systems.ccg.category import BINARY, Meaning, canonical, meaning_of, pieces
from eqparse.systems.ccg.chart import Item
from eqparse.systems.ccg.lexicon import NUMBER, Edge, Feature, Lexicon, Template, masked_words, template_edge
from eqparse.systems.ccg.parser import CcgParser, check_sentence
from eqparse.text.mentions import Mentions
from eqparse.training.options import StageOptions
from eqparse.training.train import Progress, Training

INVENTED: Feature = ("invented",)
INITIAL: dict[Feature, float] = {("skip",): -0.5, INVENTED: -1.0}
SEED_ENTRY = 0.5
"""Weights before training: skipping a word has a cost, using a seed entry has a reward. Using an invented entry has a
cost that training does not change: it serves to choose among such entries and has no effect on parses."""
MAX_PHRASE = 2  # tokens in a learnt entry, at most


def train_ccg(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    beam: int,
    epochs: int,
    induce: bool,
    options: StageOptions | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **others: Any,
) -> Training:
    """Train on the sentences with an equation by averaged MIRA, a perceptron with a margin, with hidden derivations.

    beam: how many constituents a chart cell keeps.
    epochs: passes over the sentences, at most.
    induce: learn entries for words that the seed lexicon lacks.
    options: only their limits are used.
    others: keywords of `train_parser` that this parser does not need, since it has no stages and no solver.

    Under "ccg" the report has the number of sentences, how many of them have a right derivation, the number of entries
    learnt, and the mistakes in each epoch. Raises DataError if no sentence has an equation.
    """
    limits = Limits() if options is None else options.limits
    pairs = [
        (m, meaning_of(e.equation)) for e, m in zip(examples, mentions, strict=True)
        if e.equation is not None and check_sentence(m, limits) is None
    ]
    if not pairs:
        raise DataError(f"ccg: expected at least one sentence with an equation, found none in {len(examples)}")
    lexicon = Lexicon.seed()
    weights = dict(INITIAL)
    weights |= {("entry", p, t.name): SEED_ENTRY for p, ts in lexicon.entries.items() for t in ts}
    parser = CcgParser(lexicon, weights, beam=beam, limits=limits)
    seeds, templates = sum(map(len, lexicon.entries.values())), lexicon.templates()
    sums: dict[Feature, float] = {}  # sum over steps of step * update, for the average
    order, steps, mistakes = np.random.default_rng(seed), 0, []
    reached: set[int] = set()
    hopeless: set[int] = set()  # even new entries do not lead to the right equation; not tried again
    for epoch in range(epochs):
        mistakes.append(0)
        for done, index in enumerate(order.permutation(len(pairs)).tolist(), start=1):
            steps += 1
            m, gold = pairs[index]
            best = next(iter(parser.derivations(m)), None)
            if best is None or canonical(best.meaning) != canonical(gold):
                mistakes[-1] += 1
                right = right_derivation(parser, m, gold)
                if right is None and induce and index not in hopeless:
                    right = induced_derivation(parser, m, gold, templates)
                    hopeless |= {index} if right is None else set()
                if right is not None:
                    reached.add(index)
                    update(parser.weights, sums, masked_words(m), right, best, steps)
            else:
                reached.add(index)
            if progress is not None:
                progress("ccg", {"done": epoch * len(pairs) + done, "total": epochs * len(pairs)})
        if mistakes[-1] == 0:
            break
    for feature, total in sums.items():
        parser.weights[feature] -= total / (steps + 1)
    learnt = sum(map(len, parser.lexicon.entries.values())) - seeds
    report = {"problems": len(pairs), "reachable": len(reached), "entries_learnt": learnt, "mistakes": mistakes}
    return Training(parser, {"ccg": report})


def update(weights, sums, words: Sequence[str], right: Item, wrong: Item | None, step: int) -> None:
    """w += tau (f(right) - f(wrong)), the smallest step to a margin of 1, at most 1 (MIRA; Crammer and Singer, 2003).

    The size of a step matters here: a derivation skips many words, so a step of 1 along their count would outweigh
    every entry at once.
    """
    direction: dict[Feature, float] = {}
    for item, sign in ((right, 1.0), (wrong, -1.0)):
        for feature in item.features(words) if item is not None else ():
            if feature != INVENTED:
                direction[feature] = direction.get(feature, 0.0) + sign
    norm = sum(value * value for value in direction.values())
    if norm == 0:
        return
    margin = sum(weights.get(feature, 0.0) * value for feature, value in direction.items())
    tau = min(1.0, max(0.0, 1.0 - margin) / norm)
    for feature, value in direction.items():
        weights[feature] = weights.get(feature, 0.0) + tau * value
        sums[feature] = sums.get(feature, 0.0) + tau * value * step


def right_derivation(
    parser: CcgParser, m: Mentions, gold: Meaning, *, further: Sequence[Edge] = (), beam: int | None = None
) -> Item | None:
    """The best derivation of the right equation, or None if the beam holds none."""
    parts, whole = pieces(gold), canonical(gold)

    def accepts(meaning: Meaning) -> bool:
        halves = meaning[1:] if meaning[0] == "&" else (meaning,)
        return all(canonical(half) in parts for half in halves)

    found = parser.derivations(m, accepts=accepts, further=further, beam=beam or 2 * parser.beam)
    return next((item for item in found if canonical(item.meaning) == whole), None)


def induced_derivation(
    parser: CcgParser, m: Mentions, gold: Meaning, templates: Sequence[Template]
) -> Item | None:
    """The best right derivation with new entries, which are added to the lexicon; None if there is none."""
    words = masked_words(m)
    signs = operations(gold)
    templates = [t for t in templates if operations(t.meaning) <= signs]  # the others cannot lead to the right equation
    further = []
    for start in range(len(words)):
        for end in range(start + 1, min(start + MAX_PHRASE, len(words)) + 1):
            if NUMBER in words[start:end]:
                continue
            phrase = " ".join(words[start:end])
            for template in templates:
                if template not in parser.lexicon.entries.get(phrase, ()):
                    edge = template_edge(start, end, phrase, template)
                    further.append(replace(edge, features=(*edge.features, INVENTED), new=True))
    right = right_derivation(parser, m, gold, further=further)
    if right is None:
        return None
    new = [(f[1], f[2]) for edge in right.edges() if edge.new for f in edge.features if f[0] == "entry"]
    names = {template.name: template for template in templates}
    parser.lexicon = parser.lexicon.with_entries((phrase, names[name]) for phrase, name in new)
    return right


def operations(meaning: Meaning) -> set[str]:
    """The operations in a meaning, without the "&" of a pair."""
    found = {meaning[0]} & BINARY - {"&"}
    return found.union(*(operations(part) for part in meaning[1:] if isinstance(part, tuple)))
