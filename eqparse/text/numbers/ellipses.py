"""A unit or scale that is said once: "from 2 % to nearly 6", "71 %, from a low of 54", "118 million, up 14"."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from eqparse.text.numbers.cents import CHANGE, REACHED, are_cents
from eqparse.text.numbers.compound import PLAIN
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.parallels import MOVED, is_listed_alike, is_told_alike, is_told_later
from eqparse.text.numbers.scaled_intervals import HEDGE, TO, scale_of_interval
from eqparse.text.numbers.shares import OTHERS, PERCENT, is_listed_share, is_next_share
from eqparse.text.numbers.tables import ANY_SCALE, CLAUSE_END, CURRENCIES, SMALL, compiled, one_of
from eqparse.text.numbers.units import FACTORS, measure

_FROM = compiled(rf"\bfrom\s{HEDGE}\Z")
_FROM_SIGN = compiled(rf"{_FROM.pattern[:-2]}(?:[A-Z]{{2}})?[{CURRENCIES}]?\Z")
_LEVEL = compiled(rf"\b(?:to|at)\s{HEDGE}\Z")
_WHEN = r"(?:\s(?:in|on|by|at|this|last)\s[^.;,%\d]{1,20})?"
_TO = compiled(rf"{PERCENT}(?:\s(?!below|above|off|over|under)[^.;,%\d]{{1,24}})?\sto\s{HEDGE}")
_BACK = compiled(rf"{PERCENT}{_WHEN},?\sfrom\s{HEDGE}")
_LATER = compiled(rf"{PERCENT}[^.;%\d]{{0,90}},\s(?:(?:up|down)\s)?from\s{HEDGE}")
_LATEST = compiled(rf"{PERCENT}[^.;%]{{0,80}},\s(?:up|down)\sfrom\s{HEDGE}")  # past a number of years
_BESIDE = compiled(rf"{PERCENT}(?:\s[^.;,%\d]{{1,24}})?,\s{HEDGE}")
_NEXT = compiled(rf"{PERCENT},\s{HEDGE}")
# "96.4 %, which puts us second and 0.8 ahead of them"
_LEAVING = compiled(rf"""{PERCENT},\s(?:which\s(?:puts?|leaves|left|keeps|kept|makes|made|is|was)
    |putting|leaving|keeping|making)\s(?:[^.;,%\d]{{1,50}}\s)?{HEDGE}""")
_FEWER = compiled(rf"\s(?:(?:more|less|fewer)(?=\s(?:than|on)\b|{CLAUSE_END})|(?:over|under|off)(?=\s[^\W\d]))(?!\w)")
_APART = compiled(r"""\s(?:below|above|clear|adrift|ahead\sof|behind|short\sof|shy\sof|better|worse
    |(?:down|up|lower|higher)(?=\s(?:on|than)\b|\s?(?:[.;,)]|\Z)))(?!\w)""")
_CHANGED = compiled(rf"{PERCENT}(?:\s[^.;,%\d]{{1,40}})?,\s(?!(?:up|down)\s(?!by)){CHANGE}")  # `points` reads "up 11"
_AGAINST = compiled(rf"""{PERCENT}(?:\s[^.;,%\d]{{1,40}})?,?\s(?:
    (?:compared\s(?:to|with)|against|versus)\s(?:[^\W\d_]+['’]s?\s)?
    |(?:beats?|tops|topped|outpace[ds]|exceed(?:s|ed)|(?:is|was|came\sin)\s(?:above|below))\s
        (?:the|its|their|[^\W\d_]+['’]s|last\s[a-z]+['’]s|an?)\s(?:[a-z]+\s(?:of\s)?)?
    |(?:which\s)?(?:minus|plus|after|against|versus)\s[^\W\d_]+\sof\s)  # "5% minus inflation of 3.2"
    {HEDGE}""")
_SHIFTED = compiled(rf"""{PERCENT}(?:,\s(?:gaining|losing|adding|shedding)|[^.;:%\d]{{0,60}}\b(?:falls?|fell|drops?
    |dropped|ris(?:es?|en)|rose|higher|lower|short|ahead|behind|back\sup|back\sdown)\sby)\s{HEDGE}""")
# "24 % at noon, 19 by four": the same at another time
_PREPOSITION = r"\s(?:at|in|on|by|for|before)\s"
_THEN = compiled(rf"{PERCENT}(?:\s[^\W\d_]+)?{_PREPOSITION}[^.;,%]{{1,20}},\s(?:and\s|but\s)?{HEDGE}")
_BY_THEN = compiled(rf"""{_PREPOSITION}(?:noon|midnight|dawn|dusk|night|lunch|the\s(?:morning|evening|afternoon|end)
    |spring|summer|autumn|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:19|20)\d\d|\d{{1,2}}(?::\d\d)?\s?[ap]m
    |(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?={CLAUSE_END}|\so['’]clock)
    |(?-i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)(?!\w)""")
_SIGNED = compiled(rf"{PERCENT}\s\(\+?")  # "58.1% (+1.4)"
_LEVELS = compiled(rf"""{PERCENT}(?!\s(?:up|down|more|less|higher|lower)\b)[^.;%]{{0,90}}
    (?:\b(?:total\scomes\sto|(?:comes?|came|coming)\sin\sat|st(?:ands?|ood)\sat)|\sand\s(?:goes\s|went\s)?on\sto
    |,\s(?:ha(?:s|ve|d)\s(?:since\s|now\s)?(?:been\s)?)?(?:fell|fallen|dropped|slid|slipped|sank|rose|risen|climbed|knocked
        |crept|edged|inched|gone|come|grown)\s(?:away\s|back\s|up\s|down\s)?to
    |,\s(?:is|are|was|were)\s(?:now\s|already\s)?(?:back\s)?(?:up|down)\sto)\s{HEDGE}""")
_UP_FROM = compiled(rf"{_WHEN},?\s(?:(?:up|down)\s)?from\s{HEDGE}")
_EACH = r"\s(?:an?|per|each|the)\s[^\W\d_]++"
_MILLIONS_TO = compiled(rf"m\sto\s{HEDGE}")  # "from 1.8m to 2.6m tonnes"
_TONNES_TO = compiled(rf"\s[^\W\d_]++\sto\s{HEDGE}")  # "by another 2.1m tonnes to 148m"
_GLUED = compiled(r"(?<=\d)m\Z")
_SCALED = compiled(r"(?<=[\d\s])(k)\Z|(?<=\d)(m|bn?)\Z|(?<=[\s\d])(thousand|million|[mb]n|billion|trillion|grand)\Z")
_SCALED_CHANGED = compiled(rf"(?:\s[^.;,%\d]{{1,40}})?,\s{CHANGE}")
_SCALED_BESIDE = compiled(rf"(?:\s[^.;,%\d]{{1,24}})?,\s{HEDGE}")
_SCALED_EACH = compiled(rf"{_EACH},\s{HEDGE}")  # "60k a year, 15 more than"
_MORE = compiled(rf"\s(?:more|less)(?=\s(?:than|on)\b|{CLAUSE_END})")
_SCALED_TO = compiled(rf"""(?:\s[^\W\d_]+)?{_WHEN}(?:,\s(?:is|are|was|were)\s(?:now\s)?(?:up|down))?{TO}{HEDGE}
    |[^.;%]{{0,60}}\s(?:come|came|comes)\sin\sat\s{HEDGE}""")
_SCALED_AGAINST = compiled(rf"""(?:\s[^.;,%]{{1,24}})?,?\s(?:compared\s(?:to|with)|against|versus|(?:up|down)\sfrom)\s
    {HEDGE}[{CURRENCIES}]?""")
_FALLEN = compiled(r"\b(?:f[ae]ll|drop|slump|slid|sank|shr[aiu]nk|plunge|tumble|declin|dwindl|cut)[^.;,]{0,30}\Z")
_SCALED_PART = compiled(r"[^.;%]{0,40},\sof\swhich\s(?:[^\W\d_]++\s){1,3}(?:was|were|is|are|made\sup)\s")
_TO_SCALED = compiled(rf"{TO}{HEDGE}[{CURRENCIES}]?\Z")
_FROM_SCALED = compiled(rf"{_UP_FROM.pattern}[{CURRENCIES}]?\Z")
_REACHED_SIGN = compiled(rf"{REACHED.pattern[:-2]}[{CURRENCIES}]?\Z")
_SPENT_OF = compiled(rf"\sof\s(?:the|its|our|their|his|her)\s[{CURRENCIES}]?\Z")
_SPENT = compiled(rf"\b(?:spent|paid|raised|used|drawn|repaid|received)\s{HEDGE}[{CURRENCIES}]?\Z")
_BY = compiled(rf"\b(?:up|down|by)\s{HEDGE}[{CURRENCIES}]?\Z")
_IN = compiled(rf"\s(?:in|out\sof)\s(?:every\s)?(?:\d{{1,3}}(?!\d)|{one_of(SMALL)}\b)")
_THAN = compiled(r"\s(?:more|less|fewer)\sthan\b")
_LENGTHS = compiled(r"""\b(?:long|wide|tall|high|deep|met(?:re|er)s?|lengths?|widths?|heights?|depths?|distances?
    |walls?|tracks?)\b""")
_BASIS = compiled(r"\s(?:basis\spoints?|bps?)\sto\s")
_STOP = compiled(rf"""{CLAUSE_END}
    |\s(?:in|on|at|by|for|once|is|was|left|leaves|today|now|last|this|over|after|since|during|within|among|as|when|while|next|the|before|from\s(?:the|last|a)|a\s(?:year|month|week|day|decade)\s(?:ago|earlier|before))\b""")


def with_units_said_once(text: str, found: list[Amount]) -> list[Amount]:
    """The amounts, where a plain number beside one with a unit or scale has that, too, if it is left out."""
    amounts = found[:1]
    for first, second in pairwise(found):
        if _is_plain(second):
            last, before = amounts[-1], amounts[-2] if len(amounts) > 1 and _is_plain(first) else None
            listed = last.unit == "%" and _is_plain(first) and (
                is_listed_share(text, last, second) or is_listed_alike(text, last, second)
            )
            if unit := _unit_left_out(text, first, second):
                second = second._replace(value=second.value * FACTORS[unit], unit=unit)
            elif listed or (before and before.unit == "%" and _is_later(text, before, first, second)):
                second = second._replace(value=second.value * FACTORS["%"], unit="%")
            elif scale := _scale_left_out(text, first, second):
                second = second._replace(value=second.value * scale)
            elif _are_millions(text, first, second):
                second = second._replace(value=second.value * 10**6, end=second.end + 1)
        elif second.unit == "%" and _is_plain(first) and _comes_from(text, first, second):
            amounts[-1] = first._replace(value=first.value * FACTORS["%"], unit="%")
        if scale := _scale_to_come(text, first, second):
            amounts[-1] = first._replace(value=first.value * scale)
        elif _come_from_millions(text, first, second):
            amounts[-1] = first._replace(value=first.value * 10**6, end=first.end + 1)
        amounts.append(second)
    return amounts


def _is_plain(amount: Amount) -> bool:
    return not amount.unit and amount.measure is None and amount.kind in PLAIN


def _comes_from(text: str, first: Amount, second: Amount) -> bool:
    """Whether a percentage rose or fell to the first number: "passed 70 in May, up from 62 %"."""
    reached = REACHED.search(text[max(0, first.start - 24) : first.start])
    return 0 < first.value < 100 and bool(reached and _UP_FROM.fullmatch(text, first.end, second.start))


def _in_millions(text: str, amount: Amount) -> bool:
    return amount.kind == "digits" and bool(_GLUED.search(text, amount.start, amount.end))


def _are_millions(text: str, first: Amount, second: Amount) -> bool:
    """Whether the "m" behind the second number is the million of the first: "by 2.1m tonnes to 148m"."""
    past = second.end + 1
    if text[second.end : past] != "m" or not (_STOP.match(text, past) or _THAN.match(text, past)):
        return False
    if _in_millions(text, first) and _TONNES_TO.fullmatch(text, first.end, second.start):
        return True
    large = _SCALED.search(text, first.start, first.end) and first.value >= 10**6
    return bool(large) and not first.unit and not _LENGTHS.search(text)


def _come_from_millions(text: str, first: Amount, second: Amount) -> bool:
    """Whether the "m" behind the first number is the million of the second: "from 1.8m to 2.6m tonnes"."""
    joined = _MILLIONS_TO.fullmatch(text, first.end, second.start) and _FROM.search(text[: first.start][-24:])
    return bool(joined) and _is_plain(first) and _in_millions(text, second)


def _is_later(text: str, first: Amount, between: Amount, second: Amount) -> bool:
    """Whether a percentage and the second number are two levels, past a plain number: of years in "28 % ..., up from
    26", the hour of the first in "80 % at nine, 35 by noon".
    """
    if not measure(text, between.end):
        return _then(text, first, second)
    stops = _stops(text, second.end)
    latest = stops and _LATEST.fullmatch(text, first.end, second.start)
    return 0 < second.value < 100 and bool(latest or is_told_later(text, first, second, stops=stops))


def _then(text: str, first: Amount, second: Amount) -> bool:
    joined = 0 < second.value <= 100 and _THEN.fullmatch(text, first.end, second.start)
    return bool(joined and _BY_THEN.match(text, second.end))


def _stops(text: str, end: int) -> bool:
    """Whether the number that ends at `end` has no noun, and is not the first of "one in ten"."""
    return bool(_STOP.match(text, end)) and not _IN.match(text, end)


def _scale_to_come(text: str, first: Amount, second: Amount) -> int:
    """The "million" that the first amount shares with the second, or 0: "from 1.2 to 1.6 million", "10 to 12k"."""
    if scale := scale_of_interval(text, first, second):
        return scale
    scaled = _SCALED.search(text, second.start, second.end)
    plain = first.measure is None and first.kind == second.kind and first.kind in PLAIN and first.unit not in FACTORS
    if scaled is None or not plain or not 0 < first.value < 1000 or not second.value or (
        _SCALED.search(text, first.start, first.end)
    ):
        return 0
    scale = ANY_SCALE[scaled[0].lower()]
    before, gap = text[max(0, first.start - 24) : first.start], text[first.end : second.start]
    share = first.value * scale / second.value
    if _TO_SCALED.fullmatch(gap):
        if _FROM_SIGN.search(before) and Fraction(1, 5) < share < 5:
            return scale
        return scale if first.kind == "digits" and scale > 1000 and share < 1 and _BY.search(before) else 0
    if first.kind != "digits":
        return 0
    if scale > 1000 and _FROM_SCALED.fullmatch(gap) and _REACHED_SIGN.search(before):
        return scale if Fraction(1, 5) < share < 5 else 0
    spent = scale > 1000 and _SPENT_OF.fullmatch(gap) and _SPENT.search(before) and _stops(text, second.end)
    return scale if spent and share < 1 else 0


def _scale_left_out(text: str, first: Amount, second: Amount) -> int:
    """The "million" that the second amount shares with the first, or 0: "118 million, up 14", "from 60k to 45"."""
    scaled = _SCALED.search(text[first.start : first.end])
    if scaled is None or not (_stops(text, second.end) or _MORE.match(text, second.end)):
        return 0
    if second.value >= first.value:  # larger without a scale, perhaps than any float
        return 0
    scale = ANY_SCALE[scaled[0].lower()]
    share = second.value * scale / first.value
    gap = first.end, second.start
    if _SCALED_EACH.fullmatch(text, *gap) and _MORE.match(text, second.end) and share < 1:
        return scale
    if first.unit in CURRENCIES and first.unit and _SCALED_BESIDE.fullmatch(text, *gap) and share < 1:
        more = _MORE.match(text, second.end)  # "$17m, three more than theirs"
        return scale if more and scale > 1000 else 0
    digits = first.kind == second.kind == "digits"
    if digits and scale > 1000 and 0 < share < 1 and (
        _SCALED_CHANGED.fullmatch(text, *gap) or _SCALED_PART.fullmatch(text, *gap)
    ):
        return scale
    if scale > 1000 and _SCALED_AGAINST.fullmatch(text, *gap):
        return scale if Fraction(1, 3) < share < 3 else 0
    onward = _SCALED_TO.fullmatch(text, *gap)
    if share > 1 and _FALLEN.search(text[max(0, first.start - 40) : first.start]):
        return 0
    told = onward and (" at " in onward[0] or "," in onward[0])
    onward = told or (onward and _FROM_SIGN.search(text[max(0, first.start - 24) : first.start]))
    return scale if onward and Fraction(1, 3) < share < 3 else 0


def _unit_left_out(text: str, first: Amount, second: Amount) -> str:
    """The unit that the second amount shares with the first, or ""."""
    gap = first.end, second.start
    if first.unit == "bp" and _BASIS.fullmatch(text, *gap):
        return "bp" if _stops(text, second.end) else ""
    if first.unit == "cents":
        return "cents" if are_cents(text, first, second, stops=_stops(text, second.end)) else ""
    if first.unit != "%" or not 0 < abs(second.value) < 100:
        return ""
    if _SIGNED.fullmatch(text, *gap):
        return "%" if text[second.start - 1] == "+" or second.value < 0 else ""
    if _then(text, first, second):
        return "%"
    if is_next_share(text, first, second) or is_told_alike(text, first, second, stops=_stops(text, second.end)):
        return "%"
    before = text[max(0, first.start - 24) : first.start]
    onward = _TO.fullmatch(text, *gap) and _FROM.search(before)
    back = (_BACK.fullmatch(text, *gap) and _LEVEL.search(before)) or _LATER.fullmatch(text, *gap)
    onward = onward or _CHANGED.fullmatch(text, *gap) or _AGAINST.fullmatch(text, *gap)
    onward = onward or (_LEVELS.fullmatch(text, *gap) and not MOVED.search(before))
    onward = onward or (_SHIFTED.fullmatch(text, *gap) and not OTHERS.search(text))
    apart = _BESIDE.fullmatch(text, *gap) and _APART.match(text, second.end)
    apart = apart or (_NEXT.fullmatch(text, *gap) and _FEWER.match(text, second.end))
    if not apart and "." in text[second.start : second.end] and not OTHERS.search(text):
        apart = _LEAVING.fullmatch(text, *gap) and _APART.match(text, second.end)
    return "%" if apart or ((onward or back) and _stops(text, second.end)) else ""
