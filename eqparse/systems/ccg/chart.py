"""A CKY chart for CCG with weights: application and composition, skipped words, a beam in every cell.

A word that no entry of the derivation covers is skipped, at a cost. Skipped words are attached to the entry before
them, those at the beginning to the first entry, so each choice of entries gives only one derivation. Of two
derivations with the same category and meaning over the same words, only the better one is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import nlargest

from eqparse.systems.ccg.category import Category, Meaning, apply, compose, root
from eqparse.systems.ccg.lexicon import Edge, Feature
from eqparse.text.triggers import MAX_VARIABLE_MENTIONS

MAX_NEW = 2  # new entries, which the lexicon lacks, in a derivation


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A constituent: its score and its origin, either an edge with skipped words or a rule and two items."""

    score: float
    category: Category
    meaning: Meaning
    root: str
    mentions: int
    new: int
    edge: Edge | None = None
    span: tuple[int, int] = (0, 0)
    feature: Feature = ()
    left: Item | None = None
    right: Item | None = None

    def features(self, words: Sequence[str]) -> list[Feature]:
        """All features of the derivation; one that occurs several times is listed several times."""
        if self.edge is None:
            return [self.feature, *self.left.features(words), *self.right.features(words)]
        skipped = [*range(self.span[0], self.edge.start), *range(self.edge.end, self.span[1])]
        return [*self.edge.features, *(f for at in skipped for f in skip_features(words[at]))]

    def edges(self) -> list[Edge]:
        """The lexical entries from left to right."""
        return [self.edge] if self.edge is not None else self.left.edges() + self.right.edges()


def skip_features(word: str) -> tuple[Feature, ...]:
    """The features of skipping a word: one shared by all words, and one for this word."""
    return ("skip",), ("skip", word)


def parse(
    edges: Sequence[Edge],
    words: Sequence[str],
    weight: Callable[[Feature], float],
    *,
    beam: int,
    accepts: Callable[[Meaning], bool] | None = None,
) -> list[Item]:
    """The derivations of category S over all words, best first.

    At most words^3 * beam^2 / 6 pairs of constituents are combined.

    beam: how many constituents a cell keeps.
    accepts: build a constituent without arguments only if this function accepts its meaning.
    """
    n = len(words)
    skip = [0.0]
    for word in words:
        skip.append(skip[-1] + sum(weight(f) for f in skip_features(word)))
    cells: dict[tuple[int, int], Cell] = {}
    placed: dict[tuple[int, int], list[Item]] = {}
    for edge in edges:
        if accepts is not None and isinstance(edge.category, str) and not accepts(edge.meaning):
            continue
        inner = sum(weight(f) for f in edge.features)
        kind = root(edge.meaning)
        for start in {edge.start, 0}:
            for end in range(edge.end, n + 1):
                score = inner + skip[edge.start] - skip[start] + skip[end] - skip[edge.end]
                item = Item(score, edge.category, edge.meaning, kind, edge.mentions, int(edge.new), edge, (start, end))
                placed.setdefault((start, end), []).append(item)
    rules: dict[Feature, float] = {}
    for width in range(1, n + 1):
        for start in range(n - width + 1):
            end = start + width
            found: list[tuple] = [(item.score, item) for item in placed.get((start, end), ())]
            for middle in range(start + 1, end):
                left, right = cells.get((start, middle)), cells.get((middle, end))
                if left is not None and right is not None:
                    join(left, right, weight, rules, found)
            if found:
                cells[start, end] = Cell(pruned(found, beam, accepts))
    whole = cells.get((0, n))
    return [] if whole is None else whole.of.get("S", [])


class Cell:
    """The constituents over one span, indexed by what they can combine with."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.functors: dict[str, list[Item]] = {"/": [], "\\": []}
        self.of: dict[Category, list[Item]] = {}
        self.giving: dict[tuple[str, Category], list[Item]] = {}
        for item in items:
            category = item.category
            self.of.setdefault(category, []).append(item)
            if not isinstance(category, str):
                self.functors[category[1]].append(item)
                self.giving.setdefault((category[1], category[0]), []).append(item)


def join(left: Cell, right: Cell, weight, rules: dict[Feature, float], found: list[tuple]) -> None:
    """Add (score, rule, functor, argument, category, feature, left, right) for each way to join two neighbours."""
    for a in left.functors["/"]:
        result, _, wanted = a.category
        for b in right.of.get(wanted, ()):  # X/Y Y => X
            _add(found, weight, rules, apply, a, b, result, ">", a, b)
        for b in right.giving.get(("/", wanted), ()):  # X/Y Y/Z => X/Z
            _add(found, weight, rules, compose, a, b, (result, "/", b.category[2]), ">B", a, b)
    for b in right.functors["\\"]:
        result, _, wanted = b.category
        for a in left.of.get(wanted, ()):  # Y X\Y => X
            _add(found, weight, rules, apply, b, a, result, "<", a, b)
        for a in left.giving.get(("\\", wanted), ()):  # Y\Z X\Y => X\Z
            _add(found, weight, rules, compose, b, a, (result, "\\", a.category[2]), "<B", a, b)


def _add(found, weight, rules, rule, functor, argument, category, name, left, right) -> None:
    if left.mentions + right.mentions > MAX_VARIABLE_MENTIONS or left.new + right.new > MAX_NEW:
        return
    feature = (name, functor.root, argument.root)
    cost = rules.get(feature)
    if cost is None:
        cost = rules[feature] = weight(feature)
    found.append((left.score + right.score + cost, rule, functor, argument, category, feature, left, right))


def pruned(found: list[tuple], beam: int, accepts) -> list[Item]:
    """The `beam` best constituents that differ in category or meaning; of equal scores the one found first."""
    kept: dict[tuple[Category, Meaning], Item] = {}
    limit = len(found) if accepts is not None else 4 * beam
    order = nlargest(limit, range(len(found)), key=lambda n: (found[n][0], -n))
    for n in order:
        entry = found[n]
        if len(entry) == 2:
            item = entry[1]
        else:
            score, rule, functor, argument, category, feature, left, right = entry
            meaning = rule(functor.meaning, argument.meaning)
            if accepts is not None and isinstance(category, str) and not accepts(meaning):
                continue
            kind = functor.root if functor.root != "a" else argument.root
            mentions, new = left.mentions + right.mentions, left.new + right.new
            item = Item(score, category, meaning, kind, mentions, new, feature=feature, left=left, right=right)
        if kept.setdefault((item.category, item.meaning), item) is item and len(kept) == beam:
            break
    return list(kept.values())
