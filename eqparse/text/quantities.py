"""Step 2: the number mentions of a raw English text, with their values and exact characters.

A later, learned stage decides which quantities the equation uses, so one number too many is better than one missed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from eqparse.text.numbers.amounts import amounts
from eqparse.text.numbers.labels import statement
from eqparse.text.numbers.numeral import UNREAD, finite_float
from eqparse.text.numbers.scan import numerals


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number mention (a "quantity" of Roy et al. 2016, section 3).

    value: as it stands in an equation: "5 %" is 0.05, "12 cents" 0.12, "twice" 2, "half" 0.5; always finite.
    start, end: characters of the number itself, end exclusive. A minus sign or a word for it ("negative 8")
        and magnitude words ("4.5 billion", "a dozen") belong to it; currency signs, "%", "cents" and units
        do not, unless the number cannot be read without them ("half an hour", "5 foot 10").
    kind: "digits" | "word" | "multiplier" (twice, double, half, threefold) | "fraction" (2/3, one half). A mixed
        number (2 1/2, two and a half) and a part of a unit (half an hour) are plain numbers.
    unit: "%", "‰", "bp" (basis points) and "cents", which scale by 1e-2, 1e-3, 1e-4 and 1e-2; the currencies "$" (also
        for "dollars"), "€" (also for "euros"), "£", "¥" and "₹" (also for "Rs"), which do not scale; the unit of
        measure or the noun that the characters hold, the larger of two ("hour" in "half an hour" and 2:08:41, "foot" in
        "5 foot 10", "stone" in "weighs fourteen two", "goal" in "a goal and a half"); otherwise "".
    exact: the value as a fraction: "a third" is 1/3, "12.5 %" is 1/8. Not compared when two quantities are.
    """

    value: float
    start: int
    end: int
    kind: str
    unit: str
    exact: Fraction = field(default=None, compare=False)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.exact is None:
            object.__setattr__(self, "exact", Fraction(repr(self.value)))


def find_quantities(text: str) -> list[Quantity]:
    """All number mentions of `text`, which may be any string, in order of position; they never overlap."""
    found = []
    begin, last = statement(text)
    read = [numeral for numeral in numerals(text, begin) if numeral.kind != UNREAD and numeral.end <= last]
    for value, start, end, kind, unit, _ in amounts(text, read):
        number = finite_float(value)
        if number is not None:
            found.append(Quantity(number, start, end, kind, unit, Fraction(value)))
    return found
