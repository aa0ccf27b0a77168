"""What makes probabilities of a parser's scores; fitted by `eqparse.training.calibrate`, kept in a checkpoint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from numbers import Real

from eqparse.errors import ConfigError

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

    Where another share of the texts states an equation than of those sentences, the classes right, wrong and "none is
    stated" are weighed anew (Saerens, Latinne and Decaestecker, Neural Computation 2002, equation 2.4), which supposes
    that the texts of each sort are alike. How often an answer that is not right is to a text that states none is a
    logistic model of the same evidence.

    temperatures: stage -> what its scores are divided by; 1 for a stage that is not there.
    sentences: how many sentences it was fitted on, all of which had an answer.
    none_stated: the weights of that second model, of the two terms and 1.
    prevalence: the share of all the sentences that state an equation; None if too few answers are wrong.
    odds: of stating one, where it is used, over those among the sentences.
    """

    temperatures: dict[str, float] = field(default_factory=dict, hash=False)
    slope: float = 1.0
    margin: float = 0.0
    intercept: float = 0.0
    least: float = LEAST_CONFIDENCE
    sentences: int = 0
    none_stated: tuple[float, float, float] = (0.0, 0.0, 0.0)
    prevalence: float | None = None
    odds: float = 1.0

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
        right = sigmoid(self.slope * logit + self.margin * margin + self.intercept)
        if self.odds == 1:
            return right
        of_logit, of_margin, constant = self.none_stated
        none = (1 - right) * sigmoid(of_logit * logit + of_margin * margin + constant)
        return right * self.odds / ((1 - none) * self.odds + none)

    def expecting(self, prevalence: float) -> Calibration:
        """The calibration for texts of which that share, above 0 and below 1, states an equation.

        Raises ConfigError for another value, or if it was fitted to too few wrong answers of either sort.
        """
        share = checked_prevalence(prevalence)
        if self.prevalence is None:
            raise ConfigError(
                "prevalence: expected a parser calibrated on wrong answers to sentences with an equation and to "
                "sentences without; fit it on such with `eqparse calibrate`"
            )
        return replace(self, odds=share / (1 - share) * (1 - self.prevalence) / self.prevalence)


def checked_prevalence(prevalence: Real) -> float:
    """A share of texts as a float. Raises ConfigError for what is not above 0 and below 1."""
    if isinstance(prevalence, Real) and not isinstance(prevalence, bool) and LEAST**3 < float(prevalence) < 1:
        return float(prevalence)
    raise ConfigError(f"prevalence: expected a share above 0 and below 1, found {prevalence!r}")


def sigmoid(x: float) -> float:
    """1 / (1 + exp(-x)), whatever x is."""
    return (1 + math.tanh(x / 2)) / 2


def clamped(probability: float) -> float:
    """The nearest probability that is neither below `LEAST` nor above 1 - `LEAST`."""
    return min(max(probability, LEAST), 1 - LEAST)
