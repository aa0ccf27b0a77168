"""The stages that there are, and what each says of its features."""

from __future__ import annotations

import pytest
from tiny import hand_made, random_parser

from eqparse.parser.pipeline import EquationParser
from eqparse.stages.registry import STAGES


def test_stages_stand_in_the_order_in_which_a_sentence_goes_through_them():
    assert list(STAGES) == ["quantity", "variable", "coreference", "tree", "relation", "refusal"]
    parser = random_parser(refusal=True, relation=True)
    assert isinstance(parser, EquationParser)
    assert {name for name, _ in parser.named_children()} == STAGES.keys()


@pytest.mark.parametrize("name", STAGES)
def test_contributions_sum_to_the_score_and_have_names(name):
    stage = getattr(random_parser(refusal=True, lexicon=False, relation=True), name)
    (m, *_) = hand_made()
    (problem, *_) = STAGES[name].stage.probes(m)
    (structure,), (value,) = stage.argmax([problem])
    if name in ("relation", "refusal", "coreference"):
        structure, value = 1, stage.score(problem, 1)
    found = stage.explain(problem, structure, strings=lambda value: "?")
    assert len(found) > 5
    assert float(value) == pytest.approx(stage.score(problem, structure), abs=1e-4)
    assert sum(c.weight for c in found) == pytest.approx(stage.score(problem, structure), abs=1e-4)
    assert all(c.name.split(":")[0] in STAGES[name].groups and " → " in c.name for c in found)
    assert not any(features for features in stage.batch([problem]).inputs.names)  # traced only where asked for
