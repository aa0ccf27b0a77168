"""Predictions as a file: back as they were, their format, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from parses import answered

from eqparse.equation.equation import Equation
from eqparse.errors import DataError
from eqparse.training.predictions import prediction_line, read_predictions, write_predictions

TEXT = "The kettle holds 3 cups more than the old flask ."
RIGHT = answered(
    TEXT, Equation.parse("V1 = 3 + V2"), {"V1": ((0, 10),), "V2": ((34, 47),)}, ((0, 10), (34, 47), (38, 47)), score=1.5
)
FORMS = ["V1 = 3 + V2", "V1 + (2 * V1) = V2", "V1 - V2 = V1", "3 = V2", "1 = 1"]


@st.composite
def predictions(draw):
    text = draw(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
    span = st.lists(st.integers(0, len(text)), min_size=2, max_size=2, unique=True).map(sorted).map(tuple)
    return answered(
        text,
        draw(st.none() | st.sampled_from(FORMS).map(Equation.parse)),
        draw(
            st.dictionaries(st.sampled_from(["V1", "V2"]), st.lists(span, min_size=1, max_size=2).map(tuple))
        ),
        tuple(draw(st.lists(span, max_size=3))),
        reason=draw(st.text(st.characters(exclude_categories=["Cs"]), max_size=5)),
        score=draw(st.none() | st.floats(allow_nan=False, allow_infinity=False)),
        confidence=draw(st.none() | st.floats(0, 1)),
    )


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), predictions(), max_size=4))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_predictions_round_trip(tmp_path_factory, corpus):
    path = tmp_path_factory.mktemp("predictions") / "some" / "predictions.jsonl"
    write_predictions(corpus, path)
    assert read_predictions(path) == corpus and list(read_predictions(path)) == list(corpus)
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(corpus)


def test_prediction_format_by_hand(tmp_path):
    assert prediction_line("7", RIGHT) == (
        f'{{"id": "7", "text": "{TEXT}", "equation": "V1 = 3 + V2", '
        '"variables": {"V1": [[0, 10]], "V2": [[34, 47]]}, "candidates": [[0, 10], [34, 47], [38, 47]], '
        '"reason": "", "score": 1.5, "confidence": null}'
    )
    least = {"id": "7", "text": TEXT, "equation": None, "variables": {}}
    (tmp_path / "predictions.jsonl").write_text(json.dumps(least) + "\n")
    assert read_predictions(tmp_path / "predictions.jsonl") == {"7": answered(TEXT)}


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
        ({"extra": 1}, "no keys but id, .*score, confidence, found 'extra'"),
    ],
)
def test_malformed_predictions_are_refused_with_their_line(tmp_path, change, message):
    path = tmp_path / "predictions.jsonl"
    record = json.loads(prediction_line("7", RIGHT)) | change
    path.write_text(f"{prediction_line('6', RIGHT)}\n{json.dumps(record)}\n")
    with pytest.raises(DataError, match=f"predictions.jsonl, line 2: .*{message}"):
        read_predictions(path)


def test_two_predictions_for_one_sentence_are_refused(tmp_path):
    path = tmp_path / "predictions.jsonl"
    path.write_text(f"{prediction_line('7', RIGHT)}\n" * 2)
    with pytest.raises(DataError, match="predictions.jsonl, line 2: expected at most one prediction for sentence '7'"):
        read_predictions(path)
