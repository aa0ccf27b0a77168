"""A parser's predictions as a file of JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from eqparse.corpus.example import checked_span, checked_spans
from eqparse.corpus.jsonl import Bounds, Groundings, Record, dumps, read_equation, read_records, write_lines
from eqparse.errors import DataError, EqparseError
from eqparse.parser.parse import GroundedEquation, Parse


class PredictionRecord(Record):
    """A line of a predictions file."""

    id: str
    text: str
    equation: str | None
    variables: Groundings
    candidates: list[Bounds] = []
    reason: str = ""
    score: Annotated[float, Field(allow_inf_nan=False)] | None = None
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None


def read_predictions(path: str | Path) -> dict[str, Parse]:
    """Read a file that `write_predictions` wrote: sentence id -> parse, in the order of the file.

    The parses have no trigger list, tree or reason code, since the file does not hold them. Candidates, reason, score
    and confidence may be missing from a line. Raises DataError for an invalid line, and for two lines with the same id.
    """
    found: dict[str, Parse] = {}
    for where, record in read_records(path, PredictionRecord):
        if record.id in found:
            raise DataError(f"{where}: expected at most one prediction for sentence {record.id!r}, found two")
        found[record.id] = parse_of(record, f"{where}: prediction {record.id!r}")
    return found


def write_predictions(predictions: Mapping[str, Parse], path: str | Path) -> None:
    """Write a line for each parse. If writing fails, an existing file stays as it was."""
    write_lines((prediction_line(id_, parse) for id_, parse in predictions.items()), path)


def prediction_line(id_: str, parse: Parse) -> str:
    """The line of the file for one parse."""
    equation = None if parse.equation is None else str(parse.equation)
    return dumps({
        "id": id_, "text": parse.text, "equation": equation, "variables": parse.variables,
        "candidates": parse.candidates, "reason": parse.reason, "score": parse.score, "confidence": parse.confidence,
    })


def parse_of(record: PredictionRecord, where: str) -> Parse:
    """The parse that a line holds. Raises DataError for an invalid equation or span."""
    try:
        equation = read_equation(record.equation)
    except EqparseError as error:
        raise DataError(f"{where}: {error}") from error
    length = len(record.text)
    candidates = tuple(checked_span(span, length, where=f"{where}, candidates") for span in record.candidates)
    variables = checked_spans(record.variables, length, where=where)
    equations = () if equation is None else (GroundedEquation(equation, variables, score=record.score),)
    return Parse(
        record.text, equations, reason=record.reason, candidates=candidates, confidence=record.confidence
    )
