"""The finished run that may be in a run's folder already: one with other options is never replaced unasked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from eqparse.errors import ConfigError
from eqparse.experiments.config import RunConfig, TrainConfig, plain
from eqparse.files import check_folder_can_be, locked
from eqparse.plain import read_json, read_yaml
from eqparse.systems.folder import MODELS, SHIPPED

NO_MATTER = ("outputs", "run", "name", "checkpoint", "logger", "cache", "resume", "optimized_metric", "threads")
"""Options that do not affect results; that of which checkpoint is tested does."""


def earlier_metrics(config: RunConfig) -> dict[str, Any] | None:
    """The metrics of the finished run in this one's folder; None if there is none, or its files are broken.

    Raises ConfigError if that is a run with other options, or an evaluation in place of a run of training or the
    reverse.
    """
    folder = config.folder
    try:
        metrics = read_json((folder / "metrics.json").read_bytes())
        made_with = read_yaml((folder / "config.yaml").read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(metrics, dict) or not isinstance(made_with, dict):
        return None
    trains = isinstance(config, TrainConfig)
    if ("experiment" in made_with) != trains:
        what, ours = ("evaluation", "run of training") if trains else ("run of training", "evaluation")
        raise ConfigError(
            f"{folder}: expected a folder for this {ours}, found a finished {what}; give another run=PATH or name=..."
        )
    other = differences(that_matter(made_with), that_matter(plain(config)))
    if not trains and not same_checkpoint(made_with.get("checkpoint"), config.checkpoint):
        other.append("checkpoint")
    if other:
        what, replace = ("run", "resume=false") if trains else ("evaluation", "delete that folder")
        raise ConfigError(
            f"{folder}: holds a finished {what} with other options ({', '.join(other)}); give name=... to keep both, "
            f"or {replace} to replace it"
        )
    return metrics


@contextmanager
def own_folder(config: RunConfig) -> Iterator[None]:
    """Keep other runs out of this one's folder, from its start to its end.

    Raises ConfigError where another run is at work there, or the folder holds a finished run that this one may not
    replace; OSError where there can be no such folder.
    """
    check_folder_can_be(config.folder)
    with locked(config.folder, instead="give name=... to keep both"):
        if not isinstance(config, TrainConfig) or config.resume:
            earlier_metrics(config)
        yield


def that_matter(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that can affect results."""
    return {name: value for name, value in options.items() if name not in NO_MATTER}


def differences(before: Mapping[str, Any], now: Mapping[str, Any], *, within: str = "") -> list[str]:
    """The names of options that both have with different values, such as "solver.c"."""
    found: list[str] = []
    for name in before.keys() & now.keys():
        if isinstance(before[name], dict) and isinstance(now[name], dict):
            found += differences(before[name], now[name], within=f"{within}{name}.")
        elif before[name] != now[name]:
            found.append(f"{within}{name}")
    return sorted(found)


def same_checkpoint(before: object, now: str) -> bool:
    """Are these one folder, however they are written?"""
    places = (SHIPPED / name if name in MODELS else name for name in (before, now))
    return isinstance(before, str) and len(set(map(os.path.realpath, places))) == 1
