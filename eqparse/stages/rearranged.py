"""The projective trees that express an equation: those of its form, or, if no such tree is projective, of another.

"Down to 33 percent, a drop of 7 points" states V1 - 7 = 33, but the 7 stands outside; V1 = 33 + 7 is projective, and
says the same.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np

from eqparse.equation.equation import Equation
from eqparse.stages.derivation import NODE_LABELS, Node, equation_tree, gold_trees, leaf_places
from eqparse.text.triggers import Trigger

MAX_LEAVES = 5  # 3,024 trees; the next size has 54,432
SAMPLES = 3
OPERATIONS = {"=": operator.sub, "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
INNER = tuple((number, label) for number, label in enumerate(NODE_LABELS) if label != "=")

Tree = tuple[Node, ...]


def trees_that_say(equation: Equation, triggers: Sequence[Trigger]) -> tuple[Tree, ...]:
    """The gold trees of the equation's own form, or else those that are equivalent; empty if there are none."""
    return gold_trees(equation, triggers) or rearranged_trees(equation, triggers)


def rearranged_trees(equation: Equation, triggers: Sequence[Trigger]) -> tuple[Tree, ...]:
    """All projective trees over at most 5 triggers that are equivalent to the equation whatever its numbers are.

    Each leaf stands for an unknown of its own: every tree is solved for the first one at random values of the others,
    and the equation must then hold. So 2 + 2 is never taken for 2 * 2. Empty if there are more triggers.
    """
    if len(triggers) > MAX_LEAVES:
        return ()
    assigned = list(leaf_places(equation, triggers))
    if not assigned:
        return ()
    trees, values = trees_over(len(triggers))
    holds = np.any([_holds(equation, [values[place] for place in places]) for places in assigned], axis=0)
    return tuple(sorted(trees[n] for n in np.flatnonzero(holds).tolist()))


@cache
def trees_over(count: int) -> tuple[list[Tree], list[np.ndarray]]:
    """All projective trees over so many leaves, and values [trees or 1, SAMPLES] of each leaf for which they hold."""
    leaves = np.random.default_rng(0).uniform(1.0, 2.0, (count, SAMPLES))
    trees, first = zip(*solved_trees(leaves), strict=True)
    return [tuple(sorted(nodes)) for nodes in trees], [np.stack(first), *leaves[1:, None]]


def _holds(equation: Equation, values: Sequence[np.ndarray]) -> np.ndarray:
    """For which trees does an equation hold if its leaves, in their order in it, have these values (`trees_over`)?"""
    rest = iter(values)

    def walk(tree) -> np.ndarray:
        if tree is None:
            return next(rest)
        op, left, right = tree
        return OPERATIONS[op](walk(left), walk(right))

    with np.errstate(divide="ignore", invalid="ignore"):
        return np.all(np.abs(walk(equation_tree(equation))) < 1e-9, axis=1)


def solved_trees(leaves: np.ndarray) -> Iterator[tuple[Tree, np.ndarray]]:
    """Every projective tree over leaves [n, SAMPLES], and the value [SAMPLES] of the first leaf that the others imply.

    With s(i, j) the subtrees over leaves i..j and their values, the value v of a tree over 0..j is split at k into that
    of a tree over 0..k and some w of s(k + 1, j): where v = u op w, u is v with the operation undone.
    """

    @cache
    def subtrees(i: int, j: int) -> list[tuple[Tree, np.ndarray]]:
        if i == j:
            return [((), leaves[i])]
        return [
            ((*a, *b, (i, k, j, number)), joined(label, x, y))
            for k in range(i, j)
            for (a, x), (b, y), (number, label) in product(subtrees(i, k), subtrees(k + 1, j), INNER)
        ]

    def solve(j: int, value: np.ndarray) -> Iterator[tuple[Tree, np.ndarray]]:
        if j == 0:
            yield (), value
        for k in range(j):
            for (b, y), (number, label) in product(subtrees(k + 1, j), INNER):
                for a, first in solve(k, undone(label, value, y)):
                    yield (*a, *b, (0, k, j, number)), first

    last = len(leaves) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        for k in range(last):
            for b, y in subtrees(k + 1, last):
                for a, first in solve(k, y):
                    yield (*a, *b, (0, k, last, 0)), first


def joined(label: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The value of a node with children of the values x, on the left, and y."""
    return OPERATIONS[label[0]](*((y, x) if label.endswith("rl") else (x, y)))


def undone(label: str, value: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The x for which `joined(label, x, y)` is a value."""
    match label:
        case "+":
            return value - y
        case "*":
            return value / y
        case "-lr":
            return value + y
        case "/lr":
            return value * y
        case "-rl":
            return y - value
        case _:
            return y / value
