"""The unit that goes with a number: as the text writes it, and as pint or ISO 4217 name it.

For people and for programs that go on with an answer; no feature reads it, so a change here needs no new training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eqparse.text.numbers.context import CLOSED
from eqparse.text.numbers.tables import CODES, CURRENCIES, compiled
from eqparse.text.numbers.units import CURRENCY_NEXT, FACTORS, MEASURES, measure, unit_end
from eqparse.text.quantities import Quantity
from eqparse.text.spans import Span
from eqparse.text.unit_names import BY_MEASURE, DOUBTFUL, FURTHER, MONEY, unit_name

_SIGN_BEFORE = compiled(rf"(?:(?-i:US|AU|CA|NZ|HK|[ACS])?[{CURRENCIES}]|{CODES})\s?")
_FIRST_DIGIT = re.compile(r"\d")
_FURTHER = re.compile(rf"(?:\s|-)?({'|'.join(sorted(map(re.escape, FURTHER), key=len, reverse=True))})(?!\w)")
_NOT_UNITS = compiled(r"""[\s-](?:yard\ssales?|foot\s(?:soldiers?|bridges?)|day\s(?:passes|pass|trips?|tickets?)
    |minute\ssteaks?|(?:hour|minute|second)\shands?|mile\smarkers?|pound\scoins?)(?!\w)""")
_STERLING = compiled(r"[\s-]?pounds?\ssterling(?!\w)")
_RATE = compiled(r"""\s?/\s?|\s(?:per|an?|each|every)\s|\s(?:for|to|in)\s(?:an?|each|every)\s
    |\s(?P<end>each|apiece)(?!\w)""")
_TIMES_AFTER = compiled(r"[\s-](?:times|fold)(?!\w)")
_TIMES_BEFORE = compiled(r"\b(?:times|multiplied\sby|divided\sby|factor\sof)\s\Z")
_WORDS = re.compile(r"[\s-]([^\W\d_]+(?:-[^\W\d_]+)*)(?![\w'’])")
_IN_CHARACTERS = re.compile(r"[^\W\d_]+")
_PLURALS = frozenset("people men women children sheep fish mice geese teeth".split())
_NO_NOUNS = CLOSED | frozenset(
    """times number numbers integer integers value values amount amounts figure figures percent percentage exceeds comes
    remains leaves costs needs takes yields becomes equals results represents always perhaps plus minus others ones was
    halves thirds quarters fifths tenths this its us""".split()
)
_STOPS = _NO_NOUNS - frozenset("old good extra short long tall deep high wide strong more fewer less last past".split())


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of a number.

    text: as written ("metres", "$", "km/h", "eggs"); None if the text has none.
    symbol: what pint can read, an ISO code, or "$"; None if it is none of them, or may mean something else.
    sort: equal for the same unit in another spelling; "" for a pure number, such as that of "twice", "3 times" or
        "5 %"; None where it cannot be told, as for a number alone, which may count anything.
    """

    text: str | None
    symbol: str | None
    sort: str | None

    @property
    def name(self) -> str | None:
        """pint's name for it ("meter", "kilometer / hour", "percent"), an ISO code ("EUR"), or "$"; None if there is
        none, and of pint's if pint, the extra `units`, is not installed.
        """
        return unit_name(self.symbol)


def unit_of(text: str, quantity: Quantity, candidates: Sequence[Span] = ()) -> Unit:
    """The unit of a number of a text.

    candidates: the spans of the text's noun phrases, which tell the noun of a number ("12 red apples").
    """
    pure = quantity.kind in ("multiplier", "fraction") or _is_factor(text, quantity)
    if quantity.kind == "multiplier" or _TIMES_AFTER.match(text, quantity.end):
        return Unit(None, None, "")
    before, end = _sign_before(text, quantity), quantity.end
    if before:
        unit = _money(before)
    elif inside := _inside(text, quantity):
        unit = _measured(inside, MEASURES[quantity.unit].name if quantity.unit in MEASURES else quantity.unit)
    else:
        unit, end = _after(text, quantity, candidates, noun=not pure)
    if unit is None:
        unwritten = BY_MEASURE.get(quantity.unit)  # the hour of 2:08:41
        return Unit(None, unwritten, unwritten or ("" if pure else None))
    if quantity.unit in FACTORS:
        percent = unit.text if quantity.unit == "%" and not unit.text.lower().endswith(("s", "pp")) else None
        return Unit(unit.text, percent and "percent", None if quantity.unit == "cents" else "")
    return _with_rate(text, unit, end)


def _is_factor(text: str, quantity: Quantity) -> bool:
    return bool(_TIMES_BEFORE.search(text[max(0, quantity.start - 16) : quantity.start]))


def _sign_before(text: str, quantity: Quantity) -> str:
    """The currency before the digits or between them ("2€49"), or ""."""
    digit = _FIRST_DIGIT.search(text, quantity.start, quantity.end)
    if digit is None:
        return ""
    for at in range(max(0, digit.start() - 6), digit.start()):
        found = _SIGN_BEFORE.match(text, at)
        if found and found.end() == digit.start() and not text[max(0, at - 1) : at].isalnum():
            return found[0].strip()
    return next((c for c in text[digit.start() : quantity.end] if c in CURRENCIES), "")


def _money(written: str) -> Unit:
    word = written.lower().removesuffix("s")
    symbol = MONEY.get(written) or MONEY.get(word) or (written if len(written) == 3 and written.isupper() else None)
    return Unit(written, symbol, symbol or f"a {word}")


def _inside(text: str, quantity: Quantity) -> str | None:
    """The word for a number's unit within its own characters: "half an hour", "5 ft 10", "a goal and a half"."""
    if not quantity.unit or quantity.unit in FACTORS:
        return None
    shown = text[quantity.start : quantity.end]
    names = {quantity.unit, *(word for word, symbol in MONEY.items() if symbol == MONEY.get(quantity.unit))}
    names |= {"pound"} if quantity.unit == "£" else set()
    for word in _IN_CHARACTERS.findall(shown):
        known = MEASURES.get(word) or MEASURES.get(word.lower())
        if (known.name if known else word.lower()) in names:
            return word
    return next((c for c in shown if c in "'’′"), None) if quantity.unit == "foot" else None


def _measured(word: str, name: str) -> Unit:
    """A unit of measure or a noun in its singular."""
    if name in MONEY:
        return Unit(word, MONEY[name], MONEY[name])
    symbol = None if word.lower() in DOUBTFUL else BY_MEASURE.get(name)
    return Unit(word, symbol, symbol or f"a {name}")


def _after(
    text: str, quantity: Quantity, candidates: Sequence[Span], *, noun: bool
) -> tuple[Unit | None, int]:
    """The unit behind a number, and where it ends. noun: whether any noun is one."""
    at = quantity.end
    if _NOT_UNITS.match(text, at):
        return _counted(text, quantity, candidates)
    if further := _FURTHER.match(text, at):
        symbol = FURTHER[further[1]]
        return Unit(further[1], symbol, symbol), further.end()
    if money := _STERLING.match(text, at) or CURRENCY_NEXT.match(text, at):
        if money[0].strip(" -").lower() not in ("pound", "pounds"):  # of money or of mass
            return _money(money[0].strip(" -")), money.end()
    end = unit_end(text, at)
    if end == at:
        return _counted(text, quantity, candidates) if noun else (None, at)
    written, known = text[at:end].strip(" -"), measure(text, at)
    if known is None:  # percent, cents, dollars
        return _money(written), end
    return _measured(written, known[0].name), end


def _counted(text: str, quantity: Quantity, candidates: Sequence[Span]) -> tuple[Unit | None, int]:
    """The noun that a number counts: the last word of its phrase, or without a phrase the plural right behind it."""
    at = quantity.end
    limit = min((b for a, b in candidates if a <= quantity.start and b > at), default=None)
    nouns = []
    while (word := _WORDS.match(text, at)) and word[1].lower() not in _STOPS and word.end() <= (limit or word.end()):
        at = word.end()
        if word[1].lower() not in _NO_NOUNS:
            nouns.append(word)
        if limit is None:
            break
    if not nouns or (limit is None and not _is_plural(nouns[0][1].lower())):
        return None, quantity.end
    noun = nouns[-1][1]
    return Unit(noun, None, f"a {noun.lower().removesuffix('s')}"), nouns[-1].end()


def _is_plural(word: str) -> bool:
    return (word.endswith("s") and not word.endswith(("ss", "us")) and len(word) > 3) or word in _PLURALS


def _with_rate(text: str, unit: Unit, end: int) -> Unit:
    """The unit with what it is reckoned by: "miles an hour" is one; of any other rate nothing can be told."""
    rate = _RATE.match(text, end)
    if rate is None:
        return unit
    per = None if rate["end"] else measure(text, rate.end())
    below = per and BY_MEASURE.get(per[0].name)
    if not below or unit.symbol not in BY_MEASURE.values():
        return Unit(unit.text, unit.symbol, None)
    at = text.rindex(unit.text, 0, end)
    symbol = f"{unit.symbol} / {below}"
    return Unit(text[at : per[1]], symbol, symbol)
