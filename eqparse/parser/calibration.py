"""What makes probabilities of a parser's scores; fitted by `eqparse.training.calibrate`, kept in a checkpoint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

LEAST = 1e-6  # keeps logarithms finite
LEAST_CONFIDENCE = 0.3  # with which an answer is given, if nothing else is asked for


@dataclass(frozen=True)
class Calibration:
    """Temperatures of the stages, and a logistic model of whether the most probable relation is right.

        confidence = sigmoid(slope * log(p1 / (1 - p1)) + margin * log(p1 / p2) + intercept)

    p1 and p2 are the probabilities of the best relation and the second, p1 times that of the best one being stated at
    all, as the refusal stage has it. With margin = 0 this is the map of Platt
    (Advances in Large Margin Classifiers, 1999).

    An answer is given if its confidence is at least `least`; else the sentence is said to state no equation. So one
    that the refusal stage would have kept gives way if it is improbable for other reasons, and the other way round.

    temperatures: stage -> what its scores are divided by; 1 for a stage that is not there.
    sentences: how many sentences it was fitted on.
    """

    temperatures: dict[str, float] = field(default_factory=dict, hash=False)
    slope: float = 1.0
    margin: float = 0.0
    intercept: float = 0.0
    least: float = LEAST_CONFIDENCE
    sentences: int = 0

    def stated(self, refusal_margin: float) -> float:
        """The probability that a sentence states an answer that the refusal stage scores so much higher than none."""
        return sigmoid(refusal_margin / self.temperatures.get("refusal", 1.0))

    def evidence(self, probabilities: Sequence[float], refusal_margin: float) -> tuple[float, float]:
        """log(p1 / (1 - p1)) and log(p1 / p2), from the probabilities of relations, best first."""
        first, second = (clamped(p) for p in [*probabilities, 0.0][:2])
        whole = clamped(first * self.stated(refusal_margin))
        return math.log(whole) - math.log1p(-whole), math.log(first) - math.log(second)

    def confidence(self, probabilities: Sequence[float], refusal_margin: float) -> float:
        """How often the best of relations with these probabilities (best first) is right."""
        logit, margin = self.evidence(probabilities, refusal_margin)
        return sigmoid(self.slope * logit + self.margin * margin + self.intercept)


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x)), whatever x is."""
    return (1 + math.tanh(x / 2)) / 2


def clamped(probability: float) -> float:
    """The nearest probability that is neither below `LEAST` nor above 1 - `LEAST`."""
    return min(max(probability, LEAST), 1 - LEAST)
