"""Parses made by hand, without triggers and tree, as a file of predictions gives them."""

from __future__ import annotations

import json
from types import SimpleNamespace

from eqparse.equation.equation import Equation
from eqparse.parser.parse import GroundedEquation, Parse
from eqparse.systems import load as parsing
from eqparse.training.predictions import PredictionRecord, parse_of, prediction_line


def answered(
    text: str, equation: Equation | None = None, variables: dict | None = None, candidates=(), *, reason="", score=None,
    confidence=None,
) -> Parse:
    equations = () if equation is None else (GroundedEquation(equation, variables or {}, score=score),)
    return Parse(text, equations, reason=reason, candidates=tuple(candidates), confidence=confidence)


def read_back(parse: Parse) -> Parse:
    """A parse from its line of a file of predictions, which checks it."""
    return parse_of(PredictionRecord(**json.loads(prediction_line("1", parse))), "a line")


def load_answers(monkeypatch, parses: list[Parse]) -> None:
    """Let the command find a parser that answers with these parses, one after the other."""
    monkeypatch.setattr("torch.set_num_threads", lambda count: None)
    parser = SimpleNamespace(stream=lambda texts, **_: (parse for _, parse in zip(texts, parses, strict=False)))
    monkeypatch.setattr(parsing, "load", lambda *_, **__: parser)
