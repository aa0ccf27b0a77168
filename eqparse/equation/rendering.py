"""Equation trees as SymPy expressions and as LaTeX, both of which keep the form of the tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eqparse.equation.expression import Expression, Number, Variable

if TYPE_CHECKING:
    import sympy


def to_sympy(node: Expression, *, evaluate: bool = False) -> sympy.Expr:
    """The expression; unless it is evaluated, `2 * 3` stays a product. Numbers are exact rationals."""
    import sympy

    if isinstance(node, Number):
        return sympy.Rational(node.exact.numerator, node.exact.denominator)
    if isinstance(node, Variable):
        return sympy.Symbol(node.name)
    left, right = (to_sympy(side, evaluate=evaluate) for side in (node.left, node.right))
    if node.op == "-":
        right = -right if right.is_Number else sympy.Mul(sympy.Integer(-1), right, evaluate=evaluate)
    elif node.op == "/":
        right = sympy.Pow(right, sympy.Integer(-1), evaluate=evaluate)
    return (sympy.Add if node.op in "+-" else sympy.Mul)(left, right, evaluate=evaluate)


def to_latex(node: Expression) -> str:
    r"""LaTeX for math mode, with only the parentheses that are needed: `30 + 2 V_{2}`, `\frac{V_{1}}{3}`.

    A number with infinitely many decimals is written as a fraction. A `\cdot` stands before a factor that begins with a
    digit or a fraction, so that numbers do not run together.
    """
    if isinstance(node, Number):
        upper, lower = abs(node.exact.numerator), node.exact.denominator
        ends = pow(10, lower.bit_length(), lower) == 0  # lower divides a power of ten
        return str(node) if ends else ("-" if node.value < 0 else "") + rf"\frac{{{upper}}}{{{lower}}}"
    if isinstance(node, Variable):
        return f"V_{{{node.name[1:]}}}"
    if node.op == "/":
        return rf"\frac{{{to_latex(node.left)}}}{{{to_latex(node.right)}}}"
    if node.op == "*":
        left, right = (_enclosed(side, operations="+-") for side in (node.left, node.right))
        return f"{left} \\cdot {right}" if re.match(r"[0-9]|\\frac", right) else f"{left} {right}"
    right = _enclosed(node.right, operations="+-" if node.op == "-" else "")
    return f"{_enclosed(node.left)} {node.op} {right}"


def _enclosed(node: Expression, *, operations: str = "") -> str:
    """LaTeX of an operand, in parentheses if it is negative or its operation is one of `operations`."""
    text = to_latex(node)
    if getattr(node, "op", None) in tuple(operations) or (isinstance(node, Number) and node.value < 0):
        return rf"\left({text}\right)"
    return text
