"""A fraction in one amount with what is around it: "two and a half", "a cup and a half", "half an hour"."""

from __future__ import annotations

from fractions import Fraction

from eqparse.text.numbers.context import CLOSED, COMPARED, OF_SOME, compared_next, is_attribute, word_after, word_before
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import ANY_SCALE, CLAUSE_ENDS, GAP, SCALE, compiled
from eqparse.text.numbers.units import FACTORS, MEASURES, Measure, measure, scaling_unit, unit_end

_IN = compiled(r"\s(?:in|out\sof)\s(?:every\s)?")
_AND = r"(?:and?|['’]?n['’]?)"  # as people type it: "an hour an a half"
AND = compiled(rf"{GAP}{_AND}{GAP}|\s?&\s?")
_OF_STUFF = compiled(r"""\sof\s(?!(?:the|an?|it|its|that|this|these|those|them|his|her|their|my|our|your|what|all|each
    |every|which|whatever)\b)""")
OF = compiled(r"\sof\b")
_OF_ONE = compiled(r"\sof\s")
_CHAIN = compiled(r"(?P<comma>,)?\s(?P<and>and\s)?")
_GLUED_SCALE = compiled(r"(?<=\d)(k|m|b|bn)\Z")
_ALSO = compiled(r"\s(?:and|times)\b")
_OUTOF = compiled(r"(?:\A|[.,;:]\s)(?:out\s)?of\s(?:the\sfirst\s)?\Z")
_OPERANDS = compiled(r"\b(?:(?:sum|difference|product|quotient|ratio|total)\sof|between)\s\Z")
_OF_A_BOAT = r"[^\W\d_]++(?=\slengths?\b)"  # "a car length and a half", "half a boat length behind"
_ARTICLE_UNIT = compiled(rf"""(?P<a>(?<!\w)an?(?:\s(?:good|whole|full|further|mere|extra|{_OF_A_BOAT}))?){GAP}
    (?P<unit>per\scent|(?P<power>(?:square|cubic)\s)?[^\W\d_]++)
    ,?{GAP}(?:(?:{_AND}|&){GAP})?\Z""")
_TIME_AND = compiled(r"(?<!\w)time\sand\s\Z")
_NOUN_AND = compiled(rf"{GAP}(?:{_OF_A_BOAT}\s)?([^\W\d_]++){GAP}{_AND}{GAP}")
_A_UNIT = compiled(rf"{GAP}(?:of{GAP})?an?(?:\s{_OF_A_BOAT})?(?={GAP})")
_POINT = compiled(r"[\s-](point|game|length|mark)s?(?!\w)")
_POSSESSIVE = compiled(r"['’]s?\b|s['’]")
# What algebra takes a fraction of, which is neither a unit nor a thing: "half a number more than 8".
_ALGEBRA = frozenset(
    """number integer value amount sum total quantity product difference figure certain given second third unknown
    positive negative whole""".split()
)
_ONE_EACH = frozenset("each every per this that first second last next another".split())
_BARE = CLOSED - {"a", "an", "of", "per", "times"}
PLAIN = ("digits", "word")
_VERBS = frozenset("lasts takes is was has needs runs costs weighs measures spans does spends reads adds".split())
_FOLLOWERS = frozenset(
    """a an per each apiece for to in on off from and or than at as which that when while if but with by is are was were
    has have had over under clear takes took lasts lays weigh weighs cost costs before after every since until extra
    long wide deep tall high back today feeds makes serves fills does will would can could""".split()
)
_CURRENCIES = {"dollar": "$", "euro": "€"}
_SCALED = {"cent": "cents", "percent": "%", "per cent": "%"}


def scale_chain(text: str, first: Amount | None, second: Amount) -> Amount | None:
    """"2 thousand 5 hundred", "2 hundred and 50"; None in "the sum of 2 hundred and 50", "2 thousand 500-gram bags"."""
    if first is None or first.kind not in PLAIN or second.kind not in PLAIN or first.measure or second.unit:
        return None
    shown = text[first.start : first.end]
    glued = _GLUED_SCALE.search(shown)  # "2m 300k"
    scale = ANY_SCALE[glued[1].lower()] if glued else SCALE.get(shown.split()[-1].lower().removesuffix("s"), 0)
    gap = _CHAIN.fullmatch(text, first.end, second.start)
    if scale < 100 or gap is None or "." in shown or first.unit in FACTORS or not 0 < second.value < scale:
        return None
    scaled = bool(_GLUED_SCALE.search(text, second.start, second.end)) if glued else (
        not SCALE.keys().isdisjoint(text[second.start : second.end].lower().split())
    )
    if gap["comma"]:  # not "three million, two hundred more than" nor "of two thousand, three hundred came"
        counted = compared_next(text, second.end) and unit_end(text, second.end) == second.end
        fits = scaled and not (gap["and"] or counted or _OUTOF.search(text[max(0, first.start - 18) : first.start]))
    elif gap["and"]:
        fits = second.value < 100 and not are_operands(text, first.start, second.end)
    else:  # "2 thousand 500", not "2 thousand 3"
        fits = scaled or 10 * second.value >= scale
    if not fits or is_attribute(text, second.end) or OF_SOME.search(text[max(0, first.start - 10) : first.start]):
        return None
    value = first.value + (second.value if first.value >= 0 else -second.value)
    return Amount(value, first.start, second.end, first.kind, first.unit)


def odds(text: str, first: Amount | None, second: Amount) -> Amount | None:
    """"1 in 5 longer", a fifth; None in "1 in 5 buses"."""
    if first is None or first.value != 1 or second.value <= 1 or not compared_next(text, second.end):
        return None
    plain = first.kind in PLAIN and second.kind in PLAIN and not (first.unit or second.unit or second.measure)
    if not plain or not _IN.fullmatch(text, first.end, second.start):
        return None
    return Amount(1 / Fraction(second.value), first.start, second.end, "fraction")


def part_of_one(text: str, part: Amount | None, one: Amount) -> Amount | None:
    """"half of one percent", "a tenth of 1 cent": the part, in that unit; None in "half of one pie"."""
    if part is None or not 0 < part.value < 1 or part.unit or part.measure or one.value != 1:
        return None
    if not _OF_ONE.fullmatch(text, part.end, one.start) or scaling_unit(text, one.end) not in FACTORS:
        return None
    return Amount(part.value, part.start, one.end, "word")


def unit_and_part(text: str, whole: Amount | None, part: Amount) -> Amount | None:
    """"two hours and a half", "a cup and a half of stock"; None in "20 dollars a mile and a half of the fee"."""
    if measure(text, part.end):
        return None
    if paid := _TIME_AND.search(text[max(0, part.start - 9) : part.start]):  # "time and a half on Sundays"
        return Amount(1 + part.value, part.start - len(paid[0]), part.end, "multiplier")
    if OF.match(text, part.end) and not _OF_STUFF.match(text, part.end):
        return None
    half = text[part.start : part.end].lower() in ("a half", "half") and ends(text, part.end)
    if whole and part.start - whole.end < 30 and whole.kind in PLAIN:
        count = whole.value / FACTORS.get(whole.unit, Fraction(1))
        unit = _counted(text, whole, part.start, noun=half)
        if unit and count == int(count) and not are_operands(text, whole.start, part.end):
            return measured(count + part.value, whole.start, part.end, unit)
    if not AND.search(text[max(0, part.start - 7) : part.start]):
        return None
    begun = article_unit(text, whole, part.start, part.end, noun=half)
    if begun is None or are_operands(text, begun[0], part.end):
        return None
    return measured(1 + part.value, begun[0], part.end, begun[2])


def _counted(text: str, whole: Amount, at: int, *, noun: bool) -> Measure | None:
    """The unit, or with `noun` any noun, between a number and the "and" that ends at `at`."""
    if (unit := measure(text, whole.end)) and AND.fullmatch(text, unit[1], at):
        return unit[0]
    if whole.unit == "%" and noun and AND.fullmatch(text, unit_end(text, whole.end), at):
        return _thing("percent")
    match = _NOUN_AND.fullmatch(text, whole.end, at) if noun and not whole.unit else None
    return _thing(match[1].lower()) if match else None


def _thing(noun: str) -> Measure | None:
    """Any noun as the unit of what it counts; None if it is none, or one of algebra."""
    return None if noun in _ALGEBRA or noun in CLOSED else Measure(noun, "", Fraction(1))


def part_of_unit(text: str, part: Amount) -> Amount:
    """"half an hour", "three quarters of a mile", "a half hour"; a fraction of anything else stays as it is."""
    if scaling_unit(text, part.end, of=True) in ("%", "bp"):  # "half a percent more", which is scaled
        return part
    if (point := _POINT.match(text, part.end)) and bare(text, point.end()):  # "a half-point more", no share
        return measured(part.value, part.start, point.end(), Measure(point[1].lower(), "", Fraction(1)))
    if article := _A_UNIT.match(text, part.end):
        at = article.end()
    elif not text[part.end - 1].isalpha():  # 7/8 inch, ½", which need no unit to be read
        return part._replace(kind="digits") if measure(text, part.end) else part
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
    if unit is None or _POSSESSIVE.match(text, unit[1]) or (unit[0].name == "second" and not bare(text, unit[1])):
        return part
    if not article and (text[unit[1] - 1] in "sS" or unit[1] - at < 4 or not bare(text, unit[1])):
        return part
    return measured(part.value, part.start, unit[1], unit[0])


def ends(text: str, end: int) -> bool:
    """Whether the amount that ends at `end` has no noun behind it: "two dollars fifty a day"."""
    return bool(
        word_after(text, end) in _FOLLOWERS
        or CLAUSE_ENDS.match(text, end)
        or COMPARED.match(text, end)
        or _OF_STUFF.match(text, end)
    )


def measured(value: Fraction | int, start: int, end: int, unit: Measure, *, kind: str = "word") -> Amount:
    if scaled := _SCALED.get(unit.name):
        return Amount(value, start, end, kind, scaled)  # to be scaled
    return Amount(value, start, end, kind, _CURRENCIES.get(unit.name, unit.name), unit)


def are_operands(text: str, start: int, end: int) -> bool:
    """Whether two numbers are joined by an operation: "the sum of 5 and a half", not "... of two and a half and x"."""
    return bool(_OPERANDS.search(text[max(0, start - 15) : start])) and not _ALSO.match(text, end)


def _each(text: str, start: int) -> bool:
    """Whether "half" begins the name of something counted: "every half hour"."""
    return word_before(text, start) in _ONE_EACH


def bare(text: str, end: int) -> bool:
    """Whether what follows shows that the number or unit that ends at `end` has no noun."""
    return word_after(text, end) in _BARE or bool(CLAUSE_ENDS.match(text, end) or COMPARED.match(text, end))


def _is_rate(text: str, last: Amount, at: int) -> bool:
    """Whether the "a mile" at `at` makes a rate with the amount before it: "20 dollars a mile"."""
    between = text[last.end : at].strip()
    if not between or last.measure:
        return not between
    return between in MEASURES or (between.isalpha() and between[-1] == "s" and between not in _VERBS)


def article_unit(
    text: str, last: Amount | None, at: int, end: int, *, noun: bool = False
) -> tuple[int, int, Measure] | None:
    """Start of the "a mile and" that ends at `at`, end of its article, and its unit, or with `noun` any noun; None if
    it is a rate ("20 dollars a mile and ...").
    """
    window = max(0, at - 40)
    match = _ARTICLE_UNIT.search(text[window:at])
    if match is None:
        return None
    start, word = window + match.start(), match["unit"].lower()
    if word_before(text, start) == "once" or (last and last.end <= start and _is_rate(text, last, start)):
        return None
    sized = measure(text, window + match.end("a")) if match["power"] else None
    unit = sized[0] if sized else MEASURES.get(word)
    if unit is None and (noun or COMPARED.match(text, end)):
        unit = _thing(word)
    return (start, window + match.end("a"), unit) if unit else None
