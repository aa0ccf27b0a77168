"""Shares in a list whose "%" is said once: "the Reds have 14 %, the Blues 22", "rye 60 %, wheat 30, oats 10"."""

from __future__ import annotations

import re

from eqparse.text.numbers.context import CLOSED
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.scaled_intervals import HEDGE
from eqparse.text.numbers.tables import CLAUSE_ENDS, compiled

PERCENT = r"(?:(?:[\s-]odd)?\s?(?:%|per\s?cent|pct))"
OTHERS = compiled(r"\b(?:seats?|shares|index|stocks?|goals|prices?|mandates|deputies)\b")
# "The Reds have 14 %, the Blues 22": the verb is said once, too
_GAPPED = compiled(rf"""{PERCENT}(?:\s(?!up|down|more|less|higher|lower)[^.;,%\d]{{1,24}})?,\s(?:(?:and|while|but)\s)?
    (?:(?:the|its|their|his|her|our)\s(?!(?:result|answer|number|sum|total|index|price|score|age|value|amount)\b)(?:[a-z-]+\s)?
        (?!(?:is|are|was|were|has|had|have|makes?|made|equals?|becomes?|reach\w+|comes?|hits?|leaves?|gives?)\s)[^\W\d_]+
      |(?-i:[A-Z][a-z]+))\s{HEDGE}""")
_THING = compiled(rf"""{PERCENT}(?:\s(?!up|down|more|less|higher|lower)[^.;,%\d]{{1,24}})?
    ,\s(?:(?:and|while|but)\s)?(?P<thing>[^\W\d_]++)\s{HEDGE}""")
_LISTED = compiled(rf"(?:,\s(?:(?:and|while|but)\s)?|\sand\s)(?:(?:the|all)\s)?(?P<thing>[^\W\d_]++)\s{HEDGE}")
_VERB = compiled(r"(?:ing|ed)\Z|(?:fell|gained|gives|lost|made|reads|rose|saw|sold|won)\Z")
_CHANGED = compiled(r"""\b(?:(?<!\bmakes\s)(?<!\bmake\s)(?<!\bmade\s)up|down|by|to|at|than|from|f[ae]ll\w*
    |gr[eo]w\w*|ris\w+|rose|gain\w*|cut|jump\w*|drop\w*)\s\Z""")


def is_next_share(text: str, first: Amount, second: Amount) -> bool:
    """Whether the second number is a share like the percentage before it, its unit, and perhaps a verb, left out."""
    gap = first.end, second.start
    if not CLAUSE_ENDS.match(text, second.end) or OTHERS.search(text, max(0, first.start - 99), second.end + 99):
        return False
    return bool(_GAPPED.fullmatch(text, *gap) or _is_of_a_thing(text, _THING.fullmatch(text, *gap), first, second))


def is_listed_share(text: str, first: Amount, second: Amount) -> bool:
    """Whether the second number is one more share in a list of them: "rye 60 %, wheat 30, oats 10"."""
    listed = CLAUSE_ENDS.match(text, second.end) and _LISTED.fullmatch(text, first.end, second.start)
    return bool(listed) and _is_of_a_thing(text, listed, first, second)


def _is_of_a_thing(text: str, match: re.Match[str] | None, first: Amount, second: Amount) -> bool:
    """Whether the two are parts of one whole, and a thing, no verb or preposition, stands before the second one."""
    if match is None or first.value + second.value / 100 > 1 or match["thing"].lower() in CLOSED:
        return False
    changed = _CHANGED.search(text, max(0, first.start - 16), first.start)
    return not changed and _VERB.search(match["thing"]) is None
