"""One run, whole: `train_run` trains and tests a parser, `evaluate_run` tests a trained one. Each returns its metrics.

`train.py` and `evaluate.py` wrap them for Hydra; from Python, `train_run(TrainConfig(fold=3))` does as well. A run's
folder gets metrics.json, predictions.jsonl, verdicts.jsonl, config.yaml and, by default, the checkpoint; all of them or
none.
"""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
from hydra.utils import get_object, instantiate
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from eqparse.corpus import Example, assign_folds, folds_file, read_examples, read_folds
from eqparse.corpus.annotated import annotate
from eqparse.corpus.jsonl import dumps, write_lines
from eqparse.errors import ConfigError, DataError, EqparseError
from eqparse.experiments.config import (
    ALL,
    FOLDS,
    SCORES,
    SYSTEMS,
    DataConfig,
    EvaluateConfig,
    Folds,
    RunConfig,
    TrainConfig,
    cache_folder,
    checked,
    data_root,
    extra_root,
    plain,
    solver_options,
    stage_options,
)
from eqparse.experiments.run_hash import digest_of_texts, fingerprint
from eqparse.experiments.tracking import Logger
from eqparse.parser.pipeline import EquationParser
from eqparse.parser.texts import SentenceParser
from eqparse.scoring.devices import find_device
from eqparse.systems.system import Kept, System, Trained
from eqparse.text.mentions import Mentions
from eqparse.training.evaluate import predict, stage_accuracy, stage_verdicts, unreachable
from eqparse.training.metrics import Prediction, judge, summarize, write_predictions

log = logging.getLogger(__name__)
Progress = Callable[[str, dict[str, float]], None]
"""Told of a phase or stage and how far it is: `done` and `total`, or a solver's newest history entry."""


@dataclass(frozen=True)
class Corpus:
    """Annotated sentences, and which of them are for training and for testing (indices, ascending).

    extra: the ids of those from `data.extra`.
    """

    examples: list[Example]
    mentions: list[Mentions]
    train: list[int]
    test: list[int]
    annotator: str
    extra: frozenset[str] = frozenset()

    def part(self, indices: Sequence[int]) -> tuple[list[Example], list[Mentions]]:
        """The sentences with these indices."""
        return [self.examples[i] for i in indices], [self.mentions[i] for i in indices]


class Clock:
    """Seconds of each phase of a run."""

    def __init__(self) -> None:
        self.start = perf_counter()
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.seconds[phase] = round(perf_counter() - start, 3)

    def report(self) -> dict[str, float]:
        return {**self.seconds, "total": round(perf_counter() - self.start, 3)}


def train_run(config: TrainConfig | DictConfig, *, progress: Progress | None = None) -> dict[str, Any]:
    """Train on all folds but `fold`, test on it, write the run's folder; with fold=all train on every sentence.

    With `inner_folds` train and test within the training sentences alone.

    Raises ConfigError and DataError; then nothing has been written.
    """
    config = checked(config)
    device, options = find_device(config.device), stage_options(config)
    logger: Logger = instantiate(config.logger)
    if not isinstance(logger, Logger):
        raise ConfigError(f"logger: expected an object with the methods of tracking.Logger, found {logger!r}")
    clock = Clock()
    with torch_threads(config.threads):
        corpus = read_corpus(config, clock, progress)
        name = f"{config.data.folds}-seed{config.seed}-fold{config.fold}"
        try:
            logger.start(name=name, group=config.name, config=plain(config), folder=config.folder)
            made_from = fingerprint(config, corpus.examples)
            if config.inner_folds:
                metrics, predictions = cross_validate(config, corpus, options, device, tell(logger, progress))
                metrics |= {"fold": config.fold, "seed": config.seed, "made_from": made_from, "seconds": clock.report()}
                publish(config, metrics, predictions, [])
                logger.finish(metrics, [])
                return metrics
            with clock("train"):
                training = train(config, corpus, options, device, tell(logger, progress))
            test = corpus.part(corpus.test)
            with clock("evaluate"):
                metrics, predictions, verdicts = assess(training.parser, *test)
            metrics |= {
                "fold": config.fold,
                "seed": config.seed,
                "train_sentences": len(corpus.train),
                "trained_on": digest_of_texts(corpus.examples[i].text for i in corpus.train),
                "train_unreachable": unreachable(*corpus.part(corpus.train), limits=options.limits),
                "solver": training.report,
                "made_from": made_from,
                "seconds": clock.report(),
            }

            def save() -> None:
                find_system(config.system._target_).save(
                    Path(config.checkpoint), training.parser, config=plain(config), metrics=metrics,
                    annotator_version=corpus.annotator,
                )

            publish(config, metrics, predictions, verdicts, save)
            logger.finish(metrics, rows(test[0], predictions))
        except BaseException:
            logger.fail()
            raise
    return metrics


def evaluate_run(config: EvaluateConfig | DictConfig, *, progress: Progress | None = None) -> dict[str, Any]:
    """Test a checkpoint on fold `fold`, with fold=all on every sentence; write metrics, predictions, config.

    `seen_in_training` of the metrics is how many of the sentences the checkpoint was trained on; where that is unknown
    it is None, and `seen_in_training_unknown` says why. Raises ConfigError, DataError and CheckpointError; then nothing
    has been written.
    """
    config = checked(config)
    device = find_device(config.device)
    clock = Clock()
    with torch_threads(config.threads):
        with clock("load"):
            folder = Path(config.checkpoint)
            checkpoint = system_of(folder).load(folder, device=device)
        corpus = read_corpus(config, clock, progress)
        if corpus.annotator != checkpoint.annotator:
            log.warning("trained on annotations of %s, tested on %s", checkpoint.annotator, corpus.annotator)
        chosen = corpus.train if config.fold == ALL else corpus.test
        with clock("evaluate"):
            metrics, predictions, verdicts = assess(checkpoint.parser, *corpus.part(chosen))
    metrics |= {
        "fold": config.fold,
        "seed": config.seed,
        **seen_in_training(checkpoint, config.data, corpus.part(chosen)[0]),
        "seconds": clock.report(),
    }
    if why := metrics.get("seen_in_training_unknown"):
        log.warning("how many of these sentences it was trained on is unknown: %s", why)
    if metrics["seen_in_training"]:
        log.warning("%d of these sentences were trained on; the figures flatter", metrics["seen_in_training"])
    publish(config, metrics, predictions, verdicts)
    return metrics


def read_corpus(config: RunConfig, clock: Clock, progress: Progress | None) -> Corpus:
    """Read, deal to folds and annotate the sentences."""
    with clock("read"):
        examples, train, test, extra = deal(config)
    with clock("annotate"):

        def tell_done(done: int) -> None:
            if progress is not None:
                progress("annotate", {"done": done, "total": len(examples)})

        mentions, version = annotate(
            [example.text for example in examples], pipeline=config.annotator.pipeline,
            batch_size=config.annotator.batch_size, folder=cache_folder(config), progress=tell_done,
        )
    return Corpus(examples, mentions, train, test, version, extra)


def deal(config: RunConfig) -> tuple[list[Example], list[int], list[int], frozenset[str]]:
    """The sentences, the indices of those for training and for testing, and the ids of those from `data.extra`.

    Raises DataError.
    """
    examples = read_examples(data_root(config.data))[: config.data.limit]
    if not examples:
        raise DataError(f"{data_root(config.data)}: expected at least one sentence, found none")
    train, test = split(examples, config.data, config.seed, config.fold)
    own = len(examples)
    if isinstance(config, TrainConfig):
        train, examples = more_training(config, train, examples)
    return examples, train, test, frozenset(e.id for e in examples[own:])


def more_training(
    config: TrainConfig, train: list[int], examples: list[Example]
) -> tuple[list[int], list[Example]]:
    """The indices to train on, and the examples, after `data.train_fraction` and `data.extra`.

    Raises DataError for a sentence or an id that both have: what is tested on must not be trained on.
    """
    if config.data.train_fraction < 1:
        count = max(1, round(len(train) * config.data.train_fraction))
        order = train.copy()
        random.Random(config.seed).shuffle(order)  # so that a larger fraction holds a smaller one's sentences
        train = sorted(order[:count])
    root = extra_root(config.data)
    if root is not None:
        extra = read_examples(root)
        for what in ("id", "text"):
            known = {getattr(e, what) for e in examples}
            both = next((e for e in extra if getattr(e, what) in known), None)
            if both is not None:
                raise DataError(
                    f"data.extra {root}: expected sentences that are not in {data_root(config.data)}, found the {what} "
                    f"of {both.id!r} there; leave that sentence out of one of the two"
                )
        train = train + list(range(len(examples), len(examples) + len(extra)))
        examples = examples + extra
    return train, examples


def split(
    examples: Sequence[Example], data: DataConfig, seed: int, fold: int | str
) -> tuple[list[int], list[int]]:
    """Indices for training and for testing; with fold "all" every sentence is for training.

    Raises DataError for a fold without sentences, or where no other has any.
    """
    if fold == ALL:
        return list(range(len(examples))), []
    if data.folds is Folds.fixed:
        path = folds_file(data_root(data))
        folds = read_folds(path, examples, folds=FOLDS)
        if not 0 < folds.count(fold) < len(folds):
            found = sorted(set(folds))
            raise DataError(f"{path}: expected sentences of fold {fold} and of others, found folds {found}")
    else:
        folds = assign_folds(examples, method=data.folds.value, seed=seed)
    return [i for i, f in enumerate(folds) if f != fold], [i for i, f in enumerate(folds) if f == fold]


def find_system(path: str) -> System:
    """The system of that import path. Raises ConfigError where there is none."""
    found = get_object(path)
    if not isinstance(found, System):
        raise ConfigError(f"system: expected an eqparse.systems.system.System at {path}, found {found!r}")
    return found


def system_of(folder: Path) -> System:
    """The system that wrote a checkpoint; the pipeline, which says what is wrong, for a folder that none wrote."""
    systems = [find_system(options._target_) for options in SYSTEMS.values()]
    return next((system for system in systems if (folder / system.file).is_file()), systems[0])


def train(config: TrainConfig, corpus: Corpus, options, device: torch.device, progress: Progress) -> Trained:
    """Train the system on the training sentences."""
    make = instantiate(solver_options(config.solver))
    settings = {name: value for name, value in vars(config.system).items() if name not in ("name", "_target_")}
    return find_system(config.system._target_).train(
        *corpus.part(corpus.train),
        **settings,
        options=options,
        make_solver=lambda _, problems: make(regularization=1 / (config.solver.c * problems), seed=config.seed),
        block_size=config.solver.block_size,
        max_rounds=config.solver.max_rounds,
        auxiliary=corpus.extra,
        seed=config.seed,
        device=device,
        progress=progress,
    )


def cross_validate(
    config: TrainConfig, corpus: Corpus, options, device: torch.device, progress: Progress
) -> tuple[dict[str, Any], list[Prediction]]:
    """The mean figures of `inner_folds` folds of the training sentences, and what was predicted for each of them."""
    method = "random" if config.data.folds is Folds.random else "grouped"
    inner = assign_folds(corpus.part(corpus.train)[0], method=method, seed=config.seed, folds=config.inner_folds)
    figures: list[dict[str, Any]] = []
    predictions: list[Prediction] = []
    for fold in range(config.inner_folds):
        train_part, test = (
            [i for i, f in zip(corpus.train, inner, strict=True) if (f == fold) == tested] for tested in (False, True)
        )
        part = replace(corpus, train=train_part, test=test)
        found, some, _ = assess(train(config, part, options, device, progress).parser, *corpus.part(test))
        figures.append(found)
        predictions += some
    means = {}
    for name in SCORES:
        values = [found[name] for found in figures if found.get(name) is not None]
        means[name] = round(sum(values) / len(values), 2) if values else None
    return means | {
        "sentences": sum(found["sentences"] for found in figures),
        "inner_folds": [{name: found.get(name) for name in SCORES} for found in figures],
        "train_sentences": len(corpus.train),
    }, predictions


def assess(
    parser: SentenceParser, examples: list[Example], mentions: list[Mentions]
) -> tuple[dict[str, Any], list[Prediction], list[dict[str, Any]]]:
    """Every figure of a parser on some sentences, its predictions, and what it got right; no figures of no sentences.

    The last has for each sentence with an equation its id, and whether each stage and each criterion has it right.
    """
    if not examples:
        return {"sentences": 0}, [], []
    predictions = predict(parser, examples, mentions)
    apart = isinstance(parser, EquationParser) and parser.decoder.stages_apart
    stages = stage_verdicts(parser, examples, mentions) if apart else {}
    metrics = stage_accuracy(stages) | summarize(examples, predictions) | has_equation(examples, predictions)
    verdicts = [
        {"id": e.id} | {stage: right[e.id] for stage, right in stages.items()} | judge(e, p)
        for e, p in zip(examples, predictions, strict=True)
        if e.equation is not None
    ]
    lost = unreachable(examples, mentions, limits=parser.limits)
    return metrics | {"unreachable": lost}, predictions, verdicts


def has_equation(examples: Sequence[Example], predictions: Sequence[Prediction]) -> dict[str, float | None]:
    """Precision and recall, in percent, of saying that a sentence states an equation; none where all of them do."""
    states = [e.equation is not None for e in examples]
    if all(states):
        return {}
    said = [p.equation is not None for p in predictions]
    both = sum(a and b for a, b in zip(states, said, strict=True))
    return {
        "has_equation_precision": round(100 * both / sum(said), 2) if any(said) else None,
        "has_equation_recall": round(100 * both / sum(states), 2) if any(states) else None,
    }


def seen_in_training(checkpoint: Kept, data: DataConfig, examples: Sequence[Example]) -> dict[str, Any]:
    """For the metrics: how many of the sentences a checkpoint was trained on; None, and why, where that is unknown."""
    try:
        texts = training_texts(checkpoint, data)
    except (EqparseError, OSError) as error:
        return {"seen_in_training": None, "seen_in_training_unknown": str(error)}
    return {"seen_in_training": sum(example.text in texts for example in examples)}


def training_texts(checkpoint: Kept, data: DataConfig) -> set[str]:
    """What a checkpoint was trained on, dealt again as its config says.

    data: where to look for it if it is of that name and not in its place any more. Raises EqparseError and OSError
    where it cannot be told.
    """
    trained = checkpoint.config
    try:
        known = {f.name: trained["data"][f.name] for f in fields(DataConfig) if f.name in trained["data"]}
        its_data = OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(DataConfig), known))
        config = TrainConfig(data=its_data, seed=trained["seed"], fold=trained["fold"])
    except (KeyError, TypeError, OmegaConfBaseException) as error:
        raise DataError("the checkpoint does not say what it was trained on") from error
    if its_data.name == data.name and not data_root(its_data).exists():
        its_data.root = data.root
    examples, train, _, _ = deal(config)
    texts = [examples[i].text for i in train]
    found = {"train_sentences": len(texts), "trained_on": digest_of_texts(texts)}
    known = found | getattr(checkpoint, "metrics", {})  # older checkpoints have the number alone
    if any(known[name] != found[name] for name in found):
        raise DataError(
            f"{data_root(its_data)}: expected the {known['train_sentences']} sentences that the checkpoint was trained "
            f"on, found {len(texts)} that are not the same; the data changed since, or its folds did"
        )
    return set(texts)


def rows(examples: Sequence[Example], predictions: Sequence[Prediction]) -> list[dict[str, Any]]:
    """The predictions as a table for people."""
    table = []
    for example, found in zip(examples, predictions, strict=True):
        verdict = judge(example, found) if example.equation is not None else {}
        phrases = (f"{v}: {example.text[a:b]}" for v, spans in found.variables.items() for a, b in spans)
        table.append({
            "id": example.id,
            "text": example.text,
            "gold": str(example.equation or ""),
            "equation": str(found.equation or ""),
            "variables": "; ".join(phrases),
            "equation right": verdict.get("equation"),
            "grounded right": verdict.get("grounded"),
            "reason": found.reason,
            "score": found.score,
        })
    return table


def publish(
    config: RunConfig,
    metrics: dict[str, Any],
    predictions: list[Prediction],
    verdicts: list[dict[str, Any]],
    save: Callable[[], None] | None = None,
) -> None:
    """Write the run's files aside, call `save`, then move them into place; metrics.json, last, says it is finished."""
    folder = config.folder
    folder.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        write_predictions(predictions, aside / "predictions.jsonl")
        write_lines((dumps(verdict) for verdict in verdicts), aside / "verdicts.jsonl")
        (aside / "config.yaml").write_text(OmegaConf.to_yaml(plain(config)), encoding="utf-8")
        (aside / "metrics.json").write_text(json.dumps(metrics, indent=2) + "\n", encoding="utf-8")
        if save is not None:
            save()
        (folder / "metrics.json").unlink(missing_ok=True)
        for name in ("predictions.jsonl", "verdicts.jsonl", "config.yaml", "metrics.json"):
            os.replace(aside / name, folder / name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def tell(logger: Logger, progress: Progress | None) -> Progress:
    """Pass a solver's entries on to the logger and to whoever shows them."""

    def both(stage: str, entry: dict[str, float]) -> None:
        logger.progress(stage, entry)
        if progress is not None:
            progress(stage, entry)

    return both


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let torch use so many threads meanwhile."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
