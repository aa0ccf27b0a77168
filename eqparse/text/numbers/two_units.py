"""Two numbers in one amount: "2 hours 15 minutes", "5 foot 10", "three pounds ten", 4m12s."""

from __future__ import annotations

from fractions import Fraction

from eqparse.text.numbers.compound import AND, OF, PLAIN, are_operands, article_unit, bare, ends, measured
from eqparse.text.numbers.context import COMPARED, PRICE, word_after, word_before
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import CLAUSE_END, GAP, SMALL, compiled, one_of
from eqparse.text.numbers.units import FACTORS, MEASURES, Measure, measure, parts_in

_JOIN = compiled(rf"\.?(?:,?\s{{1,2}}(?:and\s|&\s|(?P<plus>plus\s))?|{GAP}|\s?)")
# How many of the smaller unit may stand without its name: "5 foot 10", "1 h 30", "1 metre 80"
_UNNAMED = {"foot": "inch", "hour": "minute", "minute": "second", "pound": "ounce", "stone": "pound"}
_UNNAMED |= {"metre": "centimetre", "dollar": "cent", "euro": "cent", "£": "penny"}
_FOOT = compiled(r"[\s-](?:foot|feet|ft)\b")
_WORD = compiled(r"(?<!\w)([^\W\d_]++)[\s-]\Z")  # also "a minute-thirty"
_DOOR = compiled(r"\sdoor[\s-]to[\s-]door\b")
_OLDER = compiled(r"\s(?:older|younger)\b")
_LETTERS = compiled(r"[^\W\d_]++\Z")
# "two hours and twenty longer", not "two hours and twenty more" or "an hour and ten for the day"
_TO_THE_MINUTE = compiled(rf"""{CLAUSE_END}|\s(?:longer|shorter|faster|slower|quicker|later|earlier|ahead|behind
    |(?:over|under)(?=\s)|less(?=\sthan\b|{CLAUSE_END}))\b""")
_TWO = compiled(rf"""(?:\d|{one_of(SMALL)}).*?(?:foot|feet|ft|['’′]|st|stone|lbs?|pounds?).*?(?:\d|{one_of(SMALL)})""")
_STERLING = Measure("£", "sterling", Fraction(100))  # a pound of money
_IS = ("is", "was", "am", "are", "at", "stands", "stood", "measures", "over", "under", "about", "nearly", "almost")
_RATES = ("a", "an", "per", "each", "every")
_RATE = compiled(r"\sfor\s(?:each|every)\b")
_PAID = ("dollar", "euro", "£")
_WEIGHT = compiled(r"\b(?:weigh|heav|light|bab(?:y|ies)|birth|mass\b|ounces?|stones?\b|lbs?\b)")
_RACE = compiled(r"\b(?:time|lap|race|finish|record|faster|slower|quicker|ran|ahead|behind|minutes?|seconds?)\b")
_MONEY = {"$": "dollar", "€": "euro", "£": "pound", "₹": "rupee"}


def two_units(text: str, first: Amount | None, second: Amount) -> Amount | None:
    """"2 hours and 15 minutes", "5 foot 10", "a year and six months": one amount, in the larger unit."""
    if second.unit or second.kind not in PLAIN:
        return None
    if first and second.start - first.end < 30 and (joined := _joined(text, first, second)):
        return joined
    before = _WORD.search(text[max(0, second.start - 20) : second.start])
    if before is None or (before[1].lower() != "and" and before[1].lower() not in MEASURES):
        return None
    begun = article_unit(text, first, second.start, second.end)
    joined = _joined(text, Amount(1, *begun[:2], "word"), second) if begun else None
    if joined is None or word_after(text, joined.end) in _RATES and joined.unit not in _MONEY:
        return None
    unnamed = joined.end == second.end
    if unnamed and (word_before(text, joined.start) in ("in", "within", "after") or not ends(text, joined.end)):
        return None
    return joined


def _joined(text: str, first: Amount, second: Amount) -> Amount | None:
    larger = (first.measure, first.end) if first.measure else measure(text, first.end)
    if larger is None and first.unit in _MONEY:
        larger = MEASURES[_MONEY[first.unit]], first.end
    if larger is None or first.kind not in PLAIN or first.unit in FACTORS:
        return None
    join = _JOIN.fullmatch(text, larger[1], second.start)
    if join is None or not (first.measure or first.value == int(first.value)):
        return None
    unit, smaller = larger[0], measure(text, second.end, within=larger[0])
    if smaller and not parts_in(unit, smaller[0]) and text[smaller[1] : smaller[1] + 1] == "-":
        smaller = None  # "a six foot nine second-row"
    if smaller:
        if not first.measure and _is_time(text, larger[1], second, smaller[1]):  # 4m12s, 1'14"
            unit, smaller = MEASURES["minute"], (MEASURES["second"], smaller[1])
        parts, end = parts_in(unit, smaller[0]), smaller[1]
        if first.measure and _last_unit(text, first) == smaller[0]:  # "9 stone 4 pounds, 8 pounds more"
            return None
        if "," in join[0] and COMPARED.match(text, end) and not (unit.name == "year" and _OLDER.match(text, end)):
            return None  # "3 kg, 200 g more than the box"
        if join["plus"] and not COMPARED.match(text, end):  # "5 dollars plus 20 cents a mile"
            return None
        # "a grant of £40 and 85p for every mile", not "£4 and 85p for every mile"
        if "and" in join[0] and first.unit in _MONEY and first.value >= 20 and _RATE.match(text, end):
            return None
    else:
        if unit.name == "pound" and _is_sterling(text, first.start, second):
            unit = _STERLING
        if unit.name not in _UNNAMED or not _unnamed(
            text, first, join[0], second, money=unit.name in _PAID, hours=unit.name == "hour"
        ):
            return None
        if unit.name in ("metre", *_PAID) and not _has_two_digits(second):
            return None
        if unit.name in _PAID and larger[1] == first.end:  # "$5 10"
            return None
        parts, end = parts_in(unit, MEASURES[_UNNAMED[unit.name]]), second.end
    if not parts or not 0 <= second.value < parts or are_operands(text, first.start, end):
        return None
    value = first.value + Fraction(second.value) / parts
    return measured(value, first.start, end, unit, kind=first.kind)


def two_units_and_part(text: str, whole: Amount | None, part: Amount) -> Amount | None:
    """"4 ft 10 and a half", "9 stone 4 and a half": a part of the smaller unit, in the larger."""
    if whole is None or whole.measure is None or not AND.fullmatch(text, whole.end, part.start):
        return None
    smaller = _last_unit(text, whole)
    parts = parts_in(whole.measure, smaller) if smaller and _TWO.search(text, whole.start, whole.end) else None
    if not parts or OF.match(text, part.end) or (measure(text, part.end) or (smaller, 0))[0] != smaller:
        return None
    named = measure(text, part.end)
    return whole._replace(value=whole.value + part.value / parts, end=named[1] if named else part.end)


def _last_unit(text: str, amount: Amount) -> Measure | None:
    """The smaller unit of an amount of two, named or not: the inches of "5 foot 10" and 5'11"."""
    word = _LETTERS.search(text, amount.start, amount.end)
    named = measure(text, word.start(), within=amount.measure) if word else None
    return named[0] if named else MEASURES.get(_UNNAMED.get(amount.measure.name, ""))


def _is_time(text: str, end: int, second: Amount, last: int) -> bool:
    """Whether minutes and seconds are written with the signs of other units: 4m12s, 1'14"."""
    if text[end - 1 : end] == "m":
        return text[second.end : last] == "s"
    marked = text[end - 1 : end] in "'’′" and text[last - 1] in "'\"’′”″"
    return marked and (second.value >= 12 or bool(_RACE.search(text[max(0, second.start - 80) : last + 40])))


def _is_sterling(text: str, start: int, second: Amount) -> bool:
    """Whether "three pounds ten" is money rather than a weight, which has no more than fifteen ounces."""
    around = text[max(0, start - 80) : second.end + 80]
    return second.value >= 16 or bool(PRICE.search(around) and not _WEIGHT.search(around))


def _has_two_digits(second: Amount) -> bool:
    return second.end - second.start == 2 if second.kind == "digits" else 10 <= second.value < 100


def _unnamed(text: str, first: Amount, join: str, second: Amount, *, money: bool, hours: bool) -> bool:
    """Whether the second number counts a smaller unit without its name: "5 foot 10", "a 5-foot-10 man", not "a 5-foot
    one".
    """
    if join == text[first.end] == "-" or not join:  # "5-foot-10", 1h50
        return True
    if join == "-":  # "a minute-thirty faster"
        return bare(text, second.end)
    if hours and join == " and ":
        return _has_two_digits(second) and bool(_TO_THE_MINUTE.match(text, second.end))
    if join.strip(" .") or text[first.end] == "-":
        return False
    if text[second.start : second.end].lower() == "one" and (
        not _FOOT.match(text, first.end) or word_before(text, first.start) not in _IS
    ):
        return False  # "the six foot one"
    if money:  # not "for 20 dollars 15 are sold"
        return ends(text, second.end) and word_after(text, second.end) not in ("are", "were", "have")
    if first.unit == "" and 4 <= first.value <= 7 and word_before(text, first.start) == "a":  # "a six foot nine lock"
        return bool(_FOOT.match(text, first.end))
    return bare(text, second.end) or bool(hours and _DOOR.match(text, second.end))
