"""Letters that are money only where the text speaks of it: the "R" of R849 and the "c" of 27c."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.tables import compiled

# "R61 million" and "R61 a day", not the road "R61"
_RAND = compiled(r"""(?-i:R)(?=\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+(?:\.\d+)?\s?(?:(?:m|b|tr)illion|[mb]n|[mk])(?!\w)
    |\d+\.\d\d(?!\d)|\d+\s(?:an?|per|each|for|more|less|apiece|cheaper|dearer|off)(?!\w))""")
_PERHAPS_RAND = compiled(r"(?-i:R)\d{2,6}(?!\w|[.,-]\d|-\w)")
_BEFORE_RAND = compiled(r"""(?:\A|[:(=,]\s?|\b(?:of|for|at|by|is|was|are|were|to|from|than|plus|minus|and|or|only|about
    |just|nearly|another|extra|below|above|under|over|up|down|i\.e\.|e\.g\.|costs?|pa(?:ys?|id)|sav(?:es?|ed)|spen(?:d|ds|t)
    |charge[sd]?|prices?|fees?|fares?|earn(?:s|ed)?|add|owes?|owed)\s)\Z""")
_PRICES = compiled(r"""\b(?:cost\w*|price\w*|pa(?:y|ys|id|ying)|charg\w+|fares?|fees?|cheap\w*|dear\w*|spen[dt]\w*
    |owe\w*|bills?|bought|buys?|sold|sells?|sav(?:e|es|ed|ing|ings)|earn\w*|worth|tickets?|rent|wages?|salar\w+|deposit|balance
    |discount\w*|fine[sd]?|levy|loan|budget|profit\w*|rands?|south\safrica\w*|tolls?|tariffs?|donat\w+)\b""")
_OTHER = compiled(r"""[$€£¥₹]|\b(?:dollars?|euros?|pounds?|cents?|pence|rooms?|roads?|routes?|highways?|resistors?|ohms?
    |models?|refrigerants?|gas|regressions?|fits?|correlations?)\b""")

# "15s. 6d.", and "15s. more than" of a price, not the "20s." that end a sentence, nor part of "£3 15s. 6d."
_SHILLINGS = re.compile(r"(?<!£\d\s)(?<!£\d\d\s)(\d{1,2})s(?:\.?\s?(1[01]|\d)d(?!\w)|\.\s(?=[a-z]))")
_COSTS_OLD = compiled(r"\b(?:cost|costs|price|priced|paid|pay|pays|charged?|charges|sold|worth|wages?|rent)\b")
_PER = compiled(r"c/(?:kgs?|g|t|lbs?|l|litres?|liters?|kwh|kw|mj|bushel|bu|share|min|km|mile|head)(?!\w)")
_CENTS = compiled(r"""[$€]|\b(?:dollars?|euros?|cents?|rands?|R(?=\d)|buck|prices?|dividends?|earnings|EPS|per\sshare
    |tariffs?|petrol|diesel|postage|payouts?|levy)|\dc/[a-z]|c\s(?:a\slitre|a\sliter|per\skwh)""")
_COSTS = compiled(r"""\b(?:costs?|charge[sd]?|pays?|paid|sav(?:e|es|ed)|spen(?:d|ds|t))\s(?:(?:about|just|only|nearly
    |exactly)\s)?\d++(?:\.\d++)?\Z""")
_MORE = compiled(r"c\s(?:more|less)\b")
_CHEAPER = compiled(r"c\s(?:cheaper|dearer|pricier|costlier)\b")
_LABELLED = compiled(r"""\b(?:flat|room|grade|unit|block|class|question|exercise|figure|section|year|gate|seat|row|floor
    |part|page|form|table|item|number|no\.?|lot|bus|route|stage|step)\s\d+\Z""")
_HEAT = compiled(r"""\b(?:ovens?|fridges?|freezers?|temperatures?|degrees?|thermo\w+|mercury|thaw\w*|boil\w*
    |in\sthe\s(?:sun|shade))\b""")


def shillings(text: str, at: int) -> tuple[Fraction, int] | None:
    """The value of the old money at `at` and where its digits end: "15s. more", "15s. 6d." in shillings."""
    match = _SHILLINGS.match(text, at)
    if match is None or (match[2] is None and not _COSTS_OLD.search(text[max(0, at - 40) : at])):
        return None
    return int(match[1]) + Fraction(int(match[2] or 0), 12), match.end(2) if match[2] else match.end(1)


def is_rand(text: str, at: int) -> bool:
    """Whether the "R" at `at`, before digits, is the currency: "a saving of R150", not "room R150"."""
    if _RAND.match(text, at):
        return True
    if not (_PERHAPS_RAND.match(text, at) and _BEFORE_RAND.search(text[max(0, at - 12) : at])):
        return False
    around = text[max(0, at - 99) : at + 99]
    return bool(_PRICES.search(around)) and not _OTHER.search(around)


def is_cents(text: str, at: int) -> bool:
    """Whether the "c" at `at`, behind digits, is cents: "up 27c", not "flat 27c", degrees or cups."""
    around = text[max(0, at - 160) : at + 99]
    if _PER.match(text, at):
        return True
    if _LABELLED.search(text[max(0, at - 20) : at]) or _HEAT.search(text[max(0, at - 40) : at + 40]):
        return False
    compared = _COSTS.search(text[max(0, at - 30) : at]) and _MORE.match(text, at)
    return bool(_CENTS.search(around) or compared or _CHEAPER.match(text, at))
