"""Finds the finished runs below some folders, and records what is left out and why."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import NoneType
from typing import Any

from eqparse.analysis.report.run_files import (
    CONFIG,
    COUNT,
    FILES,
    NOTHING,
    NUMBER,
    PREDICTIONS,
    TEXT,
    VERDICTS,
    TextRecord,
    VerdictRecord,
    field,
    read_config,
    read_metrics,
)
from eqparse.corpus.jsonl import read_records
from eqparse.errors import DataError
from eqparse.files import is_temporary
from eqparse.training.predictions import read_predictions

TRACES = ("checkpoint", "wandb")  # what an unfinished run leaves
FRACTIONS = ("data.train_fraction", "data.fraction")  # an option and its earlier name, as in the next two
AUXILIARY = ("data.auxiliary", "data.extra")
PIPELINE = ("pipeline", "full")
RENAMED = {"solver.planes": "solver.working_set"}
WHERE_AND_HOW = (
    "outputs", "run", "name", "checkpoint", "cache", "resume", "fold", "seed", "device", "threads", "logger", "score",
    "optimized_metric", "experiment",
)
"""Options that do not change what is learned from which sentences, or that `Run` has as attributes of their own."""
APART = (
    "data.name", "data.root", "data.folds", "data.limit", *AUXILIARY, "features.name", "annotator.batch_size",
    "inner_folds",
)
"""Likewise, of groups whose other options do change it."""


@dataclass(frozen=True, eq=False)
class Run:
    """One finished run of training and its test.

    experiment: the option, without the names of the data and features if they surround it; "pipeline" if nothing else
        is left.
    data: (name, how split into folds, limit, auxiliary data).
    options: what else was set, under dotted names such as "stage.bits".
    run_hash: hash of the sentences, the code and the libraries; None if unknown.
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
        """The option `name`, or "" if it has its default value."""
        given = str(self.config.get("name") or "")
        return "" if given == f"{self.data[0]}-{self.features}/{self.config['experiment']}" else given

    @property
    def run_hash(self) -> str | None:
        return self.metrics.get("run_hash", self.metrics.get("made_from"))  # its earlier name

    @cached_property
    def texts(self) -> dict[str, str]:
        """id -> text of the test sentences."""
        return {record.id: record.text for _, record in read_records(self.folder / PREDICTIONS, TextRecord)}

    @cached_property
    def verdicts(self) -> dict[str, dict[str, Any]] | None:
        """id -> the figures of a line of verdicts.jsonl; None where the run has no such file."""
        path = self.folder / VERDICTS
        if not path.is_file():
            return None
        return {record.id: record.model_extra or {} for _, record in read_records(path, VerdictRecord)}


@dataclass(frozen=True)
class LeftOut:
    """A folder that is left out of the report, and why."""

    folder: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.folder}: {self.reason}"


def find_runs(folders: Sequence[str | Path]) -> tuple[list[Run], list[LeftOut]]:
    """Every finished run in or below the folders, in order of path, and what is unfinished, damaged or not a test.

    Raises DataError for a folder that does not exist, and if there is no run in any of them.
    """
    runs: dict[Path, Run] = {}
    left_out: list[LeftOut] = []
    seen: set[Path] = set()
    unread: list[OSError] = []
    for folder in folders:
        if not Path(folder).is_dir():
            raise DataError(f"{folder}: expected a folder with runs, found none; give the `outputs` of train.py")
        for place in run_folders(Path(folder), unread.append):
            if place.resolve() in seen:
                continue
            seen.add(place.resolve())
            missing = [name for name in FILES if not (place / name).is_file()]
            try:
                found = LeftOut(place, f"unfinished, without {', '.join(missing)}") if missing else read_run(place)
            except DataError as error:
                found = LeftOut(place, f"damaged: {str(error).removeprefix(f'{place}{os.sep}')}; train it again")
            if isinstance(found, Run):
                runs[place] = found
            else:
                left_out.append(found)
    left_out += [LeftOut(Path(error.filename), f"cannot be read: {error.strerror}") for error in unread]
    if not runs and not left_out:
        raise DataError(f"{', '.join(map(str, folders))}: expected runs (folders with {', '.join(FILES)}), found none")
    return list(runs.values()), left_out


def run_folders(folder: Path, unread: Callable[[OSError], None]) -> Iterator[Path]:
    """The folders that a run wrote to, finished or not; what is inside one is not looked at.

    unread: called with the error for each folder that cannot be listed.
    """
    for place, below, files in os.walk(folder, onerror=unread):
        started = any(name in TRACES or is_temporary(name) for name in [*below, *files])
        below[:] = sorted(name for name in below if not name.startswith("."))
        if "model.safetensors" in files:  # a checkpoint that stands alone
            below.clear()
        elif started or any(name in files for name in FILES) or (not below and not files):
            finished = any(name in files for name in FILES)
            below[:] = [] if finished else [name for name in below if name not in TRACES]
            yield Path(place)


def read_run(folder: Path) -> Run | LeftOut:
    """The run of a folder that has all its files. Raises DataError for a damaged one."""
    config, path = read_config(folder), folder / CONFIG
    if "experiment" not in config:
        return LeftOut(folder, "a test of a checkpoint that was trained elsewhere, not a run of training")
    if config.get("fold") == "all":
        return LeftOut(folder, "trained on every sentence (fold=all), so tested on none")
    if config.get("inner_folds"):
        return LeftOut(folder, f"tested within the training sentences (inner_folds={config['inner_folds']})")
    experiment, data, dealt, features = (
        field(config, name, TEXT, path=path) for name in ("experiment", "data.name", "data.folds", "features.name")
    )
    field(config, "data.root", TEXT + NOTHING, path=path)
    limit = field(config, "data.limit", COUNT + NOTHING, path=path)
    auxiliary = [field(config, name, TEXT + NOTHING, path=path, needed=False) for name in AUXILIARY]
    fold, seed = (field(config, name, COUNT, path=path) for name in ("fold", "seed"))
    for part in FRACTIONS:
        field(config, part, NUMBER + NOTHING, path=path, needed=False)
    metrics = read_metrics(folder)
    if not metrics["sentences"]:
        return LeftOut(folder, "tested on no sentence that states an equation")
    options = learned_with(config, path)
    key = (data, dealt, limit, auxiliary[0] or auxiliary[1])
    run = Run(folder, short_name(experiment, data, features), key, features, fold, seed, options, metrics, config)
    for name, found in ((PREDICTIONS, run.texts), (VERDICTS, run.verdicts)):
        if found == {}:
            raise DataError(f"{folder / name}: expected a line for each sentence that was tested, found none")
    if run.verdicts is None:
        read_predictions(folder / PREDICTIONS)  # its verdicts will be made from these
    return run


def learned_with(config: dict[str, Any], path: Path) -> dict[str, Any]:
    """The options that matter for what is learned, flat, less those that `Run` has by themselves."""
    try:
        options = flat(config)
    except RecursionError as error:
        raise DataError(f"{path}: expected options, found some that contain themselves") from error
    options = {RENAMED.get(name, name): value for name, value in options.items()}
    return {k: v for k, v in options.items() if k.split(".")[0] not in WHERE_AND_HOW and k not in APART}


def short_name(experiment: str, data: str, features: str) -> str:
    """The experiment's name without those of the data and the features, which the report states separately."""
    parts = f"-{experiment}-"
    if parts.startswith(f"-{data}-"):
        parts = parts[len(data) + 1 :]
    if parts.endswith(f"-{features}-"):
        parts = parts[: -len(features) - 1]
    name = parts.strip("-")
    return PIPELINE[0] if name in ("", *PIPELINE) else name


def flat(options: Any, prefix: str = "") -> dict[str, Any]:
    """Nested options under dotted names; lists become sorted tuples, as the order of feature groups has no effect."""
    if isinstance(options, dict):
        return {k: v for name, value in options.items() for k, v in flat(value, f"{prefix}.{name}".strip(".")).items()}
    if isinstance(options, list):
        return {prefix: tuple(sorted(map(str, options)))}
    return {prefix: options if isinstance(options, (str, int, float, NoneType)) else str(options)}
