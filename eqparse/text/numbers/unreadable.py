"""Numbers that are not read: "XII", "12_500", "1e400", "1,5", "several hundred". Without them, others would take their
place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eqparse.text.numbers.labels import label_end
from eqparse.text.numbers.numeral import MAX_DIGITS, UNREAD, finite_float
from eqparse.text.numbers.scan import numerals
from eqparse.text.numbers.tables import compiled
from eqparse.text.numbers.vague import vague_amounts

if TYPE_CHECKING:
    from eqparse.text.quantities import Quantity

_ROMAN = r"(?=[XVI]{2})X{0,3}(?:IX|IV|V?I{0,3})"
_UNREADABLE = re.compile(
    rf"""(?<![\w.,/-])(?:
        \d++(?:\.\d++)?[eE][+-]?\d{{3,}}(?!\w)  # beyond all floats
      | \d{{{MAX_DIGITS},}}
      | \d++,\d{{1,2}}(?![\w,.]*\d)(?!\w)  # a decimal comma, or two numbers
      | \d++\.\d++,\d++(?![\w,.]*\d) | \d++\.{{2,}}\d++
      | (?:\d++(?:\.\d++)?\s?[x×*]\s?)?\d++\s?(?:\^|\*\*)\s?[({{]?-?\d++  # a power other than of ten
      | (?<![\d\s][\s\d])[a-zA-Z]\s?(?:\^|\*\*)\s?\d++ | [−-]\(\d++(?:\.\d++)?\)
      | [√∛∜]\s?\(?\d++ | (?:sqrt|exp|ln|log|sin|cos|tan)\(\s?\d++  # a root, a function
      | \d++(?:\.\d++)?\s?(?:‰|(?:ppm|ppb|per\smille)(?!\w)|±(?!\s?\d))
      | \d++[·˙]\d++ | ,\d{{1,2}}(?!\w) | \d{{1,3}},\s000(?!\w)  # points that are none, and groups torn apart
      | (?P<roman>{_ROMAN})(?![\w'’-]) | (?P<signs>[^\W\da-zA-Z_]++)(?!\w)
    )""",
    re.VERBOSE,
)
_NUMBER_NEXT = compiled(r"""(?:\A|\b(?:plus|minus|times|by|is|are|was|were|equals?|than|of|and|to|from|less|exactly
    |makes|gives|add|subtract|with)\s|[=+×*/−]\s?)\Z""")
_NUMBER_BEFORE = compiled(r"""\s(?:times|more|less|fewer|plus|minus|divided|multiplied|added|equals|percent|metres|euros
    |dollars)\b""")


def unreadable_number(text: str, quantities: Sequence[Quantity]) -> tuple[int, int] | None:
    """The span of the first number that no quantity holds, or None; a Roman numeral and a vague number ("several
    hundred") count where a number may stand.
    """
    begin = label_end(text)
    found = [n[1:3] for n in numerals(text, begin) if n.kind == UNREAD or finite_float(n.value) is None]
    for match in _UNREADABLE.finditer(text, begin):
        start, end = match.span()
        if match["signs"] and not match["signs"].isnumeric():
            continue
        before = text[max(0, start - 12) : start]
        certain = match["roman"] is None and match["signs"] is None
        if certain or _NUMBER_NEXT.search(before) or _NUMBER_BEFORE.match(text, end):
            found.append((start, end))
    found += vague_amounts(text)
    return min((s for s in found if not any(q.start <= s[0] and s[1] <= q.end for q in quantities)), default=None)
