"""A fraction of an amount that is named elsewhere: "a quarter above", "a tenth off", "thinned by a quarter when"."""

from __future__ import annotations

import pytest

from eqparse.text.quantities import find_quantities

FRACTIONS = [
    ("The swift flies a quarter above the swallow's speed.", [0.25]),
    ("Knock a quarter off the rate and you have the price.", [0.25]),
    ("When a quarter is added to the toll, you pay the new toll.", [0.25]),
    ("Down a fifth on the spring figure, the intake fell short.", [0.2]),
    ("The crowd thinned by a quarter when it rained.", [0.25]),
    ("The code takes a tenth off your basket.", [0.1]),
    ("Output was a third below the plan.", [1 / 3]),
    ("The herd shrank by a third while the fence was down.", [1 / 3]),
    ("Prices are a fifth over the old ones.", [0.2]),
    ("Sales are a quarter up on the year.", [0.25]),
]
ORDINALS = ["She took a third angle.", "He came in a fifth place that year.", "A third when asked said no.",
            "They drew a third line under it.", "A fifth column rose above them."]


@pytest.mark.parametrize(("text", "values"), FRACTIONS)
def test_a_fraction_of_an_amount_named_elsewhere_is_a_number(text, values):
    assert [q.value for q in find_quantities(text)] == pytest.approx(values)


@pytest.mark.parametrize("text", ORDINALS)
def test_an_ordinal_is_not(text):
    assert find_quantities(text) == []
