"""Where the nodes of an equation tree are drawn."""

from __future__ import annotations

from dataclasses import dataclass

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Operation, Variable

COLUMN, LEVEL, RADIUS, MARGIN = 58, 44, 15, 6
SIGNS = {"*": "×", "/": "÷", "-": "−"}


@dataclass(frozen=True)
class Node:
    """A node at its centre. style: the class in the style sheet, v1, v2, number or op."""

    x: float
    y: float
    text: str
    style: str

    @property
    def width(self) -> int:
        """Of a leaf's box."""
        return min(COLUMN - 6, max(2 * RADIUS, 8 * len(self.text) + 10))


@dataclass(frozen=True)
class Drawing:
    """A tree in pixels from the upper left corner. lines: (x, y) of a node and (x, y) of its child."""

    width: float
    height: float
    lines: list[tuple[float, float, float, float]]
    leaves: list[Node]
    operators: list[Node]


def draw(equation: Equation) -> Drawing:
    """The tree with its root at the top and its leaves in the order of the equation."""
    lines: list[tuple[float, float, float, float]] = []
    leaves: list[Node] = []
    operators: list[Node] = []

    def place(node: Expression | Equation, depth: int) -> tuple[float, float]:
        y = MARGIN + RADIUS + depth * LEVEL
        if not isinstance(node, (Operation, Equation)):
            x = MARGIN + COLUMN * (len(leaves) + 0.5)
            style = node.name.lower() if isinstance(node, Variable) and node.name in ("V1", "V2") else "number"
            leaves.append(Node(x, y, str(node), style))
            return x, y
        left, right = place(node.left, depth + 1), place(node.right, depth + 1)
        x = (left[0] + right[0]) / 2
        lines.extend([(x, y, *left), (x, y, *right)])
        sign = "=" if isinstance(node, Equation) else SIGNS.get(node.op, node.op)
        operators.append(Node(x, y, sign, "op"))
        return x, y

    place(equation, 0)
    width, height = 2 * MARGIN + len(leaves) * COLUMN, max(leaf.y for leaf in leaves) + RADIUS + MARGIN
    return Drawing(width, height, lines, leaves, operators)
