"""The confidence of an answer; answers with too little of it are withheld."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

from eqparse.errors import ConfigError
from eqparse.parser.calibration import Calibration
from eqparse.parser.parse import Alternative, Parse
from eqparse.parser.reasons import reason

DIGITS = 5  # of a probability


def judged(parse: Parse, weighed: Sequence[Alternative], calibration: Calibration, refusal_margin: float) -> Parse:
    """The parse with its confidence and alternatives. The others share what the confidence of the first leaves;
    where equations are rarer than usual, all lose by the same factor.

    Probabilities are rounded, since an encoder's last digits depend on what else is in the batch; those of the others
    down, so that all add up to at most 1.

    weighed: relations with probabilities that are not calibrated, best first.
    refusal_margin: see `EquationParser.refusal_margins`.
    """
    probabilities = [one.probability for one in weighed]
    confidence = round(calibration.confidence(probabilities, refusal_margin), DIGITS)
    left = 1 - confidence
    if calibration.odds < 1:
        usual = replace(calibration, odds=1.0).confidence(probabilities, refusal_margin)
        left = min(left, confidence * (1 - usual) / max(usual, 1e-9))
    share = left / max(1 - probabilities[0], 1e-9)
    scaled = [confidence, *(min(rounded_down(p * share), confidence) for p in probabilities[1:])]
    alternatives = tuple(replace(one, probability=p) for one, p in zip(weighed, scaled, strict=True))
    return replace(parse, confidence=confidence, alternatives=alternatives)


def rounded_down(probability: float) -> float:
    """The probability, rounded down to `DIGITS`."""
    return math.floor(probability * 10**DIGITS) / 10**DIGITS


def withheld(parse: Parse, least: float | None) -> Parse:
    """The parse, without its equation if its confidence is below `least`; confidence and alternatives stay."""
    if least is None or parse.equation is None or parse.confidence is None or parse.confidence >= least:
        return parse
    why = reason("low_confidence", f"{parse.confidence:.3f}, and at least {least:g} is asked for")
    return replace(parse, equations=(), reason=why.text, reason_code=why.code)


def is_integer(value: object) -> bool:
    """Whether a value is an integer, of Python or NumPy, and not a truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def expect(parser: Any, prevalence: float | None) -> None:
    """Let a system's parser expect that share of the texts to state an equation; None leaves it as it is.

    Raises ConfigError as `Calibration.expecting` does, or if the parser has no calibration.
    """
    if prevalence is not None:
        parser.decoder.calibration = (parser.calibration or Calibration()).expecting(prevalence)


def check_asked(calibration: Calibration | None, *, alternatives: int = 0, min_confidence: float | None = None) -> None:
    """Raise ConfigError for a value out of range, and for a parser that has no probabilities."""
    if not is_integer(alternatives) or alternatives < 0:
        raise ConfigError(f"alternatives: expected an integer of at least 0, found {alternatives!r}")
    if min_confidence is not None and not (
        isinstance(min_confidence, Real) and not isinstance(min_confidence, bool) and 0 <= min_confidence <= 1
    ):
        raise ConfigError(f"min_confidence: expected a probability from 0 to 1, found {min_confidence!r}")
    if (alternatives or min_confidence) and calibration is None:
        name = "alternatives" if alternatives else "min_confidence"
        raise ConfigError(
            f"{name}: expected a parser with a calibration, which makes probabilities of scores; this one has none; "
            "train with calibration.folds=3, or fit one with `eqparse calibrate`"
        )
