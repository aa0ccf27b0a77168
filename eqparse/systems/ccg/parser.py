"""A CCG semantic parser that learns from sentences and equations alone: the stand-in for SPF in the comparison.

After Zettlemoyer and Collins (2005, 2007): a chart over weighted lexical entries, an online learner whose derivations
are hidden, and new entries from the best derivation of the right equation that templates of the seed lexicon allow.
No triggers are given: neither which numbers and noun phrases the equation uses nor where its variables stand.

The chart is our own. nltk's (3.10) was measured on ten sentences first. Its leaves are single tokens, so every way to
cut a sentence into the noun and lexicon phrases that may overlap is a chart of its own, 65 to 10,000 of them; it has no
weights, so the best derivation is found by listing all; and a skipped word must be an identity category, after
which one segmentation has up to 50,000 derivations and takes from 1 ms to more than 15 s. This chart takes 1 to 20 ms
for all segmentations of a sentence together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from eqparse import __version__
from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.errors import CheckpointError, DataError
from eqparse.files import write_folder
from eqparse.parser.limits import Limits, Reason, check_mentions, reason
from eqparse.parser.parse import GroundedEquation, Parse
from eqparse.parser.pipeline import refused, spans_of
from eqparse.stages.coreference import resolve
from eqparse.systems.ccg.category import BINARY, Meaning, canonical, leaves, meaning_of, pieces, read_category, show
from eqparse.systems.ccg.chart import Item, parse
from eqparse.systems.ccg.lexicon import (
    NUMBER,
    Edge,
    Feature,
    Lexicon,
    Template,
    masked_words,
    mention_edges,
    template_edge,
)
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span

INVENTED: Feature = ("invented",)
INITIAL: dict[Feature, float] = {("skip",): -0.5, INVENTED: -1.0}
SEED_ENTRY = 0.5
"""Weights before training: skipping costs, seed entries are good; an entry that has to be invented is bad, and stays
so, since its cost is for choosing among such entries and plays no part in a parse."""
MAX_TOKENS = 60  # of a sentence; the chart grows with the cube
MAX_PHRASE = 2  # tokens of an entry that is learnt
FILE, FORMAT, FORMAT_VERSION = "ccg.json", "eqparse ccg", 1


class CcgParser:
    """A lexicon and weights. beam: constituents that a chart cell keeps."""

    def __init__(
        self, lexicon: Lexicon, weights: Mapping[Feature, float], *, beam: int, limits: Limits | None = None
    ) -> None:
        self.lexicon = lexicon
        self.weights = dict(weights)
        self.beam = beam
        self.limits = limits or Limits()
        self.batch_size = 128

    def parse_mentions(self, mentions: Sequence[Mentions]) -> list[Parse]:
        """Parse annotated sentences, in order; the parses have no trigger list and no tree."""
        return [self._parse(m) for m in mentions]

    def _parse(self, m: Mentions) -> Parse:
        if why := check_sentence(m, self.limits):
            return refused(m, why)
        found = self.derivations(m)
        if not found:
            return refused(m, reason("no_equation", "no derivation"))
        return assemble(m, found[0].meaning, found[0].score)

    def derivations(
        self,
        m: Mentions,
        *,
        accepts: Callable[[Meaning], bool] | None = None,
        further: Sequence[Edge] = (),
        beam: int | None = None,
    ) -> list[Item]:
        """Derivations of an equation with at least one variable and one number, best first."""
        words = masked_words(m)
        edges = [*mention_edges(m), *self.lexicon.edges(words), *further]
        found = parse(edges, words, self.weight, beam=beam or self.beam, accepts=accepts)
        return [item for item in found if {leaf[0] for leaf in leaves(item.meaning)} == {"v", "n"}]

    def weight(self, feature: Feature) -> float:
        return self.weights.get(feature, 0.0)


def check_sentence(m: Mentions, limits: Limits) -> Reason | None:
    """Why an annotated text cannot be parsed, or None; fewer tokens are allowed than elsewhere."""
    if why := check_mentions(m, limits):
        return why
    if len(m.sentence) > MAX_TOKENS:
        return reason("too_long", f"{len(m.sentence)} tokens, and the CCG chart holds {MAX_TOKENS}")
    return None


@dataclass(frozen=True)
class CcgTraining:
    """The trained parser and how training went, under "ccg": sentences, how many of them have a right derivation,
    entries learnt, and the mistakes of each epoch."""

    parser: CcgParser
    report: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class CcgCheckpoint:
    """A checkpoint in memory: the parser, the run's config and metrics, and what annotated its training sentences.

    versions: of the format, and of the package that wrote it.
    """

    parser: CcgParser
    config: dict[str, Any]
    metrics: dict[str, Any]
    annotator: str
    versions: dict[str, Any]


def train_ccg(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    beam: int = 30,
    epochs: int = 10,
    induce: bool = True,
    limits: Limits | None = None,
    seed: int = 0,
    progress: Callable[[str, dict[str, float]], None] | None = None,
) -> CcgTraining:
    """Train on the sentences with an equation by averaged MIRA, a perceptron with a margin, with hidden derivations.

    induce: learn entries for words that the seed lexicon lacks. Raises DataError where no sentence has an equation.
    """
    pairs = [
        (m, meaning_of(e.equation)) for e, m in zip(examples, mentions, strict=True)
        if e.equation is not None and check_sentence(m, limits or Limits()) is None
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
    hopeless: set[int] = set()  # not even new entries lead to the right equation: not tried again
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
    return CcgTraining(parser, {"ccg": report})


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
    """The best derivation of the right equation, or None where the beam holds none."""
    parts, whole = pieces(gold), canonical(gold)

    def accepts(meaning: Meaning) -> bool:
        halves = meaning[1:] if meaning[0] == "&" else (meaning,)
        return all(canonical(half) in parts for half in halves)

    found = parser.derivations(m, accepts=accepts, further=further, beam=beam or 2 * parser.beam)
    return next((item for item in found if canonical(item.meaning) == whole), None)


def induced_derivation(
    parser: CcgParser, m: Mentions, gold: Meaning, templates: Sequence[Template]
) -> Item | None:
    """The best right derivation with entries that the lexicon lacks, which then join it; None where there is none."""
    words = masked_words(m)
    signs = operations(gold)
    templates = [t for t in templates if operations(t.meaning) <= signs]  # no other can lead to the right equation
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
    """The operations of a meaning, a pair's mark not among them."""
    found = {meaning[0]} & BINARY - {"&"}
    return found.union(*(operations(part) for part in meaning[1:] if isinstance(part, tuple)))


def assemble(m: Mentions, meaning: Meaning, score: float) -> Parse:
    """A parse from a derivation's meaning; two mentions are one variable where the paper's rules say so."""
    used = sorted(leaf[1] for leaf in leaves(meaning) if leaf[0] == "v")
    left: dict[int, list[str]] = {}
    variables: dict[str, tuple[Span, ...]] = {}
    for name, c in resolve(None, [m], [tuple(used)], [0])[0]:
        left.setdefault(c, []).append(name)
        span = (m.candidates[c].start, m.candidates[c].end)
        if span not in variables.get(name, ()):
            variables[name] = (*variables.get(name, ()), span)

    def build(node: Meaning) -> Expression:
        if node[0] == "v":
            return Variable(left[node[1]].pop(0))
        return Number(node[1]) if node[0] == "n" else Operation(node[0], build(node[1]), build(node[2]))

    equation = Equation(build(meaning[1]), build(meaning[2]))
    return Parse(m.sentence.text, (GroundedEquation(equation, variables, score=score),), candidates=spans_of(m))


def save_ccg(
    folder: str | Path,
    parser: CcgParser,
    *,
    config: Mapping[str, Any],
    metrics: Mapping[str, Any],
    annotator_version: str,
) -> None:
    """Write the lexicon, the weights that are not 0, config and metrics as JSON."""
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "eqparse": __version__,
        "annotator": annotator_version,
        "beam": parser.beam,
        "limits": asdict(parser.limits),
        "entries": [
            [phrase, show(t.category), t.meaning] for phrase, ts in sorted(parser.lexicon.entries.items()) for t in ts
        ],
        "weights": [[*feature, value] for feature, value in sorted(parser.weights.items()) if value],
        "config": dict(config),
        "metrics": dict(metrics),
    }
    body = json.dumps(document, ensure_ascii=False, allow_nan=False)
    digest = hashlib.sha256(body.encode()).hexdigest()
    write_folder(folder, {FILE: (json.dumps({"sha256": digest, "body": body}) + "\n").encode()})


def is_ccg(folder: str | Path) -> bool:
    """Is this a checkpoint that `save_ccg` wrote?"""
    return (Path(folder) / FILE).is_file()


def load_ccg(folder: str | Path) -> CcgCheckpoint:
    """What `save_ccg` wrote. Raises CheckpointError for anything else."""
    where = f"checkpoint {folder}, {FILE}"
    try:
        outer = json.loads((Path(folder) / FILE).read_bytes())
        body = outer["body"]
        if hashlib.sha256(body.encode()).hexdigest() != outer["sha256"]:
            raise CheckpointError(f"{where}: expected the contents that were written, found others; train it again")
        document = json.loads(body)
        if (document["format"], document["format_version"]) != (FORMAT, FORMAT_VERSION):
            raise CheckpointError(f"{where}: expected {FORMAT} {FORMAT_VERSION}, found another; train it again")
        entries: dict[str, tuple[Template, ...]] = {}
        for phrase, category, meaning in document["entries"]:
            template = Template(read_category(category), tupled(meaning))
            entries[phrase] = (*entries.get(phrase, ()), template)
        weights = {tuple(feature): value for *feature, value in document["weights"]}
        limits = Limits(**document["limits"])
        for name, kind in (("beam", int), ("config", dict), ("metrics", dict), ("annotator", str)):
            if type(document[name]) is not kind:
                raise TypeError(f"{document[name]!r:.60} for {name}")
        if document["beam"] < 1 or not all(type(weight) in (int, float) for weight in weights.values()):
            raise ValueError("a beam below 1, or a weight that is no number")
        versions = {name: document[name] for name in ("format_version", "eqparse")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, CheckpointError):
            raise
        found = f"{type(error).__name__}: {error}"
        raise CheckpointError(f"{where}: expected a CCG lexicon with weights, found {found}; train it again") from error
    parser = CcgParser(Lexicon(entries), weights, beam=document["beam"], limits=limits)
    return CcgCheckpoint(parser, document["config"], document["metrics"], document["annotator"], versions)


def tupled(node: Any) -> Any:
    """Nested lists as nested tuples."""
    return tuple(map(tupled, node)) if isinstance(node, list) else node
