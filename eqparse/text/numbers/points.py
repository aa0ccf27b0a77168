"""Points beside percentages: "33 %, down seven points" falls by seven hundredths, though the text says points alone."""

from __future__ import annotations

from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import compiled
from eqparse.text.numbers.units import FACTORS

_POINTS = compiled(r"""(?:\s{1,2}|-)(?:(?:full|whole)\s)?(?:points?|pts?)
    (?!\w|\s(?:out\s)?of\b(?!\s(?:them|him|her|it|us)\b)|\s(?:table|tally|average|penalty))""")
_OF_A_POINT = compiled(r"(?:\s(?:of\s)?an?)?[\s-]point(?!\w|\s(?:out\s)?of\b)")
_PART_OF_A_POINT = compiled(r"\sof\sa\s(?:percentage\s)?point\b")
_BETTER = compiled(r"\s(?:better|worse)\b")  # as marks are, rather than shares
_CHANGE = compiled(r",\s(?:up|down)\s(?:by\s)?\Z")  # "58 % are opposed, up 11"
_END = compiled(r"\s?(?:[;:)]|[.,](?!\d)|\Z)|\s(?:on\s(?:the|last|a)|from\s(?:the|last|a)|since|in)\b")
# where points may be won, spent or counted
_OTHER_POINTS = compiled(
    r"""\b(?:scor\w+|goals?|games?|match\w*|league|quiz|exam\w*|tests?|marks?|bonus|loyalty|rewards?|index|dow|nasdaq
    |ftse|nikkei|dax|shares|season|playoffs?|quarter-?final|rebounds?|tries|laps?|podiums?|championship|licen[cs]e)\b"""
)


def percentage_points(text: str, found: list[Amount]) -> list[Amount]:
    """The amounts, with points read as hundredths where the text has percentages and no other kind of points; so are
    the bare numbers of "58 % are opposed, up 11".
    """
    if not any(a.unit == "%" for a in found) or _OTHER_POINTS.search(text):
        return found
    return [a._replace(value=a.value * FACTORS["%"], unit="%") if _counts_points(text, a) else a for a in found]


def _counts_points(text: str, amount: Amount) -> bool:
    if amount.measure:
        return amount.unit == "point" and not _BETTER.match(text, amount.end)
    if amount.unit:
        return False
    if amount.kind not in ("digits", "word"):
        return bool(_OF_A_POINT.match(text, amount.end))
    if amount.value > 100:  # of an index
        return False
    changed = _CHANGE.search(text, max(0, amount.start - 12), amount.start) and _END.match(text, amount.end)
    return bool(changed or _POINTS.match(text, amount.end) or _PART_OF_A_POINT.match(text, amount.end))
