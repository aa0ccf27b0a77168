"""Phrases of texts with odd spaces and with characters that nobody sees."""

from __future__ import annotations

import re

import pytest

from eqparse.text.edited import Edited
from eqparse.text.spans import printed, trimmed


@pytest.mark.parametrize("given, phrase, shown", [
    ("The  barn  ", "The  barn", "The barn"), ("\u00a0the\u00a0shed", "the\u00a0shed", "the shed"),
    ("the \r\n old\tshed\t", "the \r\n old\tshed", "the old shed"), ("sh\u00aded", "sh\u00aded", "shed"),
    ("The\x07 barn", "The\x07 barn", "The barn"), ("shed\x1f", "shed", "shed"), ("shed \x0b", "shed", "shed"),
    ("the shed\u200f.", "the shed", "the shed"), ("\ufeffThe barn", "The barn", "The barn"),
    ("the old\u2028shed", "the old\u2028shed", "the old shed"), ("x", "x", "x"), ("p.m.", "p.m.", "p.m."),
    ("\u200b", "\u200b", ""),
])
def test_a_phrase_is_trimmed_and_printed_with_single_spaces(given, phrase, shown):
    text = f"of {given} and"
    start, end = trimmed(text, 3, 3 + len(given))
    assert text[start:end] == phrase and printed(phrase) == shown


def test_what_nobody_sees_cuts_no_phrase():
    edited = Edited("sh\u00aded <b>old</b> barn")
    edited.take_out(re.compile("\u00ad|</?b>"))
    assert [edited.text[a:b] for a, b in edited.pieces(0, len(edited.text))] == ["shed ", "old", " barn"]
