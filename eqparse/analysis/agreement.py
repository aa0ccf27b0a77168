"""How far two annotations of the same sentences agree, and where they do not.

Cohen's kappa (Cohen 1960, "A coefficient of agreement for nominal scales") is (Po - Pe) / (1 - Pe): Po the share of
items to which both annotators give one category, Pe the share expected if each drew categories at random as often as
he uses them, sum over categories of p_a(c) p_b(c). It is None where Pe is 1: then there is nothing to agree about.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from eqparse.corpus.example import Example
from eqparse.equation.comparison import equivalent, matches, same_form
from eqparse.errors import DataError
from eqparse.text.annotate import Sentence
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span, jaccard

CRITERIA = ("common", "overlap", "first")
OVERLAP = 0.5  # Jaccard, in characters, at which two spans count as one phrase
Phrases = dict[str, tuple[Span, ...]]


@dataclass(frozen=True)
class Pair:
    """Two annotations of one sentence that both have an equation.

    a, b: the spans of each variable; b's are under the names that `naming` (name in b -> name) gives them.
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
    """The two annotations of each sentence of b, by id, in its order; a may have further sentences.

    Raises:
        DataError: an id of b that a lacks, another text under one id, or no sentence in b.
    """
    known = {example.id: example for example in a}
    for example in b:
        if example.id not in known:
            raise DataError(f"sentence {example.id!r}: expected in both annotations, found in the second alone")
        if known[example.id].text != example.text:
            raise DataError(
                f"sentence {example.id!r}: expected one text in both annotations, found "
                f"{known[example.id].text!r:.80} and {example.text!r:.80}"
            )
    if not b:
        raise DataError("expected sentences in the second annotation, found none")
    return [(known[example.id], example) for example in b]


def agreement(matched: Sequence[tuple[Example, Example]], mentions: Sequence[Mentions]) -> dict[str, Any]:
    """How far two annotations agree, as plain JSON data. A share is [agreed, of how many].

    matched: from `match_annotations`; mentions: those of each sentence.

    no_equation: over all sentences, does the sentence state an equation or none? first_alone: none by a alone.
    equation: over the sentences where both state one: the same form, by `same_form` not strict and strict, and the
        same relation (`equivalent`). All up to a renaming, so that "x is 4 more than y" taken as "y is 4 more than x"
        shows in the groundings alone; `grounded` is one form with a common phrase for every variable.
    groundings: over the same sentences, b's variables named as in `pair`. An item is a phrase (`Pair.phrases`), its
        category with an annotator the set of variables that it is a span of: none, V1, V2 or both. The items of all
        sentences are pooled into one kappa, the *headline*: as with Roy et al. (2016), it is taken over the noun
        phrases annotated as variables. A hard measure: a phrase with and without its article are two items, and so
        every alternative that one annotator alone lists is a disagreement.
    heads: the same with the head words of these phrases as items, each in the category of all variables that a phrase
        with this head is a span of: where a phrase ends does not count, which thing it names does.
    variables: over the variables of the sentences whose equations have one form (strict), by three criteria: `common`
        (the two lists share a span), `overlap` (a span of each with a Jaccard index of 0.5 or more), `first` (each
        list has the span that the other puts first). kappa is (Po - Pe) / (1 - Pe) here too, Po the share of
        variables that agree, Pe the mean over the variables of `chance`.
    """
    pairs = [pair(a, b, m) for (a, b), m in zip(matched, mentions, strict=True) if a.equation and b.equation]
    states = [(a.equation is not None, b.equation is not None) for a, b in matched]
    of_one_form = [p for p in pairs if p.same_form_strict]
    return {
        "sentences": len(matched),
        "no_equation": _agreed(states)
        | {
            "both_none": states.count((False, False)),
            "first_alone": states.count((False, True)),
            "second_alone": states.count((True, False)),
        },
        "equation": {
            name: [sum(getattr(p, name) for p in pairs), len(pairs)]
            for name in ("same_form", "same_form_strict", "equivalent", "grounded")
        },
        "groundings": _agreed([item for p in pairs for item in categories(p, p.phrases)]),
        "heads": _agreed([item for p in pairs for item in categories(p, p.heads)]),
        "variables": {name: _variables(of_one_form, name) for name in CRITERIA},
    }


def pair(a: Example, b: Example, mentions: Mentions) -> Pair:
    """Bring two annotations with an equation together.

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
    """The categories that a and b give each distinct item; items: the one that each of `pair.phrases` belongs to."""
    marks: dict[Hashable, tuple[set[str], set[str]]] = {item: (set(), set()) for item in items}
    for phrase, item in zip(pair.phrases, items, strict=True):
        for labels, variables in zip(marks[item], (pair.a, pair.b), strict=True):
            labels.update(label for label, spans in variables.items() if phrase in spans)
    return [(frozenset(mine), frozenset(other)) for mine, other in marks.values()]


def kappa(items: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Cohen's kappa of the categories that two annotators give to items; None where it is undefined."""
    total = len(items)
    ours, theirs = Counter(a for a, _ in items), Counter(b for _, b in items)
    by_chance = sum(count * theirs[category] for category, count in ours.items())  # times total^2
    if by_chance == total * total:
        return None
    return (sum(a == b for a, b in items) * total - by_chance) / (total * total - by_chance)


def agrees(a: Sequence[Span], b: Sequence[Span], criterion: str) -> bool:
    """Do two lists of spans for a variable agree, by one of CRITERIA?"""
    if criterion == "first":
        return a[0] in b and b[0] in a
    return any(near(x, y, criterion) for x in a for y in b)


def chance(a: Sequence[Span], b: Sequence[Span], phrases: Sequence[Span], criterion: str) -> float:
    """How likely two lists would agree, were one of them drawn at random from the sentence's n phrases.

    common, overlap: with one list kept and the other, of k spans, drawn without replacement: 1 - C(n - m, k) / C(n, k),
    m the phrases that agree with a span of the list kept; the mean of keeping a and of keeping b. first: both first
    spans drawn: (length of a / n) (length of b / n).
    """
    n, k, other = len(phrases), len(set(a)), len(set(b))
    if criterion == "first":
        return k * other / n**2
    missed = [
        comb(n - sum(any(near(x, y, criterion) for y in kept) for x in phrases), drawn) / comb(n, drawn)
        for kept, drawn in ((a, other), (b, k))
    ]
    return 1 - sum(missed) / 2


def near(x: Span, y: Span, criterion: str) -> bool:
    """Are two spans one phrase, by `common` or `overlap`?"""
    return x == y if criterion == "common" else jaccard(x, y) >= OVERLAP


def head_token(sentence: Sentence, span: Span) -> int:
    """The first token of a span whose head lies outside it."""
    first = min(bisect_right(sentence.end.tolist(), span[0]), len(sentence) - 1)
    last = max(first, bisect_left(sentence.start.tolist(), span[1]) - 1)
    heads = sentence.head.tolist()
    return next((i for i in range(first, last + 1) if heads[i] == i or not first <= heads[i] <= last), first)


def disagreements(
    matched: Sequence[tuple[Example, Example]], mentions: Sequence[Mentions]
) -> list[dict[str, Any]]:
    """The sentences to settle, both annotations side by side, b with its own names; as JSON data.

    differ: `no equation` (one states none); `relation` (the equations are not equivalent), `form` (equivalent, but not
    of one form); and of sentences whose equations have one form, for a variable of a: `V1: no common phrase`, or
    `V1: first phrase` (a common one, but one list lacks the span that the other puts first).
    """
    records = []
    for (a, b), m in zip(matched, mentions, strict=True):
        differ = []
        if a.equation and b.equation:
            both = pair(a, b, m)
            if not both.same_form_strict:
                differ = ["form" if both.equivalent else "relation"]
            for name in both.a if both.same_form_strict else ():
                if not agrees(both.a[name], both.b[name], "common"):
                    differ.append(f"{name}: no common phrase")
                elif not agrees(both.a[name], both.b[name], "first"):
                    differ.append(f"{name}: first phrase")
        elif a.equation or b.equation:
            differ = ["no equation"]
        if differ:
            records.append(
                {"id": a.id, "text": a.text, "kind": a.kind, "differ": differ, "a": _shown(a), "b": _shown(b)}
            )
    return records


def _shown(example: Example) -> dict[str, Any]:
    return {
        "equation": None if example.equation is None else str(example.equation),
        "variables": {
            label: [[start, end, example.text[start:end]] for start, end in spans]
            for label, spans in example.variables.items()
        },
    }


def _agreed(items: Sequence[tuple[Hashable, Hashable]]) -> dict[str, Any]:
    return {"agreed": [sum(a == b for a, b in items), len(items)], "kappa": kappa(items)}


def _variables(pairs: Sequence[Pair], criterion: str) -> dict[str, Any]:
    agreed, expected, total = 0, 0.0, 0
    for p in pairs:
        for name, spans in p.a.items():
            agreed += agrees(spans, p.b[name], criterion)
            expected += chance(spans, p.b[name], p.phrases, criterion)
            total += 1
    corrected = (agreed - expected) / (total - expected) if expected < total else None
    return {"agreed": [agreed, total], "kappa": corrected}
