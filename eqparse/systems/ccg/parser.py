"""A CCG semantic parser that learns from sentences and equations alone: the stand-in for SPF in the comparison.

It follows Zettlemoyer and Collins (2005, 2007): a chart over weighted lexical entries, an online learner with hidden
derivations, and new entries, taken from the best derivation of the right equation that the templates of the seed
lexicon allow. It is given no triggers: neither which numbers and noun phrases the equation uses nor where its variables
are.

The chart is our own. The one in nltk (3.10) was tried on ten sentences first. Its leaves are single tokens, so every
way of dividing a sentence into noun and lexicon phrases, which may overlap, needs a separate chart: 65 to 10,000 of
them. It has no weights, so the best derivation can only be found by listing all of them. And a skipped word must be an
identity category, with which one segmentation has up to 50,000 derivations and takes from 1 ms to more than 15 s. Our
chart takes 1 to 20 ms for all segmentations of a sentence together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.parser.limits import Limits, Reason, check_mentions, reason
from eqparse.parser.parse import GroundedEquation, Parse
from eqparse.parser.pipeline import refused, spans_of
from eqparse.stages.coreference import resolve
from eqparse.systems.ccg.category import Meaning, leaves
from eqparse.systems.ccg.chart import Item, parse
from eqparse.systems.ccg.lexicon import Edge, Feature, Lexicon, masked_words, mention_edges
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span

MAX_TOKENS = 60  # of a sentence; the work grows with its cube


class CcgParser:
    """Parses with a lexicon and weights. beam: how many constituents a chart cell keeps."""

    calibration = None  # its scores stand for no probabilities

    def __init__(
        self, lexicon: Lexicon, weights: Mapping[Feature, float], *, beam: int, limits: Limits | None = None
    ) -> None:
        self.lexicon = lexicon
        self.weights = dict(weights)
        self.beam = beam
        self.limits = limits or Limits()
        self.batch_size = 128

    def parse_mentions(self, mentions: Sequence[Mentions]) -> list[Parse]:
        """The parses of annotated sentences, in their order; they have no trigger list and no tree."""
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
        """The derivations of equations with at least one variable and one number, best first."""
        words = masked_words(m)
        edges = [*mention_edges(m), *self.lexicon.edges(words), *further]
        found = parse(edges, words, self.weight, beam=beam or self.beam, accepts=accepts)
        return [item for item in found if {leaf[0] for leaf in leaves(item.meaning)} == {"v", "n"}]

    def weight(self, feature: Feature) -> float:
        return self.weights.get(feature, 0.0)


def check_sentence(m: Mentions, limits: Limits) -> Reason | None:
    """Why an annotated text cannot be parsed, or None if it can; this system allows fewer tokens than the others."""
    if why := check_mentions(m, limits):
        return why
    if len(m.sentence) > MAX_TOKENS:
        return reason("too_long", f"{len(m.sentence)} tokens, and the CCG chart holds {MAX_TOKENS}")
    return None


def assemble(m: Mentions, meaning: Meaning, score: float) -> Parse:
    """The parse for a derivation's meaning; the paper's rules decide whether two mentions are the same variable."""
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
