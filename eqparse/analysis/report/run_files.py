"""The files of a run, read back and held against what a run writes, so that a damaged one is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from eqparse.errors import DataError, first_line
from eqparse.training.metrics import CRITERIA

METRICS, PREDICTIONS, CONFIG = FILES = ("metrics.json", "predictions.jsonl", "config.yaml")
VERDICTS = "verdicts.jsonl"
STAGES = ("quantity_list", "variable_list", "tree")
TEXT, COUNT, NUMBER, NOTHING = (str,), (int,), (int, float), (type(None),)
NAMES = {str: "text", int: "an integer", float: "a number", type(None): "null", dict: "a mapping"}


def read_config(folder: Path) -> dict[str, Any]:
    """The options of a run or of a test of a checkpoint; raises DataError, also for a wrong type of what both have."""
    path = folder / CONFIG
    config = read_yaml(path)
    field(config, "data", (dict,), path=path)
    for name in ("experiment", "name", "checkpoint", "data.root", "data.name", "data.folds", "features.name",
                 "annotator.pipeline"):
        field(config, name, TEXT + NOTHING, path=path, needed=False)
    return config


def read_metrics(folder: Path) -> dict[str, Any]:
    """What a run measured; raises DataError, also for a figure that is no percentage."""
    path = folder / METRICS
    metrics = read_json(path)
    field(metrics, "sentences", COUNT, path=path)
    for name in (*STAGES, *CRITERIA):
        figure = field(metrics, name, NUMBER + NOTHING, path=path, needed=False)
        if figure is not None and not 0 <= figure <= 100:
            raise DataError(f"{path}: expected a percentage for {name}, found {figure!r}")
    field(metrics, "train_sentences", COUNT + NOTHING, path=path, needed=False)
    for name in ("run_hash", "made_from"):
        field(metrics, name, TEXT + NOTHING, path=path, needed=False)
    return metrics


def field(document: dict[str, Any], name: str, kinds: tuple[type, ...], *, path: Path, needed: bool = True) -> Any:
    """The value under a dotted name; None where it is not there and not needed.

    Raises DataError, with `path`, for a value of no type of `kinds`.
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
        raise DataError(f"{path}: expected {expected} for {name}, found {value!r:.60}")
    return value


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping; raises DataError."""
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise DataError(f"{path}: expected YAML, found {first_line(error)}") from error
    if not isinstance(document, dict):
        raise DataError(f"{path}: expected the options of a run, found {document!r:.60}")
    return document


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file that holds an object; raises DataError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: expected JSON, found {first_line(error)}") from error
    if not isinstance(document, dict):
        raise DataError(f"{path}: expected an object, found {document!r:.60}")
    return document


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, each with an id that is text; raises DataError."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}, line {number}: expected JSON, found {first_line(error)}") from error
        if not isinstance(record, dict) or not isinstance(record.get("id"), str):
            raise DataError(f"{path}, line {number}: expected an object with an id, found {record!r:.60}")
        yield record
