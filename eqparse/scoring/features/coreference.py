"""Features of the coreference stage: one part for each pair of variable mentions (ours; the paper uses rules)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, Features, expand
from eqparse.scoring.features.tokens import TokenTable


def coreference_features(
    table: TokenTable,
    pairs: Sequence[tuple[int, int, int, int]],
    quantities: Sequence[int],
    *,
    groups: Collection[str],
) -> Features:
    """Features of one pair per sentence -> rows = sentences.

    pairs: for each sentence, the (first, last) token of the earlier and of the later mention.
    quantities: for each sentence, the number of relevant quantities.
    """
    word, lemma, tag, dep = table.word, table.lemma, table.tag, table.dep
    spans = np.array(pairs, dtype=np.int64).reshape(-1, 4) + table.base[:, None]
    a0, a1, b0, b1 = spans.T
    rows = np.arange(len(pairs))
    same = (a0 == b0) & (a1 == b1)
    count = np.array(quantities, dtype=np.int64)
    build = FeatureBuilder(len(pairs), groups=groups)
    add = build.add
    add("rich:same phrase", rows, same)
    add("rich:numbers", rows, same, count)
    head_a, head_b = table.last_head(a0, a1), table.last_head(b0, b1)
    add("rich:head", rows, same, lemma[head_a])
    add("rich:head tag", rows, same, tag[head_a])
    add("rich:heads", rows, same, lemma[head_a], lemma[head_b])
    add("rich:same head", rows, same, lemma[head_a] == lemma[head_b])
    add("rich:determiners", rows, same, word[a0], word[b0])
    add("rich:deps", rows, same, dep[head_a], dep[head_b])
    add("rich:last words", rows, same, word[b1])
    for name, first, last in (("earlier", a0, a1), ("later", b0, b1)):
        row, token = expand(first, last + 1)
        add(f"rich:word of {name}", row, same[row], word[token])
        add(f"rich:tag of {name}", row, same[row], tag[token])
        add(f"rich:word after {name}", rows, same, word[table.at(last + 1, rows)])
        add(f"rich:word before {name}", rows, same, word[table.at(first - 1, rows)])
    row, token = expand(table.low + 1, table.high)
    add("rich:lemma of sentence", row, same[row], lemma[token])
    row, token = expand(a1 + 1, b0)
    add("rich:lemma between", row, lemma[token])
    return build.build()
