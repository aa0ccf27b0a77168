"""An equation tree drawn as inline SVG."""

from __future__ import annotations

from html import escape

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Operation, Variable

COLUMN, LEVEL, RADIUS, MARGIN = 58, 44, 15, 6
SIGNS = {"*": "×", "/": "÷", "-": "−"}


def tree_svg(equation: Equation) -> str:
    """The tree with its root above and its leaves in the order of the equation."""
    lines: list[str] = []
    nodes: list[str] = []
    leaves, deepest = 0, 0

    def place(node: Expression | Equation, depth: int) -> tuple[float, float]:
        nonlocal leaves, deepest
        deepest = max(deepest, depth)
        y = MARGIN + RADIUS + depth * LEVEL
        if not isinstance(node, (Operation, Equation)):
            x = MARGIN + COLUMN / 2 + leaves * COLUMN
            leaves += 1
            kind = node.name.lower() if isinstance(node, Variable) and node.name in ("V1", "V2") else "number"
            text = str(node)
            width = min(COLUMN - 6, max(2 * RADIUS, 8 * len(text) + 10))
            size = ' textLength="44" lengthAdjust="spacingAndGlyphs"' if len(text) > 5 else ""
            nodes.append(
                f'<g class="leaf {kind}"><rect x="{x - width / 2:g}" y="{y - 13:g}" width="{width:g}" height="26" '
                f'rx="6"/><text x="{x:g}" y="{y + 5:g}"{size}>{escape(text)}</text></g>'
            )
            return x, y
        (a, below), (b, other) = place(node.left, depth + 1), place(node.right, depth + 1)
        x = (a + b) / 2
        for child, child_y in ((a, below), (b, other)):
            lines.append(f'<line x1="{x:g}" y1="{y:g}" x2="{child:g}" y2="{child_y:g}"/>')
        sign = "=" if isinstance(node, Equation) else SIGNS.get(node.op, node.op)
        nodes.append(
            f'<g class="op"><circle cx="{x:g}" cy="{y:g}" r="{RADIUS}"/><text x="{x:g}" y="{y + 5:g}">{sign}</text></g>'
        )
        return x, y

    place(equation, 0)
    width, height = 2 * MARGIN + leaves * COLUMN, 2 * (MARGIN + RADIUS) + deepest * LEVEL
    label = escape(f"tree of {equation}", quote=True)
    return (
        f'<svg class="tree" role="img" aria-label="{label}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}">{"".join(lines)}{"".join(nodes)}</svg>'
    )
