"""Folds and near-duplicate groups, against a slow twin over all pairs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqparse.commands.main import main
from eqparse.corpus import (
    Example,
    assign_folds,
    folds_as_json,
    folds_file,
    near_duplicate_groups,
    read_folds,
    write_jsonl,
)
from eqparse.corpus.check import check_folds
from eqparse.corpus.folds import masked_tokens
from eqparse.errors import ConfigError, DataError


def corpus(texts):
    return [Example(str(number), text, None, {}) for number, text in enumerate(texts)]


WORDS = st.sampled_from("the ferry crate plums 3 twelve 0.5 , than costs a".split())
TEXTS = st.lists(st.lists(WORDS, max_size=7).map(" ".join), max_size=12)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("The ferry cost $62.50/ton .", "the ferry cost $ <num> / ton ."),
        ("Twenty-five crates, 3 million plums", "<num> crates , <num> plums"),
        ("a 5-mile walk in 1,200 steps.", "a <num> - mile walk in <num> steps ."),
        ("Half of it, 3.", "<num> of it , <num> ."),
        ("", ""),
    ],
)
def test_numbers_are_masked(text, masked):
    assert masked_tokens(text) == tuple(masked.split())


def groups_by_all_pairs(examples, threshold):
    tokens = [masked_tokens(example.text) for example in examples]

    def alike(i, j):
        ratios = (
            SequenceMatcher(None, *pair, autojunk=False).ratio()
            for pair in ((tokens[i], tokens[j]), (tokens[j], tokens[i]))
        )
        return max(ratios) >= threshold

    groups = [{i} for i in range(len(examples))]
    for i in range(len(examples)):
        for j in range(i):
            if alike(i, j):
                a, b = (next(group for group in groups if index in group) for index in (i, j))
                if a is not b:
                    a |= b
                    groups.remove(b)
    return sorted(sorted(group) for group in groups)


@given(TEXTS, st.sampled_from([0.5, 0.8, 1.0]))
@settings(max_examples=150)
def test_groups_agree_with_all_pairs(texts, threshold):
    examples = corpus(texts)
    assert near_duplicate_groups(examples, threshold) == groups_by_all_pairs(examples, threshold)


def test_chains_of_near_duplicates_are_one_group():
    words = "a b c d e f g h i j".split()
    chain = [" ".join(words[:i] + ["x"] * (10 - i)) for i in range(11)]
    assert near_duplicate_groups(corpus(chain)) == [list(range(11))]
    assert near_duplicate_groups(corpus([chain[0], chain[10]])) == [[0], [1]]


@given(TEXTS, st.integers(0, 5), st.integers(2, 4))
def test_grouped_folds_keep_groups_together(texts, seed, folds):
    examples = corpus(texts)
    groups = near_duplicate_groups(examples)
    if len(groups) < folds:
        with pytest.raises(DataError, match=f"{folds} folds need at least {folds} groups"):
            assign_folds(examples, method="grouped", seed=seed, folds=folds)
        return
    assigned = assign_folds(examples, method="grouped", seed=seed, folds=folds)
    assert set(assigned) == set(range(folds)) and len(assigned) == len(examples)
    assert all(len({assigned[index] for index in group}) == 1 for group in groups)
    sizes = Counter(assigned)
    # Greedy: the fullest fold was the smallest before its last, and smallest, group came.
    assert max(sizes.values()) - min(sizes.values()) <= max(map(len, groups))


@given(st.integers(0, 40), st.integers(0, 5), st.integers(2, 7))
def test_random_folds_are_even(count, seed, folds):
    examples = corpus(["the same sentence"] * count)
    if count < folds:
        with pytest.raises(DataError, match=f"{folds} folds need at least {folds} examples, found {count}"):
            assign_folds(examples, method="random", seed=seed, folds=folds)
        return
    sizes = Counter(assign_folds(examples, method="random", seed=seed, folds=folds))
    assert sorted(sizes) == list(range(folds)) and max(sizes.values()) - min(sizes.values()) <= 1


@pytest.mark.parametrize("method", ["random", "grouped"])
def test_the_seed_draws(method):
    examples = corpus(f"{letter * 9} {letter * 4}" for letter in "abcdefghijklmnopqrst")
    draws = {tuple(assign_folds(examples, method=method, seed=seed)) for seed in range(6)}
    assert len(draws) == 6


@pytest.mark.slow
def test_folds_are_the_same_in_every_process():
    program = (
        "from eqparse.corpus import Example, assign_folds\n"
        "texts = ['%s %s %d' % (a * 3, b * 2, i) for i, a in enumerate('abcdefgh') for b in 'xyz']\n"
        "examples = [Example(str(i), text, None, {}) for i, text in enumerate(texts)]\n"
        "print([assign_folds(examples, method=m, seed=3, folds=4) for m in ('random', 'grouped')])\n"
    )
    command = [sys.executable, "-c", program]
    outputs = set()
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        outputs.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(outputs) == 1


@pytest.mark.parametrize(
    "options", [{"method": "stratified"}, {"method": "random", "folds": 1}, {"method": "grouped", "folds": 0}]
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(ConfigError, match="expected"):
        assign_folds(corpus(["a", "b", "c"]), seed=0, **options)


@pytest.mark.parametrize("threshold", [0, -1, 1.1, float("nan")])
def test_thresholds_out_of_range_are_refused(threshold):
    with pytest.raises(ConfigError, match="threshold: expected"):
        near_duplicate_groups(corpus(["a"]), threshold)


def test_about_two_fifths_of_the_published_sentences_have_a_near_duplicate(shared):
    from eqparse.corpus import read_brat

    groups = near_duplicate_groups(read_brat(shared / "roy2016"))
    repeated = [len(group) for group in groups if len(group) > 1]
    assert 0.3 < sum(repeated) / sum(map(len, groups)) < 0.5 and max(repeated) <= 27


def test_a_file_of_folds_is_read_as_it_was_written(tmp_path):
    examples = corpus(["one", "two", "three"])
    (tmp_path / "folds.json").write_text(folds_as_json(examples, [2, 0, 1]))
    assert read_folds(tmp_path / "folds.json", examples[::-1]) == [1, 0, 2]
    assert read_folds(tmp_path / "folds.json", examples[:1]) == [2]
    assert check_folds(tmp_path, examples) == []
    assert [p.id for p in check_folds(tmp_path, examples[:1])] == ["1", "2"]


def test_folds_stand_beside_the_sentences(tmp_path):
    write_jsonl(corpus(["one"]), tmp_path / "sentences.jsonl")
    assert folds_file(tmp_path) == folds_file(tmp_path / "sentences.jsonl") == tmp_path / "folds.json"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"0": 1', "expected a JSON object"),
        ('{"0": 1, "0": 2}', "each key once"),
        ('{"0": -1}', "0 to 4, found -1"),
        ('{"0": 5}', "0 to 4, found 5"),
        ('{"0": 0, "another": 5}', "'another': expected a fold, 0 to 4"),
        ('{"0": true}', "0 to 4, found true"),
        ('{"0": "2"}', "0 to 4"),
        ('{"0": [' + "7, " * 5000 + "7]}", r"0 to 4, found \[7, "),
        ("{" + ", ".join(f'"{"k" * (n + 1)}": 0, "{"k" * (n + 1)}": 1' for n in range(500)) + "}", "'k' several times"),
        ("\xff", "UTF-8"),
        ('{"1": 0}', "found none for '0'"),
        ("[1]", "found a list"),
    ],
)
def test_a_bad_file_of_folds_is_refused(tmp_path, content, message):
    path = tmp_path / "folds.json"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(DataError, match=message) as error:
        read_folds(path, corpus(["one"]))
    assert "folds.json" in str(error.value) and "`eqparse corpus folds`" in str(error.value)
    (problem,) = check_folds(tmp_path, corpus(["one"]))
    assert len(str(problem)) < 700


def test_the_number_of_folds_may_be_another(tmp_path):
    (tmp_path / "folds.json").write_text('{"0": 2}')
    assert read_folds(tmp_path / "folds.json", corpus(["one"]), folds=3) == [2]
    with pytest.raises(DataError, match="0 to 1, found 2"):
        read_folds(tmp_path / "folds.json", corpus(["one"]), folds=2)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_folds_that_are_no_file_are_called_so(tmp_path, make):
    make(tmp_path / "folds.json")
    with pytest.raises(DataError, match="found a folder, a pipe or a device"):
        read_folds(tmp_path / "folds.json", corpus(["one"]))
    assert len(check_folds(tmp_path, corpus(["one"]))) == 1


def test_a_missing_file_of_folds_says_how_to_write_one(tmp_path):
    with pytest.raises(DataError, match="eqparse corpus folds"):
        read_folds(tmp_path / "folds.json", corpus(["one"]))


@pytest.mark.parametrize(("count", "method", "said"), [
    (0, "grouped", "found 0; add others"), (3, "grouped", "found 3; add others"), (3, "random", "found 3; add others"),
    (9, "grouped", "found 1; add others, or give the method random"),
])
def test_too_few_sentences_for_folds_name_the_file_and_what_to_do(tmp_path, count, method, said, capsys):
    texts = ["The kite is 3 yards above the shed." if count == 9 else f"{word} is 3." for word in "Oak Elm Fir".split()]
    examples = corpus([f"{texts[n % 3]}{'!' * n}" for n in range(count)])
    write_jsonl(examples, tmp_path / "some.jsonl")
    assert main(["corpus", "folds", str(tmp_path / "some.jsonl"), "--method", method]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"eqparse: error: {tmp_path / 'some.jsonl'}: 5 folds need") and err.endswith(f"{said}\n")
