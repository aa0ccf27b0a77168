"""One form for one relation: the polynomial of `equivalent`, with whole coefficients, as an equation again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import TYPE_CHECKING

from eqparse.equation.comparison import check_size, polynomial
from eqparse.equation.expression import Expression, Number, Operation, Variable

if TYPE_CHECKING:
    from eqparse.equation.equation import Equation

Powers = tuple[int, ...]


def canonical_sides(equation: Equation) -> tuple[Expression, Expression]:
    """See `Equation.canonical`."""
    names = sorted(check_size(equation), key=lambda name: (int(name[1:]), name))
    terms = polynomial(equation, names)
    if terms is None:
        return equation.left, equation.right
    whole = whole_coefficients(terms)
    order = sorted(whole, key=lambda powers: (-sum(powers), [-power for power in powers]))
    sign = 1 if not order or whole[order[0]] > 0 else -1
    left, right = (
        [term(abs(whole[powers]), powers, names) for powers in order if sign * side * whole[powers] > 0]
        for side in (1, -1)
    )
    return total(left), total(right)


def whole_coefficients(terms: Mapping[Powers, Fraction | int]) -> dict[Powers, int]:
    """The coefficients multiplied by one number, so that they are integers without a common divisor."""
    scale = lcm(*(value.denominator for value in terms.values()))
    whole = {powers: int(value * scale) for powers, value in terms.items()}
    common = gcd(*whole.values())
    return {powers: value // common for powers, value in whole.items()}


def term(coefficient: int, powers: Powers, names: list[str]) -> Expression:
    """coefficient * V1 * ... * V2, without a coefficient of 1."""
    factors = [Variable(name) for name, power in zip(names, powers, strict=False) for _ in range(power)]
    numbers = [Number(Fraction(coefficient))] if coefficient != 1 or not factors else []
    return reduce(lambda a, b: Operation("*", a, b), [*numbers, *factors])


def total(terms: list[Expression]) -> Expression:
    """The sum of the terms, 0 if there are none."""
    return reduce(lambda a, b: Operation("+", a, b), terms) if terms else Number(0)
