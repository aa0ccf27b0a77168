"""Logging of runs: to Weights & Biases, offline by default, or not at all. `Logger` is the protocol for others."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from eqparse.errors import ConfigError, describe, first_line

log = logging.getLogger(__name__)

Row = dict[str, str | float | bool | None]

ENVIRONMENT = {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false"}
"""Set unless the user has set them: no account, no prompt, no output on the terminal, no connection."""
START_TIMEOUT = 10  # seconds that an online run may wait for W&B


@runtime_checkable
class Logger(Protocol):
    """Logs one run. Calls: `start`, `progress` any number of times, then `finish`; `fail` may come at any time."""

    def start(self, *, name: str, group: str, config: dict[str, Any], folder: Path) -> None:
        """The run begins.

        name: identifies this fold and seed.
        group: identifies the experiment.
        config: the options of the run.
        folder: where files may be written.
        """

    def progress(self, stage: str, entry: dict[str, float]) -> None:
        """The latest entry of a solver's history."""

    def finish(self, metrics: dict[str, Any], predictions: list[Row]) -> None:
        """The run ended; predictions has a row for each test sentence, all with the same keys."""

    def fail(self) -> None:
        """The run ended with an error."""


class NoLogger:
    """Logs nothing and leaves nothing behind."""

    def start(self, *, name: str, group: str, config: dict[str, Any], folder: Path) -> None:
        pass

    def progress(self, stage: str, entry: dict[str, float]) -> None:
        pass

    def finish(self, metrics: dict[str, Any], predictions: list[Row]) -> None:
        pass

    def fail(self) -> None:
        pass


class Tolerant:
    """Another logger; what goes wrong with it after `start` is a warning in one line and the end of the logging."""

    def __init__(self, logger: Logger) -> None:
        self._logger = logger
        self._failed = False

    def start(self, *, name: str, group: str, config: dict[str, Any], folder: Path) -> None:
        self._logger.start(name=name, group=group, config=config, folder=folder)

    def progress(self, stage: str, entry: dict[str, float]) -> None:
        self._tell("progress", stage, entry)

    def finish(self, metrics: dict[str, Any], predictions: list[Row]) -> None:
        self._tell("finish", metrics, predictions)

    def fail(self) -> None:
        self._tell("fail")

    def _tell(self, method: str, *told: Any) -> None:
        if self._failed:
            return
        try:
            getattr(self._logger, method)(*told)
        except Exception as error:
            self._failed = True
            log.warning("logger: %s failed, and nothing more is logged (%s); the run goes on", method, describe(error))


def can_be_written(folder: str | Path) -> bool:
    """Can files be written to a folder, which is created if necessary?"""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


class WandbLogger:
    """Logs to one W&B run: config, curves of each stage's solver, metrics as the summary, a table of predictions."""

    def __init__(self, *, project: str = "eqparse") -> None:
        self.project = project
        self._run: Any = None
        self._checks: dict[str, int] = {}

    def start(self, *, name: str, group: str, config: dict[str, Any], folder: Path) -> None:
        for variable, value in ENVIRONMENT.items():
            os.environ.setdefault(variable, value)
        folder.mkdir(parents=True, exist_ok=True)
        import wandb  # here, so that runs without it neither wait for it nor need it
        from wandb.env import get_cache_dir, get_data_dir

        # where W&B keeps its own log, which else goes to standard error, and what is not yet uploaded
        for variable, place in (("WANDB_CACHE_DIR", get_cache_dir()), ("WANDB_DATA_DIR", get_data_dir())):
            if not can_be_written(place):
                os.environ[variable] = str((folder / "wandb").resolve())
        settings = wandb.Settings(
            console="off", disable_git=True, save_code=False, x_disable_stats=True, x_disable_meta=True,
            init_timeout=START_TIMEOUT,
        )
        begin = partial(
            wandb.init, project=self.project, group=group, name=name, config=config, dir=str(folder),
            reinit="finish_previous", settings=settings,
        )
        try:
            try:
                self._run = begin(mode=os.environ["WANDB_MODE"])
            except wandb.errors.CommError as error:
                if isinstance(error, wandb.errors.AuthenticationError):
                    raise
                log.warning("logger: W&B is not reached (%s); this run is logged offline, for `wandb sync`",
                            first_line(error))
                self._run = begin(mode="offline")
        except Exception as error:  # of every kind: its own, pydantic's, the system's
            for empty in (folder / "wandb", folder):
                with suppress(OSError):
                    empty.rmdir()
            raise ConfigError(
                f"logger: W&B did not start with WANDB_MODE={os.environ['WANDB_MODE']} ({describe(error)}); "
                "WANDB_MODE=offline needs no account and logger=none does without W&B"
            ) from error

    def progress(self, stage: str, entry: dict[str, float]) -> None:
        if stage not in self._checks:
            # epochs start from 1 again in each round, so the x axis counts checks instead
            self._run.define_metric(f"{stage}/*", step_metric=f"{stage}/check")
        self._checks[stage] = self._checks.get(stage, 0) + 1
        values = {"check": self._checks[stage], **entry}
        self._run.log({f"{stage}/{name}": value for name, value in values.items()})

    def finish(self, metrics: dict[str, Any], predictions: list[Row]) -> None:
        import wandb

        self._run.summary.update(metrics)
        if predictions:
            rows = [list(row.values()) for row in predictions]
            self._run.log({"predictions": wandb.Table(columns=list(predictions[0]), data=rows)})
        self._run.finish()

    def fail(self) -> None:
        if self._run is not None:
            self._run.finish(exit_code=1)
