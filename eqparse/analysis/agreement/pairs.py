"""Two annotations of one sentence side by side: the second's variables under the first's names."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from eqparse.analysis.agreement.measures import agrees
from eqparse.corpus.example import Example
from eqparse.equation.comparison import equivalent, matches, same_form
from eqparse.errors import DataError
from eqparse.text.annotate import Sentence
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span

Phrases = dict[str, tuple[Span, ...]]


@dataclass(frozen=True)
class Pair:
    """Two annotations of one sentence that both have an equation.

    a, b: the spans of each variable; b's under the names that `naming` (name in b -> name) gives them.
    same_form, same_form_strict, equivalent: what the functions of these names say of the equations.
    phrases: all that a variable might be grounded in: the candidates and the spans of both annotations, ascending.
    heads: the head token of each phrase.
    """

    a: Phrases
    b: Phrases
    naming: dict[str, str]
    same_form: bool
    same_form_strict: bool
    equivalent: bool
    phrases: tuple[Span, ...]
    heads: tuple[int, ...]

    @property
    def grounded(self) -> bool:
        """Have the equations one form (strict), and the two lists of spans of each variable a span in common?"""
        return self.same_form_strict and all(agrees(self.a[name], self.b[name], "common") for name in self.a)


def match_annotations(a: Sequence[Example], b: Sequence[Example]) -> list[tuple[Example, Example]]:
    """The two annotations of each sentence of b, by id, in the order of b; a may have further sentences.

    Raises:
        DataError: an id of b that a lacks, another text under one id, or no sentence in b.
    """
    known = {example.id: example for example in a}
    for example in b:
        if example.id not in known:
            raise DataError(f"sentence {example.id!r}: expected in both annotations, found only in the second")
        if known[example.id].text != example.text:
            raise DataError(
                f"sentence {example.id!r}: expected one text in both annotations, found "
                f"{known[example.id].text!r:.80} and {example.text!r:.80}"
            )
    if not b:
        raise DataError("expected sentences in the second annotation, found none")
    return [(known[example.id], example) for example in b]


def pair_annotations(a: Example, b: Example, mentions: Mentions) -> Pair:
    """Put two annotations that have an equation side by side.

    b's variables take the names of a's, one to one: of the namings under which the equations have one form, or of all
    if none has, the one that gives most phrases the same category; of equal ones the first by name.

    Raises:
        EqparseError: more than 6 variables, or equations too large to compare (see `equivalent`).
    """
    x, y = a.equation, b.equation
    forms = same_form(x, y, strict=False), same_form(x, y, strict=True), equivalent(x, y)  # bounds the variables
    found = {(c.start, c.end) for c in mentions.candidates}
    annotated = {s for e in (a, b) for name in e.equation.variables for s in e.variables[name]}
    phrases = tuple(sorted(found | annotated))
    heads = tuple(head_token(mentions.sentence, span) for span in phrases)
    ours, theirs = sorted(x.variables), sorted(y.variables)
    spare = [name for name in theirs + [f"V{n}" for n in range(1, 13)] if name not in ours]
    pool = ours + list(dict.fromkeys(spare))[: max(0, len(theirs) - len(ours))]
    namings = [dict(zip(theirs, order, strict=True)) for order in itertools.permutations(pool, len(theirs))]
    if forms[1]:
        namings = [n for n in namings if matches(x, y, lambda mine, other, n=n: n[other] == mine)]
    pairs = [
        Pair(
            {name: a.variables[name] for name in ours}, {new: b.variables[old] for old, new in naming.items()},
            naming, *forms, phrases, heads,
        )
        for naming in namings
    ]
    return max(pairs, key=lambda p: sum(mine == other for mine, other in categories(p, phrases)))


def categories(pair: Pair, items: Sequence[Hashable]) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The categories that a and b give each distinct item: the variables that a phrase of it is a span of.

    items: the one that each of `pair.phrases` belongs to.
    """
    marks: dict[Hashable, tuple[set[str], set[str]]] = {item: (set(), set()) for item in items}
    for phrase, item in zip(pair.phrases, items, strict=True):
        for labels, variables in zip(marks[item], (pair.a, pair.b), strict=True):
            labels.update(label for label, spans in variables.items() if phrase in spans)
    return [(frozenset(mine), frozenset(other)) for mine, other in marks.values()]


def head_token(sentence: Sentence, span: Span) -> int:
    """The first head of the tokens that a span overlaps; see `Sentence.first_head`."""
    first = min(bisect_right(sentence.end.tolist(), span[0]), len(sentence) - 1)
    last = max(first, bisect_left(sentence.start.tolist(), span[1]) - 1)
    return sentence.first_head(first, last)
