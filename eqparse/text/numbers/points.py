"""Points beside percentages: "33 %, down seven points" falls by seven hundredths, though the text says points alone."""

from __future__ import annotations

from eqparse.text.numbers.numeral import Amount
from eqparse.text.numbers.tables import compiled
from eqparse.text.numbers.units import FACTORS

_POINTS = compiled(r"(?:\s{1,2}|-)(?:points?|pts?)(?!\w|\s(?:out\s)?of\b|\s(?:table|tally|average|penalty))")
# where points may be won, spent or counted
_OTHER_POINTS = compiled(
    r"""\b(?:scor\w+|goals?|games?|match\w*|league|quiz|exam\w*|tests?|marks?|bonus|loyalty|rewards?|index|dow|nasdaq
    |ftse|nikkei|dax|shares|season|playoffs?|quarter-?final|rebounds?|tries|laps?|podiums?|championship|licen[cs]e)\b"""
)


def percentage_points(text: str, found: list[Amount]) -> list[Amount]:
    """The amounts, with points read as hundredths where the text has percentages and no other kind of points."""
    if not any(a.unit == "%" for a in found) or _OTHER_POINTS.search(text):
        return found
    return [
        a._replace(value=a.value * FACTORS["%"], unit="%")
        if not a.unit and a.measure is None and a.kind in ("digits", "word") and _POINTS.match(text, a.end)
        else a
        for a in found
    ]
