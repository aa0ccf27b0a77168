"""Equation trees that agree with the syntactic parse: none of their nodes crosses a constituent (section 6.4).

A constituent is the set of leaves whose head word lies in one dependency subtree. A node over the leaves i..j crosses a
constituent over p..q if they share leaves and neither contains the other. Subtrees whose leaves are not contiguous, as
in a parse with crossing arcs, impose no constraint, so some tree always agrees.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eqparse.scoring.features.tree import TreeParts
from eqparse.text.annotate import Sentence
from eqparse.text.triggers import Trigger


def constituents(sentence: Sentence, triggers: Sequence[Trigger]) -> list[tuple[int, int]]:
    """The spans of at least two leaves, (first, last) with last included, that are constituents; each once, sorted."""
    heads = sentence.head.tolist()
    found: dict[int, list[int]] = {}
    for leaf, trigger in enumerate(triggers):
        for token in ancestors(sentence.first_head(trigger.first, trigger.last), heads):
            found.setdefault(token, []).append(leaf)
    return sorted({(p[0], p[-1]) for p in found.values() if 1 < len(p) == p[-1] - p[0] + 1})


def ancestors(token: int, heads: Sequence[int]) -> list[int]:
    """The token and its ancestors, up to the root."""
    chain = [token]
    while heads[chain[-1]] != chain[-1] and len(chain) <= len(heads):
        chain.append(heads[chain[-1]])
    return chain


def crosses_constituent(
    problems: Sequence[tuple[Sentence, Sequence[Trigger]]], parts: TreeParts
) -> np.ndarray:
    """bool [nodes]: whether each node crosses a constituent."""
    owner, i, _, j = parts.node.T
    crosses = np.zeros(len(owner), dtype=bool)
    for number, (sentence, triggers) in enumerate(problems):
        own = np.flatnonzero(owner == number)
        for p, q in constituents(sentence, triggers):
            a, b = i[own], j[own]
            crosses[own] |= ((a < p) & (p <= b) & (b < q)) | ((p < a) & (a <= q) & (q < b))
    return crosses
