"""The finished runs below some folders, and what was left out and why."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from eqparse.errors import DataError

FILES = ("metrics.json", "predictions.jsonl", "config.yaml")
VERDICTS = "verdicts.jsonl"
TRACES = ("checkpoint", "wandb")  # what a run leaves before its files are there
WHERE_AND_HOW = (
    "outputs", "run", "name", "checkpoint", "cache", "resume", "fold", "seed", "device", "threads", "logger", "score",
    "experiment",
)
"""Options that do not change what is learned from which sentences, or that stand in `Run` by themselves."""


@dataclass(frozen=True, eq=False)
class Run:
    """One finished run of training and its test.

    experiment: the option, less the names of the data and of the features where they stand before and after it; "full"
    where nothing else is left. data: (name, how dealt to folds, limit, extra). options: what else was set,
    "stage.bits" and so on, flat. made_from: a hash of the sentences, the code and the libraries, None where unknown.
    """

    folder: Path
    experiment: str
    data: tuple[str, str, int | None, str | None]
    features: str
    fold: int
    seed: int
    options: dict[str, Any]
    metrics: dict[str, Any]
    config: dict[str, Any]

    @property
    def name(self) -> str:
        """The option, "" where it is the one that a run has by default."""
        given = str(self.config.get("name") or "")
        return "" if given == f"{self.data[0]}-{self.features}/{self.config['experiment']}" else given

    @property
    def made_from(self) -> str | None:
        return self.metrics.get("made_from")

    @cached_property
    def texts(self) -> dict[str, str]:
        """id -> text of the test sentences."""
        return {record["id"]: record["text"] for record in json_lines(self.folder / "predictions.jsonl")}

    @cached_property
    def digest(self) -> str:
        """Says which sentences the run was tested on."""
        return hashlib.sha256(json.dumps(sorted(self.texts.items())).encode()).hexdigest()


@dataclass(frozen=True)
class LeftOut:
    """A folder that is not reported on, and why."""

    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.folder}: {self.reason}"


def find_runs(folders: Sequence[str | Path]) -> tuple[list[Run], list[LeftOut]]:
    """Every finished run in or below the folders, in order of path, and what is unfinished or not a test.

    Raises DataError for a folder that is not there, a file that cannot be read, and folders without any run.
    """
    runs: dict[Path, Run] = {}
    left_out: list[LeftOut] = []
    seen: set[Path] = set()
    for folder in folders:
        if not Path(folder).is_dir():
            raise DataError(f"{folder}: expected a folder with runs, found none; give the `outputs` of train.py")
        for place in run_folders(Path(folder)):
            if place.resolve() in seen:
                continue
            seen.add(place.resolve())
            missing = [name for name in FILES if not (place / name).is_file()]
            found = LeftOut(place, f"unfinished, without {', '.join(missing)}") if missing else read_run(place)
            if isinstance(found, Run):
                runs[place] = found
            else:
                left_out.append(found)
    if not runs and not left_out:
        raise DataError(f"{', '.join(map(str, folders))}: expected runs (folders with {', '.join(FILES)}), found none")
    return list(runs.values()), left_out


def run_folders(folder: Path) -> Iterator[Path]:
    """The folders that a run wrote to, finished or not; what is inside one is not looked at."""
    for place, below, files in os.walk(folder):
        started = any(name in TRACES or name.startswith(".writing-") for name in below)
        below[:] = sorted(name for name in below if not name.startswith("."))
        if "model.safetensors" in files:  # a checkpoint that stands alone
            below.clear()
        elif started or any(name in files for name in FILES) or (not below and not files):
            finished = any(name in files for name in FILES)
            below[:] = [] if finished else [name for name in below if name not in TRACES]
            yield Path(place)


def read_run(folder: Path) -> Run | LeftOut:
    """The run of a folder that has all its files."""
    config = read_yaml(folder / "config.yaml")
    metrics = read_json(folder / "metrics.json")
    if "experiment" not in config:
        return LeftOut(folder, "a test of a checkpoint that was trained elsewhere, not a run of training")
    try:
        data, features, fold = config["data"], config["features"]["name"], config["fold"]
        if fold == "all":
            return LeftOut(folder, "trained on every sentence (fold=all), so tested on none")
        if config.get("inner_folds"):
            return LeftOut(folder, f"tested within the training sentences (inner_folds={config['inner_folds']})")
        key = (data["name"], data["folds"], data["limit"], data.get("extra"))
        seed, sentences = config["seed"], metrics["sentences"]
    except (KeyError, TypeError) as error:
        raise DataError(f"{folder}: expected the files of a run, found a config or metrics without {error}") from error
    if not sentences:
        return LeftOut(folder, "tested on no sentence that states an equation")
    experiment = short_name(config["experiment"], data["name"], features)
    options = {k: v for k, v in flat(config).items() if k.split(".")[0] not in WHERE_AND_HOW}
    apart = ("name", "root", "folds", "limit", "extra")
    for name in (*(f"data.{part}" for part in apart), "features.name", "annotator.batch_size", "inner_folds"):
        options.pop(name, None)
    return Run(folder, experiment, key, features, fold, seed, options, metrics, config)


def short_name(experiment: str, data: str, features: str) -> str:
    """The experiment's name without those of the data and the features, which the report states by themselves."""
    parts = f"-{experiment}-"
    if parts.startswith(f"-{data}-"):
        parts = parts[len(data) + 1 :]
    if parts.endswith(f"-{features}-"):
        parts = parts[: -len(features) - 1]
    return parts.strip("-") or "full"


def flat(options: Any, prefix: str = "") -> dict[str, Any]:
    """Nested options under dotted names; a list is a sorted tuple, since the order of feature groups says nothing."""
    if isinstance(options, dict):
        return {k: v for name, value in options.items() for k, v in flat(value, f"{prefix}.{name}".strip(".")).items()}
    return {prefix: tuple(sorted(map(str, options))) if isinstance(options, list) else options}


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file that holds a mapping; raises DataError."""
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError) as error:
        raise DataError(f"{path}: expected YAML, found {str(error).splitlines()[0]}") from error
    if not isinstance(document, dict):
        raise DataError(f"{path}: expected the options of a run, found {document!r:.60}")
    return document


def read_json(path: Path) -> dict[str, Any]:
    """A JSON file that holds an object; raises DataError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"{path}: expected JSON, found {error}") from error
    if not isinstance(document, dict):
        raise DataError(f"{path}: expected an object, found {document!r:.60}")
    return document


def json_lines(path: Path) -> Iterable[dict[str, Any]]:
    """The objects of a file of JSON lines with an id each; raises DataError."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise DataError(f"{path}, line {number}: expected JSON, found {error}") from error
        if not isinstance(record, dict) or "id" not in record:
            raise DataError(f"{path}, line {number}: expected an object with an id, found {record!r:.60}")
        yield record
