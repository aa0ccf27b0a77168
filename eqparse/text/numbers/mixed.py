"""Mixed numbers: "two and a half", "three and half times", "four and a half of a mile"."""

from __future__ import annotations

from fractions import Fraction

from eqparse.text.numbers.compound import AND, OF, PLAIN, are_operands, measured
from eqparse.text.numbers.context import word_after
from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.scales import scale_after
from eqparse.text.numbers.tables import ANY_SCALE, CLAUSE_END, GAP, PARTS, TIMES_WHAT, compiled
from eqparse.text.numbers.units import FACTORS, measure, scaling_unit, unit_end

_TIMES_WHAT = compiled(TIMES_WHAT)
_TIMES_AND = compiled(rf"(?:{GAP}times|(?<=twice)|(?<=thrice)|(?<=\dx)){GAP}and{GAP}")
_OF_THE_THINGS = compiled(rf"""\sof\s(?:(?:the|these|those|its|his|her|their|my|our|your)\s[a-z]+(?<!s)s\b
    |them(?={CLAUSE_END}|\s(?:to|in|for|at|by)\b))""")
_TENTHS = compiled(r"(tenth|hundredth|thousandth)s?\Z")
_TENTHS_NEXT = compiled(r"\s(tenth|hundredth|thousandth)s(?!\w)(?!\sof\sthe\b)")
_OF_A = compiled(r"\sof\san?(?=\s)")
_OF_A_NUMBER = compiled(r"\sof\san?\s(?:certain\s|given\s)?number\b")
_COME = compiled(r"\b(?:make|are|come|total|add|give|were|equal)\b")


def mixed_number(text: str, whole: Amount | None, part: Amount) -> Amount | None:
    """"two and a half", "a million and a half"; None in "5 and a third of it" and "the sum of 5 and 1/2"."""
    if whole is None or whole.measure or whole.unit in FACTORS or whole.value != int(whole.value):
        return None
    times = _TIMES_AND.fullmatch(text, whole.end, part.start) and _TIMES_WHAT.match(text, part.end)
    if times and whole.kind != "fraction":
        return Amount(whole.value + part.value, whole.start, part.end, "multiplier")
    if whole.kind not in PLAIN or not AND.fullmatch(text, whole.end, part.start):
        return None
    if are_operands(text, whole.start, part.end):
        return None
    scale = ANY_SCALE.get(text[whole.start : whole.end].split()[-1].lower(), 1)  # "a dozen and a half" is 18
    added = part.value * (1 if scale == 100 else scale)
    value = whole.value + (added if whole.value >= 0 else -added)
    of_a = _OF_A.match(text, part.end)
    if of_a and (unit := measure(text, of_a.end())):  # "two and a half of a mile"
        return measured(value, whole.start, unit[1], unit[0])
    if tenths := _TENTHS_NEXT.match(text, part.end):  # "two and a half tenths off the pace"
        return Amount(value / PARTS[tenths[1].lower()], whole.start, tenths.end(), "word")
    if OF.match(text, part.end) and not _is_whole(text, whole, part):
        return None
    return Amount(value, whole.start, part.end, whole.kind, whole.unit)


def tenths_and_part(text: str, tenths: Amount | None, part: Amount) -> Amount | None:
    """"a tenth and a half inside the record": one and a half tenths; None in "a tenth and a half of the crew"."""
    if tenths is None or tenths.kind not in ("fraction", "word") or tenths.measure or tenths.unit:
        return None
    size = _TENTHS.search(text, tenths.start, tenths.end)
    if size is None or not AND.fullmatch(text, tenths.end, part.start) or OF.match(text, part.end):
        return None
    return Amount(tenths.value + part.value / PARTS[size[1].lower()], tenths.start, part.end, "word")


def scaled_by_letter(text: str, amount: Amount) -> tuple[int, int] | None:
    """The factor of the letter behind a mixed number, and where it ends: "two and a half k dearer"."""
    return scale_after(text, amount.start, amount.end, "") if amount.value > 1 and amount.kind in PLAIN else None


def _is_whole(text: str, whole: Amount, part: Amount) -> bool:
    """Whether a mixed number takes what follows "of": "ate two and a half of the pies", "Two and a half of a number is
    30", where it opens the text, not "Ten and a half of it make 30".
    """
    half, end = text[part.start : part.end].lower() == "a half", part.end
    counted = text[whole.start : whole.end].split()[-1].lower() in ("dozen", "score", "gross")
    if half and (counted or _OF_THE_THINGS.match(text, end)):
        return True
    first = 0 < whole.value < 10 and not text[: whole.start].strip() and not _COME.search(text, end, end + 40)
    return first and bool(half or _OF_A_NUMBER.match(text, end))


def half_more(text: str, whole: Amount | None, half: Amount) -> Amount | None:
    """"three and half times", "five and half hours", without the article; None in "two and half the price"."""
    if whole is None or whole.measure or whole.unit or whole.kind not in PLAIN or whole.value != int(whole.value):
        return None
    if half.value != Fraction(1, 2) or text[half.start : half.end].lower() != "half":
        return None
    if not AND.fullmatch(text, whole.end, half.start) or are_operands(text, whole.start, half.end):
        return None
    if word_after(text, half.end) == "times":
        return Amount(whole.value + half.value, whole.start, half.end, whole.kind)
    end = unit_end(text, half.end)
    counts = end > half.end and (text[end - 1] in "s%" or scaling_unit(text, half.end))
    return Amount(whole.value + half.value, whole.start, half.end, whole.kind) if counts else None
