"""The value that a parse gives its unknown, with unit and phrase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, Inexact, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from eqparse.equation.expression import Number
from eqparse.equation.solving import solved, unit_of_unknown
from eqparse.errors import EqparseError, UndeterminedError
from eqparse.text.numbers.tables import CURRENCIES
from eqparse.text.numbers.units import FACTORS, MEASURES, measure
from eqparse.text.quantities import Quantity
from eqparse.text.spans import Span
from eqparse.text.units import Unit

if TYPE_CHECKING:
    from eqparse.parser.parse import Parse


@dataclass(frozen=True, slots=True)
class Solution:
    """The value of the one unknown of an equation.

    variable: "V1" or "V2".
    value: exact; `float(value)` is the nearest float.
    unit: as the first of the numbers in that unit has it; None where the equation's numbers do not leave one unit, and
        for a pure number.
    phrase, span: the first phrase of the unknown, and its characters, end exclusive; None if it has none.
    """

    variable: str
    value: Fraction
    unit: Unit | None
    phrase: str | None
    span: Span | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data: the value as a float, and as an exact fraction such as "35/2"."""
        return {
            "variable": self.variable,
            "value": float(self.value),
            "exact": str(self.value),
            "unit_text": self.unit and self.unit.text,
            "unit_name": self.unit and self.unit.name,
            "phrase": self.phrase,
            "span": None if self.span is None else list(self.span),
        }

    def __str__(self) -> str:
        """`V1 = 17.5 metres`, `V1 = $40`, `V1 = 49/3` where no decimal is the value, `V1 = 84.02521008` where the
        fraction would have more than two digits below.
        """
        number, unit = _decimal(self.value), (self.unit and self.unit.text) or ""
        shown = f"{unit}{number}" if unit.endswith(tuple(CURRENCIES)) else f"{number} {unit}".rstrip()
        return f"{self.variable} = {shown}"


def _decimal(value: Fraction) -> str:
    with localcontext() as context:
        context.prec, context.traps[Inexact] = 60, True
        try:
            return format((Decimal(value.numerator) / value.denominator).normalize(), "f")
        except Inexact:
            return str(value) if value.denominator < 100 else f"{float(value):.10g}"


def solution(parse: Parse) -> Solution:
    """See `Parse.solve`."""
    if parse.equation is None:
        raise UndeterminedError(f"{parse.text[:60]!r}: expected an equation to solve, found none ({parse.reason})")
    name, value = solved(parse.equation)
    try:
        Number(value)
    except EqparseError as error:
        raise UndeterminedError(f"{parse.equation}: {name} is too large for a float") from error
    units = {(q.start, q.end): unit for q, unit in zip(parse.quantities, parse.units, strict=True)}
    spans = [] if parse.tree is None else list(_numbers(parse.tree))
    _check_units(parse.text, [q for q in parse.quantities if (q.start, q.end) in spans])
    sort = unit_of_unknown(parse.equation, [units[span].sort for span in spans]) if spans else None
    unit = next((unit for unit in units.values() if sort and unit.sort == sort), None)
    span = next(iter(parse.variables.get(name, ())), None)
    return Solution(name, value, unit, None if span is None else parse.text[slice(*span)], span)


def _check_units(text: str, quantities: Sequence[Quantity]) -> None:
    """Raises UndeterminedError if one thing is measured in two units ("1.2 metres, 35 cm less"), which an equation has
    as they stand in the text.
    """
    names: dict[str, str] = {}
    for q in quantities:
        unit = MEASURES.get(q.unit) if q.unit else (measure(text, q.end) or (None,))[0]
        if unit is None or q.unit in FACTORS:
            continue
        first = names.setdefault(unit.dimension, unit.name)
        if first != unit.name:
            raise UndeterminedError(
                f"{text[:60]!r}: expected amounts in one unit, found {first} and {unit.name}, which the equation does "
                "not convert; write them in the same unit"
            )


def _numbers(node: dict[str, Any]) -> Iterator[Span]:
    """The characters of the numbers of a tree, in the order of the equation."""
    if "op" in node:
        yield from _numbers(node["left"])
        yield from _numbers(node["right"])
    elif "number" in node:
        yield node["start"], node["end"]
