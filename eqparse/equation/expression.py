"""The nodes of an equation tree: immutable numbers, variables and binary operations."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from eqparse.errors import EqparseError, kind_of

OPERATIONS = ("+", "-", "*", "/")
MAX_DEPTH = 200  # keeps every recursion over a tree well inside Python's own limit
_NAME = re.compile(r"V[0-9]+")
_FRACTION = re.compile(r"-?[0-9]{1,400}(?:/0*[1-9][0-9]{0,400})?")


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number, made from a float, an int or a Fraction.

    value: the nearest float.
    exact: the number itself: 1/3 if it was made from Fraction(1, 3), 1/10 if it was made from 0.1, since a float
        stands for the shortest decimal that reads back as it. Numbers are compared by `value` alone.
    """

    value: float
    exact: Fraction = field(default=None, compare=False, repr=False)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float, Fraction)):
            raise EqparseError(f"a Number holds a float, an int or a Fraction, found {self.value!r}")
        try:
            value = float(self.value) + 0.0  # -0.0 prints as 0, so it is stored as 0.0
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise EqparseError("a Number must be finite; found one that is infinite, too large or not a number")
        exact = self.exact
        if exact is None:
            exact = self.value if isinstance(self.value, Fraction) else Fraction(repr(value))
        elif not isinstance(exact, Fraction) or float(exact) != value:
            raise EqparseError(f"exact value of {value!r}: expected a Fraction that rounds to it, found {exact!r}")
        object.__setattr__(self, "value", value)
        object.__setattr__(self, "exact", exact)

    @property
    def is_decimal(self) -> bool:
        """Whether the float's shortest decimal is exactly the number, as with 0.1, not merely near it, as with 1/3."""
        return self.exact == Fraction(repr(self.value))

    def __str__(self) -> str:
        """The number as a decimal without an exponent: `30`, `0.05`, `-8`, `9007199254740993`.

        Where no decimal is the number, as with 1/3, the shortest that reads back as the same float.
        """
        whole = self.exact.denominator == 1
        text = str(self.exact.numerator) if whole else format(Decimal(repr(self.value)), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable, whose name is V followed by digits: V1, V2."""

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _NAME.fullmatch(self.name):
            raise EqparseError(f"a variable is named V and digits (V1, V2), found {self.name!r}")

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Operation:
    """`left op right`; `depth` is the number of operations on the longest path down, including this one."""

    op: Literal["+", "-", "*", "/"]
    left: Expression
    right: Expression
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.op not in OPERATIONS:
            raise EqparseError(f"an operation is one of {' '.join(OPERATIONS)}, found {self.op!r}")
        for side in (self.left, self.right):
            if not isinstance(side, (Number, Variable, Operation)):
                raise EqparseError(f"an operand is a Number, a Variable or an Operation, found {side!r}")
        depth = 1 + max(getattr(self.left, "depth", 0), getattr(self.right, "depth", 0))
        if depth > MAX_DEPTH:
            raise EqparseError(f"an equation tree has at most {MAX_DEPTH} levels, found {depth}")
        object.__setattr__(self, "depth", depth)

    def __str__(self) -> str:
        return f"{_operand(self.left)} {self.op} {_operand(self.right)}"


Expression = Number | Variable | Operation


def _operand(node: Expression) -> str:
    text = str(node)
    return f"({text})" if isinstance(node, Operation) or text.startswith("-") else text


def leaves(node: Expression) -> tuple[Number | Variable, ...]:
    """The numbers and variables of a tree, left to right."""
    return (*leaves(node.left), *leaves(node.right)) if isinstance(node, Operation) else (node,)


def renamed(node: Expression, mapping: Mapping[str, str]) -> Expression:
    """The tree with its variables renamed all at once; names that the mapping lacks stay."""
    if isinstance(node, Operation):
        return Operation(node.op, renamed(node.left, mapping), renamed(node.right, mapping))
    return Variable(mapping.get(node.name, node.name)) if isinstance(node, Variable) else node


def to_dict(node: Expression) -> dict[str, Any]:
    """Plain JSON form: {"number": 2.0}, {"variable": "V1"} or {"op": "+", "left": ..., "right": ...}.

    A number that no decimal gives exactly has its exact value as well: {"number": 0.3333333333333333, "exact": "1/3"}.
    """
    if isinstance(node, Operation):
        return {"op": node.op, "left": to_dict(node.left), "right": to_dict(node.right)}
    return number_to_dict(node) if isinstance(node, Number) else {"variable": node.name}


def number_to_dict(number: Number) -> dict[str, Any]:
    """The plain JSON form of a number, as in `to_dict`."""
    return {"number": number.value} if number.is_decimal else {"number": number.value, "exact": str(number.exact)}


def from_dict(data: Any, *, levels: int = MAX_DEPTH) -> Expression:
    """The tree that `to_dict` wrote.

    Raises:
        EqparseError: any other form, or more than `levels` operations on one path down.
    """
    keys = set(data) if isinstance(data, Mapping) else None
    if keys == {"number"}:
        return Number(data["number"])
    if keys == {"number", "exact"}:
        return Number(data["number"], _fraction(data["exact"]))
    if keys == {"variable"}:
        return Variable(data["variable"])
    if keys != {"op", "left", "right"}:
        found = f"the keys {sorted(map(str, keys))}" if keys is not None else kind_of(data)
        raise EqparseError(f"a node has the key number, or variable, or op, left and right; found {found}")
    if levels == 0:
        raise EqparseError(f"an equation tree has at most {MAX_DEPTH} levels; this one has more")
    left, right = (from_dict(data[side], levels=levels - 1) for side in ("left", "right"))
    return Operation(data["op"], left, right)


def _fraction(text: Any) -> Fraction:
    if isinstance(text, str) and _FRACTION.fullmatch(text):
        return Fraction(text)
    raise EqparseError(f"the exact value of a number is a fraction such as '1/3', found {text!r:.80}")
