"""Reads the files of a run and checks their format, so that a damaged one is reported by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from eqparse import plain
from eqparse.analysis.report.layout import read_layout
from eqparse.corpus.jsonl import Record, parse_object
from eqparse.errors import DataError
from eqparse.plain import shown
from eqparse.training.confidence import PRECISIONS
from eqparse.training.metrics import CRITERIA

METRICS, PREDICTIONS, CONFIG = FILES = ("metrics.json", "predictions.jsonl", "config.yaml")
VERDICTS = "verdicts.jsonl"
CURVE = "precision_by_answered"
ANSWERED = {precision: f"answered_at_{precision}" for precision in PRECISIONS}
"""Percent of the answers that are right -> the figure that says how many sentences may then be answered."""
FIGURES = tuple(dict.fromkeys([*(figure for table in read_layout() for figure in table.figures), *CRITERIA]))
"""The figures of metrics.json that a report can show, in percent."""

TEXT, COUNT, NUMBER, NOTHING = (str,), (int,), (int, float), (type(None),)
NAMES = {str: "text", int: "an integer", float: "a number", type(None): "null", dict: "a mapping", list: "a list"}


class VerdictRecord(Record):
    """A line of verdicts.jsonl; its other keys are figures."""

    model_config = ConfigDict(extra="allow")
    id: str


class TextRecord(VerdictRecord):
    """The part of a line of predictions.jsonl that shows what a run was tested on."""

    text: str


def check_finished(run: Path) -> None:
    """Raise DataError unless all files of a finished run are in a folder."""
    for name in FILES:
        if not (run / name).is_file():
            raise DataError(f"{run}: expected the folder of a finished run, found no {name}; see `eqparse report DIR`")


def read_config(folder: Path) -> dict[str, Any]:
    """The options of a run, or of a test of a checkpoint; raises DataError, also for a wrong type of what both have."""
    path = folder / CONFIG
    config = read_yaml(path)
    field(config, "data", (dict,), path=path)
    for name in ("experiment", "name", "checkpoint", "data.root", "data.name", "data.folds", "features.name",
                 "annotator.pipeline"):
        field(config, name, TEXT + NOTHING, path=path, needed=False)
    return config


def read_metrics(folder: Path) -> dict[str, Any]:
    """What a run measured; raises DataError, also for a figure that is not a percentage."""
    path = folder / METRICS
    metrics = parse_object(path.read_bytes(), where=str(path))
    field(metrics, "sentences", COUNT, path=path)
    for name in FIGURES:
        figure = field(metrics, name, NUMBER + NOTHING, path=path, needed=False)
        if figure is not None and not 0 <= figure <= 100:
            raise DataError(f"{path}: expected a percentage for {name}, found {figure!r}")
    shares = [field(metrics, name, NUMBER + NOTHING, path=path, needed=False) for name in ANSWERED.values()]
    if None not in shares:
        check_curve(field(metrics, CURVE, (list,), path=path), path)
    field(metrics, "train_sentences", COUNT + NOTHING, path=path, needed=False)
    for name in ("run_hash", "made_from"):
        field(metrics, name, TEXT + NOTHING, path=path, needed=False)
    return metrics


def check_curve(points: list[Any], path: Path) -> None:
    """Raise DataError unless these are points of three numbers."""
    for point in points:
        if not isinstance(point, list) or len(point) != 3 or not all(type(value) in NUMBER for value in point):
            raise DataError(f"{path}: expected points of three numbers for {CURVE}, found {shown(point)}")


def field(document: dict[str, Any], name: str, kinds: tuple[type, ...], *, path: Path, needed: bool = True) -> Any:
    """The value under a dotted name; None if it is missing and not needed.

    Raises DataError, which names `path`, for a value of a type that is not among `kinds`.
    """
    value: Any = document
    for part in name.split("."):
        if isinstance(value, dict) and part not in value and not needed:
            return None
        if not isinstance(value, dict) or part not in value:
            raise DataError(f"{path}: expected {name}, found none")
        value = value[part]
    if type(value) not in kinds:
        expected = " or ".join(NAMES[kind] for kind in kinds if kind is not int or float not in kinds)
        raise DataError(f"{path}: expected {expected} for {name}, found {shown(value)}")
    return value


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping; raises DataError."""
    try:
        document = plain.read_yaml(path.read_bytes())
    except ValueError as error:
        raise DataError(f"{path}: expected YAML, found {error}") from error
    if not isinstance(document, dict):
        raise DataError(f"{path}: expected the options of a run, found {shown(document)}")
    return document
