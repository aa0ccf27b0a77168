"""A text with markup is parsed as the text without, and its phrases are clean and stand where they say."""

from __future__ import annotations

from functools import cache

import pytest
from marked_texts import MARKED

import eqparse

pytestmark = pytest.mark.pipeline
CASES = [(kind, marked, plain) for kind, pairs in MARKED.items() for marked, plain in pairs]
SIGNS = set("*_`~[]{}<>“”„«»‹›‘\"…†🏠🛖🔴⭐✅☕🎉")


@cache
def parser() -> eqparse.Parser:
    return eqparse.load()


@pytest.mark.parametrize(("kind", "marked", "plain"), CASES)
def test_markup_changes_no_equation_and_leaves_the_phrases_clean(kind, marked, plain):
    parse, expected = parser().parse_batch([marked, plain])
    assert expected.equation is not None and parse.text == marked
    assert (parse.equation, parse.score) == (expected.equation, expected.score)
    for label, phrases in expected.phrases.items():
        found = parse.phrases[label]
        assert len(found) == len(phrases)
        for phrase, whole in zip(found, phrases, strict=True):
            assert phrase == phrase.strip() and phrase in whole
            assert not SIGNS & set(phrase) and phrase.count("(") == phrase.count(")")
            assert phrase.lower() not in {"the", "a", "of", ""}
    assert set(parse.candidates) >= {span for spans in parse.variables.values() for span in spans}
    for trigger, other in zip(parse.triggers, expected.triggers, strict=True):
        if trigger.quantity is not None:
            assert marked[trigger.start : trigger.end] == plain[other.start : other.end]
            assert (trigger.quantity.start, trigger.quantity.end) == (trigger.start, trigger.end)
    assert parse.to_dict()["tree"] is not None
