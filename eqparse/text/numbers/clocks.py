"""Digits with colons: a time taken ("in 2:08:41"), a time of day, a ratio; times of day with a point ("at 8.15")."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.context import CLOSED, COMPARED
from eqparse.text.numbers.lookalikes import after_digits
from eqparse.text.numbers.numeral import Numeral
from eqparse.text.numbers.tables import CLAUSE_END, compiled, one_of

_CLOCK = compiled(r"(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?![\d:])")
_TAKEN = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(\.\d{1,3})?(?![\w:]|\.\d)")
_RATIO = compiled(r"ratio|proportion|scale|odds|mix|dilut|blend|concentrat")
_VERSE = re.compile(r"\d{1,3}:\d{1,3}(?:[-–]\d{1,3})?(?![\w:]|\.\d)")
_BOOK = compiled(r"""\b(?-i:Genesis|Exodus|Leviticus|Deuteronomy|Joshua|Judges|Ruth|Samuel|Kings|Chronicles|Job|Psalms?
    |Proverbs|Ecclesiastes|Isaiah|Jeremiah|Ezekiel|Daniel|Matthew|Mark|Luke|John|Acts|Romans|Corinthians|Galatians
    |Ephesians|Philippians|Hebrews|James|Peter|Jude|Revelation|Surah?|Quran|Qur['’]an)\s\Z""")
_WON = compiled(r"\b(?:beat\w*|defeat\w*|over|lost|los[ei]\w*|won|wins?|thrash\w*)\b")
_DIGITS = re.compile(r"\d++")
_DAYTIME = compiled(r"\b(?:at|before|after|until|till|from|since|to)\s\Z")
_SPENT = compiled(r"""\b(?:in|t[ao]kes?|took|taken|taking|lasts?|lasted|clocked|clocking|ran|runs?|needs?|needed|spent
    |(?<!start\s)(?<!starting\s)(?<!arrival\s)(?<!departure\s)(?:time|record|split|lap|gap|lead|average|best)\sof
    |(?:\w['’]s|his|her|their|its|my|our|your|winning|finishing|lap|best)\s(?:time|record|split|lap|best)\s(?:is|was))
    (?:\s(?:just|only|about|around|under|over|nearly|almost|exactly|a\srecord))?\s\Z""")
_LONG = compiled(r"\slong\b")
_BY = compiled(r"\bby(?:\s(?:just|only|about|nearly|almost|over|exactly))?\s\Z")
_DIFFERENCE = compiled(r"""\b(?:beat|won|wins?|los[et]s?|led|leads?|trail|improv|better|low|cut|slash|shav|miss|broke
    |exceed|differ|outlast|reduc|extend|lengthen|shorten|(?P<adverb>fast|slow|quick|ahead|behind))""")
# "at 8.15", "the 7.40 train"
_POINT = compiled(r"(?:0?[1-9]|1\d|2[0-3]|00)\.[0-5]\d(?!\w|[.,]\d)")
# "From 9.30 to 10.15 Ann", not "from 9.30 to 10.15 euros"
_OPENS_FROM = compiled(rf"(?:\A|[.;,]\s)from\s(?:{_POINT.pattern}\sto\s)?\Z")
_SPAN_STANDS = compiled(rf"(?:\sto\s{_POINT.pattern})?\s(?-i:[A-Z][a-z])")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
# "at 17h", "by 09h30", "at 0830 hours"
_HOURS = compiled(r"""(?:(?:[01]\d|2[0-4])h(?:[0-5]\d)?|\dh|(?:[01]\d|2[0-3])[0-5]\d\s?(?:hours|hrs))(?!\w)
    (?!\s(?:longer|shorter|faster|slower|more|less|later|earlier|sooner|ahead|behind|before|after|of|an?|per|each)\b)""")
_AT_HOURS = compiled(r"(?:\b(?:at|until|till)(?:\s(?:about|around|exactly))?|(?:\A|[.,;]\s)by)\s\Z")
_AT_POINT = compiled(rf"""(?:\b(?:at|until|till|before|after|since|from|between)(?:\s(?:about|around|exactly))?
    |(?:\A|[.,;]\s|\b(?:over|gone|back|home|there|in|up|off|out|ready|done|full)\s)by
    |\b(?:at|from|between)\s{_POINT.pattern}(?:,\s{_POINT.pattern}){{0,4}}(?:,|\s(?:and|or|to)))\s\Z""")
_POINT_STANDS = compiled(rf"""(?!\sto\s(?!{_POINT.pattern}|\d\d?\son\b)\S{{0,9}}\d)(?!,\sits\s[a-z]+est\b)
    (?:{CLAUSE_END}|\s(?!(?:an?|per|each|plus|minus|times|less)\b)
      (?:{one_of(CLOSED)}|{_DAY}|sharp|gmt|he|they|we|you|tomorrow|tonight)\b)""")
_UNTIL = compiled(rf"\s(?:until|till)\s{_POINT.pattern}")
_TIMETABLE = compiled(rf"""\b(?:trains?|bus(?:es)?|coach(?:es)?|ferr(?:y|ies)|boats?|trams?|flights?|planes?|cable\scar
    |depart\w*|arriv\w*|left|leav\w+|set(?:s|ting)?\s(?:off|out)|start(?:s|ed)?|beg[aiu]n(?:s|ning)?|open(?:s|ed)?|closes
    |shuts?|me?et|(?:got|gets?)\sup|up\sat|rehearsals?|lessons?|class(?:es)?|school|tea|lunch|breakfast|dinner
    |kick(?:s|ed)?[\s-]?off|bells?|doors|{_DAY}|morning|afternoon|evening|tonight|tomorrow|clock|lights|finish\w*|adjourn\w*
    |woke|goes\sat|out\sat|films?|movies?|cinema|booked|appointments?|open\sfrom|call(?:ed)?\sat|passed|dawn|sun(?:rise|set)?
    |shift)\b""")
_PAID = compiled(r"""[$€£¥]|\b(?:shares?|stocks?|futures|pric\w+|sell\w*|sold|buy\w*|bought|pa(?:ys?|id)|rates?|yields?
    |index|euros?|pounds?|dollars?|krona|rand|rupees?|(?:stand|stood|hold|held|fix\w*|charg\w+|recovered|traded|trading)\sat
    |tokens|tickets?|fares?|costs?|cents|scor\w+|mark|jumps?|hours\sat|currency|fertility|ratio|gold|oil|wheat)\b""")
_THE_POINT = compiled(r"\b(?:the|her|his|my|our|their|your)\s\Z")
_RUNS = compiled(r"""\s(?:(?:from|to|for|at|out\sof)\s(?-i:[A-Z])
    |(?:\w+\s)?(?:trains?|bus(?:es)?|coach|ferry|boat|tram|flight|plane|sailing|freight|express|service|shift|showing
      |screening|kick-?off|race|mass|class|crew|start|appointment|meeting|lesson|slot)\b)""")
_RUNS_ON = compiled(rf"""\b(?:train|bus|ferry|boat|coach|platform|late|catch|caught|miss(?:ed)?|board|took|on|made)\b
    |\bthe\s{_POINT.pattern}{_RUNS.pattern}""")


def _is_time_of_day(text: str, match: re.Match[str]) -> bool:
    """Whether digits with a point are a time: "left at 8.15", "the 7.40 to Leeds", not "sells at 8.15 a kilo"."""
    start, end = match.span()
    before = text[max(0, start - 60) : start]
    if _THE_POINT.search(before):
        known = _RUNS_ON.search(before) and _POINT_STANDS.match(text, end) and not _PAID.search(before)
        return bool(_RUNS.match(text, end) or known)
    if (opening := _OPENS_FROM.search(before)) and (stands := _SPAN_STANDS.match(text, end)):
        return "to" in f"{opening[0]}{stands[0]}"
    if not _AT_POINT.search(before):
        return False
    if _UNTIL.match(text, end) or before.endswith(("until ", "till ")):
        return True
    timetable = _TIMETABLE.search(before) or _TIMETABLE.search(text, end, end + 30)
    return bool(timetable and _POINT_STANDS.match(text, end)) and not _PAID.search(before)


def read_clock(text: str, start: int, found: list[Numeral]) -> int:
    """Read the digits with colons at `start`, if there are any: a time taken in its larger unit, the two numbers of a
    ratio, and nothing of a time of day or a verse. Returns where to continue, or 0.
    """
    hours = _HOURS.match(text, start)
    if hours and _AT_HOURS.search(text[max(0, start - 20) : start]):
        return hours.end()
    point = _POINT.match(text, start)
    if point and _is_time_of_day(text, point):
        return point.end()
    verse = _BOOK.search(text[max(0, start - 16) : start]) and _VERSE.match(text, start)
    if verse and not _WON.search(text, max(0, start - 40), start):  # "beat Mark 3:1"
        return verse.end()
    taken, clock = _TAKEN.match(text, start), _CLOCK.match(text, start)
    ratio = (taken or clock) and _RATIO.search(text[max(0, start - 60) : start])
    if taken and not ratio and _is_taken(text, taken):
        major, minor, least, decimals = taken.groups()
        unit = "minute" if least is None else "hour"
        seconds = Fraction(least or minor) + Fraction(decimals or 0)
        value = int(major) + (seconds / 60 if least is None else (int(minor) + seconds / 60) / 60)
        found.append(Numeral(value, start, taken.end(), "digits", unit))
        return taken.end()
    if clock is None:
        return 0
    end = clock.end()
    if past := after_digits(text, end):
        return past
    if ratio or _RATIO.match(text, end + 1):
        found += [Numeral(int(n[0]), *n.span(), "digits") for n in _DIGITS.finditer(text, start, end)]
    return end


def _is_taken(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 80) : match.start()]
    if _DAYTIME.search(before) or after_digits(text, match.end()):
        return False
    following = COMPARED.match(text, match.end()) or _LONG.match(text, match.end())
    if match[3] or match[4] or following or _SPENT.search(before):
        return True
    difference = _DIFFERENCE.search(before) if _BY.search(before) else None
    # "solved six faster than Finn by 10:40" may tell the time of day, "by 1:52" hardly
    return difference is not None and (difference["adverb"] is None or int(match[1]) < 6 or int(match[1]) > 23)
