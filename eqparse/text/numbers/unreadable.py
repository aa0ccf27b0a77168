"""Numbers that are not read: "XII", "12_500", "1e400", "1,5". Without them, others would take their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eqparse.text.numbers.numeral import MAX_DIGITS
from eqparse.text.numbers.tables import compiled

if TYPE_CHECKING:
    from eqparse.text.quantities import Quantity

_ROMAN = r"(?=[XVI]{2})X{0,3}(?:IX|IV|V?I{0,3})"
_UNREADABLE = re.compile(
    rf"""(?<![\w.,/-])(?:
        \d++(?:_\d++)++(?!\w)  # digits grouped by underscores
      | \d++(?:\.\d++)?[eE][+-]?\d{{3,}}(?!\w)  # beyond all floats
      | \d{{{MAX_DIGITS},}}
      | \d++,\d{{1,2}}(?![\w,.]*\d)(?!\w)  # a decimal comma, or two numbers
      | (?P<roman>{_ROMAN})(?![\w'’-])
    )""",
    re.VERBOSE,
)
_NUMBER_NEXT = compiled(r"""(?:\A|\b(?:plus|minus|times|by|is|are|was|were|equals?|than|of|and|to|from|less|exactly
    |makes|gives|add|subtract|with)\s|[=+×*/−]\s?)\Z""")
_NUMBER_BEFORE = compiled(r"""\s(?:times|more|less|fewer|plus|minus|divided|multiplied|added|equals|percent|metres|euros
    |dollars)\b""")


def unreadable_number(text: str, quantities: Sequence[Quantity]) -> tuple[int, int] | None:
    """The span of the first number that no quantity holds, or None; a Roman numeral counts where a number may stand."""
    for match in _UNREADABLE.finditer(text):
        start, end = match.span()
        if any(q.start <= start and end <= q.end for q in quantities):
            continue
        before = text[max(0, start - 12) : start]
        if match["roman"] is None or _NUMBER_NEXT.search(before) or _NUMBER_BEFORE.match(text, end):
            return start, end
    return None
