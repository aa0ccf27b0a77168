"""Features of the relation stage: one part per relation that a sentence may state (ours).

All are in the group `rich`. The other stages see one decision at a time; these look at a whole equation: how probable
they found it, its shape, the numbers that it leaves out, whether amounts that are added or compared have one unit, the
value that it gives its unknown, and the words around its leaves. The words of the whole sentence did harm: they told
the sentences learnt from apart.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from eqparse.scoring.features.hashing import FeatureBuilder, Features
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import chain
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions
from eqparse.text.quantities import Quantity
from eqparse.text.triggers import Trigger

STEPS = np.array([0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 8])
"""A relation has a feature for each of these that the negative logarithm of a probability exceeds."""
MOST = 8  # powers of ten


@dataclass(frozen=True)
class WholeEquation:
    """What the features see of an equation.

    at: the sentence, its row in the batch.
    nodes: each (i, k, j, label), as in `eqparse.stages.derivation`.
    labels: the readable name of each node's label, "=" or an operation and the order of its operands.
    log_p: log-probabilities: that of the relation less that of the best one, and those of the stages.
    """

    at: int
    triggers: Sequence[Trigger]
    nodes: Sequence[tuple[int, int, int, int]]
    labels: Sequence[str]
    log_p: Sequence[float]


@dataclass(frozen=True)
class Side:
    """A part of an equation: its shape, the one unit of its numbers, and a * x + b as (a, b) if it is linear in V1."""

    shape: str
    unit: str
    line: tuple[float, float] | None
    number: float | None = None


def relation_features(
    equations: Sequence[WholeEquation],
    mentions: Sequence[Mentions],
    table: TokenTable,
    *,
    groups: Collection[str],
) -> Features:
    """Features of every equation -> rows = equations."""
    build = FeatureBuilder(len(equations), groups=groups)
    if not build.wants("rich"):
        return build.build()
    rows = np.arange(len(equations))
    _probabilities(build, equations)
    named: dict[str, list[tuple[int, int]]] = {}  # template -> (row, value) of each feature
    shapes = np.zeros(len(equations), dtype=np.uint64)
    for row, one in enumerate(equations):
        whole, parts = fold(one)
        shapes[row] = string_id(whole.shape)
        for name, value in amounts(one, mentions[one.at], whole, parts):
            named.setdefault(name, []).append((row, string_id(value)))
    for name, found in named.items():
        row, value = np.array(found, dtype=np.uint64).T
        build.add(f"rich:{name}", row.astype(np.int64), value)
    build.add("rich:shape", rows, shapes)
    _leaves(build, equations, table, shapes)
    return build.build()


def _probabilities(build: FeatureBuilder, equations: Sequence[WholeEquation]) -> None:
    """How improbable the relation and each of its steps is, and its rank in its sentence."""
    for step in range(max(len(one.log_p) for one in equations)):
        values = np.array([-one.log_p[step] if step < len(one.log_p) else 0.0 for one in equations])
        row, passed = np.nonzero(values[:, None] > STEPS)
        build.add("rich:improbable", row, np.full(len(row), step), passed)
    owner = np.array([one.at for one in equations])
    rank = np.arange(len(owner)) - np.searchsorted(owner, owner)
    build.add("rich:rank", np.arange(len(owner)), np.minimum(rank, 4))


def fold(one: WholeEquation) -> tuple[Side, list[tuple[str, Side, Side]]]:
    """The whole equation, and (label, left, right) of each node, in the order of the text."""
    sides = {(i, i): leaf(t) for i, t in enumerate(one.triggers)}
    parts = []
    order = sorted(zip(one.nodes, one.labels, strict=True), key=lambda pair: pair[0][2] - pair[0][0])
    whole = sides[0, 0] if one.triggers else Side("", "", None)
    for (i, k, j, _), label in order:
        left, right = sides.get((i, k)), sides.get((k + 1, j))
        if left is None or right is None:  # a tree that crosses
            continue
        parts.append((label, left, right))
        whole = sides[i, j] = joined(label, left, right)
    return whole, parts


def leaf(trigger: Trigger) -> Side:
    """A number or a variable by itself."""
    q = trigger.quantity
    if q is None:
        return Side(trigger.label, "", (1.0, 0.0) if trigger.label == "V1" else None)
    return Side("n" if abs(q.value) < 1 else "N", q.unit, (0.0, float(q.value)), float(q.value))


def joined(label: str, left: Side, right: Side) -> Side:
    """Two parts under an operation."""
    unit = left.unit if left.unit == right.unit or not right.unit else right.unit if not left.unit else "mixed"
    shape = f"({left.shape} {label} {right.shape})"
    first, second = (right, left) if label.endswith("rl") else (left, right)
    if first.line is None or second.line is None:
        return Side(shape, unit, None)
    (a, b), (c, d) = first.line, second.line
    line = None
    match label[0]:
        case "+":
            line = a + c, b + d
        case "-" | "=":
            line = a - c, b - d
        case "*" if a == 0 or c == 0:
            line = (a * d + c * b, b * d)
        case "/" if c == 0 and d != 0:
            line = a / d, b / d
    return Side(shape, unit, line)


def amounts(
    one: WholeEquation, m: Mentions, whole: Side, parts: Sequence[tuple[str, Side, Side]]
) -> Iterator[tuple[str, str]]:
    """Yield the names and values of what the equation does with the amounts of the text."""
    used = [t.quantity for t in one.triggers if t.quantity is not None]
    places = {(q.start, q.end) for q in used}
    left_out = [q for q in m.quantities if (q.start, q.end) not in places]
    units = sorted({q.unit for q in used if q.unit})
    phrases = [t.label for t in one.triggers if t.label]
    yield "leaves", f"{len(used)} {len(phrases)} {len(set(phrases))} of {min(len(left_out), 4)}"
    yield "shape and left out", f"{whole.shape} {min(len(left_out), 3)}"
    yield "units", " ".join((*units, str(len(used))))
    for q in left_out:
        yield "left out", f"{q.unit} {q.kind} {q.unit in units} {len(units)}"
        yield "left out of shape", f"{q.unit} {whole.shape}"
    for q in used:
        yield "used", f"{q.unit} {q.kind} {sum(q.unit == other.unit for other in used)} of {len(used)}"
    for label, left, right in parts:
        agree = "none" if not (left.unit or right.unit) else "one" if not (left.unit and right.unit) else \
            "same" if left.unit == right.unit else "differ"
        kinds = ["V" if "V" in side.shape else "N" for side in (left, right)]
        yield "agreement", f"{label} {kinds} {agree}"
        yield "operands", f"{label} {kinds} {left.unit} {right.unit}"
        if left.number is not None and right.number is not None:
            yield "sizes", f"{label} {power(left.number) - power(right.number)}"
    if len(set(phrases)) == 1 and whole.line is not None and whole.line[0]:
        yield from of_value(-whole.line[1] / whole.line[0], used)


def of_value(x: float, used: Sequence[Quantity]) -> Iterator[tuple[str, str]]:
    """Yield what is striking about the value of the only unknown."""
    whole = math.isfinite(x) and abs(x - round(x)) < 1e-9, all(q.exact.denominator == 1 for q in used)
    yield "value", f"{np.sign(x)} {abs(x) <= 1} {whole}"
    for q in used:
        yield "value to number", f"{q.unit} {power(x) - power(q.value)}"


def power(x: float) -> int:
    """The power of ten nearest to a number, within bounds."""
    return max(-MOST, min(MOST, round(math.log10(abs(x))))) if x and math.isfinite(x) else -MOST


def _leaves(build: FeatureBuilder, equations: Sequence[WholeEquation], table: TokenTable, shapes: np.ndarray) -> None:
    """The words around the leaves, and what the phrases are."""
    leaves = [(row, one.at, t.first, t.last, bool(t.label)) for row, one in enumerate(equations) for t in one.triggers]
    row, at, first, last, phrase = np.array(leaves, dtype=np.int64).reshape(-1, 5).T
    first, last = first + table.base[at], last + table.base[at]
    before, after = table.at(first - 1, at), table.at(last + 1, at)
    for name, place in (("before", before), ("after", after)):
        build.add(f"rich:{name}", row, table.lemma[place], phrase)
        build.add(f"rich:{name} and shape", row, table.lemma[place], phrase, shapes[row])
    build.add("rich:around", row, table.lemma[before], table.lemma[after], phrase)
    some = np.flatnonzero(phrase)
    head = table.last_head(first[some], last[some])
    build.add("rich:phrase", row[some], table.lemma[head])
    build.add("rich:length of phrase", row[some], np.minimum(last - first, 6)[some])
    short = some[(last - first)[some] < 3]
    build.add("rich:short phrase", row[short], chain(table.lemma, first[short], last[short] + 1))
    ends = np.array([(one.triggers[0].first, max(t.last for t in one.triggers)) for one in equations if one.triggers])
    owner = np.array([(row, one.at) for row, one in enumerate(equations) if one.triggers], dtype=np.int64)
    if len(ends):
        build.add("rich:text before all", owner[:, 0], np.minimum(ends[:, 0], 6))
        behind = (table.high - table.base)[owner[:, 1]] - ends[:, 1]
        build.add("rich:text after all", owner[:, 0], np.clip(behind, 0, 8))
