"""An annotated sentence from whose text something is taken out."""

from __future__ import annotations

import numpy as np

from eqparse.text.annotate import Sentence, string_id
from eqparse.text.edited import Edited

SENTENCE = Sentence.from_words(
    ["The", "“", "old", "barn", "”", "…"], tags=["DT", "``", "JJ", "NN", "''", "."], heads=[1, 5, 3, 1, 3, 5],
)


def test_tokens_that_are_taken_out_leave_theirs_to_the_next_head_above():
    text = "The old barn"
    edit = Edited(SENTENCE.text)
    edit.text, edit.origin = text, [*range(4), *range(6, 9), 9, *range(10, 14)]
    left = SENTENCE.edited(edit)
    assert left.text == text and left.words == ["the", "old", "barn"]
    assert [text[a:b] for a, b in zip(left.start, left.end, strict=True)] == ["The", "old", "barn"]
    assert left.head.tolist() == [0, 2, 2]  # the quotation mark and the root above them are gone
    assert left.tag.tolist() == [string_id(tag) for tag in ("DT", "JJ", "NN")] and left.lower.dtype == np.uint64


def test_a_token_may_lose_a_part():
    sentence = Sentence.from_words(["barn[2", "]", "stands"], tags=["NN", ".", "VBZ"], heads=[2, 0, 2])
    edit = Edited(sentence.text)
    edit.text, edit.origin = "barn stands", [0, 1, 2, 3, 8, *range(9, 15)]
    assert sentence.edited(edit).words == ["barn", "stands"]
    assert sentence.edited(edit).lower.tolist() == [string_id("barn"), string_id("stands")]


def test_an_unchanged_text_is_the_sentence_itself():
    assert SENTENCE.edited(Edited(SENTENCE.text)) is SENTENCE
