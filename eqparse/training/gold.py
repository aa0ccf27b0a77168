"""From an annotation to what each stage should say: the gold sets that training and evaluation compare with.

An annotation names values and characters, not mentions: a number that stands twice in the text, several spans for one
variable, a sum that may be read either way all leave a set of right answers.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from eqparse.corpus.example import Example
from eqparse.equation.expression import Number, Variable
from eqparse.stages.derivation import TOLERANCE, assignments
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span, jaccard


@dataclass(frozen=True)
class Gold:
    """The gold sets of one sentence; an empty set where no parse can be right.

    quantities: sets of quantity indices, each ascending. variables: ((label, candidate), ...), one for each mention
    of a variable, in order of position; one or two of them. reason: why a set is empty, else "".
    """

    quantities: tuple[tuple[int, ...], ...]
    variables: tuple[tuple[tuple[str, int], ...], ...]
    reason: str = ""


def gold_sets(example: Example, mentions: Mentions, *, first_phrase: bool = False) -> Gold:
    """The gold sets of an example with an equation.

    first_phrase: of a variable that the equation uses once, take the phrase listed first alone (the annotator's first
    choice) where that leaves a right answer.
    """
    equation = example.equation
    numbers = [leaf.value for leaf in equation.leaves() if isinstance(leaf, Number)]
    uses = [leaf.name for leaf in equation.leaves() if isinstance(leaf, Variable)]
    quantities = quantity_sets(numbers, mentions)
    variables = variable_sets(uses, example.variables, mentions)
    if first_phrase:
        spans = {name: all_[:1] if uses.count(name) == 1 else all_ for name, all_ in example.variables.items()}
        variables = variable_sets(uses, spans, mentions) or variables
    reason = ""
    if not quantities:
        reason = "the numbers of the equation are not all among the quantities found"
    elif not variables:
        reason = "no candidates for the annotated phrases that do not nest"
    return Gold(quantities, variables, reason)


def quantity_sets(numbers: Sequence[float], mentions: Mentions) -> tuple[tuple[int, ...], ...]:
    """All sets of quantities whose values are the equation's numbers."""
    choices = [
        [i for i, q in enumerate(mentions.quantities) if abs(q.value - number) < TOLERANCE] for number in numbers
    ]
    found = {tuple(sorted(pick)) for pick in assignments(choices) if len(set(pick)) == len(pick)}
    return tuple(sorted(found)) if numbers else ()


def best_candidate(span: Span, mentions: Mentions) -> int | None:
    """The candidate of greatest overlap with a span (section 6.1 of the paper), of equal ones the shortest."""
    if not mentions.candidates:
        return None
    return max(
        range(len(mentions.candidates)),
        key=lambda c: (jaccard((mentions.candidates[c].start, mentions.candidates[c].end), span),
                       mentions.candidates[c].start - mentions.candidates[c].end, -c),
    )


def variable_sets(
    uses: Sequence[str], spans: dict[str, tuple[Span, ...]], mentions: Mentions
) -> tuple[tuple[tuple[str, int], ...], ...]:
    """All choices of a candidate for each mention of a variable in the equation."""
    if not 1 <= len(uses) <= 2:
        return ()
    phrases = {
        name: sorted({c for s in spans[name] if (c := best_candidate(s, mentions)) is not None}) for name in set(uses)
    }
    picks = itertools.product(*(phrases[name] for name in uses))
    picks = [p for p in picks if p[0] == p[-1] or not nested(mentions, *p)]
    if len(set(uses)) < len(uses):
        # one variable, mentioned twice and annotated with several phrases: each mention is one of them, unless the
        # phrases are but longer and shorter forms of one
        picks = [p for p in picks if p[0] != p[1]] or picks
    found = {tuple(sorted(zip(uses, pick, strict=True), key=lambda use: (use[1], use[0]))) for pick in picks}
    return tuple(sorted(found, key=lambda choice: tuple(use[1] for use in choice)))


def nested(mentions: Mentions, a: int, b: int) -> bool:
    """Does one of two candidates hold the other?"""
    x, y = mentions.candidates[a], mentions.candidates[b]
    return (x.first <= y.first and y.last <= x.last) or (y.first <= x.first and x.last <= y.last)
