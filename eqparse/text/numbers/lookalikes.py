"""What looks like a number but is not: dates, years, times of day, telephone numbers, names, "first half"."""

from __future__ import annotations

import re

from eqparse.text.numbers.context import CLOSED, word_after
from eqparse.text.numbers.tables import CLAUSE_END, CONTINENTAL, SCALES, compiled, one_of

_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\w|[.,:/]\d)"
_YEAR = r"(?:19|20)\d\d(?!\w|[.,]\d)"
_OLD_YEAR = rf"1[1-8]\d\d(?<!00)(?={CLAUSE_END}|\s{one_of(CLOSED)}\b)"
_MONTHS = "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
_MONTHS += "|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
_MONTH = rf"""(?-i:{_MONTHS}|May|{_MONTHS.upper()}|MAY(?!\s(?:BE|NOT|ALSO|(?!TH)[A-Z]+E)\b))(?!\w)\.?"""
MONTHS = frozenset(
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov"
    " november dec december".split()
)
# Shows that a number counts things, and is not a date or year: "in 2000 metres", "gave May 5 dollars".
_COUNTED = rf"""(?:\s?[%¢]|[\s-](?:{SCALES}|per\s?cent|pct|percentage|cents?|dollars?|euros?|pounds?|miles?|feet
    |foot|inch(?:es)?|yards?|(?:kilo|centi|milli)?(?:met(?:er|re)|gram)s?|tons?|tonnes?|metric|kg|km|people
    |tickets?|times|points?|votes?|students?|children|hours?|minutes?|seconds?|days?|weeks?|months?|years
    |acres?|gallons?|lit(?:er|re)s?|units?|shares?|seats?|members?|workers?|jobs?|more|less|fewer|square
    |cubic)(?!\w)
    |\s[a-z]{{1,20}}s(?:\s?[.,;:!?)]|\s(?:a|per|each|every)\s|\s?\Z))"""
_CALLED = compiled(r"""\b(?:call|dial|(?:tele)?phone|ring|text|tel|fax|mobile|hotline|whatsapp)(?:\snumber)?[.:]?\s
    (?:(?:us|me|him|her|them|on|at|is|the|number|toll-free)\s){0,3}\Z""")
_TELEPHONE = compiled(rf"""(?:911|999|112|111|101|000)(?![\d.,]|[\s-]\d)(?!{_COUNTED})
    |(?!\d{{1,3}}(?:\s\d{{3}})++(?!\s?\d))(?=(?:[\s()-]{{0,2}}\d){{6}})\d[\d\s()-]{{4,16}}\d(?![\w.,]\d|\w)(?!{_COUNTED})""")
_MONTH_FIRST = compiled(
    rf"{_MONTH}\s{_DAY}(?:,?\s{_YEAR})?(?!{_COUNTED}) | {_MONTH},?\s(?:of\s)?{_YEAR}(?!{_COUNTED})"
)
_NUMBERED = compiled(r"nos?\.\s?\d++")
_PART_OF_PLAY = compiled(r"""(?:first|second|third|fourth|last|final|next|opening|latter|this|each|every|per)
    [\s-](?:halves|half|quarters?)(?!\w)""")
_NTH_PART = compiled(r"\d++(?:st|nd|rd|th)[\s-](?:halves|half|quarters?)(?!\w)")
_HALF = compiled(r"""half[\s-]past\s\w++ | half-?backs?(?!\w)
    | half[\s-]?(?:time|life|brother|sister|mast|way|hearted|finals?|terms?|moon|marathons?|volley|board)(?!\w)""")
_DOUBLE = compiled(r"""(?:double|triple)[\s-](?:digit|(?:rooms?|beds?|bass|glazing|deckers?|whisk(?:e?y|ies)|espressos?
    |garages?|cream|agents?|chins?|bogeys?|headers?|parking|jump)(?!\w))""")
_VAGUE = compiled(rf"(?:several|few|many|some|couple(?:\sof)?)\s(?:a\s)?(?:{SCALES}\s)?(?:{SCALES}|score|gross)(?!\w)")
# "at a quarter to six", "ten past two", not "cut by a quarter to six", "stood at ten to one"
_AT = r"""(?:(?<=\bat\s)(?<!stands\sat\s)(?<!stand\sat\s)(?<!stood\sat\s)|(?<=\buntil\s)|(?<=\btill\s)|(?<=\bbefore\s)
    |(?<=\bafter\s)|(?<=\bsince\s)|(?<=\Aby\s)|(?<=[.;,]\sby\s)|(?<=\bit's\s)|(?<=\bit’s\s)|(?<=\bit\sis\s))"""
_HOUR = rf"""(?:1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)
    (?![.,:]\d)(?={CLAUSE_END}|\s(?:\d|(?:{one_of(CLOSED)}|(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day|o['’]clock)\b
      |(?-i:[A-Z][a-z])))
    (?:\so['’]clock)?"""
_MINUTES = r"(?:five|ten|twenty(?:[\s-]five)?)\s(?:minutes\s)?"
_TIME = rf"""(?:(?:(?:a\s)?quarter\s|{_MINUTES})past|{_AT}(?:(?:a\s)?quarter\s|{_MINUTES})to)\s{_HOUR}"""
_DIGITS = compiled(rf"""
        \d{{4}}-\d\d?-\d\d?(?!\w) | \d\d?([-/.])\d\d?\1(?:\d{{4}}|\d\d)(?!\w)  # 2015-03-14, 3/14/2015
      | (?:\+?\d{{1,2}}[-.\s])?(?:\(\d{{3}}\)\s?|\d{{3}}[-.])\d{{3}}[-.]\d{{4}}(?!\d)  # telephone numbers
      | \d{{3}}-\d{{4}}(?<!00)(?![\d-])(?!{_COUNTED}) | \d{{3}}-\d\d-\d{{4}}(?!\d)
      | \+\d[\d\s()-]{{7,18}}\d(?!\d)
      | \(?(?=0(?:[\s()-]{{0,2}}\d){{7}})(?<!at\s)0\d{{2,5}}\)?(?:[\s-]\d{{2,8}}){{1,5}}(?![\w.,]\d|\w)
      | (?!{CONTINENTAL})\d++(?:\.\d++){{2,}}+  # 10.0.0.1, version 1.2.3
      | {_DAY}\s(?:of\s)?{_MONTH}(?:,?\s(?:{_YEAR}|{_OLD_YEAR}))?(?!{_COUNTED})
      | {_YEAR}[-–/](?:19|20)?\d\d(?!\w)(?!{_COUNTED}) | (?:24/7|9/11)(?![\w/])
      | (?:(?<=in\s)|(?<=of\s)|(?<=by\s)|(?<=since\s))['’]\d\d(?!\w)  # in '98
      | (?:(?<=\d[cmk]m\^)|(?<=\d\s[cmk]m\^)|(?<=\dm\^)|(?<=\d\sm\^)|(?<=ft\^))[23](?!\w)  # 5 m^2
      | [\#№]\s?\d++ | (?:5|10|20|25)\s(?:minutes\s)?past\s{_HOUR}""")
_TWENTY = compiled(rf"twenty[\s-]twenty\svision | {_TIME}")
_PATTERNS = (
    {month: _MONTH_FIRST for month in MONTHS}
    | {"no": _NUMBERED, "nos": _NUMBERED, "half": _HALF, "double": _DOUBLE, "triple": _DOUBLE, "twenty": _TWENTY}
    | dict.fromkeys(("quarter", "five", "ten"), compiled(_TIME))
    | {"a": compiled(rf"{_TIME} | a\shalf[\s-]?marathon\b")}
    | dict.fromkeys("first second third fourth last final next opening latter".split(), _PART_OF_PLAY)
    | dict.fromkeys("this each every per".split(), _PART_OF_PLAY)
    | dict.fromkeys("several few many some couple".split(), _VAGUE)
)
LOOKALIKE_WORDS = frozenset(_PATTERNS)
_CLOCK_TAIL = compiled(r"[\s-]?(?:[ap]m(?!\w)|[ap]\.m\b|o\s?['’]\s?clock(?!\w))")
_COUNTS = compiled(_COUNTED)
_YEAR_TOKEN = re.compile(r"(?:19|20)\d\d")
_SPOKEN_YEAR_TOKEN = re.compile(r"1[1-9]\d\d|20\d\d")
_NAMED_YEAR_TOKEN = re.compile(r"1?\d{3}|20\d\d")
_NAMED_YEAR = compiled(r"\bthe\syear\s\Z")
_YEAR_AFTER = compiled(r"\s(?:fiscal|year(?!\w|[\s-]old)|budget|season|census|election|edition|model|one)(?!\w)")
_YEAR_BEFORE = compiled(rf"""(?:\b(?:in|since|during|until|till|fiscal|year|FY|circa|AD|Q[1-4]
    |(?:dat(?:es|ed|ing)|goes)\s(?:back\s)?(?:to|from))|{_MONTH}
    |\b(?:end|start|beginning|middle|half|rest|quarter|class|year|spring|summers?|autumns?|fall|winters?|elections?
    |census|crisis|seasons?)\sof|\b(?:19|20)\d\d,?\s(?:and|or|to|through))\s(?:the\s|fiscal\s|year\s)?\Z
    |\b(?:early|late|mid)[\s-]\Z
    |(?:\A|[.,;:–—]\s)the\syear\s(?:is|was)\s\Z""")
_YEAR_ON = compiled(r"""\b(?:(?:up|down)(?:\s(?:by\s)?[$€£]?\d[\d.,]*(?:\s?(?:%|per\scent|percent|[a-z]+))?)?|more|less
    |fewer|rise|fall|increase|drop)\son\s\Z""")
_YEAR_STANDS = compiled(rf"{CLAUSE_END}|['’]s\b|\s(?:{one_of(CLOSED)})\b|\s(?:levels|prices|figures)\b")
_OPENS = r"(?:\A|[.;,]\s)"
_YEAR_OPENS = compiled(rf"{_OPENS}(?:by|from|around|before|after)\s\Z")
# "In 1066 he", "Between 1990 and 2000 it": digits that open a clause, and what they count does not follow
_DIGITS_OPEN = compiled(rf"{_OPENS}(?:in|until|till|by|(?P<start>from)|before|after)\s\Z")
_TAKEN = compiled(r"\b(?:take|taken|taking|subtract|deduct|remov|withdr|leav)")
_BEHIND_YEARS = CLOSED - set("of to more less fewer and per minus plus is was".split())
_STANDS_ALONE = rf"(?={CLAUSE_END}|\s{one_of(_BEHIND_YEARS)}\b)"
_DIGITS_STAND = compiled(_STANDS_ALONE)
_CHANGES = r"(?:increas|decreas|ris|rose|fall|fell|cut|gr[eo]w|rais|lower|reduc|up\b|down\b|drop|gain|lost|los)"
# "between 1990 and 2000 it grew by 300"
_SPAN = compiled(rf"""(?P<opens>{_OPENS})?(?P<stated>\b(?:lies?|is|are|was|were|be|difference|gap|distance|ratio
      |numbers?|integers?|primes?|(?:any|some)where|{_CHANGES}[a-z]*(?=\sfrom\b))\s)?
    (?<!\w)(?:between|from)\s(?:the\syears\s)?(?P<first>1\d\d\d|20\d\d)
    \s(?:and|to|until|till|through)\s(?P<last>1\d\d\d|20\d\d)(?!\w|[.,]\d)""")
_BY = compiled(r"\bby\b|%|\bper\s?cent\b")
_RECENT = re.compile(r"(?:1[89]|20)\d\d")
_OF_NUMBERS = compiled(r"\b(?:pick|choose|guess|(?:integer|prime|multiple|square|number)s?(?!\sof))\b")
_DIGITS_TOKEN = re.compile(r"(?:1\d|20)\d\d")
_GROUPED = re.compile(r"(?<![\d,])\d{1,2},\d{3}(?![\d,])")
_YEAR_BY = compiled(r"\bby\s(?:the\s)?\Z")
_CHANGE = compiled(rf"""\b(?:exceed|differ|more|less|multip|divid|outnumber|short|bigger|larger|smaller|greater
    |{_CHANGES})""")


def digits_lookalike(text: str, at: int) -> int:
    """The end of the date, telephone number or the like that begins at `at`; 0 if there is none."""
    match = _DIGITS.match(text, at) or _NTH_PART.match(text, at)
    if match is None and _CALLED.search(text[max(0, at - 24) : at]):
        match = _TELEPHONE.match(text, at)
    return match.end() if match else 0


def word_lookalike(text: str, at: int, word: str) -> int:
    """The end of the look-alike that begins at `at` with `word`, one of `LOOKALIKE_WORDS`; 0 if there is none."""
    match = _PATTERNS[word].match(text, at)
    return match.end() if match else 0


def after_digits(text: str, end: int) -> int:
    """The end of the "pm" or "o'clock" after a number; 0 if there is none."""
    match = _CLOCK_TAIL.match(text, end)
    return match.end() if match else 0


def is_counted(text: str, end: int) -> bool:
    """Whether what follows shows that the number before it counts things."""
    return bool(_COUNTS.match(text, end))


def is_year(text: str, start: int, end: int, token: str | None = None) -> bool:
    """Whether the words around text[start:end], or `token` in its place, show that it is a year.

    token: the digits of a number in words. Spoken as a year is ("eighteen forty"), it may be of any century from the
        twelfth.
    """
    years = _SPOKEN_YEAR_TOKEN if token else _YEAR_TOKEN
    before, token = text[max(0, start - 80) : start], token or text[start:end]
    if years is _YEAR_TOKEN and _YEAR_TOKEN.fullmatch(token) and before.endswith("(") and text.startswith(")", end):
        return True
    if years is _YEAR_TOKEN and _DIGITS_TOKEN.fullmatch(token):
        if (spanned := _is_in_span(text, start)) is not None:
            return spanned
        if _opens_clause(text, before, end):
            return True
    on = _YEAR_TOKEN.fullmatch(token) and _YEAR_ON.search(before[-40:]) and _YEAR_STANDS.match(text, end)
    if on or is_counted(text, end):
        return bool(on)
    if _NAMED_YEAR.search(before) and _NAMED_YEAR_TOKEN.fullmatch(token):
        return True
    if not years.fullmatch(token):
        return False
    if _YEAR_BEFORE.search(before[-40:]) or _YEAR_AFTER.match(text, end):
        return True
    if years is _SPOKEN_YEAR_TOKEN and _YEAR_OPENS.search(before) and _YEAR_STANDS.match(text, end):
        return True
    by = _YEAR_TOKEN.fullmatch(token) and _YEAR_BY.search(before)
    # beside "1,500 jobs" an amount would be written "2,027"
    return bool(by and (not _CHANGE.search(before) or _GROUPED.search(before)))


def _opens_clause(text: str, before: str, end: int) -> bool:
    opening = _DIGITS_OPEN.search(before) if _DIGITS_STAND.match(text, end) else None
    return bool(opening) and not (opening["start"] and _TAKEN.search(text, end, end + 30))  # "from 1200, take 300"


def _is_in_span(text: str, start: int) -> bool | None:
    """Whether the number at `start` is one of two years: "between 2012 and 2015"; None if no span has it."""
    spans = (span for span in _SPAN.finditer(text, max(0, start - 40), start + 40))
    span = next((span for span in spans if start in (span.start("first"), span.start("last"))), None)
    if span is None:
        return None
    end, years = span.end(), (span["first"], span["last"])
    if is_counted(text, end) or _OF_NUMBERS.search(text, end, end + 40):
        return False
    if span["opens"] is not None and _DIGITS_STAND.match(text, end):
        return True
    by = _BY.search(text, max(0, start - 80), end + 80)
    if not all(map(_RECENT.fullmatch, years)) or (span["stated"] and not by) or not years[0] < years[1]:
        return False
    noun = word_after(text, end)
    return span["opens"] is not None or noun in CLOSED or not noun.endswith("s")
