"""Features of the tree stage: one part for each way (i, k, j) to join leaves i..k with leaves k+1..j (section 4.3).

Groups: `neighbourhood` (words and tags around the ends of the two children's spans), `connecting` (the text between
them), `number` (which of two numbers is larger) and `rich` (ours: kinds of the leaves, heads, the uncovered text of
the whole span and on both sides of it).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, Features, expand, mix
from eqparse.scoring.features.tokens import TokenTable
from eqparse.text.annotate import string_id
from eqparse.text.triggers import Trigger

Grid = Callable[[int], np.ndarray]

BAG = 12  # the greatest number of tokens in a bag; those nearest to the node are kept


@dataclass(frozen=True)
class TreeParts:
    """The leaves and the nodes of a batch in flat arrays.

    sentence, first, last: int64 [leaves], sentence and tokens (in the table) of each leaf.
    kind: uint64 [leaves], a hash of the leaf's kind.
    value: float64 [leaves], the value of its quantity; NaN for a variable.
    size: int64 [sentences], the number of leaves of each sentence.
    node: int64 [nodes, 4], (sentence, i, k, j), with leaves numbered within the sentence.
    left, split: int64 [nodes], leaves i and k in the flat arrays, the first and last leaf of the left child.
    following, right: int64 [nodes], the same for the right child; following is split + 1 in a projective tree.
    top: int64 [nodes], leaf j, the last leaf of the node; equal to right in a projective tree.
    """

    sentence: np.ndarray
    first: np.ndarray
    last: np.ndarray
    kind: np.ndarray
    value: np.ndarray
    size: np.ndarray
    node: np.ndarray
    left: np.ndarray
    split: np.ndarray
    following: np.ndarray
    right: np.ndarray
    top: np.ndarray

    @classmethod
    def build(
        cls, triggers: Sequence[Sequence[Trigger]], table: TokenTable, *, grid: Grid | None = None
    ) -> TreeParts:
        """All nodes over the triggers of each sentence.

        grid: number of leaves -> int64 [nodes, 4], the span ends (i, k, k', j') of the left and of the right child;
            `node_grid` by default.
        """
        size = np.array([len(ts) for ts in triggers], dtype=np.int64)
        leaves = [t for ts in triggers for t in ts]
        sentence = np.repeat(np.arange(len(triggers)), size)
        spans = np.array([(t.first, t.last) for t in leaves], dtype=np.int64).reshape(-1, 2)
        kind = np.array([leaf_kind(t) for t in leaves], dtype=np.uint64)
        value = np.array([t.quantity.value if t.quantity else np.nan for t in leaves], dtype=np.float64)
        nodes = [(grid or node_grid)(n) for n in size.tolist()]
        ends = np.concatenate(nodes) if nodes else np.empty((0, 4), np.int64)
        owner = np.repeat(np.arange(len(triggers)), [len(g) for g in nodes])
        base = np.cumsum(size) - size
        top = np.maximum(ends[:, 1], ends[:, 3])
        node = np.column_stack([owner, ends[:, 0], ends[:, 1], top])
        first, last = spans[:, 0] + table.base[sentence], spans[:, 1] + table.base[sentence]
        places = (column + base[owner] for column in (*ends.T, top))
        return cls(sentence, first, last, kind, value, size, node, *places)

    def only(self, nodes: np.ndarray) -> TreeParts:
        """The same leaves with only some of the nodes. nodes: int64 [n], their rows in `node`."""
        per_node = ("node", "left", "split", "following", "right", "top")
        return replace(self, **{name: getattr(self, name)[nodes] for name in per_node})


@lru_cache(maxsize=64)
def node_grid(n: int) -> np.ndarray:
    """All (i, k, k + 1, j) with i <= k < j < n -> int64 [(n^3 - n) / 6, 4]."""
    return np.array(
        [(i, k, k + 1, j) for i in range(n) for j in range(i + 1, n) for k in range(i, j)], dtype=np.int64
    ).reshape(-1, 4)


def leaf_kind(trigger: Trigger) -> int:
    """A hash of the variable's label, or of the kind of number."""
    q = trigger.quantity
    if q is None:
        return string_id(trigger.label)
    size = "<1" if abs(q.value) < 1 else ">1"
    return string_id(f"{q.kind}{q.unit}{size}")


def tree_features(
    table: TokenTable, parts: TreeParts, *, groups: Collection[str]
) -> Features:
    """Features of every node of the batch -> rows = nodes."""
    build = FeatureBuilder(len(parts.node), groups=groups)
    add = build.add
    word, tag = table.word, table.tag
    rows = np.arange(len(parts.node))
    owner = parts.node[:, 0]
    start, end = parts.first[parts.left], parts.last[parts.top]  # of the node
    inner_end, inner_start = parts.last[parts.split], parts.first[parts.following]  # of its two children
    add("neighbourhood:bias", rows)
    ends = {
        "left start": table.at(start - 1, owner), "left end": table.at(inner_end + 1, owner),
        "right start": table.at(inner_start - 1, owner), "right end": table.at(parts.last[parts.right] + 1, owner),
    }
    for name, position in ends.items():
        step = -1 if name.endswith("start") else 1
        further = table.at(position + step, owner)
        add(f"neighbourhood:word {name}", rows, word[position])
        add(f"neighbourhood:tag {name}", rows, tag[position])
        add(f"neighbourhood:bigram {name}", rows, word[position], word[further])
    middle, token = expand(inner_end + 1, inner_start)
    add("connecting:word", middle, word[token])
    add("connecting:tag", middle, tag[token])
    row, token = expand(inner_end + 1, inner_start - 1)
    add("connecting:bigram", row, word[token], word[token + 1])
    add("connecting:empty", rows, inner_end + 1 >= inner_start)
    apart = parts.following != parts.split + 1  # never in a projective tree
    add("neighbourhood:order", rows[apart], order_of_children(parts)[apart])
    one_left, one_right = parts.left == parts.split, parts.following == parts.right
    a, b = parts.value[parts.split], parts.value[parts.following]
    numbers = one_left & one_right & ~np.isnan(a) & ~np.isnan(b)
    add("number:larger", rows[numbers], np.sign(a[numbers] - b[numbers]).astype(np.int64))
    if build.wants("rich"):
        _rich(build, table, parts, rows, owner, start, end, inner_end, inner_start, one_left, one_right, ends)
    return build.build()


def order_of_children(parts: TreeParts) -> np.ndarray:
    """How a node's children's spans lie: 0 one after the other, 1 interleaved, 2 the right one inside the left."""
    inside = (parts.following < parts.split) & (parts.right < parts.split)
    return np.where(inside, 2, (parts.following < parts.split).astype(np.int64))


def chain(values: np.ndarray, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """uint64 [ranges]: one hash for each sequence values[start..stop-1]."""
    state = np.full(len(start), 7, dtype=np.uint64)
    longest = int(np.max(stop - start, initial=0))
    for step in range(longest):
        inside = start + step < stop
        state[inside] = mix(state[inside], values[(start + step)[inside]])
    return state


def _rich(build, table, parts, rows, owner, start, end, inner_end, inner_start, one_left, one_right, ends) -> None:
    add = build.add
    word, lemma, dep = table.word, table.lemma, table.dep
    many = np.uint64(1)
    kind_left = np.where(one_left, parts.kind[parts.left], many)
    kind_right = np.where(one_right, parts.kind[parts.right], many)
    size = parts.size[owner]
    whole = (parts.top - parts.left + 1) == size
    i, k, j = parts.node[:, 1], parts.node[:, 2], parts.node[:, 3]
    add("rich:kinds", rows, kind_left, kind_right)
    add("rich:kinds and whole", rows, kind_left, kind_right, whole)
    add("rich:sizes", rows, k - i, parts.right - parts.following + 1, whole)
    leaf_first, leaf_count = parts.left - i, size
    pattern = chain(parts.kind, leaf_first, leaf_first + leaf_count)
    add("rich:pattern of all", rows, pattern, i, k, j)
    add("rich:pattern of span", rows, chain(parts.kind, parts.left, parts.top + 1), k - i)
    near_left = np.where(i > 0, parts.kind[np.maximum(parts.left - 1, 0)], many)
    near_right = np.where(j + 1 < size, parts.kind[np.minimum(parts.top + 1, len(parts.kind) - 1)], many)
    add("rich:kinds around", rows, near_left, kind_left, kind_right, near_right)

    # the text between the children, alone and together with what surrounds the node
    short = inner_start - inner_end - 1 <= 6
    connecting = chain(lemma, inner_end + 1, np.where(short, inner_start, inner_end + 1))
    add("rich:connecting", rows[short], connecting[short])
    add("rich:connecting and kinds", rows[short], connecting[short], kind_left[short], kind_right[short])
    add("rich:connecting and left", rows[short], connecting[short], word[ends["left start"]][short])
    add("rich:connecting and right", rows[short], connecting[short], word[ends["right end"]][short])
    add("rich:ends of connecting", rows, word[ends["left end"]], word[ends["right start"]])
    middle, token = expand(inner_end + 1, inner_start)
    add("rich:lemma", middle, lemma[token], whole[middle])
    add("rich:lemma and kinds", middle, lemma[token], kind_left[middle], kind_right[middle])
    row, token = expand(inner_end + 1, inner_start - 1)
    add("rich:lemma bigram", row, lemma[token], lemma[token + 1], whole[row])

    # text to the left and right of the node, up to the next trigger; text within the span that no leaf covers
    before = np.where(i > 0, parts.last[np.maximum(parts.left - 1, 0)], table.low[owner]) + 1
    after = np.where(j + 1 < size, parts.first[np.minimum(parts.top + 1, len(parts.first) - 1)], table.high[owner])
    row, token = expand(np.maximum(before, start - BAG), start)
    add("rich:lemma on the left", row, lemma[token])
    add("rich:lemma on the left and kinds", row, lemma[token], kind_left[row], kind_right[row])
    row, token = expand(end + 1, np.minimum(after, end + 1 + BAG))
    add("rich:lemma on the right", row, lemma[token])
    covered = np.zeros(table.size, dtype=bool)
    covered[expand(parts.first, parts.last + 1)[1]] = True
    row, token = expand(start, np.minimum(end + 1, start + 4 * BAG))
    free = ~covered[token]
    row, token = row[free], token[free]
    add("rich:lemma of span", row, lemma[token])
    add("rich:lemma of span and kinds", row, lemma[token], kind_left[row], kind_right[row], whole[row])
    row, token = expand(table.low[owner] + 1, table.high[owner])
    free = ~covered[token]
    row, token = row[free], token[free]
    add("rich:lemma of sentence", row, lemma[token], kind_left[row], kind_right[row])
    # leaves next to the split: their words and how they are connected in the parse
    add("rich:edge words", rows, word[inner_end], word[inner_start])
    add("rich:left word", rows, word[start], kind_right)
    add("rich:right word", rows, word[end], kind_left)
    add("rich:left words", rows, word[start], word[ends["left start"]])
    add("rich:split words", rows, word[inner_start], word[ends["right start"]])
    add("rich:left governor", rows, lemma[table.head[inner_end]], dep[inner_end], kind_right)
    add("rich:right governor", rows, lemma[table.head[inner_start]], dep[inner_start], kind_left)
    linked = np.where(table.head[inner_end] == inner_start, 1, np.where(table.head[inner_start] == inner_end, 2, 0))
    add("rich:linked", rows, linked, kind_left, kind_right)
    add("rich:distance", rows, np.clip(inner_start - inner_end - 1, -1, 8), kind_left, kind_right)
