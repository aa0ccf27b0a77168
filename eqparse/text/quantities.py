r"""Step 2: number mentions of a raw English text, with their values and exact characters.

A grammar of our own. One compiled pattern scans for places where a number may start, and for look-alikes that
are left alone (dates, clock times, identifiers, "first half"); small readers then take what belongs to the
number. Each pattern repeats over disjoint stretches only (possessive repeats, bounded gaps), so the work is
linear in the text.

A later, learned stage decides which quantities the equation uses: here a number too many is better than one
missed.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number mention (a "quantity" of Roy et al. 2016, section 3).

    value: as it stands in an equation: "5 %" is 0.05, "12 cents" 0.12, "twice" 2, "half" 0.5; always finite.
    start, end: characters of the number itself, end exclusive. A minus sign or a word for it ("negative 8")
        and magnitude words ("4.5 billion", "a dozen") belong to it; currency signs, "%", "cents" and units
        do not.
    kind: "digits" | "word" | "multiplier" (twice, double, half, threefold) | "fraction" (2/3, one half, 2 and
        a half).
    unit: "%", "bp" (basis points) and "cents", which scale by 1e-2, 1e-4 and 1e-2; the currencies "$" (also
        for "dollars"), "€" (also for "euros"), "£", "¥" and "₹", which do not scale; otherwise "".
    """

    value: float
    start: int
    end: int
    kind: str
    unit: str


# --- tables --------------------------------------------------------------------------------------------

_DIGIT_WORDS = "zero one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = {word: value for value, word in enumerate(_DIGIT_WORDS + _TEENS)}
_SMALL |= {word: 10 * value for value, word in enumerate(_TENS, start=2)} | {"fourty": 40}
_SCALE = {"dozen": 12.0, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALE = {"mn": 1e6, "mln": 1e6, "bn": 1e9, "bln": 1e9, "tn": 1e12, "trn": 1e12}
_LETTER_SCALE = {"k": 1e3, "m": 1e6, "mm": 1e6, "b": 1e9, "t": 1e12}  # read after a currency sign only
_ANY_SCALE = _SCALE | _SHORT_SCALE | _LETTER_SCALE
_ORDINAL_PARTS = {"third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
_ORDINAL_PARTS |= {f"{word}th": _SMALL[word] for word in ("four", "six", "seven", "ten", "eleven")}
_ORDINAL_PARTS |= {f"{word}th": _SMALL[word] for word in _TEENS[3:]}
_ORDINAL_PARTS |= {f"{word[:-1]}ieth": _SMALL[word] for word in _TENS}
_ORDINAL_PARTS |= {f"{word}th": int(_SCALE[word]) for word in ("hundred", "thousand", "million")}
_PARTS = {"half": 2, "quarter": 4} | _ORDINAL_PARTS
_MULTIPLIERS = {"twice": 2.0, "thrice": 3.0, "doubl": 2.0, "tripl": 3.0, "trebl": 3.0, "quadrupl": 4.0}
_MULTIPLIERS |= {"quintupl": 5.0, "sextupl": 6.0, "septupl": 7.0, "octupl": 8.0, "halv": 0.5}
_VULGAR = {sign: unicodedata.numeric(sign) for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"}
_CURRENCIES = "$€£¥₹"
_UNITS = {"percent": "%", "cents": "cents", "basis": "bp", "dollars": "$", "euros": "€"}
_FACTORS = {"%": "1e-2", "cents": "1e-2", "bp": "1e-4"}

# --- patterns ------------------------------------------------------------------------------------------


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def _one_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


_GAP = r"(?:\s{1,3}|\s?[-\u2010\u2011]\s?)"  # bounded: a long blank run never lies inside one number
_ANY = _one_of(_SCALE)
_WORD = rf"(?:{_one_of([*_SMALL, *_SCALE])})(?!\w)"
_NUMBER = r"(?:(?<!\d,)\d{1,3}(?:,\d{3})++(?!\d)|\d++)(?:\.\d++)?|(?<!\.)\.\d++"
# A sign, not the hyphen of "3-2" nor the minus of "5 -3".
_MINUS = r"(?<![^\s(\[{=:;<>*+/\"'“,$€£¥₹])(?<![\d)%]\s)[-−–]"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\w|[.,:/]\d)"
_YEAR = r"(?:19|20)\d\d(?!\w|[.,]\d)"
_MONTH = r"""(?-i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?
    |Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)(?!\w)\.?"""
# Shows that a number counts things and is no date or year: "in 2000 metres", "gave May 5 dollars".
_COUNTED = rf"""(?:\s?[%¢]|[\s-](?:{_ANY}|per\s?cent|pct|percentage|cents?|dollars?|euros?|pounds?|miles?|feet
    |foot|inch(?:es)?|yards?|(?:kilo|centi|milli)?(?:met(?:er|re)|gram)s?|tons?|tonnes?|metric|kg|km|people
    |tickets?|times|points?|votes?|students?|children|hours?|minutes?|seconds?|days?|weeks?|months?|years
    |acres?|gallons?|lit(?:er|re)s?|units?|shares?|seats?|members?|workers?|jobs?|more|less|fewer|square
    |cubic)(?!\w)
    |\s[a-z]{{1,20}}s(?:\s?[.,;:!?)]|\s(?:a|per|each|every)\s|\s?\Z))"""
_UNIT_WORDS = r"""(?:(?P<percent>%|％|per\s?cent(?!\w)|percentage[\s-]points?(?!\w)|pct(?!\w))
    |(?P<cents>¢|cents?(?!\w))|(?P<basis>basis[\s-]points?(?!\w)|bps(?!\w))
    |(?P<dollars>\$(?!\s?[\d.])|(?:dollars?|bucks?|USD)(?!\w))
    |(?P<euros>€(?!\s?[\d.])|(?:euros?|EUR)(?!\w)))"""

_SCAN = _compile(rf"""(?<!\w)(?:
    (?P<alone>  # look-alikes, left alone
        \d{{4}}-\d\d?-\d\d?(?!\w) | \d\d?([-/.])\d\d?\2(?:\d{{4}}|\d\d)(?!\w)  # 2015-03-14, 3/14/2015
      | (?:\+?\d{{1,2}}[-.\s])?(?:\(\d{{3}}\)\s?|\d{{3}}[-.])\d{{3}}[-.]\d{{4}}(?!\d)  # telephone numbers
      | \d{{3}}-\d{{4}}(?<!00)(?![\d-])(?!{_COUNTED}) | \d{{3}}-\d\d-\d{{4}}(?!\d)
      | \+\d[\d\s()-]{{7,18}}\d(?!\d)
      | \d++(?:\.\d++){{2,}}+  # 10.0.0.1, version 1.2.3
      | \d++(?:[٫٬]\d++)++  # Arabic decimal, group signs
      | {_MONTH}\s{_DAY}(?:,?\s{_YEAR})?(?!{_COUNTED}) | {_MONTH},?\s(?:of\s)?{_YEAR}(?!{_COUNTED})
      | {_DAY}\s(?:of\s)?{_MONTH}(?:,?\s{_YEAR})?(?!{_COUNTED})
      | {_YEAR}[-–/](?:19|20)?\d\d(?!\w)(?!{_COUNTED}) | (?:24/7|9/11)(?![\w/])
      | (?:(?<=in\s)|(?<=of\s)|(?<=by\s)|(?<=since\s))['’]\d\d(?!\w)  # in '98
      | (?:\#\s?|№\s?|nos?\.\s?)\d++
      | [^\W\d_]++\d\w*+(?:[.-]\w++)*+  # MP3, A4, R2D2
      | (?!(?:mid|top|under|over|sub|plus)-)(?-i:[A-Z])[a-z]*+-\d\w*+  # H-1B, COVID-19
      | (?:first|second|third|fourth|last|final|next|opening|latter|1st|2nd|3rd|4th|this|each|every|per)
        [\s-](?:halves|half|quarters?)(?!\w)
      | half[\s-]past\s\w++ | half[\s-]?(?:time|life|brother|sister|mast|way|hearted|finals?)(?!\w)
      | (?:double|triple)[\s-]digit
      | (?:several|few|many|some|couple(?:\sof)?)\s(?:a\s)?(?:{_ANY}\s)?{_ANY}(?!\w))
  | (?P<clock>(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?![\d:]))
  | (?P<digits>(?P<outer>[{_CURRENCIES}]\s?)?(?P<minus>{_MINUS})?(?P<inner>[{_CURRENCIES}]\s?)?
        (?P<number>{_NUMBER}))
  | (?P<vulgar>[{"".join(_VULGAR)}])
  | (?P<fold>(?P<times>{_one_of([*_SMALL, *_SCALE])})(?P<hyphen>-?)fold(?!\w))
  | (?P<article>(?:an?{_GAP}|(?P<own>(?<=own\s)))(?P<a_part>{_one_of(_PARTS)})(?!\w))
  | (?P<half>half(?!\w))
  | (?P<multiplier>(?P<stem>twice|thrice|(?:doubl|tripl|trebl|quadrupl|quintupl|sextupl|septupl|octupl)
        (?=e[sd]?\b|ing\b)|halv(?=e\b|ed\b|ing\b|es\s(?:the|it|its|that|this)\b))\w*+)
  | (?P<words>(?P<a>an?{_GAP}(?={_ANY}(?!\w)))?{_WORD}(?:{_GAP}(?:and{_GAP})?{_WORD})*+)
    )""")
_LETTERS = re.compile(r"[a-z]++", re.IGNORECASE)
_STUCK = re.compile(r"\w++")
# What may follow a number.
_SCALE_TAIL = _compile(rf"(?:{_GAP}?(?:(hundred){_GAP})?({_ANY})s?|\s?({_one_of(_SHORT_SCALE)}))(?!\w)")
_LETTER_TAIL = _compile(rf"({_one_of(_LETTER_SCALE)})(?!\w)")
_SLASH = re.compile(rf"[/⁄](\d++)(?![/⁄.]\d)|[\s-](\d++)[/⁄](\d++)(?![/⁄.]\d)|\s?([{''.join(_VULGAR)}])")
_PART_TAIL = _compile(rf"""(?P<gap>{_GAP})(?:(?P<one>{_one_of(_PARTS)})|(?P<many>halves|{_one_of(_PARTS)}s))
    (?!\w)(?![\s-](?:grade|place|floor|class|base|party))""")
_ORDINAL_TAIL = _compile(rf"""{_GAP}(?:and{_GAP})?(?:first|(?<!\s)second|{_one_of(_ORDINAL_PARTS)})(?!\w)
    (?![\s-]grade)""")
_PART_SCALE = _compile(rf"{_GAP}(?:of{_GAP})?(?:an?{_GAP})?({_ANY})(?!\w)")
_POINT = _compile(rf"\spoint((?:[\s-]{_one_of(_DIGIT_WORDS)}(?!\w)){{1,9}}+)")
_UNIT = _compile(rf"(?:\s{{0,2}}|-){_UNIT_WORDS}")
_PART_UNIT = _compile(rf"(?:\s{{0,2}}|{_GAP}(?:of{_GAP})?(?:an?{_GAP})?){_UNIT_WORDS}")
_CLOCK_TAIL = _compile(r"\s?(?:[ap]m(?!\w)|[ap]\.m\b|o\s?['’]\s?clock(?!\w))")
_GLUED = re.compile(
    r"(?:[cmk]?m|ft|in|yd|mi|[km]?g|lbs?|oz|m?l|mins?|hrs?|h|[mk]ph|kmh|x|pts?|bbl|[KMGT]B|[kM]?Wh?|V|[kMG]?Hz)"
    r"[²³]?(?!\w)|(?P<fold>-?fold(?!\w))|(?P<letter>-[A-Z](?![\w-]))"
)
_RANGE = _compile(r"\s(?:to|or)\s|\s?[-–—]\s?|(?P<and>\sand\s)")
_AND = _compile(rf"{_GAP}and{_GAP}")
_OF = _compile(r"\sof\b")
_CLAUSE_END = _compile(r"\s?(?:[.,;:!?)]|\Z)|\s(?:to|from|in|and|or|at|on|with|this|last)\b")
# "a third" is ordinal before a noun ("a third angle"), a fraction before these, or at a clause end after _BY.
_PART_OF = _compile(r"""[\s-](?:of|as|the|that|what|this|its|his|her|their|my|your|our|more|less|fewer|mile
    |inch|cup|pound|acre|hour|point|[a-z]{1,20}er\s(?:than|of))(?!\w)""")
_COUNTS = _compile(_COUNTED)
_YEAR_AFTER = _compile(r"\s(?:fiscal|year(?!\w|[\s-]old)|budget|season|census|election|edition|model)(?!\w)")
_PRONOUN_AFTER = _compile(r"""\s?(?:[.,;:!?)]|\Z)|\s(?:is|was|are|were|has|had|does|did|costs?|weighs?|and|or
    |by|to|that|which|who|will|would|can|in|at|on|for)\b""")
_ONE_ANOTHER = _compile(r"\sanother\b|\s?['’]s\b")
# What may stand before a number; searched in a short window that ends at the number.
_BY = _compile(r"\b(?:by|about|nearly|almost|than|to|only|roughly|exactly|and|or|is|was|least|most)\s\Z")
_BETWEEN = _compile(r"\b(?:between|both)\s\Z")
_OPERANDS = _compile(r"\b(?:(?:sum|difference|product|quotient|ratio|total)\sof|between)\s\Z")
_SIGN_WORD = _compile(r"""(?:(?P<negative>\bnegative)|\b(?:is|was|are|equals?|to|at|of|gives?)
    \s(?P<minus>minus))\s\Z""")
_RATIO = _compile(r"ratio|proportion|scale|odds|mix")
_COINS = _compile(r"\b(?:dimes?|nickels?|pennies|penny|coins?)\b")
_YEAR_BEFORE = _compile(rf"""(?:\b(?:in|since|during|until|till|fiscal|year|FY|circa|AD|Q[1-4])|{_MONTH}
    |\b(?:end|start|beginning|middle|half|rest|quarter|class|year|spring|summer|autumn|fall|winter|election
    |census|crisis)\sof|\b(?:19|20)\d\d,?\s(?:and|or|to|through))\s(?:the\s|fiscal\s|year\s)?\Z
    |\b(?:early|late|mid)[\s-]\Z""")
_YEAR_BY = _compile(r"\bby\s(?:the\s)?\Z")
_CHANGE = _compile(r"""\b(?:exceed|differ|increas|decreas|ris|rose|fall|fell|cut|gr[eo]w|rais|lower|reduc|more
    |less|multip|divid|outnumber|up\b|down\b|drop|gain|lost|los|short|bigger|larger|smaller|greater)""")
_PRONOUN_BEFORE = _compile(r"""\b(?:which|this|that|the|other|another|each|every|any|last|next|some|larger
    |smaller|bigger|older|younger|longer|shorter|taller|cheaper|faster|slower|first|second)\s\Z""")
_NO_ONE = _compile(r"\b(?:no|any|every)[\s-]\Z")

# --- readers: each takes what one kind of start begins, appends to `found`, and returns where to go on -


def find_quantities(text: str) -> list[Quantity]:
    """All number mentions of `text`, in order of position, never overlapping. Takes any string."""
    found: list[Quantity] = []
    at = 0
    while match := _SCAN.search(text, at):
        reader = _READERS.get(match.lastgroup or "")
        at = match.end() if reader is None else max(match.end(), reader(text, match, found))
    return found


def _times(value: float, factor: str | float) -> float:
    """The product in decimals, so that "0.7 %" is the float 0.007 and not 0.006999999999999999."""
    return float(Decimal(repr(value)) * Decimal(factor))


def _window(text: str, end: int, size: int) -> str:
    return text[max(0, end - size) : end]


def _add(
    text: str,
    found: list[Quantity],
    value: float,
    start: int,
    end: int,
    kind: str,
    *,
    currency: str = "",
    unit: re.Pattern[str] = _UNIT,
) -> int:
    """Append a quantity, scaled by the unit after it, which "3 to" before "5 %" shares. Returns the end."""
    if not currency and (tail := unit.match(text, end)):
        currency = _UNITS[tail.lastgroup or ""]
    factor = _FACTORS.get(currency)
    if factor:
        value = _times(value, factor)
    if not math.isfinite(value):
        return end
    last = found[-1] if found else None
    if factor and last and not last.unit and last.kind in ("digits", "word", kind):
        gap = _RANGE.fullmatch(text, last.end, start)
        if gap and (not gap["and"] or _BETWEEN.search(_window(text, last.start, 10))):
            found[-1] = replace(last, value=_times(last.value, factor), unit=currency)
    found.append(Quantity(value, start, end, kind, currency))
    return end


def _add_part(
    text: str,
    found: list[Quantity],
    value: float,
    start: int,
    end: int,
    kind: str = "fraction",
    *,
    currency: str = "",
) -> int:
    """Append a fraction, joined to a whole number ("2 and a half") or multiplied ("half a million")."""
    whole = found[-1] if found and not currency and kind == "fraction" and 0 < value < 1 else None
    if whole and _AND.fullmatch(text, whole.end, start):
        # "5 and a third of it", "the sum of 5 and 1/2"
        apart = _OF.match(text, end) or _OPERANDS.search(_window(text, whole.start, 15))
        plain = whole.kind in ("digits", "word") and whole.unit not in _FACTORS and whole.value.is_integer()
        if plain and not apart:
            found.pop()
            value, start, currency = value + whole.value, whole.start, whole.unit
    if scale := _PART_SCALE.match(text, end):
        value, end, kind = _times(value, _SCALE[scale[1].lower()]), scale.end(), "word"
    return _add(text, found, value, start, end, kind, currency=currency, unit=_PART_UNIT)


def _signed(text: str, value: float, start: int) -> tuple[float, int]:
    """Value and start of the number at `start` with a sign word before it: "negative 8", "is minus 8"."""
    sign = _SIGN_WORD.search(_window(text, start, 16))
    if sign is None:
        return value, start
    return -value, start - len("negative " if sign["negative"] else "minus ")


def _denominator(text: str, upper: float, tail: re.Match[str]) -> int | None:
    """The denominator after the numerator `upper` ("two thirds"); None where it is an ordinal or a coin."""
    fits = tail["one"] if upper == 1 else tail["many"] or "-" in tail["gap"]
    if upper < 1 or not fits:
        return None
    part = "half" if (tail["many"] or "").lower() == "halves" else (tail["one"] or tail["many"][:-1]).lower()
    if part == "quarter":
        around = text[max(0, tail.start() - 80) : tail.end() + 80]
        return 4 if upper in (1, 3) and not _COINS.search(around) else None
    return None if part == "half" and upper == 2 else _PARTS[part]


def _is_year(text: str, start: int, end: int) -> bool:
    if _COUNTS.match(text, end):
        return False
    before = _window(text, start, 80)
    if _YEAR_BEFORE.search(before[-40:]) or _YEAR_AFTER.match(text, end):
        return True
    return bool(_YEAR_BY.search(before)) and not _CHANGE.search(before)


def _read_digits(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    token, start, end = match["number"], match.start("number"), match.end()
    sign = match.start("minus") if match["minus"] else None
    before = text[match.start() - 1 : match.start()]  # "US$5": the scan starts after the sign
    currency = (match["inner"] or match["outer"] or (before if before in _CURRENCIES else "")).strip()
    value, kind = float(token.replace(",", "")), "digits"
    plain = token.isdecimal()
    if plain and before != "/" and (slash := _SLASH.match(text, end)):
        under, upper, lower, vulgar = slash.groups()
        part = _VULGAR[vulgar] if vulgar else _divide(float(upper or token), float(under or lower))
        if under or part < 1:
            value, end, kind = (part if under else value + part), slash.end(), "fraction"
    elif scale := _SCALE_TAIL.match(text, end) or (currency and _LETTER_TAIL.match(text, end)):
        for word in filter(None, scale.groups()):
            value = _times(value, _ANY_SCALE[word.lower()])
        end = scale.end()
    glued = _GLUED.match(text, end)
    if glued and glued["letter"]:  # "3-D", "4-H"
        return glued.end()
    if glued and glued["fold"]:
        kind = "multiplier"
    stuck = _STUCK.match(text, end)
    if stuck and not glued and not _UNIT.match(text, end):  # "3rd", "1990s", "5G"
        return stuck.end()
    if clock := _CLOCK_TAIL.match(text, end):
        return clock.end()
    if sign is not None:
        start = start if match["inner"] else sign
        return _add(text, found, -value, start, end, kind, currency=currency)
    if kind == "fraction":
        return _add_part(text, found, value, start, end, currency=currency)
    if not currency and plain and end == match.end():
        if re.fullmatch(_YEAR, token) and _is_year(text, start, end):
            return end
        part = _PART_TAIL.match(text, end)  # "2 thirds of"
        if part and _OF.match(text, part.end()) and (below := _denominator(text, value, part)):
            return _add_part(text, found, value / below, start, part.end())
    if not currency:
        value, start = _signed(text, value, start)
    return _add(text, found, value, start, end, kind, currency=currency)


def _divide(upper: float, lower: float) -> float:
    """nan, which is left out, for a denominator of 0 and for one beyond all floats, whose fraction would be 0."""
    return upper / lower if lower and math.isfinite(lower) else math.nan


def _read_clock(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    """"3:30" is a time of day, save beside a word such as "ratio", where it is two numbers."""
    start, end = match.span()
    if tail := _CLOCK_TAIL.match(text, end):
        return tail.end()
    if _RATIO.search(_window(text, start, 60)) or _RATIO.match(text, end + 1):
        for number in re.compile(r"\d+").finditer(text, start, end):
            _add(text, found, float(number[0]), *number.span(), "digits")
    return end


def _read_vulgar(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    return _add_part(text, found, _VULGAR[match[0]], *match.span())


def _read_half(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    return _add_part(text, found, 0.5, *match.span(), "multiplier")


def _read_multiplier(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    return _add(text, found, _MULTIPLIERS[match["stem"].lower()], *match.span(), "multiplier")


def _read_fold(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    word = match["times"].lower()
    end = match.end("times") if match["hyphen"] else match.end()
    return _add(text, found, float((_SMALL | _SCALE)[word]), match.start(), end, "multiplier")


def _read_article(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    """"a third of" and "its own third" are fractions, "a third angle" is not."""
    part, (start, end) = match["a_part"].lower(), match.span()
    if (
        part == "half"
        or match["own"] is not None
        or _PART_OF.match(text, end)
        or _PART_SCALE.match(text, end)
        or _PART_UNIT.match(text, end)
        or (_BY.search(_window(text, start, 12)) and _CLAUSE_END.match(text, end))
    ):
        return _add_part(text, found, 1 / _PARTS[part], start, end)
    return end


def _read_words(text: str, match: re.Match[str], found: list[Quantity]) -> int:
    """A run of number words, which may hold several numbers: "one two", "five and six"."""
    tokens = list(_LETTERS.finditer(text, max(match.start(), match.end("a")), match.end()))
    words = [token[0].lower() for token in tokens]
    start, index = match.start(), 0
    while True:
        value, index = _value_of(words, index)
        end = tokens[index - 1].end()
        if index == len(words):
            return _close_words(text, found, value, start, end)
        _add(text, found, value, start, end, "word")
        index += words[index] == "and"
        start = tokens[index].start()


def _close_words(text: str, found: list[Quantity], value: float, start: int, end: int) -> int:
    """The last number of a run of words, with what may follow it: denominators, "point five", "o'clock"."""
    part = _PART_TAIL.match(text, end)
    if part and (value < 20 or part["many"]) and (below := _denominator(text, value, part)):
        return _add_part(text, found, value / below, start, part.end())
    if value >= 20 and (ordinal := _ORDINAL_TAIL.match(text, end)):  # "twenty-fifth"
        return ordinal.end()
    if clock := _CLOCK_TAIL.match(text, end):
        return clock.end()
    if point := _POINT.match(text, end):
        digits = "".join(str(_SMALL[word]) for word in _LETTERS.findall(point[1].lower()))
        value, end = float(f"{value:.0f}.{digits}"), point.end()
    elif text[start:end].lower() == "one" and _is_pronoun(text, start, end):
        return end
    value, start = _signed(text, value, start)
    return _add(text, found, value, start, end, "word")


def _is_pronoun(text: str, start: int, end: int) -> bool:
    """Whether "one" stands for a thing named elsewhere: "which one", "no one", "one another"."""
    before = _window(text, start, 12)
    if _NO_ONE.search(before) or _ONE_ANOTHER.match(text, end):
        return True
    return bool(_PRONOUN_BEFORE.search(before) and _PRONOUN_AFTER.match(text, end))


def _value_of(words: list[str], first: int) -> tuple[float, int]:
    """The longest number that starts at words[first]: its value and the index after it.

    total holds the closed groups ("two thousand"), group the open one; the next word must be below `room` to
    be added, its scale below `ceiling` to multiply. "and" joins what is below a hundred to a hundred or more.
    """
    total, group, room, ceiling = 0.0, 0.0, math.inf, math.inf
    index = first
    while index < len(words):
        joined = words[index] == "and"
        word = words[index + joined]
        if joined and (index == first or words[index - 1] not in _SCALE or word in _SCALE):
            break
        if word in _SMALL:
            value = _SMALL[word]
            if value >= room or (value == 0 and index > first):
                break
            own = _scale_after(words, index + joined) if index > first and words[index - 1] in _SCALE else 0.0
            # In "one hundred and two hundred", "two" belongs to the next number.
            if own >= ceiling or own == 12 or (own == 100 and (joined or group)):
                break
            group += value
            room = 10 if value >= 20 else 0
        else:
            scale = _SCALE[word]
            if index > first and not group or scale >= ceiling:
                break
            if scale <= 100 and group >= 100 or scale == 12 and total:
                break
            group = (group or 1) * scale
            room = 100
            if scale == 12:
                return group, index + 1
            if scale > 100:
                total, group, room, ceiling = total + group, 0.0, 1000, scale
        index += 1 + joined
    return total + group, index


def _scale_after(words: list[str], at: int) -> float:
    """The scale that multiplies the number below a hundred at words[at], 0 without one."""
    after = at + 1
    if _SMALL[words[at]] >= 20 and after < len(words) and 0 < _SMALL.get(words[after], 0) < 10:
        after += 1
    return _SCALE.get(words[after], 0.0) if after < len(words) else 0.0


_READERS = {
    "digits": _read_digits,
    "clock": _read_clock,
    "vulgar": _read_vulgar,
    "half": _read_half,
    "multiplier": _read_multiplier,
    "fold": _read_fold,
    "article": _read_article,
    "words": _read_words,
}
