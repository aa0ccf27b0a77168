"""Why an answer was given."""

from __future__ import annotations

import pytest

import eqparse
from eqparse.analysis.explain_answer import explain_answer


@pytest.mark.pipeline
def test_a_refusal_is_explained_by_what_speaks_of_an_equation():
    parser = eqparse.load()
    text = "The library opens at 9 and closes at 5."
    assert parser(text).reason_code == "no_equation"
    [stage] = explain_answer(parser, text)
    assert stage.stage == "refusal" and stage.score < 0 and len(stage.features) == 10
    assert explain_answer(parser, "Nobody came.") == []
