"""The values of number words and signs, and the pattern pieces that several modules share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from fractions import Fraction


def compiled(pattern: str) -> re.Pattern[str]:
    """A compiled pattern that ignores case, and white space in the pattern."""
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of these words, the longest that fits; letter by letter, which is several times as fast."""
    words = sorted(words, key=len, reverse=True)
    letters = all(word.isalpha() and word.islower() for word in words)
    return f"(?:{_tree(words) if letters else '|'.join(words)})"


def _tree(words: Sequence[str]) -> str:
    """What `one_of` means of words, with each beginning that several of them have written once."""
    ends: dict[str, list[str]] = {}
    for word in filter(None, words):
        ends.setdefault(word[0], []).append(word[1:])
    branches = "|".join(letter + _tree(rest) for letter, rest in ends.items())
    return f"(?:{branches}){'?' if '' in words else ''}" if len(ends) > 1 or "" in words and ends else branches


DIGIT_WORDS = "zero one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = {word: value for value, word in enumerate(DIGIT_WORDS + TEENS)}
SMALL |= dict.fromkeys("nought naught nil nowt".split(), 0)
SMALL |= {word: 10 * value for value, word in enumerate(TENS, start=2)}
SMALL |= {tens + word: SMALL[tens] + value for tens in TENS for value, word in enumerate(DIGIT_WORDS) if value}
SMALL |= {"threescore": 60, "fourscore": 80}
SMALL |= {"fourty": 40, "fivety": 50, "fivty": 50, "ninty": 90, "ninteen": 19}  # as people type them
SCALE = {"dozen": 12, "hundred": 100, "thousand": 10**3, "lakh": 10**5, "lac": 10**5, "million": 10**6}
SCALE |= {"crore": 10**7, "billion": 10**9, "trillion": 10**12, "quadrillion": 10**15, "quintillion": 10**18}
SCALE |= dict.fromkeys("hundered hunderd hundread".split(), 100)  # as people type them
SCALE |= dict.fromkeys("thousend thosand thousnd".split(), 1000) | {"milion": 10**6, "millon": 10**6}
SHORT_SCALE = {"thou": 10**3, "mn": 10**6, "mln": 10**6, "bn": 10**9, "bln": 10**9, "tn": 10**12, "trn": 10**12}
SHORT_SCALE |= {"mio": 10**6, "mrd": 10**9, "lpa": 10**5}  # on the Continent; "lakhs per annum"
LETTER_SCALE = {"k": 10**3, "m": 10**6, "mm": 10**6, "b": 10**9, "t": 10**12}  # where it cannot be a unit
LETTER_SCALE |= {"mil": 10**6, "mill": 10**6, "bil": 10**9}
LETTER_SCALE |= {"cr": 10**7, "l": 10**5}  # crore and lakh, of rupees
NOTES = {"fiver": 5, "fivers": 5, "tenner": 10, "tenners": 10}
COUNTED_SCALE = {"score": 20, "gross": 144, "grand": 1000} | NOTES  # not "a score of 12", "a grand piano"
ANY_SCALE = SCALE | {f"{word}s": value for word, value in SCALE.items()} | SHORT_SCALE | LETTER_SCALE | COUNTED_SCALE

PARTS = {"half": 2, "quarter": 4, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12}
PARTS |= {f"{word}th": SMALL[word] for word in ("four", "six", "seven", "ten", "eleven")}
PARTS |= {f"{word}th": SMALL[word] for word in TEENS[3:]}
PARTS |= {f"{word[:-1]}ieth": SMALL[word] for word in TENS}
PARTS |= {f"{word}th": SCALE[word] for word in ("hundred", "thousand", "million")} | {"hundreth": 100}
ORDINALS = PARTS.keys() - {"half", "quarter"}

PLURALS = {(f"{word[:-1]}ies" if word[-1] == "y" else f"{word}es" if word == "six" else f"{word}s"): value
           for word, value in SMALL.items() if 1 < value <= 12 or word in TENS}  # "four fives"

PENCE = {f"{word}pence": SMALL[word] for word in "two three four five six seven eight nine ten eleven".split()}
PENCE |= {"tuppence": 2, "thruppence": 3}

MULTIPLIERS = {"twice": 2, "thrice": 3} | dict.fromkeys("half halve halves halved halving".split(), Fraction(1, 2))
MULTIPLIERS |= dict.fromkeys("quartered quartering".split(), Fraction(1, 4))
MULTIPLIERS |= {
    stem + ending: value
    for stem, value in {"doubl": 2, "tripl": 3, "trebl": 3, "quadrupl": 4, "quintupl": 5, "sextupl": 6, "septupl": 7,
                        "octupl": 8, "dubbl": 2, "doubbl": 2, "trippl": 3, "trebbl": 3}.items()
    for ending in ("e", "es", "ed", "ing")
}  # fmt: skip
MULTIPLIERS |= {"doubel": 2, "twise": 2, "halfed": Fraction(1, 2), "hlaf": Fraction(1, 2)}  # as people type them
FOLDS = {f"{word}fold": value for word, value in (SMALL | SCALE).items()}
ISH = {f"{word.rstrip('e')}ish": value for word, value in SMALL.items() if value > 1}  # "twelvish", "fiftyish"
VULGAR = {sign: Fraction(unicodedata.numeric(sign)).limit_denominator(10) for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉", "0123456789+-0123456789")
SUPERSCRIPT = "[⁰¹²³⁴-⁹]"
_CIRCLED = map(chr, (*range(0x2460, 0x249C), *range(0x24EA, 0x2500), *range(0x2776, 0x2794)))  # with brackets, dots
CIRCLED = {sign: int(unicodedata.numeric(sign)) for sign in _CIRCLED if sign.isnumeric()}
CURRENCIES = "$€£¥₹₦₱₩₽₴₺₫₪฿₵"
CODES = r"""(?-i:Rs\.?|[SND]kr\.?|Rp\.?|[Kk]r\.?|Dhs?\.?|(?:[KTU][Ss]h|Shs?)\.?|Tk\.?|RM|RMB|CHF|SFr\.?|NOK|SEK|DKK|ISK
    |CZK|Kč|PLN|HUF|USD|EUR|GBP|AUD|CAD|NZD|SGD|HKD|INR|PKR|CNY|JPY|KRW|ZAR|AED|SAR|QAR|KES|NGN|BRL|MXN|RUB|ILS|THB|IDR)\s?(?=\d)
    |(?-i:R)(?=\d)"""  # also of the road "R61": `money.is_rand`
MINUS = "-−–\u2011\ufe63\uff0d"  # the hyphen first: elsewhere in a class of characters it would make a range

# 1.500,00 and 1.500.000, not a version or an address
CONTINENTAL = r"""(?<![\d.,])[1-9]\d{0,2}(?:(?:\.\d{3})++,\d\d?(?!\d|,\d)|\.\d{3}\.\d{3}(?:\.000)*(?!\.?\d|,\d))"""
GAP = r"(?:\s{1,3}|\s?[-\u2010\u2011]\s?)"  # bounded: a long blank run never lies inside one number
SCALES = one_of(SCALE)
WORD = rf"(?:{one_of([*SMALL, *SCALE])})(?!\w)"
FOLD_APART = r"""\sfold(?=\s(?:more|less|longer|higher|larger|greater|bigger|[a-z]+er\sthan|increase|rise|growth|drop
    |to|in|on|over)\b)"""
TIMES_WHAT = r"\s(?:as|the|that|those|what|his|her|its|their|my|our|[a-z]+er|more)\b"  # after "3x" and the like
CLAUSE_END = r"\s?(?:[.,;:!?)\]]|\Z)"
CLAUSE_ENDS = compiled(CLAUSE_END)
