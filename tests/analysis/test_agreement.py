"""`eqparse corpus agreement`: kappas by hand and by brute force, and the sentences to settle."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import SENTENCES, hand_made

from eqparse.analysis.agreement import agreement, disagreements, match_annotations
from eqparse.analysis.agreement.measures import CRITERIA, agrees, chance_agreement, kappa, one_phrase
from eqparse.analysis.agreement.pairs import categories, head_token, pair_annotations
from eqparse.commands.main import main
from eqparse.corpus import Example, write_jsonl
from eqparse.equation.equation import Equation
from eqparse.errors import DataError

MAST, TULIPS, PUMPS, SALT = hand_made(*SENTENCES)


def example(mentions, equation, name="1", **variables):
    text = mentions.sentence.text
    spans = {v: tuple((text.index(p), text.index(p) + len(p)) for p in phrases) for v, phrases in variables.items()}
    return Example(name, text, equation and Equation.parse(equation), spans, "some kind")


MAST_A = example(MAST, "V1 = 4 + V2", V1=["The mast"], V2=["the boat"])
SWAPPED = example(MAST, "V2 = 4 + V1", V2=["The mast"], V1=["the boat"])
NONE = example(MAST, None)


# --- Cohen's kappa


def test_kappa_by_hand():
    # po = 0.7; a says yes to half, b to 0.6: pe = 0.3 + 0.2
    items = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    assert kappa(items) == pytest.approx(0.4)
    # three categories: po = 3 / 5, pe = (2 * 1 + 2 * 2 + 1 * 2) / 25
    assert kappa([("x", "x"), ("x", "y"), ("y", "y"), ("y", "z"), ("z", "z")]) == pytest.approx((15 - 8) / (25 - 8))
    assert kappa([(0, 1), (1, 0)]) == -1
    assert kappa([(0, 0), (1, 1)]) == 1
    assert kappa([(0, 0)] * 3) is None and kappa([]) is None


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz")), min_size=1, max_size=12))
def test_kappa_is_agreement_beyond_that_of_shuffled_answers(items):
    every = [Fraction(a == b) for (a, _), (_, b) in itertools.product(items, items)]
    expected, observed = sum(every) / len(every), Fraction(sum(a == b for a, b in items), len(items))
    if expected == 1:
        assert kappa(items) is None
    else:
        assert kappa(items) == pytest.approx(float((observed - expected) / (1 - expected)))
        assert kappa([(b, a) for a, b in items]) == pytest.approx(kappa(items))


# --- variables

PHRASES = [(0, 4), (0, 8), (2, 8), (5, 8), (10, 14)]
LISTS = st.lists(st.sampled_from(PHRASES), min_size=1, max_size=3, unique=True)


def test_criteria_by_hand():
    a, b = [(0, 8), (5, 8)], [(2, 8)]
    assert [agrees(a, b, criterion) for criterion in CRITERIA] == [False, True, False]
    assert [agrees(a, [(5, 8)], criterion) for criterion in CRITERIA] == [True, True, False]
    assert [agrees(a, [(0, 8), (2, 8)], criterion) for criterion in CRITERIA] == [True, True, True]
    assert not one_phrase((0, 4), (0, 9), "overlap") and one_phrase((0, 4), (0, 8), "overlap")


@given(LISTS, LISTS, st.sampled_from(CRITERIA))
def test_chance_is_the_mean_over_all_lists_that_could_be_drawn(a, b, criterion):
    def drawn(size):
        return [list(pick) for pick in itertools.combinations(PHRASES, size)]

    if criterion == "first":
        expected = [x in b and y in a for x, y in itertools.product(PHRASES, PHRASES)]
        mean = sum(expected) / len(expected)
    else:
        first = [agrees(a, other, criterion) for other in drawn(len(b))]
        second = [agrees(other, b, criterion) for other in drawn(len(a))]
        mean = (sum(first) / len(first) + sum(second) / len(second)) / 2
    assert chance_agreement(a, b, PHRASES, criterion) == pytest.approx(mean)


# --- pairs


def test_variables_are_paired_by_the_form_of_the_equation():
    both = pair_annotations(MAST_A, SWAPPED, MAST)
    assert both.naming == {"V1": "V2", "V2": "V1"} and both.a == both.b
    assert both.same_form and both.same_form_strict and both.equivalent


def test_the_form_of_the_equation_outweighs_the_spans():
    wrong = example(MAST, "V1 = 4 + V2", V1=["the boat"], V2=["The mast"])
    both = pair_annotations(MAST_A, wrong, MAST)
    assert both.naming == {"V1": "V1", "V2": "V2"}
    assert not agrees(both.a["V1"], both.b["V1"], "overlap")


def test_variables_that_may_be_exchanged_are_paired_by_their_spans():
    a = example(MAST, "V1 + V2 = 4", V1=["The mast"], V2=["the boat"])
    b = example(MAST, "V1 + V2 = 4", V1=["the boat"], V2=["The mast"])
    assert pair_annotations(a, b, MAST).naming == {"V1": "V2", "V2": "V1"}


def test_one_variable_meets_two():
    one = example(MAST, "V1 = 4", V1=["the boat"])
    assert pair_annotations(MAST_A, one, MAST).b == {"V2": one.variables["V1"]}
    assert pair_annotations(one, MAST_A, MAST).b == {"V1": MAST_A.variables["V2"], "V2": MAST_A.variables["V1"]}


def test_a_phrase_for_two_variables_has_a_category_of_its_own():
    a = example(PUMPS, "V1 + V2 = 90", V1=["Both pumps"], V2=["Both pumps"])
    b = example(PUMPS, "V1 + V2 = 90", V1=["Both pumps"], V2=["pumps"])
    both = pair_annotations(a, b, PUMPS)
    found = dict(zip([PUMPS.sentence.text[s:e] for s, e in both.phrases], categories(both, both.phrases), strict=True))
    assert found["Both pumps"] == ({"V1", "V2"}, {"V1"}) and found["pumps"] == (set(), {"V2"})


def test_the_head_of_a_phrase():
    text = SALT.sentence.text

    def head(phrase):
        return SALT.sentence.words[head_token(SALT.sentence, (text.index(phrase), text.index(phrase) + len(phrase)))]

    assert [head(p) for p in ("Half of the salt", "the salt", "salt", "of the salt", "he sal")] == [
        "half", "salt", "salt", "of", "salt",
    ]


# --- all together


def test_agreement_by_hand():
    ida_a = example(TULIPS, "V1 / 3 = V2", "2", V1=["tulips"], V2=["Jon"])
    ida_b = example(TULIPS, "V1 = 3 * V2", "2", V1=["Ida"], V2=["Jon"])
    pumps = example(PUMPS, None, "3")
    matched = match_annotations([MAST_A, ida_a, pumps, example(SALT, None, "4")], [
        SWAPPED, ida_b, pumps, example(SALT, "V1 = 7", "4", V1=["the salt"]),
    ])
    result = agreement(matched, [MAST, TULIPS, PUMPS, SALT])
    json.dumps(result)
    assert result["sentences"] == 4
    # po = 3/4; a states 2 of 4, b 3 of 4: pe = 3/8 + 1/8
    assert result["no_equation"] == {
        "agreed": [3, 4], "kappa": 0.5, "both_none": 1, "first_alone": 1, "second_alone": 0,
    }
    assert result["equation"] == {
        "same_form": [1, 2], "same_form_strict": [1, 2], "equivalent": [2, 2], "grounded": [1, 2],
    }
    # of 4 + 9 phrases, V1 is the mast by both, the tulips by a alone, Ida by b alone; V2 the boat and Jon by both;
    # each annotator: 2 for V1, 2 for V2, 9 for none
    assert (len(MAST.candidates), len(TULIPS.candidates)) == (4, 9)
    by_chance = (2 * 2 + 2 * 2 + 9 * 9) / 13**2
    assert result["groundings"]["agreed"] == [11, 13]
    assert result["groundings"]["kappa"] == pytest.approx((11 / 13 - by_chance) / (1 - by_chance))
    for name in CRITERIA:
        assert result["variables"][name] == {"agreed": [2, 2], "kappa": 1}


def test_perfect_agreement_and_none_at_all():
    same = agreement([(MAST_A, MAST_A), (NONE, NONE)], [MAST, MAST])
    assert same["groundings"]["kappa"] == same["heads"]["kappa"] == same["no_equation"]["kappa"] == 1
    other = example(MAST, "V1 = 4 + V2", V1=["feet"], V2=["4 feet longer"])
    apart = agreement([(MAST_A, other)], [MAST])
    assert apart["groundings"]["kappa"] < 0 and apart["variables"]["common"]["kappa"] < 0
    assert apart["variables"]["overlap"]["agreed"] == [0, 2] and apart["equation"]["grounded"] == [0, 1]
    bare = agreement([(NONE, NONE)], [MAST])
    assert bare["no_equation"] == {
        "agreed": [1, 1], "kappa": None, "both_none": 1, "first_alone": 0, "second_alone": 0,
    }
    assert bare["groundings"] == {"agreed": [0, 0], "kappa": None}
    assert bare["variables"]["first"] == {"agreed": [0, 0], "kappa": None}


def test_an_article_more_or_less_has_one_head():
    shorter = example(MAST, "V1 = 4 + V2", V1=["mast"], V2=["boat"])
    found = agreement([(MAST_A, shorter)], [MAST])
    assert found["heads"]["kappa"] == 1 and found["groundings"]["kappa"] < 0.5
    # 4 characters of 8 overlap by half
    assert [found["variables"][name]["agreed"] for name in CRITERIA] == [[0, 2], [2, 2], [0, 2]]


def test_the_sentences_to_settle():
    def differ(a, b, mentions=MAST):
        return [record["differ"] for record in disagreements([(a, b)], [mentions])]

    assert differ(MAST_A, SWAPPED) == differ(NONE, NONE) == []
    assert differ(MAST_A, NONE) == differ(NONE, MAST_A) == [["no equation"]]
    moved = example(MAST, "V1 - 4 = V2", V1=["The mast"], V2=["the boat"])
    assert differ(MAST_A, moved) == [["form"]]
    turned = example(MAST, "V1 + 4 = V2", V1=["The mast"], V2=["the boat"])  # of one form, the other way round
    assert differ(MAST_A, turned) == [["V1: no common phrase", "V2: no common phrase"]]
    assert differ(MAST_A, example(MAST, "V1 = 4 * V2", V1=["The mast"], V2=["the boat"])) == [["relation"]]
    longer = example(MAST, "V1 = 4 + V2", V1=["mast", "The mast"], V2=["boat"])
    assert differ(MAST_A, longer) == [["V1: first phrase", "V2: no common phrase"]]
    more = example(MAST, "V1 = 4 + V2", V1=["The mast", "mast"], V2=["the boat", "boat"])
    assert differ(MAST_A, more) == []
    record = disagreements([(NONE, SWAPPED)], [MAST])[0]
    assert record == {
        "id": "1", "text": MAST_A.text, "kind": "some kind", "differ": ["no equation"],
        "a": {"equation": None, "variables": {}},
        "b": {"equation": "V2 = 4 + V1", "variables": {"V2": [[0, 8, "The mast"]], "V1": [[31, 39, "the boat"]]}},
    }


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ([example(MAST, None, "9")], "'9': expected in both annotations"),
        ([example(PUMPS, None)], "expected one text in both .*mast.*pumps"),
        ([], "expected sentences in the second"),
    ],
)
def test_annotations_of_other_sentences_are_refused(second, expected):
    with pytest.raises(DataError, match=expected):
        match_annotations([MAST_A], second)


def test_the_second_annotation_may_be_of_fewer_sentences():
    other = example(PUMPS, None, "2")
    assert match_annotations([MAST_A, other], [other]) == [(other, other)]


# --- the command


@pytest.mark.pipeline
def test_the_command(tmp_path, capfd):
    a, b, settle = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "settle.jsonl"))
    other = example(PUMPS, "V1 = 90", "2", V1=["pumps"])
    write_jsonl([MAST_A, other], a)
    write_jsonl([SWAPPED, example(PUMPS, None, "2")], b)
    assert main(["corpus", "agreement", str(a), str(b), "--disagreements", str(settle)]) == 0
    out, err = capfd.readouterr()
    assert err == "" and "1.000" in out and "1 of 2 (50.0 %)" in out
    assert [json.loads(line)["id"] for line in settle.read_text().splitlines()] == ["2"]
    assert main(["corpus", "agreement", str(a), str(b), "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert data["to_settle"] == 1 and data["groundings"]["kappa"] == 1


def test_the_command_refuses_what_does_not_fit(tmp_path, capfd):
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write_jsonl([MAST_A], a)
    write_jsonl([example(PUMPS, None)], b)
    assert main(["corpus", "agreement", str(a), str(b)]) == 2
    err = capfd.readouterr().err
    assert "expected one text" in err and str(a) in err and err.count("\n") == 1
    assert main(["corpus", "agreement", str(a), str(tmp_path / "none")]) == 2
    assert "nothing there" in capfd.readouterr().err
