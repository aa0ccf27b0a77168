"""Numerals in words: "three hundred and five", "two dozen", "nineteen eighty-four"."""

from __future__ import annotations

import re
from fractions import Fraction

from eqparse.text.numbers.context import CLOSED, COMPARED, word_after, word_before
from eqparse.text.numbers.fractions import denominator, is_part, part_after, read_article_part
from eqparse.text.numbers.lookalikes import after_digits, is_year
from eqparse.text.numbers.numeral import UNREAD, Numeral
from eqparse.text.numbers.ones import is_pronoun
from eqparse.text.numbers.pairs import (
    are_apart,
    counts_one_thing,
    is_lap,
    is_lasting,
    is_price,
    is_time,
    pair_of,
    stones,
    tens_last,
)
from eqparse.text.numbers.powers import power_of_ten, times_power_of_ten
from eqparse.text.numbers.scales import counted_scale, counts, scale_after
from eqparse.text.numbers.spoken import leading_point, point_after, spelt_out
from eqparse.text.numbers.tables import (
    CLAUSE_ENDS,
    COUNTED_SCALE,
    FOLD_APART,
    GAP,
    NOTES,
    ORDINALS,
    PARTS,
    SCALE,
    SCALES,
    SMALL,
    WORD,
    compiled,
    one_of,
)
from eqparse.text.numbers.word_values import value_of

_MULTIPLES = SCALE | NOTES | {"grand": 1000}
_RUN = compiled(rf"""(?P<a>an?{GAP}(?={SCALES}(?!\w)))?{WORD}
    (?:{GAP}(?:(?:and{GAP})?(?:{WORD}|{SCALES}s(?!\w))|oh(?={GAP}{one_of(SMALL)}(?!\w))))*+""")
_A_COUNTED = compiled(rf"an?\s({one_of(COUNTED_SCALE)})(?!\w)")
_AND_A_SCORE = compiled(rf"""\b(?:dozen|gross|score)\s(?:more|less|fewer|plus|minus)(?:\sthan)?\s\Z
    |\badd(?:ing)?\s(?:\d++|{one_of(SMALL)})\sto\s\Z""")
_SCORE_AND = compiled(r"\s(?:and|plus)\s(?:twice\s|half\s)?(?:an?|another|some)\snumber\b")
_SCORE_YEARS = compiled(rf"(?:three|four)score\syears\sand\s({one_of(SMALL)})(?!\w)")
_HALF_OF = compiled(rf"{GAP}and{GAP}a{GAP}(?:half|quarter)\s(?:of|more|fewer|less)\b")
_COINS = {"nickel": 5, "dime": 10}
_COIN = compiled(rf"an?{GAP}({one_of(_COINS)})(?!\w)")
_PAID = compiled(r"\b(?:by|up|down|plus|minus|costs?|pays?|paid|saves?|saved|charges?|charged)\s\Z")
_COUPLE = compiled(rf"""(?:a\s|(?<=another\s)|(?<=\slast\s)|(?<=\sfirst\s)|(?<=\snext\s)|(?<=\severy\s))couple
    (?:(?:\sof)?\s({one_of(_MULTIPLES)})(?!\w)|(?=\sof\b|\s(?:more|fewer|less)\b))""")
_COMPOUND = compiled(rf"""(?:(?P<article>an?)\s|(?P<upper>{one_of(SMALL)})\s|(?P<one>one)-)
    (?P<lower>(?:{one_of([*SMALL, *SCALE])}-(?:and-)?){{1,6}})
    (?P<last>first|second|{one_of(ORDINALS)})(?P<many>s)?(?!\w)""")
_FOLD = compiled(rf"-fold(?!\w)|{FOLD_APART}")
_FOLDED = compiled(rf"(?:[\s-]({one_of(SCALE)})|-({one_of(SMALL)}))fold(?!\w)")
_LETTERS = re.compile(r"[a-z]++", re.IGNORECASE)
_ORDINAL_TAIL = compiled(rf"""{GAP}(?:and{GAP})?(?:first|(?<!\s)second|{one_of(ORDINALS)})(?!\w)
    (?![\s-]grade)""")


def read_words(text: str, start: int, found: list[Numeral]) -> int:
    """Read a run of number words, perhaps several numbers: "one two", "five and six". Returns where to continue."""
    if past := _read_compound(text, start, found) or read_spelt(text, start, found):
        return past
    run = _RUN.match(text, start)
    tokens = list(_LETTERS.finditer(text, max(start, run.end("a")), run.end()))
    words = [token[0].lower() for token in tokens]
    numbers: list[tuple[int, int, int]] = []  # value, first word, word behind the last one
    index = 0
    while index < len(words):
        index += bool(numbers) and words[index] == "and"
        value, last = value_of(words, index)
        numbers.append((value, index, last))
        index = last
    if len(numbers) == 4 and words[numbers[2][1] - 1] == "and" and not are_apart(text, start, tokens[-1].end()):
        if pair_of(words[: numbers[1][2]], numbers[:2]):  # "between eighteen fifty and eighteen ninety"
            numbers, words, tokens = numbers[:2], words[: numbers[1][2]], tokens[: numbers[1][2]]
    starts = [start, *(tokens[first].start() for _, first, _ in numbers[1:])]
    end = tokens[-1].end()
    value = numbers[-1][0]
    if (weight := stones(text, start, end, words, [value for value, _, _ in numbers])) is not None:
        found.append(Numeral(weight, start, end, "word", "stone"))
        return end
    pair = pair_of(words, numbers) if len(numbers) in (2, 3) else None
    named_year = word_before(text, start) == "year" and pair and is_year(text, start, end, str(pair))
    if pair and (named_year or len(numbers) == 3 or not are_apart(text, start, end)):
        year = is_year(text, start, end, str(pair)) and (pair >= 1900 or not is_lap(text, start, end))
        if year or is_time(text, start, end, pair):
            return end
        if is_price(text, start, end, pair) or is_lasting(text, start, end, pair):
            found.append(Numeral(0, start, end, UNREAD))
            return end
        numbers, value = [], pair
    elif len(numbers) == 2 and tens_last(words, numbers) and counts_one_thing(text, start, end):
        numbers, value = [], numbers[0][0] + value
    elif len(numbers) == 1 and _is_year_in_words(text, start, end, value):
        return end
    for (each, _, last), begin in zip(numbers[:-1], starts, strict=False):
        found.append(Numeral(each, begin, tokens[last - 1].end(), "word"))
    return _close(text, found, value, starts[-1] if numbers else start, end)


def _is_year_in_words(text: str, start: int, end: int, value: int) -> bool:
    """Whether "two thousand and five" is a year: "the year two thousand", "opened in two thousand five."."""
    named = word_before(text, start) == "year"
    alone = value % 100 and (word_after(text, end) in CLOSED or CLAUSE_ENDS.match(text, end))
    return bool(named or alone) and is_year(text, start, end, str(value))


def read_article(text: str, start: int, end: int, found: list[Numeral]) -> int:
    """Read what begins with "a": "a third of", "a hundred and five", "a couple of". Returns where to continue."""
    if past := read_article_part(text, start, found) or _read_compound(text, start, found):
        return past
    if past := _read_couple(text, start, found):
        return past
    if (coin := _COIN.match(text, start)) and _is_amount(text, start, coin.end()):
        found.append(Numeral(_COINS[coin[1].lower()], start, coin.end(), "word", "cents"))
        return coin.end()
    if _RUN.match(text, start):
        return read_words(text, start, found)
    if (match := _A_COUNTED.match(text, start)) and counts(text, match[1], match.end()):
        if match[1].lower() != "score" or _is_twenty(text, start, match.end()):
            found.append(Numeral(COUNTED_SCALE[match[1].lower()], start, match.end(), "word"))
            return match.end()
    return end


def _is_amount(text: str, start: int, end: int) -> bool:
    """Whether the coin text[start:end] stands for its value: "a dime more", "up a nickel"."""
    alone = word_after(text, end) in CLOSED - {"a"} or CLAUSE_ENDS.match(text, end)
    return bool(COMPARED.match(text, end) or (alone and _PAID.search(text[max(0, start - 9) : start])))


def _is_twenty(text: str, start: int, end: int) -> bool:
    """Whether "a score" counts: "a score of eggs", "a dozen less than a score"."""
    counted = word_after(text, end) in ("of", "more", "fewer", "less", "short", "shy") or _HALF_OF.match(text, end)
    return bool(counted or _AND_A_SCORE.search(text[:start]) or _SCORE_AND.match(text, end))


def read_spelt(text: str, start: int, found: list[Numeral]) -> int:
    """Read digits spelt out with "double" or "triple". Returns where to continue, or 0."""
    if spelt := spelt_out(text, start):
        found.append(Numeral(spelt[0], start, spelt[1], "word"))
        return spelt[1]
    return 0


def read_couple(text: str, start: int, end: int, found: list[Numeral]) -> int:
    """Read "a couple" before "of" and the like: not "the couple". Returns where to continue."""
    return _read_couple(text, start, found) or end


def _read_couple(text: str, start: int, found: list[Numeral]) -> int:
    match = _COUPLE.match(text, start)
    if match is None:
        return 0
    found.append(Numeral(2 * _MULTIPLES.get((match[1] or "").lower(), 1), start, match.end(), "word"))
    return match.end()


def read_point(text: str, start: int, end: int, found: list[Numeral]) -> int:
    """Read "point five" at the start of a number. Returns where to continue."""
    if point := leading_point(text, start):
        decimals, factor, end = point
        found.append(Numeral(decimals * factor, start, end, "word"))
    return end


def _read_compound(text: str, start: int, found: list[Numeral]) -> int:
    """Read "one sixty-fourth", "three two-hundredths" or "a nine-hundredth of". Returns where to continue, or 0."""
    match = _COMPOUND.match(text, start)
    if match is None:
        return 0
    upper = SMALL[match["upper"].lower()] if match["upper"] else 1
    if not 0 < upper < 20 or bool(match["many"]) != (upper > 1):
        return 0
    last = match["last"].lower()
    if (upper == 1 or last == "second") and not is_part(text, start, match.end()):
        if match["article"] or word_after(text, match.end()) not in {"", *CLOSED}:
            return 0
    words = [word for word in match["lower"].lower().split("-") if word not in ("", "and")]
    size, size_last = value_of(words, 0)[0], {"first": 1, "second": 2, **PARTS}[last]
    below = size * size_last if size_last >= 100 else size + size_last
    found.append(Numeral(Fraction(upper, below), start, match.end(), "fraction"))
    return match.end()


def _close(text: str, found: list[Numeral], value: Fraction | int, start: int, end: int) -> int:
    """Read the last number of a run of words, with what may follow: a denominator, "point five", "score", "o'clock"."""
    kind, part = "word", part_after(text, end)
    if part and (value < 20 or part["many"]) and (below := denominator(text, value, part)):
        found.append(Numeral(Fraction(value) / below, start, part.end(), "fraction"))
        return part.end()
    if value >= 20 and (ordinal := _ORDINAL_TAIL.match(text, end)):  # "twenty-fifth"
        if ordinal[0] == "-second" and _is_lasting_seconds(text, start, ordinal.end()):
            found.append(Numeral(value, start, end, kind))
        return ordinal.end()
    if clock := after_digits(text, end):
        return clock
    folded = _FOLDED.match(text, end)
    if folded and (folded[1] or (value >= 20 and value % 10 == 0 and SMALL[folded[2].lower()] < 10)):
        value = value * SCALE[folded[1].lower()] if folded[1] else value + SMALL[folded[2].lower()]
        found.append(Numeral(value, start, folded.end(), "multiplier"))  # "two hundredfold", "twenty-fivefold"
        return folded.end()
    if value == 10 and (power := power_of_ten(text, start, end)):
        value, end = power
    elif power := times_power_of_ten(text, start, end):
        value, end = value * power[0], power[1]
    elif point := point_after(text, end):
        value, end = (value + point[0]) * point[1], point[2]
        if power := times_power_of_ten(text, start, end):
            value, end = value * power[0], power[1]
    elif words_end := _SCORE_YEARS.match(text, start):  # "threescore years and ten"
        value, end = value + SMALL[words_end[1].lower()], words_end.end()
    elif counted := counted_scale(text, end):
        value, end = value * counted[0] + counted[1], counted[2]
    elif scale := scale_after(text, start, end, ""):  # "six hundred K", "five mil"
        value, end = value * scale[0], scale[1]
    elif _FOLD.match(text, end):
        kind = "multiplier"
    elif text[start:end].lower() == "one" and is_pronoun(text, start, end):
        return end
    found.append(Numeral(value, start, end, kind))
    return end


def _is_lasting_seconds(text: str, start: int, end: int) -> bool:
    """Whether "thirty-second" is a length of time: "five thirty-second ads", not "the thirty-second time"."""
    noun = word_after(text, end)
    return noun not in CLOSED and (word_before(text, start) == "a" or noun.endswith("s"))
