"""How digits are written: in groups, with a point or a comma, or two numbers side by side."""

from __future__ import annotations

import re

from eqparse.text.numbers.context import LABELS, is_attribute, word_before
from eqparse.text.numbers.tables import CONTINENTAL, MINUS, SMALL, SUPERSCRIPT, compiled

GROUP_SPACES = " \u00a0\u202f\u2009"
WRITTEN = re.compile(rf"""
    (?P<continental>{CONTINENTAL}
      | (?<!\d\s)(?<![.,])[1-9]\d{{0,2}}(?:[{GROUP_SPACES}]\d{{3}}){{1,5}},\d\d(?![\w,]|\.\d)
      | (?<![\d.,])\d{{1,3}},\d\d(?=\s?(?:€|(?i:eur|euros?)\b)(?!\s?\d))  # 3,50 €
      | (?:(?<=€)|(?<=€\s)|(?<=EUR\s))\d{{1,3}},\d\d(?![\w,]|\.\d)
      | (?<![\d.,])\d++,\d{{1,2}}(?=[eE][{MINUS}+]?\d|\s?[x×*·]\s?10\s?(?:\^|\*\*|[⁺⁻]|{SUPERSCRIPT})))  # 1,5×10³
  | (?:(?<!\d,)\d{{1,3}}(?:[,，٬]\d{{3}})++(?!\d)
      | (?<!\d,)\d{{1,2}}(?:,\d\d(?!\d))++,\d{{3}}(?!\d|,\d)  # 12,34,56,789
      | (?<!\d\s)(?<![.,])[1-9]\d{{0,2}}(?P<group>['’{GROUP_SPACES}])\d{{3}}(?:(?P=group)\d{{3}}){{0,4}}
        (?!\d|,\d|(?P=group)\d)
      | \d++)(?:[.．٫]\d++)?
  | \.\d++""", re.VERBOSE)  # fmt: skip
_SEPARATORS = str.maketrans("．٫", "..", f",，٬'’{GROUP_SPACES}")
_CONTINENTAL_SEPARATORS = str.maketrans(",", ".", f".{GROUP_SPACES}")
_AGO = compiled(r"\s(?:seconds?|minutes?|hours?|days?|weeks?|months?)\s(?:ago|earlier|later|before|after)\b")
_OF_THE = compiled(r"\bof\s(?:the|these|those|his|her|its|their|our|my|your)\s(?:(?:first|last|other|next)\s)?\Z")
_VERBS = frozenset("seats houses numbers stands heats".split())  # "the stadium seats 67 215"
_HAVE = compiled(r"\s(?:are|were|is|was|have|had|has|came|come|went|go|left|stayed|died|failed|passed)\b")


def plain_digits(number: re.Match[str], end: int) -> str:
    """The digits of a match of `WRITTEN` up to character `end`, with at most a point among them."""
    shown = number.string[number.start() : end]
    return shown.translate(_CONTINENTAL_SEPARATORS if number["continental"] else _SEPARATORS)


def are_side_by_side(text: str, number: re.Match[str]) -> bool:
    """Whether groups of digits are two numbers: "12 500-gram bags", "on page 12 500 words"."""
    first, *others = number[0].split(number["group"])
    if number["group"] in "'’" or len(others) > 1 or others[0].startswith("0") or "." in number[0]:
        return False
    before, start, end = word_before(text, number.start()), *number.span()
    if before in SMALL and before != "one":  # "three 1 500-seat halls"
        return False
    if _AGO.match(text, end) or (_OF_THE.search(text, max(0, start - 18), start) and _HAVE.match(text, end)):
        return True
    if before not in _VERBS and not LABELS.isdisjoint((before, before.removesuffix("s"))):
        return True
    return before not in ("a", "an") and is_attribute(text, number.end())
