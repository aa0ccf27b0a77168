"""Numbers that are not read: "XII", "12_500", "1e400", "1,5", "several hundred". Without them, others would take their
place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eqparse.text.numbers.doubtful import doubtful_amounts
from eqparse.text.numbers.labels import label_end
from eqparse.text.numbers.misspelt import MISSPELT
from eqparse.text.numbers.numeral import MAX_DIGITS, UNREAD, finite_float
from eqparse.text.numbers.scan import numerals
from eqparse.text.numbers.tables import CURRENCIES, SMALL, compiled, one_of
from eqparse.text.numbers.units import unit_end
from eqparse.text.numbers.vague import vague_amounts

if TYPE_CHECKING:
    from eqparse.text.quantities import Quantity

_AFTER = "times|more|less|fewer|plus|minus|divided|multiplied|added|equals|percent"
_UNITS = "metres|kilometres|miles|feet|inches|euros|dollars|pounds|kilos|litres|hours|minutes|days|weeks|years"
_UNREADABLE = re.compile(
    rf"""(?<![\w.,/-])(?:
        \d++(?:\.\d++)?[eE][+-]?\d{{3,}}(?!\w)  # beyond all floats
      | \d{{{MAX_DIGITS},}}
      | \d++,\d{{1,2}}(?![\w,.]*\d)(?!\w)  # a decimal comma, or two numbers
      | \d++\.\d++,\d++(?![\w,.]*\d) | \d++\.{{2,}}\d++ | \d{{1,3}},\d{{4,}}(?![\d,])
      | (?:\d++(?:\.\d++)?\s?[x×*]\s?)?\d++\s?(?:\^|\*\*)\s?[({{]?-?(?:\d++|[a-z](?!\w))  # a power other than of ten
      | (?:(?<!\d\s)[^\W\d_]{{2,}}|[^\W\d_]{{4,}})\^\d++(?!\w)  # a power or a footnote's mark, not km^2
      | (?<![\d\s][\s\d])[a-zA-Z]\s?(?:\^|\*\*)\s?(?:\d++|[a-z](?!\w)) | [−-]\(\d++(?:\.\d++)?\)
      | (?:\d++|(?i:{one_of(SMALL)}))\sto\sthe\spower(?=\s(?:of\s|\d|{one_of(SMALL)}\b))
      | (?i:(?:(?:an?|\d++|{one_of(SMALL)})\s)?googol(?:plex)?s?(?!\w))
      | \d++!(?=\s?[+*×/=^-]|\s(?:{_AFTER}|{_UNITS}|is|are|was|and|to|by|from|of|in|than)\b|[.,;:]|\s?\))  # a factorial
      | (?<=[=+*×/−]\s)\d++!
      | [√∛∜]\s?\(?\d++ | (?:sqrt|exp|ln|log|sin|cos|tan)\(\s?\d++  # a root, a function
      | \d*+\s?π | (?:\d++\s?)?(?i:pi)\s?[*×/]\s?\d++ | \d++\s?[*×/]?\s?(?i:pi)(?!\w)
      | \d++(?:\.\d++)?\s?±(?!\s?\d)
      | \d++[·˙]\d++ | ,\d{{1,2}}(?!\w) | \d{{1,3}},\s000(?!\w)  # points that are none, and groups torn apart
    )|\)\s?(?:\^|\*\*)\s?\w | [{CURRENCIES}]\s?\d++(?:\.\d++){{2,}}""",
    re.VERBOSE,
)
_ROMAN = r"(?=[XVI]{2})X{0,3}(?:IX|IV|V?I{0,3})"
_PERHAPS = re.compile(
    rf"""(?<![\w.,/-])(?:(?P<roman>{_ROMAN})(?![\w'’-])
      | (?P<version>(?!\d\d?\.(?:0?\d|1[0-2])\.(?:\d\d){{1,2}}(?!\d))\d++(?:\.\d++){{2,}})(?!\w|\.\d)
      | \d{{1,2}}(?:,\d\d){{2,}}(?![\w,])
      | [lI][\dO]++(?!\w) | O\d++(?!\w)  # letters for 1 and 0
      | (?P<word>[^\W\d_]++)(?!\w))""",
    re.VERBOSE,
)
_NUMBER_NEXT = compiled(r"""(?:\A|\b(?:plus|minus|times|by|is|are|was|were|equals?|than|of|and|to|from|less|exactly
    |makes|gives|add|subtract|with)\s|[=+×*/−]\s?)\Z""")
_OPERATION = compiled(r"(?:\b(?:plus|minus|times|sum\sof|product\sof)\s|[=+*×]\s?)\Z")
_NUMBER_BEFORE = compiled(rf"\s(?:{_AFTER}|{_UNITS})\b")


def unreadable_number(text: str, quantities: Sequence[Quantity]) -> tuple[int, int] | None:
    """The span of the first number that no quantity holds, or None; a Roman numeral, a misspelt number and a vague one
    ("several hundred") count where a number may stand.
    """
    begin = label_end(text)
    found = [n[1:3] for n in numerals(text, begin) if n.kind == UNREAD or finite_float(n.value) is None]
    found += [match.span() for match in _UNREADABLE.finditer(text, begin)]
    found += [match.span() for match in _PERHAPS.finditer(text, begin) if _stands_for_one(match)]
    found += vague_amounts(text)
    doubtful = [span for span in doubtful_amounts(text) if span[0] >= begin]
    unread = doubtful + [s for s in found if not any(q.start <= s[0] and s[1] <= q.end for q in quantities)]
    return min(unread, key=lambda span: (span[0], -span[1]), default=None)


def _stands_for_one(match: re.Match[str]) -> bool:
    """Whether what may be a number stands where one has its place."""
    text, start, end = match.string, *match.span()
    if (word := match["word"]) and not (word == "pi" or word.isnumeric() or word.lower() in MISSPELT):
        return False
    follows = (_OPERATION if match["version"] else _NUMBER_NEXT).search(text[max(0, start - 12) : start])
    measured = match["version"] and unit_end(text, end) > end
    return bool(follows or measured or _NUMBER_BEFORE.match(text, end))
