"""A run that trains on all folds but one and tests on that one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from hydra.utils import instantiate

from eqparse.errors import ConfigError
from eqparse.experiments.config import METRICS, TrainConfig, checked, plain
from eqparse.experiments.run_hash import hash_of_texts, run_hash
from eqparse.experiments.runs.earlier import own_folder
from eqparse.experiments.runs.evaluation import seen_before
from eqparse.experiments.runs.figures import Figures, figures, prediction_table
from eqparse.experiments.runs.files import write_run
from eqparse.experiments.runs.inner import compare, inner_splits, train
from eqparse.experiments.runs.phases import Clock, torch_threads
from eqparse.experiments.runs.sentences import AnnotatedSplit, Progress, annotated_split, read_split
from eqparse.experiments.tracking import Logger, Tolerant
from eqparse.files import check_replaceable
from eqparse.scoring.devices import find_device
from eqparse.training.evaluate import unreachable


def train_run(config: TrainConfig, *, progress: Progress | None = None) -> dict[str, Any]:
    """Train on all folds but `fold`, test on that one, and write the run's folder; fold=all trains on every sentence.

    With `inner_folds`, train and test only on the training sentences.

    Raises ConfigError and DataError, CheckpointError and OSError where the run cannot be written; then nothing has been
    written. What goes wrong with logging once the run has started is a warning.
    """
    config = checked(config)
    with own_folder(config), torch_threads(config.threads):
        if not config.inner_folds:
            check_replaceable(config.checkpoint, config.system.system().files)
        device, logger, clock = find_device(config.device), find_logger(config), Clock()
        with clock("read"):
            sentences = read_split(config)
        with clock("annotate"):
            split = annotated_split(config, sentences, progress)
        try:
            logger.start(name=config.split_name, group=config.name, config=plain(config), folder=config.folder)
            identity = {"fold": config.fold, "seed": config.seed, "run_hash": run_hash(config, split.examples)}
            run = cross_validated_run if config.inner_folds else tested_run
            found = run(config, split, identity, clock, device=device, progress=shared_progress(logger, progress))
        except BaseException:
            logger.fail()
            raise
        table = [] if config.inner_folds else prediction_table(split.part(split.test)[0], found.predictions)
        logger.finish(found.metrics, table)
    return found.metrics


def tested_run(
    config: TrainConfig,
    split: AnnotatedSplit,
    identity: dict[str, Any],
    clock: Clock,
    *,
    device: torch.device,
    progress: Progress,
) -> Figures:
    """Train, test, and write the run with its checkpoint."""
    with clock("train"):
        trained = train(config, split, device=device, progress=progress)
    if config.relation.folds or config.calibration.folds:
        with clock("calibrate"):
            compare(config, split, trained.parser, device=device, progress=progress)
    with clock("evaluate"):
        progress("evaluate", {})
        found = figures(trained.parser, *split.part(split.test))
    found.metrics |= seen_before(config, split.part(split.test)[0]) | identity | {
        "train_sentences": len(split.train),
        "trained_on": hash_of_texts(split.examples[i].text for i in split.train),
        "train_unreachable": unreachable(
            *split.part(split.train), limits=config.stage.limits, tree=getattr(trained.parser, "tree", None),
            variable=getattr(trained.parser, "variable", None),
        ),
        "solver": trained.report,
        "seconds": clock.seconds,
    }

    def save() -> None:
        config.system.system().save(
            Path(config.checkpoint), trained.parser, config=plain(config), metrics=found.metrics,
            annotator_version=split.annotator,
        )

    write_run(config, found, save=save)
    return found


def cross_validated_run(
    config: TrainConfig,
    split: AnnotatedSplit,
    identity: dict[str, Any],
    clock: Clock,
    *,
    device: torch.device,
    progress: Progress,
) -> Figures:
    """Train and test on `inner_folds` folds of the training sentences, and write the mean figures."""
    parts: list[Figures] = []
    tested: list[int] = []
    for train_part, test in inner_splits(config, split, config.inner_folds, progress=progress):
        trained = train(config, replace(split, train=train_part), device=device, progress=progress)
        parts.append(figures(trained.parser, *split.part(test)))
        tested += test
    found = Figures(
        mean_metrics([part.metrics for part in parts])
        | seen_before(config, split.part(tested)[0])
        | {"train_sentences": len(split.train)}
        | identity
        | {"seconds": clock.seconds},
        {id_: parse for part in parts for id_, parse in part.predictions.items()},
    )
    write_run(config, found)
    return found


def mean_metrics(folds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The means of the figures over the folds, and the figures of each fold."""
    means = {}
    for name in METRICS:
        values = [fold[name] for fold in folds if fold.get(name) is not None]
        means[name] = round(sum(values) / len(values), 2) if values else None
    return means | {
        "sentences": sum(fold["sentences"] for fold in folds),
        "inner_folds": [{name: fold.get(name) for name in METRICS} for fold in folds],
    }


def find_logger(config: TrainConfig) -> Logger:
    """The logger that the options name. Raises ConfigError if it lacks the methods of one."""
    logger = instantiate(config.logger)
    if not isinstance(logger, Logger):
        raise ConfigError(f"logger: expected an object with the methods of tracking.Logger, found {logger!r}")
    return Tolerant(logger)


def shared_progress(logger: Logger, progress: Progress | None) -> Progress:
    """Passes a solver's entries on to the logger and to the progress display."""

    def both(stage: str, entry: dict[str, float]) -> None:
        if entry:
            logger.progress(stage, entry)
        if progress is not None:
            progress(stage, entry)

    return both
