"""Predictions and how they are judged: by hand, and held to the published scorer on random sets."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eqparse.corpus import Example, write_brat
from eqparse.equation.equation import Equation
from eqparse.errors import DataError
from eqparse.training.metrics import CRITERIA, Prediction, judge, read_predictions, summarize, write_predictions

TEXT = "The kettle holds 3 cups more than the old flask ."
EQUATION = Equation.parse("V1 = 3 + V2")
KETTLE, FLASK, OLD = (0, 10), (34, 47), (38, 47)
GOLD = Example("7", TEXT, EQUATION, {"V1": (KETTLE,), "V2": (FLASK,)})
RIGHT = Prediction("7", TEXT, EQUATION, {"V1": (KETTLE,), "V2": (FLASK,)}, (KETTLE, FLASK, OLD), score=1.5)
SILENT = Example("8", "It rained .", None, {})


def true_criteria(example, prediction):
    return {name for name, verdict in judge(example, prediction).items() if verdict}


# --- judging, by hand


def test_a_right_prediction_is_right_by_every_criterion():
    assert true_criteria(GOLD, RIGHT) == set(CRITERIA)
    swapped = replace(
        RIGHT, equation=Equation.parse("V2 = V1 + 3"), variables={"V2": (KETTLE,), "V1": (FLASK,)}
    )
    assert true_criteria(GOLD, swapped) == set(CRITERIA)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        # the old flask is half right where the whole was a candidate, and right where it was not
        ({"variables": {"V1": (KETTLE,), "V2": (OLD,)}}, {"grounded", "grounded_strict", "grounded_exact"}),
        ({"variables": {"V1": (KETTLE,), "V2": (OLD,)}, "candidates": (KETTLE, OLD)}, {"grounded_exact"}),
        # of two candidates that overlap alike the shorter one counts, of two as short the first
        (
            {"variables": {"V1": ((0, 5),), "V2": (FLASK,)}, "candidates": ((0, 5), (5, 10), FLASK)},
            {"grounded_exact"},
        ),
        (
            {"variables": {"V1": ((5, 10),), "V2": (FLASK,)}, "candidates": ((0, 5), (5, 10), FLASK)},
            {"grounded", "grounded_strict", "grounded_exact"},
        ),
        # both variables in one phrase, a variable nowhere, one span too many
        (
            {"variables": {"V1": (KETTLE,), "V2": (KETTLE,)}},
            {n for n in CRITERIA if n.startswith("grounded")},
        ),
        ({"variables": {"V1": (KETTLE,)}}, {n for n in CRITERIA if n.startswith("grounded")}),
        (
            {"variables": {"V1": (KETTLE, OLD), "V2": (FLASK,)}},
            {n for n in CRITERIA if n.startswith("grounded")},
        ),
        # no candidates
        ({"candidates": ()}, {"grounded", "grounded_strict"}),
        # another form of the same relation, a relation of another sign, another number, nothing
        ({"equation": Equation.parse("V1 - 3 = V2")}, set(CRITERIA) - {"equation_equivalent"}),
        ({"equation": Equation.parse("V1 = 3 - V2")}, set(CRITERIA)),
        ({"equation": Equation.parse("V1 = 4 + V2")}, set(CRITERIA)),
        ({"equation": None}, set(CRITERIA)),
        # too large to compare
        ({"equation": Equation.parse("+".join(["V1"] * 70) + "=V2")}, set(CRITERIA)),
    ],
)
def test_what_is_wrong_by_which_criterion(change, wrong):
    assert set(CRITERIA) - true_criteria(GOLD, replace(RIGHT, **change)) == wrong


def test_coreference_is_judged_by_the_strict_criteria_only():
    text = "The rent rose by 0.05 of the rent to 630 ."
    rent = ((0, 8), (25, 33))
    gold = Example("1", text, Equation.parse("V1 + (0.05 * V1) = 630"), {"V1": rent})
    apart = Equation.parse("V1 + (0.05 * V2) = 630")
    prediction = Prediction("1", text, apart, {"V1": rent[:1], "V2": rent[1:]}, rent)
    assert true_criteria(gold, prediction) == {"equation", "grounded", "grounded_exact", "grounded_half"}


def test_judge_refuses_what_does_not_belong_together():
    with pytest.raises(DataError, match="states no equation"):
        judge(SILENT, None)
    with pytest.raises(DataError, match="found a prediction for"):
        judge(GOLD, Prediction("7", TEXT + " ", None, {}))


# --- summaries


def test_summary_by_hand():
    wrong = replace(RIGHT, id="9", equation=Equation.parse("V1 = 3 - V2"))
    examples = [GOLD, replace(GOLD, id="9"), replace(GOLD, id="10"), SILENT, replace(SILENT, id="11")]
    stray = Prediction("8", SILENT.text, Equation.parse("V1 = 1"), {})
    report = summarize(examples, [RIGHT, wrong, stray, replace(RIGHT, id="of another set")])
    assert report == dict.fromkeys(CRITERIA, 33.33) | {
        "sentences": 3,
        "without_prediction": 1,
        "without_equation": 2,
        "refused": 50.0,
    }
    assert summarize([GOLD], [RIGHT]) == dict.fromkeys(CRITERIA, 100.0) | {
        "sentences": 1,
        "without_prediction": 0,
    }
    assert summarize([], [])["equation"] is None


def test_summary_refuses_what_appears_twice():
    with pytest.raises(DataError, match="two predictions for sentence '7'"):
        summarize([GOLD], [RIGHT, RIGHT])
    with pytest.raises(DataError, match="two examples have one id"):
        summarize([GOLD, GOLD], [])


# --- the published scorer as a twin

SENTENCE = "abcdefghijkl"
FORMS = ["V1 = 3 + V2", "V1 + (2 * V1) = V2", "V1 * V2 = 3", "V1 - V2 = V1", "3 = V2", "V1 = 2 * V1", "1 = 1"]


def random_span(draw):
    start = draw.randrange(len(SENTENCE))
    return start, draw.randint(start + 1, min(len(SENTENCE), start + 4))


def random_spans(draw, labels):
    return {label: tuple(random_span(draw) for _ in range(draw.choice([1, 1, 2]))) for label in labels}


def random_variant(draw, equation):
    """The equation with operands of = + * swapped and variables renamed, at random; or another one."""
    if draw.random() < 0.2:
        return Equation.parse(draw.choice(FORMS))
    left, right = str(equation).split(" = ")
    text = f"{right} = {left}" if draw.random() < 0.5 else f"{left} = {right}"
    mapping = draw.choice([{}, {"V1": "V2", "V2": "V1"}, {"V1": "V2"}])
    return Equation.parse(text.replace("3 + V2", draw.choice(["3 + V2", "V2 + 3.00009"]))).renamed(mapping)


def random_sets(seed, count=60):
    """Gold and predictions that are often near to right; short spans, so that overlaps tie."""
    draw = random.Random(seed)
    examples, predictions = [], []
    for number in range(count):
        if draw.random() < 0.1:
            gold = Example(str(number), SENTENCE, None, {})
        else:
            equation = Equation.parse(draw.choice(FORMS))
            gold = Example(str(number), SENTENCE, equation, random_spans(draw, equation.variables))
        examples.append(gold)
        found = draw.choice([None, Equation.parse("V1 = 5")]) if gold.equation is None else gold.equation
        if found is None or draw.random() < 0.1:
            if draw.random() < 0.5:
                predictions.append(Prediction(gold.id, SENTENCE, None, {}, reason="nothing there"))
            continue
        found = random_variant(draw, found)
        spans = dict(gold.variables)
        if draw.random() < 0.4:
            spans = {**spans, **random_spans(draw, draw.sample(["V1", "V2"], draw.randint(0, 2)))}
        if draw.random() < 0.4:
            other = {"V1": "V2", "V2": "V1"}
            spans = {other[label]: spans[label] for label in spans}
        if draw.random() < 0.3:
            spans = {label: (draw.choice(spans[label]),) for label in spans}
        candidates = [span for spans in gold.variables.values() for span in spans if draw.random() < 0.7]
        candidates += [random_span(draw) for _ in range(draw.randint(0, 3))]
        draw.shuffle(candidates)
        if candidates and draw.random() < 0.4:
            spans = {label: (draw.choice(candidates),) for label in spans}
        predictions.append(Prediction(gold.id, SENTENCE, found, spans, tuple(candidates)))
    return examples, predictions


@pytest.mark.parametrize("seed", range(12))
def test_summary_agrees_with_the_published_scorer(shared, tmp_path, seed):
    spec = importlib.util.spec_from_file_location("published_scorer", shared / "tools" / "score.py")
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    examples, predictions = random_sets(seed)
    write_brat(examples, tmp_path / "gold")
    write_predictions(predictions, tmp_path / "predictions.jsonl")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        scorer.main([str(tmp_path / "gold"), str(tmp_path / "predictions.jsonl"), "--json"])
    report = summarize(examples, read_predictions(tmp_path / "predictions.jsonl"))
    assert report["equation_equivalent"] >= report["equation_strict"]
    del report["equation_equivalent"]
    assert report == json.loads(printed.getvalue())

    gold = scorer.read_gold(tmp_path / "gold")  # the same sentence by sentence
    for prediction in predictions:
        _, tree, spans, _ = gold[prediction.id]
        if tree is not None and prediction.equation is not None:
            expected = scorer.judge(tree, spans, json.loads(prediction.to_json()))
            verdict = judge(examples[int(prediction.id)], prediction)
            assert {name: verdict[name] for name in expected} == expected


def test_the_random_sets_reach_both_verdicts_of_every_criterion():
    verdicts = {name: set() for name in CRITERIA}
    for seed in range(12):
        examples, predictions = random_sets(seed)
        for prediction in predictions:
            example = examples[int(prediction.id)]
            if example.equation is not None and prediction.equation is not None:
                for name, verdict in judge(example, prediction).items():
                    verdicts[name].add(verdict)
    assert verdicts == dict.fromkeys(CRITERIA, {True, False})


# --- predictions on disk


@st.composite
def predictions(draw):
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
    span = st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True).map(sorted).map(tuple)
    return Prediction(
        draw(st.text(st.characters(exclude_categories=["Cs"]))),
        text,
        draw(st.none() | st.sampled_from(FORMS).map(Equation.parse)),
        draw(
            st.dictionaries(st.sampled_from(["V1", "V2"]), st.lists(span, min_size=1, max_size=2).map(tuple))
        ),
        tuple(draw(st.lists(span, max_size=3))),
        draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=5)),
        draw(st.none() | st.floats(allow_nan=False, allow_infinity=False)),
    )


@given(st.lists(predictions(), max_size=4))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_predictions_round_trip(tmp_path_factory, corpus):
    path = tmp_path_factory.mktemp("predictions") / "some" / "predictions.jsonl"
    write_predictions(corpus, path)
    assert read_predictions(path) == corpus
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(corpus)


def test_prediction_format_by_hand(tmp_path):
    assert RIGHT.to_json() == (
        f'{{"id": "7", "text": "{TEXT}", "equation": "V1 = 3 + V2", '
        '"variables": {"V1": [[0, 10]], "V2": [[34, 47]]}, "candidates": [[0, 10], [34, 47], [38, 47]], '
        '"reason": "", "score": 1.5}'
    )
    least = {"id": "7", "text": TEXT, "equation": None, "variables": {}, "score": 3}
    (tmp_path / "predictions.jsonl").write_text(json.dumps(least) + "\n")
    assert read_predictions(tmp_path / "predictions.jsonl") == [Prediction("7", TEXT, None, {}, score=3.0)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": float("nan")}, "a finite number as score, found nan"),
        ({"score": 10**400}, "a .*number as score, found 1000"),
        ({"score": "high"}, "a number as score, found 'high'"),
        ({"candidates": [[0, 90]]}, r"'7', candidates: expected a span .* found \[0, 90\]"),
        ({"candidates": None}, "a list as candidates, found None"),
        ({"variables": {"V1": []}}, "a list of at least 1 as variables.V1"),
        ({"equation": "V1 ="}, "equation 'V1 =', character 4"),
        ({"id": 7}, "expected a string as id, found 7"),
        ({"reason": None}, "a string as reason, found None"),
        ({"extra": 1}, "no keys but id, .*score, found 'extra'"),
    ],
)
def test_malformed_predictions_are_refused_with_their_line(tmp_path, change, message):
    path = tmp_path / "predictions.jsonl"
    record = json.loads(RIGHT.to_json()) | change
    path.write_text(f"{RIGHT.to_json()}\n{json.dumps(record)}\n")
    with pytest.raises(DataError, match=f"predictions.jsonl, line 2: .*{message}"):
        read_predictions(path)
