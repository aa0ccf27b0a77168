"""The value of the one unknown of a determined equation, exactly, and the unit that its numbers leave for it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eqparse.equation.comparison import check_size, polynomial
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.errors import EqparseError, UndeterminedError


def solved(equation: Equation) -> tuple[str, Fraction]:
    """The name and the exact value of the unknown of an equation with one unknown, which may stand in a denominator.

    Raises:
        UndeterminedError: two unknowns or none; no value or any value solves it; the unknown is multiplied by itself;
            the equation is too large.
    """
    names = equation.variables
    if len(names) != 1:
        raise UndeterminedError(f"{equation}: expected one unknown, found {', '.join(names) or 'none'}")
    try:
        check_size(equation)
        terms = polynomial(equation, names)
    except EqparseError as error:
        raise UndeterminedError(f"{equation}: {error}") from error
    if terms is None:
        raise UndeterminedError(f"{equation}: expected an equation with a value on each side, found a division by 0")
    degree = max((powers[0] for powers in terms), default=None)
    if degree is None:
        raise UndeterminedError(f"{equation}: expected one value of {names[0]}, found that any value solves it")
    if degree > 1:
        raise UndeterminedError(
            f"{equation}: expected an unknown that is not multiplied by itself, found {names[0]} to the power {degree}"
        )
    value = Fraction(-terms.get((0,), 0), terms[1,]) if degree else None
    if value is None or not _holds(equation, value):
        raise UndeterminedError(f"{equation}: expected one value of {names[0]}, found that none solves it")
    return names[0], value


def _holds(equation: Equation, value: Fraction) -> bool:
    """Whether a value solves an equation; it may not where it makes a denominator 0."""

    def of(node: Expression) -> Fraction:
        if not isinstance(node, Operation):
            return node.exact if isinstance(node, Number) else value
        left, right = of(node.left), of(node.right)
        if node.op in "+-":
            return left + right if node.op == "+" else left - right
        return left * right if node.op == "*" else left / right

    try:
        return of(equation.left) == of(equation.right)
    except ZeroDivisionError:
        return False


def unit_of_unknown(equation: Equation, units: Sequence[str | None]) -> str | None:
    """The unit that the unknown of an equation must have, "" for a pure number; None if the numbers leave it open.

    Amounts that are added, subtracted or equated have one unit; a pure number changes no unit that it multiplies or
    divides; the quotient of equal units is a pure number; of other products and quotients nothing is said.

    units: of each number of the equation, from left to right: "" for a pure number, None for one that is not known.
    """
    at, found = iter(units), set[str | None]()

    def of(node: Expression) -> tuple[str | None, int]:
        """The unit of a term, and how often it is multiplied by the unknown's; notes what that one must be."""
        if isinstance(node, Number):
            return next(at), 0
        if isinstance(node, Variable):
            return "", 1
        (left, power), (right, other) = of(node.left), of(node.right)
        if node.op in "+-":
            return one_of(left, power, right, other)
        if node.op == "*":
            return _product(left, right), power + other
        return _quotient(left, right), power - other

    def one_of(left: str | None, power: int, right: str | None, other: int) -> tuple[str | None, int]:
        if power > other:
            left, power, right, other = right, other, left, power
        if other == power + 1:
            found.add(_quotient(left, right))
        elif other > power or left != right:
            found.add(None)
        return left, power

    one_of(*of(equation.left), *of(equation.right))
    return next(iter(found)) if len(found) == 1 else None


def _product(left: str | None, right: str | None) -> str | None:
    return right if left == "" else left if right == "" else None


def _quotient(left: str | None, right: str | None) -> str | None:
    return left if right == "" else "" if left == right is not None else None
