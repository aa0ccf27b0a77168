"""How the sentences of a corpus are written: their length, verbs, references to a text before them, minimal pairs."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eqparse.corpus.example import Example
from eqparse.corpus.folds import near_duplicate_groups
from eqparse.equation.comparison import equivalent
from eqparse.equation.expression import Variable
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions

SHORT, LONG = 13, 30
"""A short sentence has fewer words than the first, a long one more than the second."""
PAIRS = 0.7  # the token similarity from which two sentences that say different things are a minimal pair
VERBS = frozenset(string_id(tag) for tag in ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"))

_BACK = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|hers?|th(?:is|ese|ose)|that (?:figure|amount|number|one)"
    r"|the (?:others?|rest|remainder|former|latter|same|second|first)|ours|yours|mine)\b",
    re.IGNORECASE,
)


def language_statistics(examples: Sequence[Example], mentions: Sequence[Mentions]) -> dict[str, Any]:
    """Counts over a corpus as plain JSON data; a share is [sentences, of how many].

    mentions: the mentions in each example.

    words: the mean number of tokens with a letter or digit; short, long: see `SHORT` and `LONG`.
    unused_numbers: sentences, with an equation or without, that hold a number that no equation uses.
    refer_back: sentences with a pronoun, "the other", "the rest" or the like.
    verbs: how many verbs occur, as lemmas, and how many of them at least ten times.
    opposites: "rise / fall" -> [sentences with an equation that hold the first verb, that hold the second], as lemmas.
    minimal_pairs: pairs of sentences with a token similarity of at least `PAIRS` that say different things.
    """
    words = [sum(any(map(str.isalnum, word)) for word in m.sentence.words) for m in mentions]
    verbs: Counter[int] = Counter()
    stated: Counter[int] = Counter()
    for e, m in zip(examples, mentions, strict=True):
        tagged = zip(m.sentence.tag.tolist(), m.sentence.lemma.tolist(), strict=True)
        lemmas = [lemma for tag, lemma in tagged if tag in VERBS]
        verbs.update(lemmas)
        stated.update(set(lemmas) if e.equation is not None else ())
    unused = [
        len(m.quantities) > (0 if e.equation is None else len(e.equation.leaves()) - _mentions(e))
        for e, m in zip(examples, mentions, strict=True)
    ]
    total = len(examples)
    return {
        "words": round(sum(words) / total, 1) if total else 0.0,
        "short": [sum(count < SHORT for count in words), total],
        "long": [sum(count > LONG for count in words), total],
        "unused_numbers": [sum(unused), total],
        "refer_back": [sum(_BACK.search(e.text) is not None for e in examples), total],
        "verbs": [len(verbs), sum(count >= 10 for count in verbs.values())],
        "opposites": {f"{a} / {b}": [stated[string_id(a)], stated[string_id(b)]] for a, b in opposite_verbs()},
        "minimal_pairs": sum(
            _differ(examples[a], examples[b])
            for group in near_duplicate_groups(examples, PAIRS)
            for a, b in zip(group, group[1:], strict=False)
        ),
    }


def opposite_verbs() -> list[tuple[str, str]]:
    """The pairs of opposites among verbs of change, comparison and exchange."""
    document = tomllib.loads((Path(__file__).parent / "opposite_verbs.toml").read_text(encoding="utf-8"))
    return [(first, second) for pairs in document.values() for first, second in pairs]


def _mentions(example: Example) -> int:
    """How many leaves of the equation are variables."""
    return sum(isinstance(leaf, Variable) for leaf in example.equation.leaves())


def _differ(a: Example, b: Example) -> bool:
    """Whether one of two sentences states no equation, or another relation than the other one."""
    if a.equation is None or b.equation is None:
        return (a.equation is None) != (b.equation is None)
    return not equivalent(a.equation, b.equation)
