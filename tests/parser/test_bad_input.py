"""Whatever a text is, it gets a parse or a named reason, and the texts beside it are unaffected."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parses import read_back
from tiny import trained

from eqparse.parser import batch, texts
from eqparse.parser.limits import REASONS, Limits, check_text, reason

pytestmark = pytest.mark.pipeline

GOOD = "The oak is 12 feet taller than the birch."
REFUSED = {
    "empty": ("", "empty"),
    "white space": (" \t\n\u3000\u00a0", "empty"),
    "nothing that is seen": ("\ufeff\u200b \u2060\x00", "empty"),
    "None": (None, "empty"),
    "NaN": (float("nan"), "empty"),
    "a number": (12, "not_text"),
    "bytes": (b"The oak is 12 feet tall.", "not_text"),
    "a list": (["a", "b"], "not_text"),
    "no number": ("The oak is taller than the birch.", "no_number"),
    "a word": ("Hello", "no_number"),
    "a number alone": ("7", "no_noun_phrase"),
    "no noun phrase": ("7 plus 5 is 12.", "no_noun_phrase"),
    "10,000 words": ("tall " * 10_000, "too_long"),
    "an endless word": ("a" * 1_000_000, "too_long"),
    "many short tokens": ("3 . " * 900, "too_long"),
    "half a character": ("The \ud83d oak is 12 feet tall.", "not_unicode"),
    "300 noun phrases": ("the oak, " * 160 + "12", "too_many_candidates"),
    "70 numbers": ("The oaks are " + " and ".join(map(str, range(70))), "too_many_quantities"),
    "emoji": ("🌳🌳🌳", "no_number"),
    "another script": ("木は高いです。", "no_number"),
    "what a reader refused": (reason("not_utf8", "byte 0xff at 0"), "not_utf8"),
}
ODD = {
    "NUL": "The oak is\x00 12 feet taller than the birch.",
    "control characters": "\x01The oak\x07 is 12 feet \x1b[31mtaller than the birch.\x7f",
    "emoji": "The 🌳 is 12 feet taller than the 🌲.",
    "another script": "Дуб на 12 метров выше берёзы.",
    "right to left": "شجرة البلوط أطول من 12 البتولا",
    "combining marks": "The oa\u0301\u0323\u0301k is 12 fe\u0308et taller",
    "several sentences": f"{GOOD} {GOOD} It rained.",
    "60 numbers": "The oaks are " + " and ".join(map(str, range(60))),
    "a long word": f"The {'oak' * 1000} is 12 feet taller than the birch.",
    "a long number": f"The oak is {'9' * 300} feet taller than the birch.",
    "zeros": "The oak is 0 divided by 0 of the birch.",
    "markup": "<b>The oak</b> is 12&nbsp;ft {taller} $than$ \\the birch",
    "line ends": "The oak\r\nis 12\n\nfeet taller\u2028than the birch",
}


def check(parse, text):
    """What holds for any answer."""
    assert parse.text == (text if isinstance(text, str) else "")
    if parse.equation is None:
        assert parse.reason_code in REASONS and parse.reason.startswith(REASONS[parse.reason_code])
        assert parse.variables == {} and parse.score is None
    else:
        assert parse.reason == parse.reason_code == ""
        assert read_back(parse).variables == parse.variables
        assert set(parse.equation.variables) == set(parse.variables)
    assert isinstance(str(parse), str) and "\n" not in str(parse)


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_that_cannot_be_parsed_gets_the_reason(name):
    text, code = REFUSED[name]
    parse = trained()(text)
    check(parse, text)
    assert (parse.equation, parse.reason_code) == (None, code)


@pytest.mark.parametrize("name", ODD)
def test_an_odd_text_gets_an_answer(name):
    parse = trained()(ODD[name])
    check(parse, ODD[name])
    known = ("", "no_number", "no_noun_phrase", "too_many_leaves", "several_sentences", "unreadable_number",
             "no_equation")
    assert parse.reason_code in known


def test_sixty_numbers_are_more_than_a_tree_holds():
    assert trained()(ODD["60 numbers"]).reason_code in ("", "too_many_leaves")


def test_a_long_sentence_of_prose_is_parsed():
    clause = "the old stone bridge over the river near the mill on the road to the northern harbour"
    text = f"By the county's latest survey, {clause} is 14 metres longer than " + ", ".join([clause] * 5)
    sentence = trained().annotator([text])[0]
    assert len(sentence) > 110
    assert trained()(text).equation is not None


def test_texts_of_a_batch_do_not_influence_each_other():
    parser = trained()
    texts = [GOOD]
    for text in [text for text, _ in REFUSED.values()] + list(ODD.values()):
        texts += [text, GOOD]
    parses = parser.parse_batch(texts, batch_size=20)
    alone = parser(GOOD)
    assert alone.equation is not None
    assert parses[::2] == [alone] * len(parses[::2])
    assert parses[1::2] == [parser(text) for text in texts[1::2]]


def test_a_text_too_long_is_refused_before_the_pipeline_sees_it(monkeypatch):
    seen = []

    def annotate(self, texts):
        seen.extend(texts)
        return []

    monkeypatch.setattr(texts.Parser, "_annotate", annotate)
    assert trained()("tall " * 10_000).reason_code == "too_long"
    assert seen == []


def test_a_text_that_the_tokenizer_finds_too_long_is_not_annotated(monkeypatch):
    parser = trained()
    monkeypatch.setattr(type(parser.annotator), "stream", lambda *_: pytest.fail("annotated"))
    assert parser("*3" * 1900).reason_code == "too_long"


@pytest.mark.parametrize("step", ["annotate", "find", "parse"])
def test_a_fault_loses_only_the_text_that_has_it(monkeypatch, step):
    parser = trained()
    bad = GOOD.replace("oak", "cursed oak")

    def fail_on(cursed, real):
        def run(items):
            items = list(items)
            if any(cursed(item) for item in items):
                raise RuntimeError("a fault")
            return real(items)

        return run

    if step == "annotate":
        monkeypatch.setattr(parser, "_annotate", fail_on(lambda text: text == bad, parser._annotate))
    elif step == "find":
        monkeypatch.setattr(batch, "find_all", fail_on(lambda s: s.text == bad, batch.find_all))
    else:
        model = parser.equation_parser
        run = fail_on(lambda m: m.sentence.text == bad, model.parse_mentions)
        monkeypatch.setattr(model, "parse_mentions", run)
    first, failed, last = parser.parse_batch([GOOD, bad, GOOD])
    assert first == last and first.equation is not None
    assert failed.reason_code == "failed" and "RuntimeError: a fault" in failed.reason
    check(failed, bad)


@settings(max_examples=60)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=60), max_size=4))
def test_any_text_gets_an_answer(texts):
    for text, parse in zip(texts, trained().parse_batch(texts), strict=True):
        check(parse, text)


WORDS = "the oak 12 3.5 twice half % $ , . than as many and of is times more boats difference 1/2 - ( \u00a0"
WORDS = WORDS.split(" ")


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join), max_size=4))
def test_any_mix_of_words_gets_an_answer(texts):
    for text, parse in zip(texts, trained().parse_batch(texts), strict=True):
        check(parse, text)
        assert parse.reason_code != "failed", parse.reason


def test_thousands_of_brackets_never_reach_the_tokenizer():
    why = check_text("(" * 3600 + "3", Limits())
    assert why.code == "too_long" and "3601" in why.text
    assert check_text("An ordinary sentence (with 3 brackets) of U.S.-made steel.", Limits()) is None
