"""Several numbers in one amount: "two and a half", "a mile and a half", "half an hour", "2 hours 15 minutes"."""

from __future__ import annotations

from fractions import Fraction

from eqparse.text.numbers.context import CLOSED, word_after, word_before
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import CLAUSE_END, GAP, SCALE, compiled
from eqparse.text.numbers.units import FACTORS, MEASURES, Measure, measure, parts_in

_AND = compiled(rf"{GAP}and{GAP}")
_OF = compiled(r"\sof\b")
_ALSO = compiled(r"\sand\b")
_OPERANDS = compiled(r"\b(?:(?:sum|difference|product|quotient|ratio|total)\sof|between)\s\Z")
_ARTICLE_UNIT = compiled(rf"(?<!\w)an?{GAP}(?P<unit>[^\W\d_]++),?{GAP}(?:and{GAP})?\Z")
_JOIN = compiled(rf"\.?(?:,?\s{{1,2}}(?:and\s)?|{GAP}|\s?)")
_A_UNIT = compiled(rf"{GAP}(?:of{GAP})?an?(?={GAP})")
_POSSESSIVE = compiled(r"['’]s?\b|s['’]")
_CLAUSE_END = compiled(CLAUSE_END)
# What algebra takes a fraction of, which is neither a unit nor a thing: "half a number more than 8".
_ALGEBRA = frozenset(
    """number integer value amount sum total quantity product difference figure certain given second third unknown
    positive negative whole""".split()
)
COMPARED = compiled(r"""\s(?:more|less|fewer|longer|shorter|taller|higher|lower|heavier|lighter|older|younger|wider
    |deeper|faster|slower|bigger|larger|smaller|greater|[a-z]+er\sthan|ahead|behind|above|below|short\sof)\b""")
_ONE_EACH = frozenset("each every per this that first second last next another".split())
# How many of the smaller unit may stand without its name: "5 foot 10", "1 h 30", "1 metre 80"
_UNNAMED = {"foot": "inch", "hour": "minute", "minute": "second", "pound": "ounce", "stone": "pound"}
_UNNAMED |= {"metre": "centimetre"}
_BARE = CLOSED - {"a", "an", "of", "per", "times"}
_PLAIN = ("digits", "word")
_VERBS = frozenset("lasts takes is was has needs runs costs weighs measures spans does spends reads adds".split())
_CURRENCIES = {"dollar": "$", "euro": "€"}
_MONEY = {"$": "dollar", "€": "euro", "£": "pound", "₹": "rupee"}


def mixed_number(text: str, whole: Amount | None, part: Amount) -> Amount | None:
    """"two and a half", "a million and a half"; None in "5 and a third of it" and "the sum of 5 and 1/2"."""
    if whole is None or whole.measure or not _AND.fullmatch(text, whole.end, part.start):
        return None
    if whole.kind not in _PLAIN or whole.unit in FACTORS or whole.value != int(whole.value):
        return None
    if _OF.match(text, part.end) or _are_operands(text, whole.start, part.end):
        return None
    scale = SCALE.get(text[whole.start : whole.end].split()[-1].lower(), 1)  # "a dozen and a half" is 18
    added = part.value * (1 if scale == 100 else scale)
    value = whole.value + (added if whole.value >= 0 else -added)
    return Amount(value, whole.start, part.end, whole.kind, whole.unit)


def unit_and_part(text: str, whole: Amount | None, part: Amount) -> Amount | None:
    """"two hours and a half", "a mile and a half"; None in "20 dollars a mile and a half of the fee"."""
    if _OF.match(text, part.end) or measure(text, part.end):
        return None
    near = whole and part.start - whole.end < 30 and whole.kind in _PLAIN and whole.value == int(whole.value)
    if near and (unit := measure(text, whole.end)):
        if _AND.fullmatch(text, unit[1], part.start) and not _are_operands(text, whole.start, part.end):
            return _measured(whole.value + part.value, whole.start, part.end, unit[0])
    if (begun := _article_unit(text, whole, part.start, part.end)) and _AND.search(text[part.start - 7 : part.start]):
        return _measured(1 + part.value, begun[0], part.end, begun[1])
    return None


def part_of_unit(text: str, part: Amount) -> Amount:
    """"half an hour", "three quarters of a mile", "a half hour"; a fraction of anything else stays as it is."""
    if article := _A_UNIT.match(text, part.end):
        at = article.end()
    elif text[part.start : part.end].lower().endswith(("half", "quarter")) and not _each(text, part.start):
        at = part.end
    else:
        return part
    unit = measure(text, at)
    if unit is None and article:
        noun = word_after(text, at)
        end = at + 1 + len(noun)
        if noun and noun not in _ALGEBRA and COMPARED.match(text, end):
            unit = Measure(noun, "", Fraction(1)), end
    if unit is None or _POSSESSIVE.match(text, unit[1]) or (unit[0].name == "second" and not _bare(text, unit[1])):
        return part
    if not article and (text[unit[1] - 1] in "sS" or unit[1] - at < 4 or not _bare(text, unit[1])):
        return part
    return _measured(part.value, part.start, unit[1], unit[0])


def two_units(text: str, first: Amount | None, second: Amount) -> Amount | None:
    """"2 hours and 15 minutes", "5 foot 10", "a year and six months": one amount, in the larger unit."""
    if second.unit or second.kind not in _PLAIN:
        return None
    if first and second.start - first.end < 30 and (joined := _joined(text, first, second)):
        return joined
    if text[max(0, second.start - 4) : second.start].lower() != "and ":
        return None
    begun = _article_unit(text, first, second.start, second.end)
    smaller = measure(text, second.end, within=begun[1]) if begun else None
    if smaller is None or word_after(text, smaller[1]) in ("a", "an", "per", "each", "every"):
        return None
    parts = parts_in(begun[1], smaller[0])
    if not parts or second.value >= parts or _are_operands(text, begun[0], smaller[1]):
        return None
    return _measured(1 + Fraction(second.value) / parts, begun[0], smaller[1], begun[1])


def _joined(text: str, first: Amount, second: Amount) -> Amount | None:
    larger = (first.measure, first.end) if first.measure else measure(text, first.end)
    if larger is None and first.unit in _MONEY:
        larger = MEASURES[_MONEY[first.unit]], first.end
    if larger is None or first.kind not in _PLAIN or first.unit in FACTORS:
        return None
    join = _JOIN.fullmatch(text, larger[1], second.start)
    if join is None or not (first.measure or first.value == int(first.value)):
        return None
    smaller = measure(text, second.end, within=larger[0])
    if smaller:
        parts, end = parts_in(larger[0], smaller[0]), smaller[1]
    elif larger[0].name in _UNNAMED and _unnamed(text, first, join[0], second):
        parts, end = parts_in(larger[0], MEASURES[_UNNAMED[larger[0].name]]), second.end
        if larger[0].name == "metre" and second.end - second.start != 2:
            return None
    else:
        return None
    if not parts or not 0 <= second.value < parts or _are_operands(text, first.start, end):
        return None
    value = first.value + Fraction(second.value) / parts
    return _measured(value, first.start, end, larger[0], kind=first.kind)


def _unnamed(text: str, first: Amount, join: str, second: Amount) -> bool:
    """Whether the second number counts a smaller unit without its name: "5 foot 10", "a 5-foot-10 man", not "a 5-foot
    one".
    """
    if join == text[first.end] == "-":
        return True
    if join.strip(" .") or text[first.end] == "-" or text[second.start : second.end].lower() == "one":
        return False
    return _bare(text, second.end)


def _measured(value: Fraction | int, start: int, end: int, unit: Measure, *, kind: str = "word") -> Amount:
    return Amount(value, start, end, kind, _CURRENCIES.get(unit.name, unit.name), unit)


def _are_operands(text: str, start: int, end: int) -> bool:
    """Whether two numbers are joined by an operation: "the sum of 5 and a half", not "... of two and a half and x"."""
    return bool(_OPERANDS.search(text[max(0, start - 15) : start])) and not _ALSO.match(text, end)


def _each(text: str, start: int) -> bool:
    """Whether "half" begins the name of something counted: "every half hour"."""
    return word_before(text, start) in _ONE_EACH


def _bare(text: str, end: int) -> bool:
    """Whether what follows shows that the number or unit that ends at `end` has no noun."""
    return word_after(text, end) in _BARE or bool(_CLAUSE_END.match(text, end) or COMPARED.match(text, end))


def _is_rate(between: str) -> bool:
    """Whether "a mile" after a number and this word makes a rate: "20 dollars a mile"."""
    return not between or between in MEASURES or (between.isalpha() and between[-1] == "s" and between not in _VERBS)


def _article_unit(text: str, last: Amount | None, at: int, end: int) -> tuple[int, Measure] | None:
    """Start and unit of the "a mile and" that ends at `at`; None if it is a rate ("20 dollars a mile and ...")."""
    window = max(0, at - 40)
    match = _ARTICLE_UNIT.search(text[window:at])
    if match is None:
        return None
    start, noun = window + match.start(), match["unit"].lower()
    if word_before(text, start) == "once" or (last and last.end <= start and _is_rate(text[last.end : start].strip())):
        return None
    unit = MEASURES.get(noun)
    if unit is None and noun not in _ALGEBRA and COMPARED.match(text, end):
        unit = Measure(noun, "", Fraction(1))
    return (start, unit) if unit else None
