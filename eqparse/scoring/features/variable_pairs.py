"""Features of pairs of phrases, in the group `rich`: the two heads, and the numbers and words between and around them.
"""

from __future__ import annotations

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, expand
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.variable_parts import VariableParts


def add_pairs(
    build: FeatureBuilder,
    table: TokenTable,
    parts: VariableParts,
    state: np.ndarray,
    source: np.ndarray,
    head: np.ndarray,
    offset: int,
) -> None:
    """Add the features of the pairs.

    state: see `number_state`.
    source, head: see `sources` and `TokenTable.last_head`; of each candidate.
    offset: the row of the first pair.
    """
    word, tag, lemma, dep = table.word, table.tag, table.lemma, table.dep
    a, b, owner = parts.a, parts.b, parts.pair_owner
    rows = np.arange(len(a)) + offset
    first, last = parts.first, parts.last
    same = a == b
    counts = np.cumsum(state == 2)  # relevant numbers up to each token
    add = build.add

    def between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """The number of tokens in low..high-1 that belong to relevant numbers, capped."""
        return np.clip(counts[np.maximum(high - 1, 0)] - counts[np.maximum(low - 1, 0)], 0, 4)

    stop = np.maximum(first[b], last[a] + 1)  # the text between runs from last[a] + 1 to stop
    before = between(table.low[owner], first[a])
    inside = between(last[a] + 1, stop)
    after = between(last[b] + 1, table.high[owner])
    inner = between(first[a], last[a] + 1) + 5 * between(first[b], last[b] + 1)
    gap = np.clip(first[b] - last[a] - 1, -1, 12)
    next_a, previous_b = table.at(last[a] + 1, owner), table.at(first[b] - 1, owner)
    previous_a, next_b = table.at(first[a] - 1, owner), table.at(last[b] + 1, owner)
    add("rich:pair sources", rows, same, source[a], source[b])
    add("rich:pair sources and joined", rows, source[a], source[b], word[next_a])
    add("rich:pair sources and heads", rows, source[a], source[b], lemma[head[a]], lemma[head[b]])
    add("rich:pair sources and tags", rows, source[a], source[b], tag[head[a]], tag[head[b]])
    add("rich:pair numbers", rows, same, before, inside, after)
    add("rich:pair numbers inside", rows, same, inner)
    add("rich:pair gap", rows, same, gap)
    add("rich:pair heads", rows, lemma[head[a]], lemma[head[b]])
    add("rich:pair same head", rows, same, lemma[head[a]] == lemma[head[b]], tag[head[a]] == tag[head[b]])
    add("rich:pair deps", rows, dep[head[a]], dep[head[b]])
    add("rich:pair head tags", rows, tag[head[a]], tag[head[b]], gap)
    add("rich:pair edge words", rows, word[first[a]], word[first[b]])
    add("rich:pair last words", rows, word[last[a]], word[last[b]])
    add("rich:pair first tags", rows, tag[first[a]], tag[first[b]])
    add("rich:pair last tags", rows, tag[last[a]], tag[last[b]])
    add("rich:pair lengths", rows, np.minimum(last[a] - first[a], 5), np.minimum(last[b] - first[b], 5))
    add("rich:pair around", rows, word[previous_a], word[next_b])
    add("rich:pair joined", rows, word[next_a], word[previous_b])
    add("rich:pair joined and gap", rows, word[next_a], word[previous_b], gap)
    add("rich:pair befores", rows, word[previous_a], word[previous_b])
    add("rich:pair afters", rows, word[next_a], word[next_b])
    add("rich:pair parallel", rows, word[previous_a] == word[previous_b], word[next_a] == word[next_b])
    linked = np.where(table.head[head[b]] == head[a], 2, table.head[head[a]] == head[b])
    add("rich:pair linked", rows, linked, dep[head[b]])
    add("rich:pair opens", rows, first[a] == table.low[owner] + 1, next_b == table.high[owner])
    two = np.flatnonzero(~same)
    row, token = expand(last[a[two]] + 1, stop[two])
    row = two[row] + offset
    near = stop[row - offset] - last[a[row - offset]] <= 12
    row, token = row[near], token[near]
    add("rich:pair word between", row, word[token])
    add("rich:pair lemma between", row, lemma[token], same[row - offset])
    row, token = expand(last[a[two]] + 1, stop[two] - 1)
    row = two[row] + offset
    add("rich:pair bigram between", row, lemma[token], lemma[token + 1])
