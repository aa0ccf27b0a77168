"""Sweeps over folds, seeds and experiments: finished jobs are skipped, and failed jobs are listed at the end.

Hydra runs the jobs of `train.py -m`, in this process or, depending on the launcher, in others. Jobs report failures to
the process that started the sweep through files, in a folder whose name all of them find in their environment.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.core.utils import JobReturn, JobStatus
from hydra.experimental.callback import Callback
from hydra.types import RunMode
from omegaconf import DictConfig

from eqparse.errors import BusyError, EqparseError, describe
from eqparse.experiments.config import TrainConfig, checked, plain
from eqparse.experiments.run_hash import run_hash
from eqparse.experiments.runs.earlier import differences, earlier_metrics, that_matter
from eqparse.experiments.runs.sentences import read_split

FAILED = "EQPARSE_FAILED_JOBS"
"""The environment variable with the folder in which jobs record that they failed."""

WAIT = 1.0  # seconds between two looks whether a folder is free

log = logging.getLogger(__name__)


def resumable(run: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """`run`, except that a finished run with the same options, data and code is not repeated: its metrics are read.

    A job of a sweep waits for another run that is at work in its folder: a parallel search may try the same options
    twice at a time.
    """

    def resume(config: TrainConfig, **options: Any) -> dict[str, Any]:
        config, waiting = checked(config), False
        while True:
            found = finished(config) if config.resume else None
            if found is not None:
                log.info("skipped %s, which is finished; resume=false runs it again", config.folder)
                return found
            try:
                return run(config, **options)
            except BusyError:
                if not in_sweep():
                    raise
                if not waiting:
                    log.info("waiting for the run that is at work in %s", config.folder)
                waiting = True
                sleep(WAIT)

    return resume


def finished(config: TrainConfig) -> dict[str, Any] | None:
    """The metrics of this run if it is already finished; None if it is not, or if code, data or model have changed.

    Raises ConfigError if the folder holds a finished run with other options, which this run would replace, and
    DataError if the data cannot be read.
    """
    metrics = earlier_metrics(config)
    if metrics is None:
        return None
    if metrics.get("run_hash") != run_hash(config, read_split(config).examples):
        return None
    return metrics if config.inner_folds or has_checkpoint(config, metrics) else None


def has_checkpoint(config: TrainConfig, metrics: dict[str, Any]) -> bool:
    """Is the checkpoint there, complete, and from this run? Several runs may have been given the same place for it."""
    try:
        kept = config.system.system().load(Path(config.checkpoint), device="cpu")
    except (EqparseError, OSError):
        return False
    if getattr(kept, "metrics", metrics).get("run_hash") != metrics["run_hash"]:
        return False
    return not differences(that_matter(kept.config), that_matter(plain(config)))


def in_sweep() -> bool:
    """Is this process running a job of a sweep?"""
    return HydraConfig.initialized() and HydraConfig.get().mode == RunMode.MULTIRUN


def job_words() -> str:
    """The options that this job of a sweep was started with."""
    return " ".join(HydraConfig.get().overrides.task)


class FailedJobs(Callback):
    """Records the failed jobs of a sweep. Hydra creates one of these in each process."""

    def on_multirun_start(self, config: DictConfig, **kwargs: Any) -> None:
        os.environ[FAILED] = str(Path(config.outputs).resolve() / ".failed" / uuid.uuid4().hex)

    def on_job_end(self, config: DictConfig, job_return: JobReturn, **kwargs: Any) -> None:
        if job_return.status is not JobStatus.FAILED or FAILED not in os.environ:
            return
        folder = Path(os.environ[FAILED])
        folder.mkdir(parents=True, exist_ok=True)
        error = job_return._return_value
        told = {"job": " ".join(config.hydra.overrides.task), "error": describe(error)}
        (folder / f"{config.hydra.job.num}.json").write_text(json.dumps(told), encoding="utf-8")


def failed_jobs() -> list[dict[str, str]]:
    """The failed jobs of this process's sweep, each with `job` (its overrides) and `error`; deletes their records."""
    folder = os.environ.pop(FAILED, None)
    if folder is None or not Path(folder).is_dir():
        return []
    paths = sorted(Path(folder).glob("*.json"), key=lambda path: int(path.stem))
    jobs = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    shutil.rmtree(folder)
    if not any(Path(folder).parent.iterdir()):
        Path(folder).parent.rmdir()
    return jobs
