"""Features of the variable stage: candidates, unordered pairs of them, and the sentence (section 4.2 and appendix).

Groups: `variable` (words and tags of the phrase), `neighbourhood` (words and tags around it), `rich` (ours: the
phrase's place in the parse, what stands between the two of a pair, what the whole sentence says about their number).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, Features, expand
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.variable_pairs import add_pairs
from eqparse.scoring.features.variable_parts import VariableParts, number_state, sources
from eqparse.text.mentions import Mentions

WINDOW = 2


def variable_features(
    mentions: Sequence[Mentions],
    table: TokenTable,
    parts: VariableParts,
    relevant: np.ndarray,
    *,
    groups: Collection[str],
) -> Features:
    """Features of candidates, pairs and sentences -> rows: first the candidates, then the pairs, then the sentences.

    relevant: bool [quantities of the batch], the quantity stage's choice.
    """
    candidates, pairs = len(parts.owner), len(parts.a)
    build = FeatureBuilder(candidates + pairs + len(mentions), groups=groups)
    state = number_state(table, relevant)
    source, head = sources(mentions), table.last_head(parts.first, parts.last)
    _phrases(build, table, parts, state, source, head)
    if build.wants("rich"):
        add_pairs(build, table, parts, state, source, head, candidates)
        _sentences(build, mentions, table, relevant, candidates + pairs)
    return build.build()


def _phrases(build, table, parts, state, source, head) -> None:
    word, tag, lemma, dep = table.word, table.tag, table.lemma, table.dep
    first, last, owner = parts.first, parts.last, parts.owner
    rows = np.arange(len(owner))
    add = build.add
    add("variable:bias", rows)
    row, token = expand(first, last + 1)
    add("variable:word", row, word[token])
    add("variable:tag", row, tag[token])
    row, token = expand(first, last)
    add("variable:bigram", row, word[token], word[token + 1])
    before = [table.at(first - k, owner) for k in range(WINDOW + 2)]
    after = [table.at(last + k, owner) for k in range(WINDOW + 2)]
    for k in range(1, WINDOW + 1):
        for side, position in (("before", before[k]), ("after", after[k])):
            add(f"neighbourhood:word {side} {k}", rows, word[position])
            add(f"neighbourhood:tag {side} {k}", rows, tag[position])
    if not build.wants("rich"):
        return
    length = np.minimum(last - first + 1, 8)
    add("rich:source", rows, source)
    add("rich:length", rows, length)
    add("rich:first word", rows, word[first])
    add("rich:last word", rows, word[last])
    add("rich:head", rows, lemma[head], dep[head])
    add("rich:head tag", rows, tag[head], dep[head], source)
    add("rich:governor", rows, lemma[table.head[head]], dep[head])
    add("rich:tags", rows, tag[first], tag[last], length, source)
    add("rich:lemmas before", rows, lemma[before[2]], lemma[before[1]])
    add("rich:lemmas after", rows, lemma[after[1]], lemma[after[2]])
    add("rich:three before", rows, word[before[3]], word[before[2]], word[before[1]])
    add("rich:three after", rows, word[after[1]], word[after[2]], word[after[3]])
    add("rich:around", rows, word[before[1]], word[after[1]])
    add("rich:edges", rows, word[first], word[after[1]], length)
    add("rich:before and source", rows, word[before[1]], source)
    add("rich:after and source", rows, word[after[1]], source)
    add("rich:opens", rows, first == table.low[owner] + 1, source)
    row, token = expand(first, last + 1)
    inside = state[token] > 0
    add("rich:number inside", row[inside], state[token[inside]], token[inside] == first[row[inside]])
    add("rich:states before", rows, state[before[2]], state[before[1]], word[before[1]])
    add("rich:states after", rows, state[after[1]], state[after[2]], word[after[1]])
    _nearest_numbers(build, table, parts, state, source)
    # another candidate that ends or begins with this one: is there a longer or shorter choice?
    begin = np.searchsorted(owner, owner)
    mine, other = expand(begin, np.searchsorted(owner, owner, side="right"))
    wider = (first[other] <= first[mine]) & (last[other] >= last[mine]) & (mine != other)
    mine, other = mine[wider], other[wider]
    add("rich:within", mine, source[mine], source[other])
    gap = first[mine] > first[other]
    add("rich:within on the right of", mine[gap], word[table.at(first[mine[gap]] - 1, owner[mine[gap]])])
    gap = last[mine] < last[other]
    add("rich:within on the left of", mine[gap], word[table.at(last[mine[gap]] + 1, owner[mine[gap]])])
    add("rich:contains", other, source[mine], source[other])


def _nearest_numbers(build, table, parts, state, source) -> None:
    """How far away the nearest relevant number is on each side of a phrase, and the words in between."""
    first, last, owner = parts.first, parts.last, parts.owner
    rows, position, none = np.arange(len(owner)), np.arange(table.size), -1
    add = build.add
    left = np.maximum.accumulate(np.where(state == 2, position, none))[first - 1]
    left[left < table.low[owner]] = none
    right = np.minimum.accumulate(np.where(state == 2, position, table.size)[::-1])[::-1][last + 1]
    right[right > table.high[owner]] = none
    to_left = np.where(left == none, none, np.minimum(first - left, 6))
    to_right = np.where(right == none, none, np.minimum(right - last, 6))
    add("rich:number on the left", rows, to_left, source)
    add("rich:number on the right", rows, to_right, source)
    add("rich:numbers beside", rows, np.minimum(to_left, 4), np.minimum(to_right, 4))
    word, lemma = table.word, table.lemma
    near = (left != none) & (first - left <= 8)
    row, token = expand(np.where(near, left, 0), np.where(near, first, 0))
    add("rich:lemma from the number on the left", row, lemma[token])
    near = (right != none) & (right - last <= 8)
    row, token = expand(np.where(near, last + 1, 0), np.where(near, right + 1, 0))
    add("rich:lemma to the number on the right", row, lemma[token])
    add("rich:class on the left", rows, np.where(left == none, 0, word[left]), word[first - 1])
    add("rich:class on the right", rows, np.where(right == none, 0, word[right]), word[last + 1])


def _sentences(build, mentions, table, relevant, offset) -> None:
    lemma = table.lemma
    rows = np.arange(len(mentions)) + offset
    add = build.add
    quantities = np.array([len(m.quantities) for m in mentions], dtype=np.int64)
    owner = np.repeat(np.arange(len(mentions)), quantities)
    chosen = np.bincount(owner[relevant], minlength=len(mentions))
    add("rich:sentence numbers", rows, chosen)
    add("rich:sentence all numbers", rows, chosen, quantities)
    row, token = expand(table.low + 1, table.high)
    add("rich:sentence lemma", row + offset, lemma[token])
    add("rich:sentence lemma and numbers", row + offset, lemma[token], chosen[row])
    row, token = expand(table.low + 1, table.high - 1)
    add("rich:sentence bigram", row + offset, lemma[token], lemma[token + 1])
