"""Powers of ten: 3e5, 3 × 10^5, 10⁶, ten to the sixth."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.tables import (
    CLAUSE_END,
    MINUS,
    ORDINALS,
    PARTS,
    SMALL,
    SUPERSCRIPT,
    SUPERSCRIPTS,
    compiled,
    one_of,
)

_ORDINAL_WORDS = ["second", *(word for word in ORDINALS if PARTS[word] < 20)]
_EXPONENT = rf"""(?:\s?(?:\^|\*\*)\s?[({{]?(?P<digits>[{MINUS}+]?\d{{1,3}})[)}}]?(?!\d)
    |(?P<raised>[⁺⁻]?{SUPERSCRIPT}{{1,3}})
    |\sto\sthe\s(?:power\s(?:of\s)?(?P<power>(?:minus\s|[{MINUS}])?(?:\d{{1,2}}|{one_of(SMALL)}))
        |(?P<ordinal>\d{{1,2}}th|{one_of(_ORDINAL_WORDS)})(?:\spower)?
        |(?P<bare>\d{{1,3}}|{one_of(SMALL)})(?={CLAUSE_END}|\s(?:more|less|times|plus|minus|is)\b))(?!\w))"""
_POWER = compiled(_EXPONENT)
_TIMES_POWER = compiled(rf"""e(?P<e>[{MINUS}+]?\d{{1,3}})(?!\d)
    |\s?(?:[x×*·⋅∙]|times)\s?(?:10|ten){_EXPONENT}""")  # fmt: skip
_SIGNS = {ord(sign): "-" for sign in MINUS}


def power_of_ten(text: str, at: int) -> tuple[Fraction | int, int] | None:
    """The power of ten whose exponent begins at `at`, after "10" or "ten", and where it ends."""
    match = _POWER.match(text, at)
    return (_ten_to(match), match.end()) if match else None


def times_power_of_ten(text: str, at: int) -> tuple[Fraction | int, int] | None:
    """The power of ten that multiplies the number that ends at `at`, and where it ends."""
    match = _TIMES_POWER.match(text, at)
    return (_ten_to(match), match.end()) if match else None


def _ten_to(match: re.Match[str]) -> Fraction | int:
    shown = next(filter(None, match.groupdict().values())).lower().translate(_SIGNS).translate(SUPERSCRIPTS)
    sign, word = (-1 if shown.startswith(("-", "minus ")) else 1), shown.lstrip("-+").removeprefix("minus ")
    word = word.removesuffix("th") if word[0].isdigit() else word
    size = int(word) if word.isdigit() else {"second": 2, **PARTS, **SMALL}[word]
    return 10**size if sign > 0 else Fraction(1, 10**size)
