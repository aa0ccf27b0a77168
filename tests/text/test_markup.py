"""Texts without their markup, and the way back to the places in the text given."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_texts import MARKED, UNMARKED
from tiny import ROOT

from eqparse.corpus import read_examples
from eqparse.text.edited import Edited
from eqparse.text.markup import strip_markup

CASES = [(kind, marked, plain) for kind, pairs in MARKED.items() for marked, plain in pairs]


def test_each_kind_has_ten_texts():
    assert all(len({marked for marked, _ in pairs}) >= 10 for pairs in MARKED.values())


@pytest.mark.parametrize(("kind", "marked", "plain"), CASES)
def test_markup_is_taken_out(kind, marked, plain):
    edited = strip_markup(marked)
    assert edited.text == plain
    for place, (character, start) in enumerate(zip(edited.text, edited.origin, strict=True)):
        assert marked[start] == character or not character.isalnum(), place
    assert edited.origin == sorted(edited.origin)
    assert strip_markup(plain).text == plain


@pytest.mark.parametrize("text", UNMARKED)
def test_what_is_no_markup_stays(text):
    edited = strip_markup(text)
    assert edited.text == text and edited.origin == list(range(len(text)))


AROUND = (
    ("**", "**"), ("*", "*"), ("***", "***"), ("_", "_"), ("__", "__"), ("`", "`"), ("==", "=="), ("{", "}"),
    ("[", "](http://a.example/x_2)"), ("[[", "]]"), ("<b>", "</b>"), ('<a href="x?n=3">', "</a>"), ("''", "''"),
    ('"', '"'), ("“", "”"), ("'", "'"), ("‘", "’"), ("«", "»"), ("„", "“"),
)
WORD = re.compile(r"(?<![\w$'’-])(?!(?:round|cause|bout|twas|tis|til)\b)[^\W\d_]{3,}(?![\w'’])", re.I)  # not "'round"
BEHIND = ("[2]", " (see note)", "[note 1]", "🏠", "†", "…", " ...", ")", "”", "[a]", "<sup>[3]</sup>")


def test_the_sentences_in_data_are_the_same_with_markup_anywhere():
    draw = random.Random(0)
    texts = [example.text for example in read_examples(ROOT / "data")]
    unmarked = [text for text in texts if strip_markup(text).text == text]
    assert len(unmarked) > 0.9 * len(texts)  # a few were written with markup, such as the stars of a review
    for text in unmarked:
        words = list(WORD.finditer(text))
        # where what is to be taken out might be another pair
        if words and not re.search(r"[\"();:]| [.,]|\w['’](?!\w)", text):
            word = draw.choice(words)
            before, after = draw.choice(AROUND)
            marked = text[: word.start()] + before + word[0] + after + text[word.end() :]
            assert strip_markup(marked).text == text, marked
            if re.match(r"\s[a-z]", text[word.end() :]):
                marked = text[: word.end()] + draw.choice(BEHIND) + text[word.end() :]
                assert strip_markup(marked).text == text, marked


def test_what_was_taken_out_is_known_by_place():
    edited = Edited("The **barn** is red.")
    edited.take_out(re.compile(r"\*+"))
    assert edited.text == "The barn is red." and edited.given == "The **barn** is red."
    assert edited.span(4, 8) == (6, 10) and edited.span(0, 8) == (0, 10)
    assert edited.pieces(0, 8) == [(0, 4), (4, 8)] and edited.pieces(8, 15) == [(8, 15)]
    assert edited.cut(3, 4) and edited.cut(8, 9) and not edited.cut(9, 12)
    edited.take_out(re.compile("r(?P<keep>e)d"), "R")
    assert edited.text == "The barn is Re." and edited.span(12, 14) == (16, 18)
    edited.take_out(re.compile("is|e"), lambda match: None if match[0] == "e" else "")
    assert edited.text == "The barn  Re."


@given(st.text("ab1 *_`[]()<>/\"'“”‘’.…-:🌳\n\u00b2&;", max_size=60))
def test_any_text_keeps_the_order_of_its_characters(text):
    edited = strip_markup(text)
    assert len(edited.text) == len(edited.origin) and edited.origin == sorted(edited.origin)
    for character, start in zip(edited.text, edited.origin, strict=True):
        assert character == text[start] or character in " .&"


@pytest.mark.parametrize(
    "piece", ["*", "[ ", "( ", "<b ", "<!--", '"a ', "'a ", " [1]", "[a](", "**a", "- ", "🌳 ", "…", "(see ", "_a"]
)
def test_long_runs_of_marks_take_no_time(piece):
    begin = time.process_time()
    strip_markup(piece * (4000 // len(piece)))
    assert time.process_time() - begin < 2


@pytest.mark.parametrize("blank", [" ", "\n"])
def test_a_long_run_of_blanks_takes_no_time(blank):
    begin = time.process_time()
    assert strip_markup(f"*Twice* a number{blank * 30_000}) is 8.").text.split() == "Twice a number is 8.".split()
    assert time.process_time() - begin < 2


@pytest.mark.parametrize("text, plain", [
    ("Twice $x$ is 14.", "Twice x is 14."),
    ("$x$ is 3 more than $y$.", "x is 3 more than y."),
    (r"Twice \(x\) plus 3 is 14.", "Twice x plus 3 is 14."),
    (r"\[ x \] is 14.", "x is 14."),
    ("A pen costs $5 and a pad $6 more.", "A pen costs $5 and a pad $6 more."),
    ("<script>alert(1)</script>Twice a number is 8.", "Twice a number is 8."),
    ("<style>p {x: 3}</style>Twice a number is 8.", "Twice a number is 8."),
    ("<foo>The barn</foo> is 10 metres longer.", "The barn is 10 metres longer."),
    ("The <x-note id='3'>barn</x-note> is 10 metres longer.", "The barn is 10 metres longer."),
    ("a < b and c > 3", "a < b and c > 3"),
    ("1) Twice a number is 8. 2) Half a number is 3.", "1) Twice a number is 8. 2) Half a number is 3."),
    ("Ex 2) Twice a number is 8.", "Ex 2) Twice a number is 8."),
    ("The hill is 1<sup>3</sup>/<sub>4</sub> km high.", "The hill is 1 3/4 km high."),
    ("The rod is 3<sup>2</sup> cm long.", "The rod is 3^2 cm long."),
    ("The hut is 4 m taller than the tent.^[12]", "The hut is 4 m taller than the tent."),
    ("#7 b) Twice a number is 8. 3 ) Half of it is 4.", "#7 b) Twice a number is 8. 3 ) Half of it is 4."),
    ("The barn) is 3 metres longer, or 4), than the shed.", "The barn is 3 metres longer, or 4, than the shed."),
])
def test_marks_of_maths_and_unknown_tags(text, plain):
    assert strip_markup(text).text == plain
