"""How far two annotations agree, over all their sentences."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from eqparse.analysis.agreement.measures import CRITERIA, agrees, chance_agreement, kappa
from eqparse.analysis.agreement.pairs import Pair, categories, pair_annotations
from eqparse.corpus.example import Example
from eqparse.text.mentions import Mentions


def agreement(matched: Sequence[tuple[Example, Example]], mentions: Sequence[Mentions]) -> dict[str, Any]:
    """How far two annotations agree, as plain JSON data. A share is [agreed, of how many].

    matched: from `match_annotations`; mentions: those of each sentence.

    no_equation: over all sentences, does the sentence state an equation or none? first_alone: none according to a only.
    equation: over the sentences where both state one: the same form, by `same_form` not strict and strict, and the
        same relation (`equivalent`). All up to a renaming, so that "x is 4 more than y" taken as "y is 4 more than x"
        shows in the groundings only; `grounded` is one form with a common phrase for every variable.
    groundings: over the same sentences, b's variables named as in `pair_annotations`. An item is a phrase
        (`Pair.phrases`), its category with an annotator the set of variables that it is a span of: none, V1, V2 or
        both. The items of all sentences are pooled into one kappa, the *headline*: as with Roy et al. (2016), it is
        taken over the noun phrases annotated as variables. A hard measure: a phrase with and without its article are
        two items, so every alternative that only one annotator lists is a disagreement.
    heads: the same with the head words of these phrases as items, each in the category of all variables that a phrase
        with this head is a span of: where a phrase ends does not count, which thing it names does.
    variables: over the variables of the sentences whose equations have one form (strict), by the three criteria of
        `agrees`. kappa is (Po - Pe) / (1 - Pe) here too, Po the share of variables that agree, Pe the mean over the
        variables of `chance_agreement`.
    """
    both = zip(matched, mentions, strict=True)
    pairs = [pair_annotations(a, b, m) for (a, b), m in both if a.equation and b.equation]
    states = [(a.equation is not None, b.equation is not None) for a, b in matched]
    of_one_form = [p for p in pairs if p.same_form_strict]
    return {
        "sentences": len(matched),
        "no_equation": category_agreement(states)
        | {
            "both_none": states.count((False, False)),
            "first_alone": states.count((False, True)),
            "second_alone": states.count((True, False)),
        },
        "equation": {
            name: [sum(getattr(p, name) for p in pairs), len(pairs)]
            for name in ("same_form", "same_form_strict", "equivalent", "grounded")
        },
        "groundings": category_agreement([item for p in pairs for item in categories(p, p.phrases)]),
        "heads": category_agreement([item for p in pairs for item in categories(p, p.heads)]),
        "variables": {name: variable_agreement(of_one_form, name) for name in CRITERIA},
    }


def category_agreement(items: Sequence[tuple[Hashable, Hashable]]) -> dict[str, Any]:
    """The share of items with one category, and kappa."""
    return {"agreed": [sum(a == b for a, b in items), len(items)], "kappa": kappa(items)}


def variable_agreement(pairs: Sequence[Pair], criterion: str) -> dict[str, Any]:
    """The share of variables whose lists of spans agree, and kappa."""
    agreed, expected, total = 0, 0.0, 0
    for pair in pairs:
        for name, spans in pair.a.items():
            agreed += agrees(spans, pair.b[name], criterion)
            expected += chance_agreement(spans, pair.b[name], pair.phrases, criterion)
            total += 1
    corrected = (agreed - expected) / (total - expected) if expected < total else None
    return {"agreed": [agreed, total], "kappa": corrected}
