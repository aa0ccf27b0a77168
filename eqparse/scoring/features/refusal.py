"""Features of the refusal stage: one part per sentence, whether it states an equation (ours; the paper's always do).

All are in the group `rich`: the sentence's words, the words around its numbers, and how the numbers compare.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, Features, expand
from eqparse.scoring.features.tokens import TokenTable
from eqparse.text.mentions import Mentions


def refusal_features(
    mentions: Sequence[Mentions], table: TokenTable, *, groups: Collection[str]
) -> Features:
    """Features of every sentence -> rows = sentences."""
    rows = np.arange(len(mentions))
    build = FeatureBuilder(len(mentions), groups=groups)
    add = build.add
    lemma, tag, dep, word, head = table.lemma, table.tag, table.dep, table.word, table.head
    count = np.array([len(m.quantities) for m in mentions], dtype=np.int64)
    add("rich:bias", rows)
    add("rich:numbers", rows, np.minimum(count, 8))
    row, token = expand(table.low + 1, table.high)
    add("rich:lemma", row, lemma[token])
    add("rich:word", row, word[token])
    add("rich:governed lemma", row, lemma[token], lemma[head[token]])
    row, token = expand(table.low, table.high)
    add("rich:bigram", row, lemma[token], lemma[token + 1])
    add("rich:tags", row, tag[token], tag[token + 1])
    row, token = expand(table.low, table.high - 1)
    add("rich:trigram", row, lemma[token], lemma[token + 1], lemma[token + 2])
    add("rich:three tags", row, tag[token], tag[token + 1], tag[token + 2])

    owner = np.repeat(rows, count)
    spans = np.array([s for m in mentions for s in m.quantity_tokens], dtype=np.int64).reshape(-1, 2)
    first, last = spans[:, 0] + table.base[owner], spans[:, 1] + table.base[owner]
    before, after = table.at(first - 1, owner), table.at(last + 1, owner)
    add("rich:class", owner, word[first])
    add("rich:before a number", owner, lemma[before], word[first])
    add("rich:after a number", owner, lemma[after], word[first])
    add("rich:around a number", owner, lemma[before], lemma[after])
    add("rich:two before a number", owner, lemma[table.at(first - 2, owner)], lemma[before])
    add("rich:two after a number", owner, lemma[after], lemma[table.at(last + 2, owner)])
    add("rich:governor of a number", owner, lemma[head[last]], dep[last])
    add("rich:governor's governor of a number", owner, lemma[head[head[last]]], dep[head[last]])
    return build.build()
