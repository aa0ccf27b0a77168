"""The two forms that a number takes on the way from text to quantity, and the exact values of digits."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from eqparse.text.numbers.units import Measure

UNREAD = "unread"  # the kind of a numeral whose value is not known; it never becomes an amount
MAX_DIGITS = 400  # more than a finite float has before the point, or can distinguish after it


class Numeral(NamedTuple):
    """One written number, before signs, units and neighbouring numbers are taken into account.

    value: exact.
    start, end: characters, end exclusive.
    kind: as in `Quantity`, or `UNREAD`.
    unit: the currency sign before it, the unit that its form shows ("hour" for 2:08:41), or "".
    """

    value: Fraction | int
    start: int
    end: int
    kind: str
    unit: str = ""


class Amount(NamedTuple):
    """Like `Quantity`, but with only an exact value.

    measure: the unit of measure within its characters, or None.
    """

    value: Fraction | int
    start: int
    end: int
    kind: str
    unit: str = ""
    measure: Measure | None = None


def decimal_value(digits: str) -> Fraction | int | None:
    """The value of digits with at most one point; None if it is beyond all floats.

    Digits after the 400th decimal place are ignored.
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
    """upper / lower; None if the denominator is 0 or either is beyond all floats."""
    return Fraction(upper) / lower if upper is not None and lower else None


def finite_float(value: Fraction | int) -> float | None:
    """The float nearest to the value; None if the value is beyond all floats, or so small that it rounds to zero."""
    try:
        number = float(value)
    except OverflowError:
        return None
    return None if math.isinf(number) or (value and not number) else number
