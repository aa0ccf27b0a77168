"""Features of the quantity stage: one part per quantity (section 4.1 and appendix of Roy et al. 2016; `rich` is ours).

Groups: `neighbourhood` (words and tags around the number), `quantity` (its phrase, its value, whether it is alone) and
`rich`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, Features, expand
from eqparse.scoring.features.tokens import TokenTable
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions

WINDOW = 3  # tokens on each side

AVERAGES = np.array([string_id(w) for w in ("average", "averaged", "averaging", "mean")], dtype=np.uint64)


def quantity_features(
    mentions: Sequence[Mentions], table: TokenTable, *, groups: Collection[str]
) -> Features:
    """Features of every quantity of the batch, in order of sentence and position -> rows = quantities."""
    owner = np.array([i for i, m in enumerate(mentions) for _ in m.quantities], dtype=np.int64)
    spans = np.array([s for m in mentions for s in m.quantity_tokens], dtype=np.int64).reshape(-1, 2)
    rows = np.arange(len(owner))
    first, last = spans[:, 0] + table.base[owner], spans[:, 1] + table.base[owner]
    count = np.array([len(m.quantities) for m in mentions], dtype=np.int64)[owner]
    quantities = [q for m in mentions for q in m.quantities]
    value = np.array([q.value for q in quantities])
    kind = np.array([string_id(q.kind) for q in quantities], dtype=np.uint64)
    unit = np.array([string_id(q.unit) for q in quantities], dtype=np.uint64)
    word, tag, head = table.word, table.tag, table.head
    build = FeatureBuilder(len(owner), groups=groups)
    add = build.add
    add("neighbourhood:bias", rows)

    before = [table.at(first - k, owner) for k in range(WINDOW + 1)]
    after = [table.at(last + k, owner) for k in range(WINDOW + 1)]
    for k in range(1, WINDOW + 1):
        for side, position in (("before", before[k]), ("after", after[k])):
            add(f"neighbourhood:word {side}", rows, word[position])
            add(f"neighbourhood:word {side} {k}", rows, word[position])
            add(f"neighbourhood:tag {side} {k}", rows, tag[position])
    for k in range(WINDOW):
        add(f"neighbourhood:bigram before {k}", rows, word[before[k + 1]], word[before[k]])
        add(f"neighbourhood:bigram after {k}", rows, word[after[k]], word[after[k + 1]])

    governor = head[last]
    low, high = np.minimum(governor, first), np.maximum(governor, last)
    phrase, token = expand(low, high + 1)
    add("quantity:word of phrase", phrase, word[token])
    phrase, token = expand(low, high)
    add("quantity:bigram of phrase", phrase, word[token], word[token + 1])
    add("quantity:one or two", rows, (value == 1) | (value == 2))
    add("quantity:only number", rows, count == 1)

    if build.wants("rich"):
        _rich(build, table, owner, rows, first, last, before, after, value, kind, unit, count)
    return build.build()


def _rich(build, table, owner, rows, first, last, before, after, value, kind, unit, count) -> None:
    word, tag, lemma, dep, head = table.word, table.tag, table.lemma, table.dep, table.head
    add = build.add
    governor = head[last]
    size = np.digitize(np.abs(value), [0.01, 0.1, 1, 1.5, 2.5, 3.5, 10, 100, 1000, 10000, 1e6])
    index = rows - np.searchsorted(owner, owner)
    add("rich:kind", rows, kind, unit)
    add("rich:surface", rows, word[first], count)
    add("rich:kind and next", rows, kind, unit, lemma[after[1]])
    add("rich:kind and previous", rows, kind, unit, lemma[before[1]])
    add("rich:size", rows, size)
    add("rich:size and count", rows, size, count)
    add("rich:size and next", rows, size, lemma[after[1]])
    add("rich:count and index", rows, count, index)
    add("rich:governor", rows, lemma[governor], dep[last])
    add("rich:governor and size", rows, lemma[governor], size)
    add("rich:governor's governor", rows, lemma[head[governor]], dep[governor], dep[last])
    add("rich:lemmas around", rows, lemma[before[1]], lemma[after[1]])
    add("rich:lemmas before", rows, lemma[before[2]], lemma[before[1]])
    add("rich:lemmas after", rows, lemma[after[1]], lemma[after[2]])
    add("rich:three before", rows, word[before[3]], word[before[2]], word[before[1]])
    add("rich:three after", rows, word[after[1]], word[after[2]], word[after[3]])
    add("rich:tags around", rows, tag[before[2]], tag[before[1]], tag[after[1]], tag[after[2]])
    # the other numbers of the sentence, and its words, together with the class of this number
    start = np.searchsorted(owner, owner)
    pair, other = expand(start, start + count)
    different = pair != other
    pair, other = pair[different], other[different]
    add("rich:same unit as another", pair, unit[pair] == unit[other], unit[pair])
    add("rich:class beside another", pair, word[first[pair]], word[first[other]], np.sign(other - pair))
    add("rich:governor shared", pair, governor[pair] == governor[other])
    add("rich:same governor lemma", pair, lemma[governor[pair]] == lemma[governor[other]], count[pair])
    # the count of what is averaged divides, though it would not where it is summed
    averaged = np.zeros(len(table.low), dtype=bool)
    averaged[table.sentence[np.isin(word, AVERAGES)]] = True
    row = rows[averaged[owner]]
    add("rich:averaged", row, word[first[row]], tag[after[1][row]])
    add("rich:averaged, governor", row, word[first[row]], tag[governor[row]], dep[last[row]])
    row, token = expand(table.low[owner] + 1, table.high[owner])
    side = np.sign(token - first[row])
    add("rich:lemma of sentence", row, lemma[token], side)
    add("rich:class and lemma of sentence", row, word[first[row]], lemma[token], side)
