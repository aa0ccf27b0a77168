"""From an equation to the trees over its triggers that express it, and from a tree back to an equation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from eqparse.equation.comparison import TOLERANCE
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.text.triggers import Trigger

MAX_ASSIGNMENTS = 5040  # of leaves to triggers; only many equal numbers reach it

NODE_LABELS = ("=", "+", "*", "-lr", "-rl", "/lr", "/rl")
"""The labels of a tree's nodes: operation and order; `lr` means that the left child is the first operand."""

Node = tuple[int, int, int, int]
"""(i, k, j, label): joins leaves i..k and k+1..j under NODE_LABELS[label]."""


def gold_trees(equation: Equation, triggers: Sequence[Trigger]) -> tuple[tuple[Node, ...], ...]:
    """All projective trees over the triggers that express the equation, up to the order of operands and equal leaves.

    Two variables grounded in the same phrase may be exchanged. Empty if no projective tree expresses the equation.
    """
    trees = set()
    for places in leaf_places(equation, triggers):
        nodes: list[Node] = []
        if _place(equation_tree(equation), iter(places), nodes) is not None:
            trees.add(tuple(sorted(nodes)))
    return tuple(sorted(trees))


def leaf_places(equation: Equation, triggers: Sequence[Trigger]) -> Iterator[tuple[int, ...]]:
    """Every one-to-one assignment of the equation's leaves to the triggers, as the trigger's index for each leaf."""
    leaves = equation.leaves()
    if len(leaves) != len(triggers):
        return
    phrases = [(t.start, t.end) for t in triggers if t.label]
    one_phrase = len(phrases) > 1 and len(set(phrases)) == 1

    def fits(leaf: Number | Variable, trigger: Trigger) -> bool:
        if isinstance(leaf, Number):
            return trigger.quantity is not None and abs(trigger.quantity.value - leaf.value) < TOLERANCE
        return bool(trigger.label) and (one_phrase or trigger.label == leaf.name)

    choices = [[p for p, t in enumerate(triggers) if fits(leaf, t)] for leaf in leaves]
    for places in assignments(choices):
        if len(set(places)) == len(places):
            yield places


def assignments(choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """Every way to take one item from each list, at most `MAX_ASSIGNMENTS` of them."""
    return itertools.islice(itertools.product(*choices), MAX_ASSIGNMENTS)


def equation_tree(equation: Equation) -> tuple:
    """The equation as nested triples (operation, left, right), with None for a leaf."""

    def walk(node: Expression):
        return (node.op, walk(node.left), walk(node.right)) if isinstance(node, Operation) else None

    return ("=", walk(equation.left), walk(equation.right))


def _place(tree, at, nodes: list[Node]) -> tuple[int, int] | None:
    """Place a subtree's leaves -> the first and last leaf that it spans; None if its children are not adjacent."""
    if tree is None:
        place = next(at)
        return place, place
    op, left, right = tree
    a, b = _place(left, at, nodes), _place(right, at, nodes)
    if a is None or b is None:
        return None
    order = "lr" if a < b else "rl"
    (i, k), (following, j) = (a, b) if a < b else (b, a)
    if following != k + 1:
        return None
    nodes.append((i, k, j, NODE_LABELS.index(op + order if op in "-/" else op)))
    return i, j


def tree_equation(nodes: Sequence[Node], triggers: Sequence[Trigger]) -> Equation:
    """Read the equation off a tree over the triggers."""
    joins = {(i, j): (k, label) for i, k, j, label in nodes}

    def walk(i: int, j: int) -> Expression:
        if i == j:
            trigger = triggers[i]
            return Variable(trigger.label) if trigger.quantity is None else Number(trigger.quantity.exact)
        k, label = joins[i, j]
        left, right = walk(i, k), walk(k + 1, j)
        name = NODE_LABELS[label]
        if name.endswith("rl"):
            left, right = right, left
        return Operation(name[0], left, right)

    k, label = joins[0, len(triggers) - 1]
    return Equation(walk(0, k), walk(k + 1, len(triggers) - 1))
