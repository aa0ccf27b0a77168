"""What may be asked of a parser's probabilities."""

from __future__ import annotations

from fractions import Fraction

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import random_parser

from eqparse.equation.equation import Equation
from eqparse.errors import ConfigError
from eqparse.parser.calibration import Calibration
from eqparse.parser.confidence import check_asked, expect, judged
from eqparse.parser.parse import Alternative, Parse


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


@pytest.mark.parametrize("wrong", [0, 1, -0.1, True, "0.5", float("nan"), 1j, 1e-300, 1 - Fraction(1, 10**400)])
def test_what_is_no_share_is_refused(wrong):
    with pytest.raises(ConfigError, match="prevalence: expected a share above 0 and below 1"):
        Calibration(prevalence=0.5).expecting(wrong)


def test_no_share_is_expected_of_a_parser_that_was_not_told_of_texts_without_an_equation():
    parser = random_parser()
    expect(parser, None)
    with pytest.raises(ConfigError, match="prevalence: .* `eqparse calibrate`"):
        expect(parser, 0.1)


@given(st.floats(0.2, 0.9), st.floats(-3, 6))
def test_no_relation_gets_more_probable_where_equations_are_rarer(first, margin):
    weighed = [Alternative(Equation.parse("V1 = 1"), {}, p) for p in (first, (1 - first) / 2, (1 - first) / 3)]
    fitted = Calibration(sentences=1, prevalence=0.5, none_stated=(-0.8, 0.5, -1.0))
    found = [
        [one.probability for one in judged(Parse("a text"), weighed, fitted.expecting(share), margin).alternatives]
        for share in (0.01, 0.1, 0.3, 0.5)
    ]
    for column in zip(*found, strict=True):
        assert list(column) == sorted(column)
    for share in (0.6, 0.9, 0.99):
        many = judged(Parse("a text"), weighed, fitted.expecting(share), margin).alternatives
        assert sum(one.probability for one in many) <= 1 + 1e-9


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=8), st.floats(-1, 1), st.floats(-3, 6))
def test_probabilities_add_up_to_at_most_1_when_they_are_rounded(shares, intercept, margin):
    total = sum(shares)
    weighed = [Alternative(Equation.parse("V1 = 1"), {}, p / total) for p in sorted(shares, reverse=True)]
    parse = judged(Parse("a text"), weighed, Calibration(intercept=intercept, sentences=1), margin)
    found = [one.probability for one in parse.alternatives]
    assert found[0] == parse.confidence and found == sorted(found, reverse=True)
    assert sum(found) <= 1 + 1e-9
