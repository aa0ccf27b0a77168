"""Numerals in digits: grouped, with powers of ten, scales and fractions."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.context import LABELS, word_before
from eqparse.text.numbers.fractions import denominator, is_counted_part, part_after
from eqparse.text.numbers.groups import WRITTEN, are_side_by_side, plain_digits
from eqparse.text.numbers.lookalikes import after_digits, is_year
from eqparse.text.numbers.numeral import UNREAD, Numeral, decimal_value, ratio
from eqparse.text.numbers.powers import power_of_ten, times_power_of_ten
from eqparse.text.numbers.scales import OVER_KILOMETRES, counted_scale, is_distance, scale_after
from eqparse.text.numbers.signs import is_dash
from eqparse.text.numbers.spoken import point_after
from eqparse.text.numbers.tables import (
    CURRENCIES,
    FOLD_APART,
    SUPERSCRIPT,
    SUPERSCRIPTS,
    TIMES_WHAT,
    VULGAR,
    compiled,
    one_of,
)
from eqparse.text.numbers.units import CURRENCY_CODES, MEASURES, scaling_unit, unit_end

_SLASH = re.compile(rf"""[/⁄](\d++)(?![/⁄.]\d) | (?:\s{{1,2}}|-)(\d++)[/⁄](\d++)(?![/⁄.]\d)
    | [\s-]?([{"".join(VULGAR)}]) | \s?({SUPERSCRIPT}++)[/⁄∕]([₀-₉]++|\d++)""", re.VERBOSE)  # fmt: skip
_SPACED_SLASH = compiled(r"\s?/\s?(\d{1,2})(?![\w/.,]|\s?[/*+=])")  # "1 / 2 cup", "3 /4 of it"
_OF = compiled(r"\sof\s(?!every\b|\d)")
_CENTS = re.compile(r"([€£$])(\d\d)(?!\d|[.,]\d)")  # 2€49
_SUPER_FRACTION = re.compile(rf"({SUPERSCRIPT}++)[/⁄∕]([₀-₉]++|\d++)")
_SOON = r"(?:faster|slower|quicker|longer|shorter|ahead|behind|more|less|over)"
_LONG_UNITS = one_of([*(word for word in MEASURES if len(word) > 2), "bucks", "mins", "times"])
_HEAT = r"(?:bake|baking|roast|simmer|warm|cool|hot|cold|heat|temperature|degree|fr[eo]+z|thaw|oven|fridge|mercury)"
_GLUED = re.compile(rf"""(?:
    (?:(?i:[cmk]m|ft|in|yds?|mi|[mk]g|kgs|lbs?|oz|[mcd]l|gal|secs?|mins?|hrs?|wks?|mos?|mths?|yrs?|yo|[mk]w|[mk]?wh|[mk]j|k?cal
      |[mk]ph|kmh|km/h|mpg|rpm|bpm|fps|[kmg]?hz|[kmgt]b(?:ps|/s)?|d[bp]i?|ppm|psi|b?hp|[bp]p|cc|sqm|sqft|ha|pts?|bbl)
      |[mglLhtwWVx]|[Kk]r|[µμn][gmls]|ms|mcg|mol|gms?|degs?|sq|sf|º[CF]?|kN|kn|kts?|MP|m?Ah|mA|[mk]V|[kMG]bit|[kM]?Pa|kmph|lm
      |IU|{one_of(CURRENCY_CODES)}|st(?<!(?<!1)1st)  # 9 stone, not 21st
      |(?i:{_LONG_UNITS})|d(?=\s\d\d?\s?h)|w(?=\s\d\s?d(?!\w))|y(?=\s\d\d?\s?m(?!\w))|[yd](?=\s(?:older|younger|longer|shorter|sooner|later))
      |p(?<!(?:480|720|080|440|160)p)  # not "1080p"
      |[PG](?<!(?:480|720|080|440|160)P)(?<!(?<!\d)\dG)(?![^a-z]{{0,40}}+[a-z])  # in a text in capitals, not "5G"
      |s(?:(?<=\.\ds)|(?<=\.\d\ds)|(?=\s{_SOON}))
      |[kK](?={OVER_KILOMETRES.pattern})
      |K(?=\s(?:colder|hotter|warmer|cooler)\b)
      |C(?<=\.\dC)|[CF](?=\s(?:more|less|higher|lower|above|below)|.{{0,60}}{_HEAT}))
    (?:[²³]|(?<=m)[23]|(?<=\d\dft)2)?(?!\w)
  | (?P<fold>-?fold(?!\w)|{FOLD_APART}) | (?P<cross>\s?×(?={TIMES_WHAT})|X(?={TIMES_WHAT})) | (?P<ish>-?ish(?!\w))
  | (?P<letter>-[A-Z](?![\w-])))""", re.VERBOSE)
# 1h30, 5ft2in, 7st4lb
_COMPACT = re.compile(r"""(?:h|hr|hrs|m|min|ft|lb|kg|st|d(?=\d\d?h))(\d{1,2})(?:(?:m|min)(\d{1,2}))?
    (?:[hms]|mins?|in|oz|lb)?(?!\w)""", re.VERBOSE)
# "3rd", "1990s", "76ers", "9pm", "5G", "12b", "4x4", "9to5"; not "12apples", 12_500, 5², "1o" for 10
_NAME = re.compile(r"(?:st|nd|rd|th)s?|s|[ap]m|ers|somethings?|[A-NP-Z]\w*|[a-np-z]\d*|[a-z]+\d\w*")
_CODE = re.compile(r"0[xob][\da-f]+", re.IGNORECASE)
_SYMBOL = re.compile(r"[A-RT-Za-rt-z](?!\w)")
_OPERATOR = re.compile(r"(?:=|(?:\d|\)|\b[A-Za-z])\s?[+*×÷−–-])\s?\Z")
_ISH_TIME = re.compile(r"\b(?:at|by|around|until|till)\s\Z", re.IGNORECASE)
_RATE = re.compile(r"p[a-z]{1,3}")  # "£12ph", "$900pcm"
_MARKS = frozenset("10 20 25 30 40 50 60 100".split())
_OF_A_CENT = compiled(r"[\s-]([1357])/([248])(?![\d/])")
# cricket: runs, and wickets that were lost for them
_INNINGS = compiled(r"""\b(?:made|mak(?:e|es|ing)|reach(?:ed|es)?|post(?:ed|s)?|declared|clos(?:ed|es)\son
    |chas(?:ed|ing)|scor(?:ed?|es|ing)|runs?|innings|wickets?|batt(?:ed|ing)|cricket\w*)\b[^\d,.;]{0,16}\Z
    |\b(?-i:[A-Z])\w+['’]s?\s\Z""")
_WICKETS = re.compile(r"(?:10|\d)")
_SCORED = compiled(r"\b(?:scor(?:ed?|es|ing)|got|gets?|earn(?:s|ed)?|marks?|grades?|result)(?:\sof)?(?:\san?)?\s\Z")
_PRESSURE = compiled(r"\b(?:pressure|BP)\b[^\d,.;]{1,8}\Z")
_SCORE_END = compiled(r"\s?[.,;:)]|\Z|\s(?:on|in|for|at|which|while|and|is|was|s?he|they|we|i|you)\b")
_GAUGE = compiled(r"""\b(?:temperatures?|thermometers?|mercury|ovens?|bak(?:e|ed|ing)|roast(?:ed|ing)?
    |(?:pre)?heat(?:ed|ing)?|cook(?:s|ed|ing)?|fr(?:y|ied|ying)|grill(?:ed|ing)?)\b""")
_HOTTER = re.compile(r"\d[CF]\s(?:more|less|higher|lower|above|below|colder|hotter|warmer|cooler)\b")
_PARTS = re.compile(r"(?:th|rd|nd)s?")
_MINUTES = re.compile(r"\d\s?m(?:in|ins|inutes?)?\.?,?\s\Z")  # "3m 20s"
_TAKES = ("takes", "take", "took", "taking", "lasts", "lasted", "needs", "needed")
_STUCK = re.compile(r"\w++")


def read_digits(text: str, match: re.Match[str], found: list[Numeral]) -> int:
    """Read the number after `match`, which holds its sign and currency. Returns where to continue."""
    start = match.end()
    number = WRITTEN.match(text, start)
    end = number.end()
    if number["group"] and are_side_by_side(text, number):
        end = start + number[0].index(number["group"])
    token = text[start:end]
    sign = match.start("minus") if match["minus"] and not is_dash(text, match.end("minus"), end) else None
    before = text[match.start() - 1 : match.start()]  # "US$5": the match starts after the sign
    currency = (match["inner"] or match["outer"] or (before if before in CURRENCIES else "")).strip()
    money = currency if currency in CURRENCIES else "₹" if currency.startswith("Rs") else ""
    money = "cents" if currency == "¢" else money
    plain = token.isdecimal()
    value = decimal_value(plain_digits(number, end))
    kind = "digits"
    if plain and before != "/" and (slash := _SLASH.match(text, end)):
        part, whole = _fraction(value, slash)
        if slash[1] and _is_score(text, start, slash):  # "got 16/20"
            found.append(Numeral(value, start, end, kind))
            return slash.end()
        if slash[1] and value + int(slash[1]) == 100 and _is_split(text, slash.end()):
            found += [Numeral(value, start, end, kind), Numeral(int(slash[1]), *slash.span(1), kind)]
            return slash.end()
        if part is None or whole is None or slash[1] or part < 1:
            value = None if part is None or whole is None else whole + part
            end, kind = slash.end(), "digits" if whole else "fraction"
            if whole and value and (scale := scale_after(text, start, end, currency)):  # "1½ million"
                value, end = value * scale[0], scale[1]
    elif plain and before != "/" and (spaced := _spaced_part(text, start, end)):
        value, end, kind = value / spaced[0], spaced[1], "fraction"
    elif token == "10" and (power := power_of_ten(text, start, end)):
        value, end = power
    elif power := times_power_of_ten(text, start, end):
        value, end = None if value is None else value * power[0], power[1]
    elif scale := scale_after(text, start, end, currency):
        factor, end = scale
        value = None if value is None else value * factor
    elif counted := counted_scale(text, end):
        value, end = None if value is None else value * counted[0] + counted[1], counted[2]
    elif "." in token and not number["continental"] and value and (part := _part_of_cent(text, end, currency)):
        value, end = value + part[0] / 10 ** (len(token) - token.index(".") - 1), part[1]
    elif plain and currency == "" and (cents := _CENTS.match(text, end)):
        value, end, money = value + Fraction(int(cents[2]), 100), cents.end(), cents[1]
    elif plain and (point := point_after(text, end)):
        decimals, factor, end = point
        value = None if value is None else (value + decimals) * factor
    glued = _GLUED.match(text, end)
    if glued and glued["letter"]:  # "3-D", "4-H"
        return glued.end()
    if glued and (glued["fold"] or glued["cross"] or glued[0] in ("x", "X")):  # "3-fold", "3x"
        kind = "multiplier"
    if glued and glued["ish"] and _ISH_TIME.search(text[max(0, start - 7) : start]):
        return glued.end()
    second = None
    stuck = _STUCK.match(text, end)
    if stuck and currency and _RATE.fullmatch(stuck[0]):
        stuck = None
    elif stuck and kind == "fraction":  # "3/8ths", "1/2c"
        end = stuck.end() if _PARTS.fullmatch(stuck[0]) else end
        stuck = None
    timed = word_before(text, start) in _TAKES or _MINUTES.search(text[max(0, start - 12) : start])
    seconds = stuck and stuck[0] == "s" and timed and end - start < 4  # "took 58s"
    formula = _SYMBOL.match(text, end) and _OPERATOR.search(text, max(0, start - 5), match.start())  # 500 – 4P
    if stuck and stuck[0] in ("C", "F") and (sign is not None or _is_heat(text, start, end)):  # -12C
        stuck = None
    if stuck and stuck[0] in ("k", "K") and is_distance(text, start, stuck.end()):  # "ran the 10k"
        stuck = None
    if stuck and not glued and not formula and not seconds and not scaling_unit(text, end):
        second = _COMPACT.match(text, end)
        if second is None:
            if _CODE.fullmatch(text, start, stuck.end()) or not _NAME.fullmatch(stuck[0]):
                found.append(Numeral(0, start, stuck.end(), UNREAD))
            return stuck.end()
    if not currency and (clock := after_digits(text, end)):
        return clock
    if value is None:
        found.append(Numeral(0, start, end, UNREAD))
        return end
    if sign is not None:
        found.append(Numeral(-value, start if match["inner"] else sign, end, kind, money))
        return end
    if kind == "digits" and not currency and plain and end == number.end():
        if is_year(text, start, end):
            return end
        part = part_after(text, end)
        if part and is_counted_part(text, start, part) and (below := denominator(text, value, part)):
            found.append(Numeral(Fraction(value) / below, start, part.end(), "fraction"))
            return part.end()
    found.append(Numeral(value, start, end, kind, money))
    if second:
        found += [Numeral(int(second[i]), *second.span(i), "digits") for i in (1, 2) if second[i]]
        return found[-1].end
    return end


def _is_score(text: str, start: int, slash: re.Match[str]) -> bool:
    """Whether "16/20" is a mark out of 20, rather than a fraction."""
    if len(slash[1]) < 4 and _PRESSURE.search(text[max(0, start - 24) : start]):  # "a blood pressure of 168/94"
        return True
    if _is_innings(text, start, slash):
        return True
    scored = slash[1] in _MARKS and _SCORED.search(text[max(0, start - 24) : start])
    return bool(scored and _SCORE_END.match(text, slash.end()))


def _is_innings(text: str, start: int, slash: re.Match[str]) -> bool:
    """Whether "287/6" is a score of cricket, 287 runs for 6 wickets, rather than a division."""
    runs = 30 <= int(text[start : slash.start()]) < 1000 and _WICKETS.fullmatch(slash[1])
    return bool(runs and _INNINGS.search(text[max(0, start - 40) : start]) and _SCORE_END.match(text, slash.end()))


def _is_split(text: str, end: int) -> bool:
    """Whether a slash between two numbers that make 100 parts them, as in "an 80/20 split", not "40/60 metres"."""
    return unit_end(text, end) == end and not _OF.match(text, end)


def _spaced_part(text: str, start: int, end: int) -> tuple[Fraction, int] | None:
    """The denominator behind a slash with spaces, and where it ends: "1 / 2 cup", not "12 / 4" nor "5 / 3 hours"."""
    slash = _SPACED_SLASH.match(text, end)
    if slash is None or not 0 < int(text[start:end]) < int(slash[1]):
        return None
    stands = _OF.match(text, slash.end()) or unit_end(text, slash.end()) > slash.end()
    return (Fraction(int(slash[1])), slash.end()) if stands else None


def _is_heat(text: str, start: int, end: int) -> bool:
    """Whether the C or F behind a number is a degree, as another of the sentence is: "30C, 5C more"."""
    heat = _HOTTER.search(text, max(0, start - 80), end + 80) or _GAUGE.search(text, max(0, start - 80), start)
    return word_before(text, start) not in LABELS and bool(heat)


def _part_of_cent(text: str, end: int, currency: str) -> tuple[Fraction, int] | None:
    """The fraction behind decimals, and where it ends: "$5.92½", "$11.87 1/2"."""
    if part := VULGAR.get(text[end : end + 1]):
        return part, end + 1
    match = _OF_A_CENT.match(text, end) if currency else None
    return (Fraction(int(match[1]), int(match[2])), match.end()) if match else None


def _fraction(whole: Fraction | int | None, slash: re.Match[str]) -> tuple[Fraction | None, Fraction | int | None]:
    """Fraction and whole number of "1/2", "2 1/2", "2½" or "2³⁄₄", whose first number is `whole`."""
    under, upper, lower, vulgar, raised, lowered = slash.groups()
    if under:
        return ratio(whole, decimal_value(under)), 0
    if vulgar:
        return VULGAR[vulgar], whole
    if raised:
        upper, lower = raised.translate(SUPERSCRIPTS), lowered.translate(SUPERSCRIPTS)
    return ratio(decimal_value(upper), decimal_value(lower)), whole


def read_fraction_sign(text: str, start: int, found: list[Numeral]) -> int:
    """Read "¾" or "³⁄₄". Returns where to continue."""
    if value := VULGAR.get(text[start]):
        found.append(Numeral(value, start, start + 1, "fraction"))
        return start + 1
    if match := _SUPER_FRACTION.match(text, start):
        upper, lower = (int(digits.translate(SUPERSCRIPTS)) for digits in match.groups())
        if lower:
            found.append(Numeral(Fraction(upper, lower), start, match.end(), "fraction"))
        return match.end()
    return start + 1
