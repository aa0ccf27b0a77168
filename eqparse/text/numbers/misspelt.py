"""Number words with a letter too many, too few or two exchanged: "threee", "twevle"."""

from __future__ import annotations

from collections.abc import Iterator

from eqparse.text.numbers.tables import SCALE, SMALL

_WORDS = frozenset("aught core cores even fort ought ores seen seer sever sores sven teen there thee tree".split())
"""English words that are one letter away from a number word."""


def _misspellings(word: str) -> Iterator[str]:
    for at in range(len(word)):
        yield word[: at + 1] + word[at:]
        if len(word) > 4:
            yield word[:at] + word[at + 1 :]
        if at + 1 < len(word) > 3:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


MISSPELT = frozenset(m for word in SMALL | SCALE for m in _misspellings(word)) - _WORDS - SMALL.keys()
"""What is not read, but stands for a number where one has its place."""
