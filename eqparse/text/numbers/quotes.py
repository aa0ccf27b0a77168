"""Fractions of a unit that is left out: prices as a market quotes them, and times on a clock."""

from __future__ import annotations

from eqparse.text.numbers.tables import compiled

_CLOCKED = compiled(r"(?:ten|hundred|thousand)ths\s(?:faster|slower|quicker|ahead|behind|clear|adrift|off\sthe)\b")
_QUOTE = r"[$]?\d++[\s-]\d++/\d++"
_TO_QUOTE = compiled(rf"\s(?:points?\s)?(?:to|at)\s(?:(?:close|end|finish)\sat\s)?{_QUOTE}")
_TO_PRICE = compiled(r"\s(?:points?\s)?(?:to|at)\s[$]?\d")
_TRADED = compiled(r"\b(?:stocks?|shares|futures|bonds?|issues?|wheat|corn|oats|soybeans|crude)\b")
_FROM_QUOTE = compiled(rf"{_QUOTE},?\s(?:up|down|off|after\s(?:gaining|losing))\s\Z")


def is_no_share(text: str, start: int, end: int) -> bool:
    """Whether a fraction is one of a unit that is left out, as in "5 hundredths faster" and "3/8 to 41 7/8"."""
    if text[end - 1].isdigit():
        before = text[max(0, start - 60) : start]
        traded = _TO_PRICE.match(text, end) and _TRADED.search(before)
        return bool(traded or _TO_QUOTE.match(text, end) or _FROM_QUOTE.search(text[max(0, start - 40) : start]))
    return bool(_CLOCKED.search(text, start, end + 12))
