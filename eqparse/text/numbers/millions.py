"""Whether the "m" of "1.2m" is for million, not for metres."""

from __future__ import annotations

from functools import lru_cache

from eqparse.text.numbers.context import CLOSED, word_after
from eqparse.text.numbers.tables import CLAUSE_ENDS, compiled

_PAID_MILLIONS = compiled(r"""(?:[$€£]\s?\d[\d.,]*m|\d[\d.,]*m\s(?:euros?|dollars?|pounds?|francs?|rupees|yen))(?!\w)
    (?P<next>,\s\Z)?""")
_MORE_MONEY = compiled(r"\s(?:more|less|fewer|up|down|ahead|behind|short|cheaper|dearer)\b")
_PAID = compiled(r"""\b(?:spen[dt]s?|spending|pay(?:s|ing)?|paid|owe[sd]?|earn(?:s|ed)?|borrow(?:s|ed)?|donate[sd]?
    |costs?\s(?:us|them|it|him|her|me|you))\s
    (?:(?:about|around|nearly|almost|some|over|just|only|another|a\sfurther)\s)?\Z""")
_NO_MONEY = compiled(r"\sof\b|\s(?:longer|further|less|more)\b")
_BEYOND = compiled(r"\s(?:higher|lower|above|below)\b")  # of "$9m, 3m above the plan", not "a wall 2m higher"
# before metres: "who stands 2m more than the winger"
_MEASURES = compiled(r"""\b(?:stands?|stood|standing|towers?|measur(?:es?|ed|ing)|jump(?:s|ed)?|leaps?|leapt|swims?|swam
    |dives?|dived|throws?|threw|stretch(?:es|ed)?|lies|lay|sits?)\s(?:(?:about|just|only|fully|nearly|almost|some)\s)?\Z""")
_MORE = compiled(r"\s(?:fewer\sthan|(?:more|fewer)\s(?!than\b)(?:people|[a-z]+(?<!s)s))\b")
_COUNTED_BY_MILLIONS = compiled(r"""\s(?:[a-z]+\s)?(?:(?:followers|subscribers|fans|readers|members|players|residents
    |inhabitants|tourists|guests|streams|likes|pupils|listens|clicks|views|hits|subs|signatures|plays|speakers|voters
    |workers|listeners|lit(?:re|er)s|tonnes|tons|barrels|bushels|gallons|hectares|acres|households|homes|kg|kilos|bales
    |bags|bottles|doses|hectolitres|passengers|customers|viewers|users|visitors|visits|jobs|shares|copies|units|tickets
    |downloads|votes)\b|(?:sq(?:uare)?\.?|cubic)\s)""")
# "deliveries were 131m", "admissions, which had numbered 1.4m", "hotel nights: 1.26m", "a profit of 4.2m"
_COUNTED_BEFORE = compiled(r"""\b(?:(?:number|total)(?:s|ed)|(?:deliver|journ|subscriber|inquir)(?:y|ie|ey)?s|admissions
    |nights|visit(?:or)?s|passengers|customers|viewers|users|shares|copies|sales|exports|imports|shipments|downloads|streams
    |tickets|parcels|bricks|votes|arrivals|departures|population|readership|circulation|attendance|turnout
    |fees?|profits?|revenues?|loss(?:es)?|turnover|budget|earnings|takings|debts?|price\stag|jackpot|salary|EBITDA?|income|bills?|payroll
    |pay-?offs?|bonus(?:es)?|grants?|dividends?|cash\sflow|deficit|surplus|shortfall|endowment|overdraft)\b[^.;!?\d]{0,24}?
    (?:(?:\b(?:(?:number|total)(?:s|ed)|were|was|is|are|to|at|reached|hit|topped|by|of)|:|=)\s
    (?:(?:about|some|around|nearly|just|over)\s)?|\s\()\d++(?:\.\d++)?m(?!\w)""")
_ACCOUNTS = compiled(r"""\b(?:profits?|revenues?|turnover|loss(?:es)?|takings|earnings|deficit|surplus|shortfall
    |dividends?|EBITDA?|overdraft|payroll|cash\sflow|endowment)\b""")
# "6m of its 20m new shares"
_OF_MILLIONS = compiled(r"\sof\s(?:its|the|their|our|his|her)\s[\d.,]+m")
METRES = compiled(r"""\b(?:long|wide|tall|high|deep|away|apart|met(?:re|er)s?|lengths?|widths?|heights?|depths?
    |distances?|swim\w*|swam|div(?:e|es|ed|er)|sprint\w*|pools?|molar\w*|solutions?|acid|buffer|sizes?)\b""")


def is_million(text: str, start: int, end: int) -> bool:
    """Whether the "m" or "M" behind the number text[start:end] is for million, by what stands around it."""
    if text[end] == "m" and (_is_paid(text, start, end + 1) or _more_than_paid(text, start, end + 1)):
        return True
    return _counted_by_millions(text, end + 1) or _of_accounts(text, text[start:end], end + 1)


def _is_paid(text: str, start: int, end: int) -> bool:
    """Whether "1.2m" is money that somebody spends or owes: "spent 1.2m on posters", not "spent 12m on the bus"."""
    paid = _PAID.search(text[max(0, start - 40) : start])
    return bool(paid) and "." in text[start:end] and not _NO_MONEY.match(text, end)


def _more_than_paid(text: str, start: int, end: int) -> bool:
    """Whether "4m more" is compared with millions of money before it: "paid out £12m, 4m more than last week"."""
    begin, more = max(0, start - 99), bool(_MORE_MONEY.match(text, end))
    if not more and not _BEYOND.match(text, end):
        return False
    if _MEASURES.search(text, max(0, start - 24), start):
        return False
    paid = any(more or match["next"] for match in _PAID_MILLIONS.finditer(text, begin, start))
    return paid and not METRES.search(text, begin, end + 99)


def _counted_by_millions(text: str, end: int) -> bool:
    """Whether "m" after a number is for million: what is counted stands beside it, or elsewhere in the text."""
    if _MORE.match(text, end) or _COUNTED_BY_MILLIONS.match(text, end):
        return True
    if part := _OF_MILLIONS.match(text, end):
        return bool(_COUNTED_BY_MILLIONS.match(text, part.end()))
    return _counts_millions(text)


def _of_accounts(text: str, number: str, end: int) -> bool:
    """Whether "30.1m" is money in a text about accounts: "the profit fell 14 per cent, to 30.1m"."""
    stands = CLAUSE_ENDS.match(text, end) or word_after(text, end) in CLOSED or text.startswith(" (", end)
    return bool("." in number and stands and _ACCOUNTS.search(text)) and not METRES.search(text)


@lru_cache(maxsize=16)  # of a text with many numbers it is asked for each
def _counts_millions(text: str) -> bool:
    return bool(_COUNTED_BEFORE.search(text)) and not METRES.search(text)
