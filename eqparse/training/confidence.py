"""How good the confidence of answers is: is it right on average, and what may be answered at a given precision?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from eqparse.corpus.example import Example
from eqparse.parser.parse import Parse
from eqparse.training.metrics import equal_relation

BINS = 10
POINTS = 20  # of the curve
PRECISIONS = (90, 95)

Answer = tuple[float, bool]
"""An answer's confidence, and whether the sentence states that relation."""


def confidence_figures(examples: Sequence[Example], predictions: Mapping[str, Parse]) -> dict[str, Any]:
    """The figures of answers with a confidence, in percent; empty if there are none.

    An answer is right if the sentence states the relation (`equation_equivalent`), so that of a sentence without an
    equation is wrong. Shares are of all sentences, those without an equation among them.

    calibration_error: the expected calibration error: the mean of |confidence - share right| over 10 bins of equally
        many answers.
    calibration_error_by_chance: what it would be on average if every confidence were the exact probability, so that
        only chance, which is large where answers are few, parts the two.
    answered_at_90, answered_at_95: the greatest share of sentences that get an answer if those with the highest
        confidence are given, and so many of these are right.
    precision_by_answered: points [share of sentences that get an answer, right of these, least confidence].
    """
    answers = sorted(
        (
            (p.confidence, e.equation is not None and equal_relation(e.equation, p.equation))
            for e in examples if (p := predictions[e.id]).equation is not None and p.confidence is not None
        ),
        reverse=True,
    )
    if not answers:
        return {}
    points = operating_points(answers, len(examples))
    return {
        "calibration_error": round(100 * calibration_error(answers), 2),
        "calibration_error_by_chance": round(100 * calibration_error_by_chance([c for c, _ in answers]), 2),
        **{
            f"answered_at_{least}": max((share for share, precision, _ in points if precision >= least), default=0.0)
            for least in PRECISIONS
        },
        "precision_by_answered": thinned(points),
    }


def calibration_error(answers: Sequence[Answer]) -> float:
    """The mean over bins of equally many answers, of how far confidence and share right are apart."""
    parts = (answers[part] for part in bins(len(answers)))
    return sum(abs(sum(confidence - right for confidence, right in part)) for part in parts) / len(answers)


def calibration_error_by_chance(confidences: Sequence[float]) -> float:
    """The expected `calibration_error` of answers each of which is right with the probability of its confidence.

    How many of a bin are right then has a Poisson binomial distribution: the convolution of those of single answers.
    """
    apart = 0.0
    for some in (confidences[part] for part in bins(len(confidences))):
        right = np.ones(1)  # [answers + 1]: the probability that so many are right
        for confidence in some:
            right = np.convolve(right, (1 - confidence, confidence))
        apart += float(right @ np.abs(np.arange(len(right)) - sum(some)))
    return apart / len(confidences)


def bins(count: int) -> list[slice]:
    """Up to `BINS` parts of so many answers in order, equally many in each."""
    bounds = [round(at * count / BINS) for at in range(BINS + 1)]
    return [slice(a, b) for a, b in zip(bounds, bounds[1:], strict=False) if b > a]


def operating_points(answers: Sequence[Answer], sentences: int) -> list[tuple[float, float, float]]:
    """(share answered, precision, least confidence), for each confidence that answers (highest first) have."""
    points, given, right = [], 0, 0
    for confidence, equal in groupby(answers, key=lambda answer: answer[0]):
        verdicts = [verdict for _, verdict in equal]
        given, right = given + len(verdicts), right + sum(verdicts)
        points.append((round(100 * given / sentences, 2), round(100 * right / given, 2), round(confidence, 4)))
    return points


def thinned(points: Sequence[tuple[float, float, float]]) -> list[list[float]]:
    """Up to `POINTS` of the points, at equal distances; the last one is always there."""
    last = len(points) - 1
    count = min(POINTS, len(points))
    return [list(points[round(last - at * last / max(count - 1, 1))]) for at in reversed(range(count))]
