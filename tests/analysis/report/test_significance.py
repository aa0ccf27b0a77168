"""The tests of significance against enumeration and the textbook."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqparse.analysis.report.significance import bootstrap_interval, holm, sign_flip_p


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_the_sign_flip_test_counts_every_choice_of_signs(differences):
    sums = [sum(s * d for s, d in zip(signs, differences, strict=True))
            for signs in itertools.product((1, -1), repeat=len(differences))]
    share = Fraction(sum(abs(s) >= abs(sum(differences)) for s in sums), len(sums))
    assert sign_flip_p(differences) == pytest.approx(float(share), abs=1e-12)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 5))
def test_with_one_seed_it_is_the_exact_mcnemar_test(better, worse, same):
    n, k = better + worse, max(better, worse)
    tail = sum(comb(n, i) for i in range(k, n + 1)) / 2**n
    expected = min(1.0, 2 * tail)
    assert sign_flip_p([1] * better + [-1] * worse + [0] * same) == pytest.approx(expected)


def test_holm_by_hand():
    # sorted 0.01 0.02 0.03 0.5: times 4, 3, 2, 1, each at least the one before
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0] and holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_rejects_what_the_step_down_procedure_rejects(values):
    for level in (0.01, 0.05, 0.2):
        rejected = set()
        for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
            if values[at] * (len(values) - rank) > level:
                break
            rejected.add(at)
        assert {at for at, p in enumerate(holm(values)) if p <= level} == rejected


def test_a_bootstrap_interval_holds_the_mean_repeats_and_narrows():
    few, many = [0, 100] * 10, [0, 100] * 250
    assert bootstrap_interval(few) == bootstrap_interval(few)
    (a, b), (c, d) = bootstrap_interval(few), bootstrap_interval(many)
    assert a < c < 50 < d < b
    # normal approximation: 50 +- 1.96 * 50 / sqrt(500)
    assert (c, d) == pytest.approx((50 - 4.38, 50 + 4.38), abs=0.5)
    assert bootstrap_interval([100] * 7) == (100, 100)
