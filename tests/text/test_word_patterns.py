"""The pattern of a list of words finds what an alternation of them finds, from the longest to the shortest."""

from __future__ import annotations

import re

import pytest

from eqparse.text.numbers.tables import FOLDS, LETTER_SCALE, PARTS, SCALE, SMALL, TENS, one_of

LISTS = [[*SMALL, *SCALE], PARTS, FOLDS, LETTER_SCALE, TENS, ["six"], ["kg", "KG", "sq\\.?"], ["a", "an", "ab"]]


@pytest.mark.parametrize("words", LISTS)
@pytest.mark.parametrize("behind", ["", r"(?!\w)", r"[a-z]\b", "?x", "{2}y"])
def test_words_are_found_from_the_longest_to_the_shortest(words, behind):
    plain = "|".join(sorted(words, key=len, reverse=True))
    wanted, found = (re.compile(pattern + behind, re.IGNORECASE) for pattern in (f"(?:{plain})", one_of(words)))
    for word in words:
        for text in (word, word.upper(), word[:-1], f"{word}s", f"{word}x", f"{word}{word}y"):
            ours, theirs = (match and match.span() for match in (found.match(text), wanted.match(text)))
            assert ours == theirs, (text, found.pattern)
