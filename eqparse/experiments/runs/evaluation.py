"""A run that tests a checkpoint, and counts the sentences that the checkpoint was trained on."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from eqparse.corpus import Example
from eqparse.errors import DataError, EqparseError
from eqparse.experiments.config import (
    DataConfig,
    EvaluateConfig,
    TrainConfig,
    checked,
    data_config,
)
from eqparse.experiments.run_hash import hash_of_texts
from eqparse.experiments.runs.earlier import differences, own_folder
from eqparse.experiments.runs.figures import figures
from eqparse.experiments.runs.files import write_run
from eqparse.experiments.runs.phases import Clock, torch_threads
from eqparse.experiments.runs.sentences import Progress, annotated_split, read_split
from eqparse.parser.confidence import check_asked, expect
from eqparse.plain import write_json
from eqparse.systems.checkpoint import trained_with
from eqparse.systems.folder import find_checkpoint
from eqparse.systems.load import read_checkpoint

log = logging.getLogger(__name__)


def evaluate_run(config: EvaluateConfig, *, progress: Progress | None = None) -> dict[str, Any]:
    """Test a checkpoint on fold `fold`, or on every sentence if fold=all; write metrics, predictions and config.

    In the metrics, `seen_in_training` is how many of these sentences the checkpoint was trained on. If that is unknown,
    it is None, and `seen_in_training_unknown` gives the reason. Raises ConfigError, DataError and CheckpointError,
    and OSError where the folder cannot be written, before anything is written.
    """
    config = checked(config)
    clock = Clock()
    with own_folder(config), torch_threads(config.threads):
        with clock("load"):
            checkpoint = read_checkpoint(config.checkpoint, device=config.device)
            check_asked(checkpoint.parser.calibration, min_confidence=config.min_confidence)
            expect(checkpoint.parser, config.prevalence)
        if other := other_data(checkpoint.config, config.data):
            log.warning(other)
        with clock("read"):
            sentences = read_split(config)
        with clock("annotate"):
            split = annotated_split(config, sentences, progress)
        if split.annotator != checkpoint.annotator:
            log.warning("trained on annotations of %s, tested on %s", checkpoint.annotator, split.annotator)
        examples, mentions = split.part(split.test)
        with clock("evaluate"):
            if progress is not None:
                progress("evaluate", {})
            found = figures(checkpoint.parser, examples, mentions, min_confidence=config.min_confidence)
        found.metrics |= {
            "fold": config.fold,
            "seed": config.seed,
            **seen_in_training(checkpoint.config, checkpoint.metrics, config.data, examples),
            "seconds": clock.seconds,
        }
        write_run(config, found)
    return found.metrics


def other_data(trained: Mapping[str, Any], data: DataConfig) -> str:
    """What to do about a test on the data that are the default, by a checkpoint that was trained on others, or ""."""
    learnt, tested = trained.get("data"), vars(data)
    if data != DataConfig() or not isinstance(learnt, dict):
        return ""
    other = [name for name in differences(learnt, tested) if name in ("name", "root", "folds", "limit")]
    its, ours = (
        " ".join(f"data.{name}={write_json(values[name], ensure_ascii=False)}" for name in other)
        for values in (learnt, tested)
    )
    return f"trained with {its}, tested with {ours}; for a test on the same sentences give {its}" if other else ""


def seen_in_training(
    trained: Mapping[str, Any], measured: Mapping[str, Any], data: DataConfig, examples: Sequence[Example],
    *, of: str = "these sentences",
) -> dict[str, Any]:
    """For the metrics: how many of the sentences a checkpoint was trained on, or None and the reason if unknown.

    Both are a warning, which calls the sentences `of`, unless it is none of them. See `training_texts`.
    """
    texts, unknown = seen_texts(trained, measured, data)
    if unknown:
        log.warning("it is not known how many of %s it was trained on: %s", of, unknown)
        return {"seen_in_training": None, "seen_in_training_unknown": unknown}
    if seen := sum(example.text in texts for example in examples):
        log.warning("it was trained on %d of %s, so the figures are too high", seen, of)
    return {"seen_in_training": seen}


def seen_before(config: TrainConfig, examples: Sequence[Example], *, of: str = "these sentences") -> dict[str, Any]:
    """`seen_in_training` of the checkpoint that training goes on from; empty without one, and without sentences."""
    start = getattr(config.system, "start", None)
    if start is None or not examples:
        return {}
    return seen_in_training(*trained_with(find_checkpoint(start)), config.data, examples, of=of)


def seen_texts(trained: Mapping[str, Any], measured: Mapping[str, Any], data: DataConfig) -> tuple[set[str], str]:
    """`training_texts`, and why they cannot be determined, or ""."""
    try:
        return training_texts(trained, measured, data), ""
    except (EqparseError, OSError) as error:
        return set(), str(error)


def training_texts(
    trained: Mapping[str, Any], measured: Mapping[str, Any], data: DataConfig, *, later: Collection[str] = ()
) -> set[str]:
    """The texts that a checkpoint was trained on: split again by its config and compared with its hash `trained_on`.

    Those of the checkpoint that its training went on from, if there is one, are among them.

    trained, measured: the checkpoint's config and metrics.
    data: where to look if these have the same data name and the training data is no longer in its place.
    later: the checkpoints whose training went on from this one.

    Raises EqparseError or OSError if the texts cannot be determined.
    """
    try:
        its_data = data_config(trained["data"])
        config = TrainConfig(data=its_data, seed=trained["seed"], fold=trained["fold"])
        start = trained.get("system", {}).get("start")
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError("the checkpoint does not say what it was trained on") from error
    if its_data.name == data.name and not its_data.path.exists():
        its_data.root = data.root
    split = read_split(config)
    texts = [split.examples[i].text for i in split.train]
    found = {"train_sentences": len(texts), "trained_on": hash_of_texts(texts)}
    known = found | measured  # older checkpoints have only the number
    if any(known[name] != found[name] for name in found):
        raise DataError(
            f"{its_data.path}: expected the {known['train_sentences']} sentences that the checkpoint was trained on, "
            f"found {len(texts)} that are not the same; the data or its folds have changed since"
        )
    if start is None:
        return set(texts)
    before = os.path.realpath(find_checkpoint(start))
    if before in later:
        raise DataError(f"checkpoint {start}: expected the one that training went on from, found a later one there")
    return {*texts, *training_texts(*trained_with(before), data, later=[*later, before])}
