"""`eqparse parse --alternatives`, as text for people."""

from __future__ import annotations

from dataclasses import replace

import pytest
from parses import answered, load_answers

from eqparse.commands.main import main
from eqparse.equation.equation import Equation
from eqparse.parser.parse import Alternative

LIKELY, LESS = Equation.parse("V1 = V2 + 3"), Equation.parse("V1 = V2 - 3")
BOTH = (Alternative(LIKELY, {}, 0.9), Alternative(LESS, {}, 0.05))
PARSES = [
    replace(answered("a", LIKELY, confidence=0.9), alternatives=BOTH),
    replace(answered("b", reason="the text states no equation", confidence=0.7), reason_code="no_equation"),
    replace(answered("c", reason="the text has no number"), reason_code="no_number"),
]


@pytest.fixture
def model(monkeypatch):
    load_answers(monkeypatch, PARSES)


def test_answers_and_refusals_have_their_probabilities(model, capfd):
    assert main(["parse", "--alternatives", "2", "a", "b", "c"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[2:4] == [f"    0.900  {LIKELY}", f"    0.050  {LESS}"]
    assert lines[5:7] == ["    no equation: the text states no equation", "    0.700  no equation"]
    assert lines[8:] == ["    no equation: the text has no number"]


def test_not_asked_for_a_refusal_has_none(model, capfd):
    assert main(["parse", "a", "b", "c"]) == 0
    assert "0.700" not in capfd.readouterr().out
