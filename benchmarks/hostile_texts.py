"""Texts that nobody means well with, for `attack.py`: what a parser should refuse with a reason, or read."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

PIECES = (
    "NaN", "-Infinity", "1e999", "-1e-999", "9" * 400, "0." + "0" * 400 + "1", "1/0", "0/0", "1,,2", "1.2.3.4", "--5",
    "10^10^10", "3 × 10^99999", "0x1F", "1e", "½⅓¼", "٣٤٥", "五", "Ⅻ", "²³", "12 345 678 901 234 567 890", "5 % %",
    "$$5", "a dozen dozen dozen", "half a half of a half", "minus minus 3", "twice twice twice",
    "one hundred thousand million", '{"a": [1, {"b": null}]}', "<script>alert(3)</script>", "<b><i><u>4</u>",
    "&#x33; &amp; &lt;", "'; DROP TABLE t; --",
    "%s%n%x %(a)s", "{0.__class__} {}", "${jndi:ldap://x/3}", "$(rm 3)", "`3`", "\\u0000\\x00", "[[3|4]] [5](6) ![7]",
    "**" * 40, "__" * 40, "[1][2][3]", "(see note 3)", "```\n3\n```", "> > > 3", "| 3 | 4 |", "\\frac{3}{4}", "$3 + 4$",
    "\ufeff", "\u200b", "\u202e3 4\u202c", "\u2028", "\x00", "\ud800", "\U0010ffff", "\r\n\r\n", "👩‍👩‍👧 3️⃣",
)
RANGES = (
    (0x0, 0x20), (0x7F, 0xA0), (0x300, 0x370), (0x590, 0x780), (0x200B, 0x2070), (0x2150, 0x2190), (0x2200, 0x2300),
    (0x4E00, 0x4F00), (0xD800, 0xE000), (0xFE00, 0x10000), (0x1D7CE, 0x1D800), (0x1F300, 0x1F700), (0xE0000, 0xE0080),
    (0x0, 0x110000),
)

Draw = random.Random
Maker = Callable[[Draw, Sequence[str]], object]


def characters(draw: Draw, corpus: Sequence[str]) -> str:
    """Characters of one range of Unicode or of all planes, surrogates among them."""
    start, end = draw.choice(RANGES)
    return "".join(chr(draw.randrange(start, end)) for _ in range(draw.randrange(1, 200)))


def sprinkled(draw: Draw, corpus: Sequence[str]) -> str:
    """A sentence with such characters strewn in."""
    text = list(draw.choice(corpus))
    for character in characters(draw, corpus)[:30]:
        text.insert(draw.randrange(len(text) + 1), character)
    return "".join(text)


def combined(draw: Draw, corpus: Sequence[str]) -> str:
    """A sentence with heaps of combining marks."""
    marks = [chr(code) for code in range(0x300, 0x370)]
    return "".join(c + "".join(draw.choices(marks, k=draw.randrange(4))) for c in draw.choice(corpus))


def long_word(draw: Draw, corpus: Sequence[str]) -> str:
    """A word without an end, alone or in a sentence."""
    word = draw.choice(("a", "1", "1,", "-", "ab-", ".", "é", "0.", "'", "9e")) * draw.randrange(10, 3000)
    return word if draw.random() < 0.3 else replaced(draw, draw.choice(corpus), word)


def padded(draw: Draw, corpus: Sequence[str]) -> str:
    """A sentence with a few blanks, of one kind or of several, that are up to thousands long, as in pasted tables."""
    words = draw.choice(corpus).split(" ")
    blanks = draw.choice((" ", "\t", "\n", "\u00a0", "\u3000", "\u200b", " \u200b", " \t\n\r", " .", " ,"))
    for at in draw.choices(range(len(words)), k=draw.randrange(1, 4)):
        words[at] += blanks * draw.randrange(3000)
    return " ".join(words)


def brackets(draw: Draw, corpus: Sequence[str]) -> str:
    """A sentence in or beside many brackets, in pairs or not."""
    left, right = draw.choice(("()", "[]", "{}", "<>", "«»", "“”", "**", "__"))
    many = draw.randrange(1, 1500)
    return left * many + draw.choice(corpus) + right * draw.choice((many, many - 1, 0))


def numbers(draw: Draw, corpus: Sequence[str]) -> str:
    """Numbers by the thousand, as digits or as words."""
    kinds = ["3", "4.5", "1,000", "7 %"], ["two", "half", "million", "and", "dozen"], ["5-6", "1/2", "-3"]
    words = draw.choice(kinds)
    return draw.choice((" ", ", ", " and ", "-")).join(draw.choices(words, k=draw.randrange(1, 1200)))


def pieces(draw: Draw, corpus: Sequence[str]) -> str:
    """Malformed numbers, markup, code and format strings, alone or in a sentence."""
    text = draw.choice(corpus)
    for _ in range(draw.randrange(1, 4)):
        text = replaced(draw, text, draw.choice(PIECES))
    return text if draw.random() < 0.8 else " ".join(draw.choices(PIECES, k=draw.randrange(1, 20)))


def mutated(draw: Draw, corpus: Sequence[str]) -> str:
    """Words of two sentences dropped, doubled, moved and swapped."""
    words = draw.choice(corpus).split(" ") + draw.choice(corpus).split(" ")[: draw.randrange(12)]
    for _ in range(draw.randrange(1, 8)):
        at, to = draw.randrange(len(words)), draw.randrange(len(words))
        how = draw.randrange(4)
        if how == 0 and len(words) > 1:
            del words[at]
        elif how == 1:
            words.insert(to, words[at])
        elif how == 2:
            words[at], words[to] = words[to], words[at]
        else:
            words[at] = words[at][::-1].swapcase()
    return draw.choice((" ", " ", " ", "  ", "\n", "\t", "")).join(words)


def nothing(draw: Draw, corpus: Sequence[str]) -> object:
    """Nothing, white space, or what is no text at all."""
    return draw.choice(("", " ", "\n\t", "\u3000" * 9, ".", "?!" * 99, None, 3, b"3 4", ["3"], float("nan")))


MAKERS: tuple[Maker, ...] = (
    characters, sprinkled, combined, long_word, padded, brackets, numbers, pieces, pieces, mutated, mutated, mutated,
    nothing,
)


def replaced(draw: Draw, text: str, piece: str) -> str:
    """The text with a piece in the place of a word, or between two."""
    words = text.split(" ")
    at = draw.randrange(len(words))
    words[at : at + draw.randrange(2)] = [piece]
    return " ".join(words)


def hostile_texts(draw: Draw, corpus: Sequence[str], count: int) -> list[tuple[str, object]]:
    """The kind and the text of each of `count` hostile texts."""
    makers = [draw.choice(MAKERS) for _ in range(count)]
    return [(maker.__name__, maker(draw, corpus)) for maker in makers]
