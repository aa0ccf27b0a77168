"""The values of number words and signs, and the pattern pieces that several modules share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction


def compiled(pattern: str) -> re.Pattern[str]:
    """A compiled pattern that ignores case, and white space in the pattern."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of these words."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


DIGIT_WORDS = "zero one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = {word: value for value, word in enumerate(DIGIT_WORDS + TEENS)} | {"nought": 0, "naught": 0}
SMALL |= {word: 10 * value for value, word in enumerate(TENS, start=2)}
SMALL |= {"fourty": 40, "threescore": 60, "fourscore": 80}
SCALE = {"dozen": 12, "hundred": 100, "thousand": 10**3, "lakh": 10**5, "lac": 10**5, "million": 10**6}
SCALE |= {"crore": 10**7, "billion": 10**9, "trillion": 10**12}
SHORT_SCALE = {"mn": 10**6, "mln": 10**6, "bn": 10**9, "bln": 10**9, "tn": 10**12, "trn": 10**12}
LETTER_SCALE = {"k": 10**3, "m": 10**6, "mm": 10**6, "b": 10**9, "t": 10**12}  # where it cannot be a unit
COUNTED_SCALE = {"score": 20, "gross": 144, "grand": 1000}  # where it cannot be an ordinary noun or adjective
ANY_SCALE = SCALE | {f"{word}s": value for word, value in SCALE.items()} | SHORT_SCALE | LETTER_SCALE | COUNTED_SCALE

PARTS = {"half": 2, "quarter": 4, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
PARTS |= {f"{word}th": SMALL[word] for word in ("four", "six", "seven", "ten", "eleven")}
PARTS |= {f"{word}th": SMALL[word] for word in TEENS[3:]}
PARTS |= {f"{word[:-1]}ieth": SMALL[word] for word in TENS}
PARTS |= {f"{word}th": SCALE[word] for word in ("hundred", "thousand", "million")}
ORDINALS = PARTS.keys() - {"half", "quarter"}

MULTIPLIERS = {"twice": 2, "thrice": 3, "halve": Fraction(1, 2), "halved": Fraction(1, 2), "halving": Fraction(1, 2)}
MULTIPLIERS |= {
    stem + ending: value
    for stem, value in {"doubl": 2, "tripl": 3, "trebl": 3, "quadrupl": 4, "quintupl": 5, "sextupl": 6, "septupl": 7,
                        "octupl": 8}.items()
    for ending in ("e", "es", "ed", "ing")
}  # fmt: skip
FOLDS = {f"{word}fold": value for word, value in (SMALL | SCALE).items()}
VULGAR = {sign: Fraction(unicodedata.numeric(sign)).limit_denominator(10) for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉", "0123456789+-0123456789")
SUPERSCRIPT = "[⁰¹²³⁴-⁹]"
CURRENCIES = "$€£¥₹"
MINUS = "-−–\u2011"  # the hyphen first: elsewhere in a class of characters it would make a range

GAP = r"(?:\s{1,3}|\s?[-\u2010\u2011]\s?)"  # bounded: a long blank run never lies inside one number
SCALES = one_of(SCALE)
WORD = rf"(?:{one_of([*SMALL, *SCALE])})(?!\w)"
CLAUSE_END = r"\s?(?:[.,;:!?)\]]|\Z)"
