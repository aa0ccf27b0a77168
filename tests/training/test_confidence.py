"""Figures of the confidence: calibration error, and the share answered at a precision."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from parses import answered

from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.training.confidence import (
    calibration_error,
    calibration_error_by_chance,
    confidence_figures,
    operating_points,
    thinned,
)

RIGHT, WRONG = Equation.parse("V1 = 3 + V2"), Equation.parse("V1 = 3 * V2")


def case(number: int, confidence: float | None, *, right: bool, states: bool = True):
    """An example, and an answer to it."""
    text = f"Sentence {number}."
    spans = {"V1": ((0, 3),), "V2": ((4, 8),)} if states else {}
    example = Example(str(number), text, RIGHT if states else None, spans)
    return example, answered(text, Equation.parse("V2 = V1 - 3") if right else WRONG, confidence=confidence)


def figures(*cases) -> dict:
    return confidence_figures([e for e, _ in cases], {e.id: p for e, p in cases})


def test_the_share_answered_at_a_precision():
    cases = [case(n, 1 - n / 100, right=n != 9) for n in range(20)]
    found = figures(*cases)
    assert found["answered_at_90"] == found["answered_at_95"] == 100.0  # 19 of 20
    found = figures(*cases, *(case(n, 0.1, right=False) for n in range(20, 40)))
    assert found["answered_at_95"] == 50.0 and found["precision_by_answered"][-1] == [100.0, 47.5, 0.1]
    assert len(found["precision_by_answered"]) == 20


def test_an_answer_where_no_equation_is_stated_is_wrong_and_a_refusal_is_no_answer():
    refusal = Example("r", "None here.", None, {}), answered("None here.", reason="none", confidence=0.9)
    found = figures(case(1, 0.9, right=True), case(2, 0.8, right=True, states=False), refusal)
    assert found["precision_by_answered"] == [[33.33, 100.0, 0.9], [66.67, 50.0, 0.8]]
    assert found["answered_at_90"] == 33.33


def test_equal_confidences_are_answered_together():
    answers = [(0.9, True), (0.9, False), (0.5, True)]
    assert operating_points(answers, 4) == [(50.0, 50.0, 0.9), (75.0, 66.67, 0.5)]


def test_answers_without_a_confidence_have_no_figures():
    assert figures(case(1, None, right=True)) == {}


def test_the_calibration_error():
    assert calibration_error([(0.8, n < 8) for n in range(10)]) == pytest.approx(0.32)  # a bin for each answer
    assert calibration_error([(0.8, n % 10 < 8) for n in range(1000)]) == pytest.approx(0)
    assert calibration_error([(1.0, False)]) == 1


def test_the_calibration_error_by_chance_is_the_mean_over_all_ways_to_be_right():
    confidences = [0.95, 0.9, 0.9, 0.8, 0.75, 0.6, 0.55, 0.5, 0.4, 0.35, 0.2, 0.1]  # two bins have two answers each
    every = 0.0
    for right in product((True, False), repeat=len(confidences)):
        probability = prod(c if r else 1 - c for c, r in zip(confidences, right, strict=True))
        every += probability * calibration_error(list(zip(confidences, right, strict=True)))
    assert calibration_error_by_chance(confidences) == pytest.approx(every)
    assert calibration_error_by_chance([1.0, 1.0]) == 0
    assert calibration_error_by_chance([0.5] * 4000) < calibration_error_by_chance([0.5] * 40) / 5


def test_a_long_curve_keeps_its_ends():
    points = [(float(n), 0.0, 0.0) for n in range(301)]
    found = thinned(points)
    assert len(found) == 20 and found[0][0] == 0 and found[-1][0] == 300
