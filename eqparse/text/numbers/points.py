"""Points beside percentages: "33 %, down seven points" falls by seven hundredths, though the text says points alone."""

from __future__ import annotations

from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import SMALL, compiled, one_of
from eqparse.text.numbers.units import FACTORS

_POINTS = compiled(r"""(?:\s{1,2}|-|(?<=couple)\sof\s)(?:(?:full|whole)\s)?(?:points?|pts?)
    (?!\w|\s(?:out\s)?of\b(?!\s(?:them|him|her|it|us)\b)|\s(?:table|tally|average|penalty))""")
_OF_A_POINT = compiled(r"(?:\s(?:of\s)?an?)?[\s-]point(?!\w|\s(?:out\s)?of\b)")
_PART_OF_A_POINT = compiled(r"\sof\sa\s(?:percentage\s)?point\b")
_BETTER = compiled(r"\s(?:better|worse)\b")  # as marks are, rather than shares
_CHANGE = compiled(r",\s(?:up|down)\s(?:by\s)?\Z")  # "58 % are opposed, up 11"
_END = compiled(r"\s?(?:[;:)]|[.,](?!\d)|\Z)|\s(?:on\s(?:the|last|a)|from\s(?:the|last|a)|since|in)\b")
# where points may be won, spent or counted
_SHARES = compiled(rf"(?<!\w)(?:\d+|{one_of(SMALL)})\s(?:in|out\sof)\s(?:every\s)?(?:\d+|{one_of(SMALL)})(?!\w)")
_AHEAD = compiled(r"""(?:(?<=couple)\sof)?\spoints?\s(?:ahead|clear|behind|adrift|more|less|fewer|up|down|above|below
    |higher|lower|better|worse)\b""")
_BY = compiled(r"\b(?:better|worse|higher|lower|ahead|behind|more|less)\b(?:[^\W\d_]|\s){0,12}\sby\s\Z")
_TO_PERCENT = compiled(r"\spoints?,?\sto\s\d++(?:\.\d++)?\s?(?:%|per\s?cent)")
_PART_TO_PERCENT = compiled(r"\sto\s\d++(?:\.\d++)?\s?(?:%|per\s?cent)")
_TENTHS_APART = compiled(r"\s(?:higher|lower|above|below|up|down|more|less)\b")
_TENTHS = compiled(r"(?:tenths?|quarter)\Z")
_RATES = compiled(r"\b(?:rates?|unemploy\w+|jobless\w*|inflation|yields?|interest|central\sbank)\b")
_OTHER_POINTS = compiled(
    r"""\b(?:scor\w+|goals?|games?|match\w*|league|quiz|exam\w*|tests?|marks?|shots?|stocks?|bonus|loyalty|rewards?|index|dow|nasdaq
    |ftse|nikkei|dax|shares|season|playoffs?|quarter-?final|rebounds?|tries|laps?|podiums?|championship|licen[cs]e)\b"""
)


def percentage_points(text: str, found: list[Amount]) -> list[Amount]:
    """The amounts, with points read as hundredths where the text has percentages and no other kind of points; so are
    the bare numbers of "58 % are opposed, up 11".
    """
    percent, other = any(a.unit == "%" for a in found), _OTHER_POINTS.search(text)
    if percent and not other:
        counts = _counts_points
    elif percent:
        counts = _rises_to_percent
    elif not other and (_SHARES.search(text) or any(a.kind == "fraction" for a in found)):
        counts = _puts_ahead
    else:
        return found
    return [a._replace(value=a.value * FACTORS["%"], unit="%") if counts(text, a) else a for a in found]


def _rises_to_percent(text: str, amount: Amount) -> bool:
    """Whether the amount's points lead to a percentage: "closed by 1.9 points to 7.4%"."""
    return not amount.unit and bool(_TO_PERCENT.match(text, amount.end))


def _puts_ahead(text: str, amount: Amount) -> bool:
    """Whether the amount's points set one share apart from another: "nine in ten passed, six points more than ..."."""
    if amount.unit or amount.kind not in ("digits", "word"):
        return False
    behind = _POINTS.match(text, amount.end) and _BY.search(text[max(0, amount.start - 30) : amount.start])
    return bool(behind or _AHEAD.match(text, amount.end))


def _counts_points(text: str, amount: Amount) -> bool:
    if amount.measure:
        return amount.unit == "point" and not _BETTER.match(text, amount.end)
    if amount.unit:
        return False
    if amount.kind not in ("digits", "word"):
        if _RATES.search(text) and _TENTHS.search(text, amount.start, amount.end):  # tenths of a point
            if _PART_TO_PERCENT.match(text, amount.end) or _TENTHS_APART.match(text, amount.end):
                return True
        return bool(_OF_A_POINT.match(text, amount.end))
    if amount.value > 100:  # of an index
        return False
    changed = _CHANGE.search(text, max(0, amount.start - 12), amount.start) and _END.match(text, amount.end)
    return bool(changed or _POINTS.match(text, amount.end) or _PART_OF_A_POINT.match(text, amount.end))
