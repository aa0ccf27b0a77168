"""Cents that are said once: "10 cents a day, down from 25", "raised to 32 cents a share from 28"."""

from __future__ import annotations

from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.scaled_intervals import HEDGE
from eqparse.text.numbers.tables import CLAUSE_END, compiled

CHANGE = r"""(?:an?\s(?:[a-z]+\s)?(?:drop|fall|rise|gain|loss|increase|decrease|decline|jump|slump|dip|climb)\sof
    |(?:up|down)(?:\sby)?|off|having\s(?:come\soff|come\sdown|gone\sup|risen|fallen|dropped|slipped|climbed|lost|gained
        |added|shed|been)(?:\sby)?|(?:short|ahead|behind)\sby)\s"""
REACHED = compiled(rf"\b(?:to|at|pass(?:ed|es)|reach(?:ed|es)|hits?|topp?(?:ed|s))\s{HEDGE}\Z")
_EACH = r"\s(?:an?|per|each|the)\s[^\W\d_]++"
_CENTS = r"\s?(?:¢|c(?!\w)|(?:US\s|rand\s|euro\s)?cents?)"
_CENTS_CHANGED = compiled(rf"{_CENTS}(?:{_EACH})?,\s(?:(?:up|down)\sfrom\s{HEDGE}|{CHANGE})")
_CENTS_FROM = compiled(rf"{_CENTS}(?:{_EACH})?\sfrom\s{HEDGE}")
_CENTS_BESIDE = compiled(rf"""{_CENTS}(?:\s[^.;,%\d]{{1,24}})?(?:,\s
    |;\s(?:[^\W\d_]+\s){{1,3}}(?:managed|made|paid|did)\s|,?\s(?:is|are|was|were)\s){HEDGE}""")
_BY_CENTS = compiled(rf"""\s(?:(?:more|less|higher|lower|dearer|cheaper|better|worse)(?=\s(?:than|on)\b|{CLAUSE_END})
    |above|below|under|over|short\sof|shy\sof|off)(?!\w)""")
_CENTS_TO = compiled(rf"{_CENTS}(?:{_EACH})?\sto\s{HEDGE}")
_FROM = compiled(rf"\bfrom\s{HEDGE}\Z")
_DOLLARS = compiled(r"[$]|\bdollars?\b|\ba\sbarrel\b")


def are_cents(text: str, first: Amount, second: Amount, *, stops: bool) -> bool:
    """Whether a plain number beside cents counts cents as well.

    stops: whether the number has no noun.
    """
    gap, before = (first.end, second.start), text[max(0, first.start - 24) : first.start]
    if _CENTS_TO.fullmatch(text, *gap) and not _DOLLARS.search(text):
        small = "." in text[first.start : first.end] or second.value > 300  # cents, rather than dollars
        return stops and (small or (_FROM.search(before) is not None and 3 < second.value < 100))
    if not 0 < second.value < 100:
        return False
    changed = _CENTS_CHANGED.fullmatch(text, *gap) or (_CENTS_FROM.fullmatch(text, *gap) and REACHED.search(before))
    beside = _CENTS_BESIDE.fullmatch(text, *gap) and _BY_CENTS.match(text, second.end)
    return bool(beside or (changed and stops))
