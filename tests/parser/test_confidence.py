"""What may be asked of a parser's probabilities."""

from __future__ import annotations

import numpy
import pytest

from eqparse.errors import ConfigError
from eqparse.parser.calibration import Calibration
from eqparse.parser.confidence import check_asked


def test_counts_may_be_those_of_numpy():
    check_asked(Calibration(), alternatives=numpy.int64(3), min_confidence=numpy.float32(0.5))


@pytest.mark.parametrize("wrong", [True, numpy.True_, numpy.float64(3), numpy.int64(-1), "3", None])
def test_what_is_no_count_is_refused(wrong):
    with pytest.raises(ConfigError, match="alternatives: expected an integer of at least 0"):
        check_asked(Calibration(), alternatives=wrong)


@pytest.mark.parametrize("wrong", [True, "0.5", numpy.float32(1.5), float("nan"), 1j])
def test_what_is_no_probability_is_refused(wrong):
    with pytest.raises(ConfigError, match="min_confidence: expected a probability from 0 to 1"):
        check_asked(Calibration(), min_confidence=wrong)
