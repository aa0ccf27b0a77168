"""An equation as a tree: parsing, printing, comparison, and conversion to SymPy, LaTeX and JSON."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from eqparse.equation import expression, rendering
from eqparse.equation.canonical import canonical_sides
from eqparse.equation.comparison import equivalent, same_form
from eqparse.equation.expression import MAX_DEPTH, Expression, Number, Operation, Variable
from eqparse.errors import EqparseError, kind_of

if TYPE_CHECKING:
    import sympy

__all__ = ["Equation", "Expression", "Number", "Operation", "Variable", "equivalent", "same_form"]

_TOKEN = re.compile(r"V[0-9]+|[0-9][0-9,]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+|[-+*/=()]")
_SPACE = re.compile(r"\s*")
_END = "the end of the text"


@dataclass(frozen=True, slots=True)
class Equation:
    """`left = right`, the root of an equation tree."""

    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        for side in (self.left, self.right):
            if not isinstance(side, (Number, Variable, Operation)):
                raise EqparseError(f"a side is a Number, a Variable or an Operation, found {side!r}")

    @classmethod
    def parse(cls, text: str) -> Equation:
        """Read an equation such as `V1 = 30 + (2 * V2)`.

        Precedence is the usual one, and operations of equal precedence associate to the left. Numbers may have commas
        between digits, begin with a point, and have an exponent; a minus sign may only stand before a number.

        Raises:
            EqparseError: anything else; the message gives the text, the position and what was expected there.
        """
        if not isinstance(text, str):
            raise EqparseError(f"an equation is read from a str, found {kind_of(text)}")
        reader = _Reader(text)
        left = reader.expression()
        reader.take("=")
        right = reader.expression()
        reader.take(_END)
        return cls(left, right)

    def __str__(self) -> str:
        """The canonical form, which `parse` reads back as an equal equation."""
        return f"{self.left} = {self.right}"

    def leaves(self) -> tuple[Number | Variable, ...]:
        """The numbers and variables, left to right."""
        return (*expression.leaves(self.left), *expression.leaves(self.right))

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, each once, in order of first appearance."""
        return tuple(dict.fromkeys([leaf.name for leaf in self.leaves() if isinstance(leaf, Variable)]))

    def renamed(self, mapping: Mapping[str, str]) -> Equation:
        """The same equation with its variables renamed all at once; names that the mapping lacks stay."""
        return Equation(expression.renamed(self.left, mapping), expression.renamed(self.right, mapping))

    def canonical(self) -> Equation:
        """One form for one relation: `(20 * V1) = (21 * V2)` for `V1 = V2 + (0.05 * V2)` and all that equals it.

        Whole coefficients without a common divisor, every sign a plus, the first term on the left. Two equations are
        `equivalent` exactly if they have the same canonical form once the variables of one are renamed, if need be,
        apart from numbers that are equal only within its tolerance: V1 and V2 exchanged are another form, `(21 * V1) =
        (20 * V2)`. An equation that divides by zero everywhere stays as it is.

        Raises:
            EqparseError: as `equivalent` does, and for a coefficient that does not fit a float.
        """
        return Equation(*canonical_sides(self))

    def to_sympy(self, *, evaluate: bool = False) -> sympy.Eq | sympy.logic.boolalg.BooleanAtom:
        """A SymPy equation of the same form, unevaluated: `2 = 2` does not collapse to true.

        evaluate: let SymPy compute what it can: `V1 - 15 = 2 * 3` becomes `Eq(V1 - 15, 6)`, and `2 = 2` true.
        """
        import sympy

        sides = (rendering.to_sympy(side, evaluate=evaluate) for side in (self.left, self.right))
        return sympy.Eq(*sides, evaluate=evaluate)

    def to_latex(self) -> str:
        """LaTeX for math mode: `V_{1} = 30 + 2 V_{2}`."""
        return f"{rendering.to_latex(self.left)} = {rendering.to_latex(self.right)}"

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain JSON data (see `expression.to_dict`) under the keys left and right."""
        return {"left": expression.to_dict(self.left), "right": expression.to_dict(self.right)}

    @classmethod
    def from_dict(cls, data: Any) -> Equation:
        """The equation that `to_dict` wrote. Raises EqparseError for any other form."""
        if not isinstance(data, Mapping) or set(data) != {"left", "right"}:
            raise EqparseError(f"an equation has the keys left and right, found {data!r:.80}")
        return cls(expression.from_dict(data["left"]), expression.from_dict(data["right"]))


class _Reader:
    """A recursive descent parser for one text; it uses two stack frames for each level of parentheses."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.at, self.level = text, [], 0, 0
        position = _SPACE.match(text).end()
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None:
                wanted = "a number, V1, V2, an operation, = or parentheses"
                raise self.error(position, wanted, repr(text[position]))
            self.tokens.append((token.group(), position))
            position = _SPACE.match(text, token.end()).end()
        self.tokens.append((_END, len(text)))

    def error(self, position: int, expected: str, found: str) -> EqparseError:
        shown = self.text if len(self.text) <= 200 else self.text[:200] + "..."
        return EqparseError(f"equation {shown!r}, character {position}: expected {expected}, found {found}")

    def peek(self) -> str:
        return self.tokens[self.at][0]

    def take(self, expected: str) -> None:
        token, position = self.tokens[self.at]
        if token != expected:
            wanted = f"{expected!r}" if expected != _END else f"an operation or {_END}"
            raise self.error(position, wanted, token if token == _END else repr(token))
        self.at += 1

    def expression(self) -> Expression:
        total = sign = None
        while True:
            product, at = self.operand(), self.at
            while self.peek() in ("*", "/"):
                op, at = self.peek(), self.at
                self.at += 1
                product = self.operation(op, product, self.operand(), at)
            total = product if total is None else self.operation(sign, total, product, at)
            if self.peek() not in ("+", "-"):
                return total
            sign = self.peek()
            self.at += 1

    def operation(self, op: str, left: Expression, right: Expression, at: int) -> Operation:
        try:
            return Operation(op, left, right)
        except EqparseError as error:
            raise self.error(self.tokens[at][1], f"at most {MAX_DEPTH} levels", "one more") from error

    def operand(self) -> Expression:
        first = self.at
        while self.peek() == "-":
            self.at += 1
        signs = self.at - first
        token, position = self.tokens[self.at]
        self.at += 1
        if token == "(":
            self.level += 1
            if self.level > MAX_DEPTH:
                raise self.error(position, f"at most {MAX_DEPTH} levels of parentheses", "one more")
            node = self.expression()
            self.take(")")
            self.level -= 1
        elif token[0] == "V":
            node = Variable(token)
        elif token[0] == "." or token[0].isdigit():
            digits = token.replace(",", "")
            value = float(digits)
            if not math.isfinite(value):
                raise self.error(position, "a number that fits a float", f"{token:.40}")
            node = Number(value, Fraction(int(digits.lstrip("0") or "0")) if digits.isdigit() else None)
        else:
            raise self.error(position, "a number, a variable or '('", token if token == _END else repr(token))
        if signs and not isinstance(node, Number):
            raise self.error(position, "a number after the minus sign", repr(token))
        return Number(-node.value, -node.exact) if signs % 2 else node
