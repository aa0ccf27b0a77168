"""The two forms of a number on its way from the text to a quantity, and the exact values of digits."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from eqparse.text.numbers.units import Measure

MAX_DIGITS = 400  # more than any finite float has before the point, and more than one can tell apart behind it


class Numeral(NamedTuple):
    """The characters that write one number, before signs, units and neighbours.

    value: exact. start, end: characters, end exclusive. kind: as in `Quantity`. currency: a sign before it, or "".
    """

    value: Fraction | int
    start: int
    end: int
    kind: str
    currency: str = ""


class Amount(NamedTuple):
    """As `Quantity`, with an exact value alone. measure: the unit that its characters hold, None without one."""

    value: Fraction | int
    start: int
    end: int
    kind: str
    unit: str = ""
    measure: Measure | None = None


def decimal_value(digits: str) -> Fraction | int | None:
    """The value of digits with at most one point; None where it is beyond all floats.

    What stands behind the 400th decimal place is left out.
    """
    whole, _, decimals = digits.partition(".")
    whole = whole.lstrip("0")
    if len(whole) > MAX_DIGITS:
        return None
    if not decimals:
        return int(whole or "0")
    decimals = decimals[:MAX_DIGITS]
    return Fraction(int(whole + decimals), 10 ** len(decimals))


def ratio(upper: Fraction | int | None, lower: Fraction | int | None) -> Fraction | None:
    """upper / lower; None for a denominator of 0 and where either is beyond all floats."""
    return Fraction(upper) / lower if upper is not None and lower else None
