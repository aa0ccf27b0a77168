"""Parsers that are trained on parts of a run's training sentences, and what is learnt from how they do on the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import torch

from eqparse.corpus import assign_folds
from eqparse.errors import DataError
from eqparse.experiments.config import Folds, SystemConfig, TrainConfig
from eqparse.experiments.runs.evaluation import seen_before
from eqparse.experiments.runs.sentences import AnnotatedSplit, Progress
from eqparse.parser.nbest import NBest
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.base import Task
from eqparse.stages.relation import RelationStage
from eqparse.training.calibrate import calibrate
from eqparse.training.relations import learn_relations
from eqparse.training.temperatures import HeldOut
from eqparse.training.train import Training


def train(config: TrainConfig, split: AnnotatedSplit, *, device: torch.device, progress: Progress) -> Training:
    """Train the system on the training sentences."""
    return config.system.system().train(
        *split.part(split.train),
        **config.system.options(),
        features=config.features.groups(),
        options=config.stage,
        phrases=config.data.phrases,
        make_solver=config.solver.maker(seed=config.seed),
        block_size=config.solver.block_size,
        max_rounds=config.solver.max_rounds,
        auxiliary=split.auxiliary,
        seed=config.seed,
        device=device,
        progress=progress,
    )


def inner_splits(
    config: TrainConfig, split: AnnotatedSplit, folds: int, *, progress: Progress
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the indices of training and test sentences for folds of the training sentences, and name each.

    Auxiliary sentences are always trained on and never tested on, as outside.
    """
    own = [i for i in split.train if split.examples[i].id not in split.auxiliary]
    method = "random" if config.data.folds is Folds.random else "grouped"
    inner = assign_folds(split.part(own)[0], method=method, seed=config.seed, folds=folds)
    for fold in range(folds):
        test = [i for i, f in zip(own, inner, strict=True) if f == fold]
        progress(f"inner fold {fold + 1} of {folds}", {})
        yield sorted({*split.train} - {*test}), test


def inner_parsers(
    config: TrainConfig, split: AnnotatedSplit, folds: int, *, device: torch.device, progress: Progress
) -> list[HeldOut]:
    """Parsers that are trained on parts of the training sentences, each with the rest of these."""
    held_out = []
    for train_part, test in inner_splits(config, split, folds, progress=progress):
        trained = train(config, replace(split, train=train_part), device=device, progress=progress)
        held_out.append(HeldOut(trained.parser, *split.part(test)))
    return held_out


def compare(
    config: TrainConfig, split: AnnotatedSplit, parser: EquationParser, *, device: torch.device, progress: Progress
) -> None:
    """Let a trained parser compare relations: learn its relation stage and fit its calibration, if asked for.

    Both learn from parsers that are trained on parts of the training sentences, and what these find for the rest. Warns
    where these go on from a checkpoint that has learnt from the rest.
    """
    linear = replace(config, system=SystemConfig())
    alone = config.system.name == linear.system.name
    relations, held_out = [], []
    if config.relation.folds:
        held_out = inner_parsers(linear, split, config.relation.folds, device=device, progress=progress)
        progress("relation", {})
        parser.relation = learn_relations(held_out, partial(fit_relation, config, device))
        relations = [one.parser.relation for one in held_out]
    if config.calibration.folds:
        held_out = inner_parsers(config, split, config.calibration.folds, device=device, progress=progress)
        for one, relation in zip(held_out, relations, strict=False):
            one.parser.relation = relation
        seen_before(config, [e for one in held_out for e in one.examples], of="the sentences of the calibration")
    progress("calibration", {})
    calibrated = alone or config.calibration.folds
    parser.decoder = NBest(calibrate(held_out, least=config.calibration.least) if calibrated else None)


def fit_relation(config: TrainConfig, device: torch.device, tasks: Sequence[Task]) -> RelationStage:
    """A relation stage that has learnt from some tasks."""
    if not tasks:
        raise DataError("relation stage: expected at least one sentence with several likely relations, found none")
    kind = config.stage.find_classes().get("relation", RelationStage)
    stage = kind(groups=config.features.groups()["relation"], bits=config.stage.bits).to(device)
    solver = replace(config.solver, c=config.relation.c)
    stage.fit(
        tasks, solver.maker(seed=config.seed)(stage.name, len(tasks)), block_size=solver.block_size,
        max_rounds=solver.max_rounds, seed=config.seed,
    )
    return stage
