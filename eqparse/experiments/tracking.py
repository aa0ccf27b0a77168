"""Where a run is logged: Weights & Biases, offline by default, or nowhere. `Logger` is what another one must have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

Row = dict[str, str | float | bool | None]

ENVIRONMENT = {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false"}
"""Set where the user did not: no account, no question, no line on the terminal, no connection."""


@runtime_checkable
class Logger(Protocol):
    """Told of one run: `start`, then `progress` any number of times, then `finish`, or `fail` at any time."""

    def start(self, *, name: str, group: str, config: dict[str, Any], folder: Path) -> None:
        """name: of this fold and seed; group: of the experiment. folder: where files may go."""

    def progress(self, stage: str, entry: dict[str, float]) -> None:
        """A solver's newest history entry."""

    def finish(self, metrics: dict[str, Any], predictions: list[Row]) -> None:
        """The run's metrics, and a row for each test sentence, all with the same keys."""

    def fail(self) -> None:
        """The run ended by an error."""


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


class WandbLogger:
    """One W&B run: the config, each stage's solver curves, the metrics as its summary, a table of predictions."""

    def __init__(self, *, project: str = "eqparse") -> None:
        self.project = project
        self._run: Any = None
        self._checks: dict[str, int] = {}

    def start(self, *, name: str, group: str, config: dict[str, Any], folder: Path) -> None:
        for variable, value in ENVIRONMENT.items():
            os.environ.setdefault(variable, value)
        import wandb  # here, so that runs without it neither wait for it nor need it

        folder.mkdir(parents=True, exist_ok=True)
        settings = wandb.Settings(
            console="off", disable_git=True, save_code=False, x_disable_stats=True, x_disable_meta=True
        )
        self._run = wandb.init(
            project=self.project, group=group, name=name, config=config, dir=str(folder), reinit="finish_previous",
            mode=os.environ["WANDB_MODE"], settings=settings,
        )

    def progress(self, stage: str, entry: dict[str, float]) -> None:
        if stage not in self._checks:
            # epochs start again in each round, so the curves run over the checks
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
