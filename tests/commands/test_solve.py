"""`eqparse parse --solve`."""

from __future__ import annotations

import csv
import json

import pytest
from parses import load_answers
from solved_parses import ROPE

from eqparse.commands.main import main
from eqparse.equation.equation import Equation
from eqparse.parser.parse import GroundedEquation, Parse

PARSES = [
    ROPE,
    Parse("b", (GroundedEquation(Equation.parse("V1 = V2 + 3"), {}),)),
    Parse("c", reason="the text has no number", reason_code="no_number"),
]


@pytest.fixture
def model(monkeypatch):
    load_answers(monkeypatch, PARSES)


def test_text_has_a_line_for_the_value(model, capfd):
    assert main(["parse", "--solve", "a", "b", "c"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[2] == "    V1 = 17.5 metres"
    assert lines[5] == "    not determined: V1 = V2 + 3: expected one unknown, found V1, V2"
    assert lines[7:] == ["    no equation: the text has no number"]


def test_json_has_the_value_or_why_there_is_none(model, capfd):
    assert main(["parse", "--solve", "--format", "jsonl", "a", "b", "c"]) == 0
    records = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert records[0]["solution"] == ROPE.solve().to_dict() and records[0]["solution_reason"] == ""
    assert [record["solution"] for record in records[1:]] == [None, None]
    assert "found V1, V2" in records[1]["solution_reason"] and "no number" in records[2]["solution_reason"]


def test_a_table_has_the_value_or_why_there_is_none_in_columns_of_their_own(model, capfd):
    assert main(["parse", "--solve", "--format", "csv", "a", "b", "c"]) == 0
    first, *others = csv.DictReader(capfd.readouterr().out.splitlines())
    assert (first["solution"], first["solution_reason"]) == ("V1 = 17.5 metres", "")
    assert [row["solution"] for row in others] == ["", ""]
    assert "found V1, V2" in others[0]["solution_reason"] and "no number" in others[1]["solution_reason"]
