"""Powers of ten: 3e5, 3 × 10^5, 10⁶, ten to the sixth."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.context import CLOSED, COMPARED, LABELS, word_after, word_before
from eqparse.text.numbers.tables import (
    CLAUSE_END,
    CLAUSE_ENDS,
    MINUS,
    ORDINALS,
    PARTS,
    SMALL,
    SUPERSCRIPT,
    SUPERSCRIPTS,
    compiled,
    one_of,
)
from eqparse.text.numbers.units import unit_end

_ORDINAL_WORDS = ["second", *(word for word in ORDINALS if PARTS[word] <= 1000)]
_LARGE = {"hundred": 100, "thousand": 1000, "hundredth": 100, "thousandth": 1000}  # powers beyond all floats
_HUNDREDS = rf"(?:(?:an?|{one_of(SMALL)})[\s-])?(?:hundred|thousand)"
_BELOW = rf"(?:(?:minus|negative)\s|[{MINUS}])?"
_EXPONENT = rf"""(?:\s?(?:\^|\*\*)\s?[({{]?(?P<digits>[{MINUS}+]?\d{{1,4}})[)}}]?(?!\d)
    |(?P<raised>[⁺⁻]?{SUPERSCRIPT}{{1,3}})
    |\s?\^\s?(?P<worded>{one_of(SMALL)})(?!\w)
    |(?:\sraised)?\sto\s(?:the\s)?power\s(?:of\s)?(?P<power>{_BELOW}(?:\d{{1,4}}|{_HUNDREDS}|{one_of(SMALL)}))(?!\w)
    |\sraised\sto\s(?P<raised_to>{_BELOW}(?:\d{{1,3}}|{one_of(SMALL)}))(?!\w)
    |(?:\sraised)?\sto\sthe\s(?:
        (?P<ordinal>{_BELOW}(?:\d{{1,4}}(?:st|nd|rd|th)|{_HUNDREDS}th|{one_of(_ORDINAL_WORDS)}))(?P<named>\spower)?
        |(?P<negative>(?:(?:minus|negative)\s|[{MINUS}])(?:\d{{1,2}}|{one_of(SMALL)}))
        |(?P<bare>\d{{1,3}}|{one_of(SMALL)}))(?!\w))"""
_POWER = compiled(_EXPONENT)
_TIMES_POWER = compiled(rf"""e(?P<e>[{MINUS}+]?\d{{1,3}})(?!\d)
    |(?:(?<=\d)\se\s?|(?<=\d)e\s)(?P<apart>[{MINUS}+]?\d{{1,3}})(?!\w|[.,]\d)
    |\s?[x×]\s?10(?P<torn>[{MINUS}][1-9])(?![\w.,])
    |\s?(?:[x×*·⋅∙•]|times)\s?(?:10|ten){_EXPONENT}""")  # fmt: skip
_BARE_END = compiled(rf"{CLAUSE_END}|\s(?:more|less|times|plus|minus|is)\b")
_STATES = frozenset(
    "are is was were than by equals equal times about roughly nearly some has have holds contains".split()
)
_NO_SEATS = frozenset("counter figure heat level number volume".split())
_SEAT = compiled(rf"""\b{one_of(LABELS - _NO_SEATS)}s?\s(?:\d++[a-z]\d++(?:,|\s(?:and|or|to)|,\sand)\s){{0,3}}\Z""")
_PEOPLE = frozenset("gave gives give given handed hands passed passes sent sends sold sells lent offered from".split())
_SIGNS = {ord(sign): "-" for sign in MINUS}


def power_of_ten(text: str, start: int, at: int) -> tuple[Fraction | int, int] | None:
    """The power of ten whose exponent begins at `at`, after the "10" or "ten" at `start`, and where it ends."""
    match = _POWER.match(text, at)
    if match is None:
        return None
    if match["bare"] and not (_BARE_END.match(text, match.end()) or _is_of_units(text, start, match.end())):
        return None
    if match["ordinal"] and not match["named"] and not _is_exponent(text, start, match.end()):
        return None
    return _ten_to(match), match.end()


def _is_exponent(text: str, start: int, end: int) -> bool:
    """Whether the ordinal that ends at `end` has no noun: not "route 10 to the fifth stop", "from 10 to the fourth"."""
    before, noun = word_before(text, start), word_after(text, end)
    counted = noun in CLOSED or noun.endswith("s") or unit_end(text, end) > end or CLAUSE_ENDS.match(text, end)
    counted = counted or before in _STATES  # "there are ten to the ninth bacteria"
    return bool(counted) and before not in _PEOPLE | LABELS


def _is_of_units(text: str, start: int, end: int) -> bool:
    """Whether what is counted follows the exponent that ends at `end`: "10 to the 8 litres", "there are 10 to the 8
    stars", not "gave 10 to the 8 litres".
    """
    before, noun = word_before(text, start), word_after(text, end)
    if unit_end(text, end) > end:
        return before not in _PEOPLE | LABELS
    return before in _STATES and noun.endswith("s") and noun not in CLOSED


def times_power_of_ten(text: str, start: int, at: int) -> tuple[Fraction | int, int] | None:
    """The power of ten that multiplies the number text[start:at], and where it ends."""
    match = _TIMES_POWER.match(text, at)
    if match is None:
        return None
    end, noun = match.end(), word_after(text, match.end())
    if match["e"] and _SEAT.search(text[max(0, start - 48) : start]):  # "seats 3E5 and 4E5"
        return None
    if match["torn"] and unit_end(text, end) == end:  # 1.2 x 10-6 m, whose exponent was raised
        return None
    if match["apart"] and match["apart"].isdigit() and "." not in text[start:at]:  # "2 E5 buses"
        if not (COMPARED.match(text, end) or noun == "times"):
            return None
    if match["bare"] and "times" in match[0].lower() and not (_BARE_END.match(text, end) or unit_end(text, end) > end):
        if not noun.endswith("s") or noun in CLOSED:
            return None
    return _ten_to(match), end


def _ten_to(match: re.Match[str]) -> Fraction | int:
    shown = next(shown for name, shown in match.groupdict().items() if shown and name != "named").lower()
    shown = shown.replace("negative ", "minus ").translate(_SIGNS).translate(SUPERSCRIPTS)
    sign, word = (-1 if shown.startswith(("-", "minus ")) else 1), shown.lstrip("-+").removeprefix("minus ")
    word = word.rstrip("stndrh") if word[0].isdigit() else word
    if word.isdigit():
        size = int(word)
    else:
        count, _, last = word.replace("-", " ").rpartition(" ")
        size = {"second": 2, **PARTS, **SMALL, **_LARGE}[last] * SMALL.get(count, 1)
    return 10**size if sign > 0 else Fraction(1, 10**size)
