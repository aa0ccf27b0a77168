"""How predictions are judged: by hand, and held to the published scorer on random sets."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import random
from dataclasses import replace

import pytest
from parses import answered

from eqparse.corpus import Example, write_brat
from eqparse.equation.equation import Equation
from eqparse.errors import DataError
from eqparse.training.metrics import CRITERIA, judge, summarize
from eqparse.training.predictions import prediction_line, read_predictions, write_predictions

TEXT = "The kettle holds 3 cups more than the old flask ."
EQUATION = Equation.parse("V1 = 3 + V2")
KETTLE, FLASK, OLD = (0, 10), (34, 47), (38, 47)
GOLD = Example("7", TEXT, EQUATION, {"V1": (KETTLE,), "V2": (FLASK,)})
RIGHT = answered(TEXT, EQUATION, {"V1": (KETTLE,), "V2": (FLASK,)}, (KETTLE, FLASK, OLD), score=1.5)
SILENT = Example("8", "It rained .", None, {})


def changed(**change):
    """RIGHT with another equation, other variables or other candidates."""
    parts = {"equation": RIGHT.equation, "variables": RIGHT.variables, "candidates": RIGHT.candidates} | change
    return answered(TEXT, **parts)


def true_criteria(example, prediction):
    return {name for name, verdict in judge(example, prediction).items() if verdict}


# --- judging, by hand


def test_a_right_prediction_is_right_by_every_criterion():
    assert true_criteria(GOLD, RIGHT) == set(CRITERIA)
    swapped = changed(equation=Equation.parse("V2 = V1 + 3"), variables={"V2": (KETTLE,), "V1": (FLASK,)})
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
        ({"equation": Equation.parse("V1 - 3 = V2")}, set(CRITERIA) - {"equation_equivalent", "grounded_equivalent"}),
        ({"equation": Equation.parse("V1 = 3 - V2")}, set(CRITERIA)),
        ({"equation": Equation.parse("V1 = 4 + V2")}, set(CRITERIA)),
        ({"equation": None}, set(CRITERIA)),
        # too large to compare
        ({"equation": Equation.parse("+".join(["V1"] * 70) + "=V2")}, set(CRITERIA)),
    ],
)
def test_what_is_wrong_by_which_criterion(change, wrong):
    assert set(CRITERIA) - true_criteria(GOLD, changed(**change)) == wrong


def test_coreference_is_judged_by_the_strict_criteria_only():
    text = "The rent rose by 0.05 of the rent to 630 ."
    rent = ((0, 8), (25, 33))
    gold = Example("1", text, Equation.parse("V1 + (0.05 * V1) = 630"), {"V1": rent})
    apart = Equation.parse("V1 + (0.05 * V2) = 630")
    prediction = answered(text, apart, {"V1": rent[:1], "V2": rent[1:]}, rent)
    assert true_criteria(gold, prediction) == {"equation", "grounded", "grounded_exact", "grounded_half"}


def test_judge_refuses_what_does_not_belong_together():
    with pytest.raises(DataError, match="states no equation"):
        judge(SILENT, None)
    with pytest.raises(DataError, match="found a prediction for"):
        judge(GOLD, answered(TEXT + " "))


# --- summaries


def test_summary_by_hand():
    wrong = changed(equation=Equation.parse("V1 = 3 - V2"))
    examples = [GOLD, replace(GOLD, id="9"), replace(GOLD, id="10"), SILENT, replace(SILENT, id="11")]
    stray = answered(SILENT.text, Equation.parse("V1 = 1"))
    report = summarize(examples, {"7": RIGHT, "9": wrong, "8": stray, "of another set": RIGHT})
    assert report == dict.fromkeys(CRITERIA, 33.33) | {
        "sentences": 3,
        "without_prediction": 1,
        "without_equation": 2,
        "refused": 50.0,
    }
    assert summarize([GOLD], {"7": RIGHT}) == dict.fromkeys(CRITERIA, 100.0) | {
        "sentences": 1,
        "without_prediction": 0,
    }
    assert summarize([], {})["equation"] is None


def test_summary_refuses_what_appears_twice():
    with pytest.raises(DataError, match="two examples have the same id"):
        summarize([GOLD, GOLD], {})


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
    examples, predictions = [], {}
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
                predictions[gold.id] = answered(SENTENCE, reason="nothing there")
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
        predictions[gold.id] = answered(SENTENCE, found, spans, candidates)
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
    assert report["equation_equivalent"] >= report["grounded_equivalent"]
    del report["equation_equivalent"], report["grounded_equivalent"]
    assert report == json.loads(printed.getvalue())

    gold = scorer.read_gold(tmp_path / "gold")  # the same sentence by sentence
    for id_, prediction in predictions.items():
        _, tree, spans, _ = gold[id_]
        if tree is not None and prediction.equation is not None:
            expected = scorer.judge(tree, spans, json.loads(prediction_line(id_, prediction)))
            verdict = judge(examples[int(id_)], prediction)
            assert {name: verdict[name] for name in expected} == expected


def test_the_relation_and_its_phrases_are_right_under_one_naming():
    exchanged = {"equation": Equation.parse("V1 = V2 - 3"), "variables": {"V1": (FLASK,), "V2": (KETTLE,)}}
    assert true_criteria(GOLD, changed(**exchanged)) == {"equation_equivalent", "grounded_equivalent"}
    crossed = exchanged | {"variables": {"V1": (KETTLE,), "V2": (FLASK,)}}
    assert true_criteria(GOLD, changed(**crossed)) == {"equation_equivalent"}
    half = exchanged | {"variables": {"V1": ((FLASK[0] + 1, FLASK[1]),), "V2": (KETTLE,)}}
    assert "grounded_equivalent" in true_criteria(GOLD, changed(**half))


def test_the_random_sets_reach_both_verdicts_of_every_criterion():
    verdicts = {name: set() for name in CRITERIA}
    for seed in range(12):
        examples, predictions = random_sets(seed)
        for id_, prediction in predictions.items():
            example = examples[int(id_)]
            if example.equation is not None and prediction.equation is not None:
                for name, verdict in judge(example, prediction).items():
                    verdicts[name].add(verdict)
    assert verdicts == dict.fromkeys(CRITERIA, {True, False})
