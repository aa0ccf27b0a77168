"""The options of a whole run: those at the top level, and the groups."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from omegaconf import MISSING

from eqparse.errors import ConfigError
from eqparse.experiments.config.calibration import CalibrationConfig, RelationConfig
from eqparse.experiments.config.checks import check_path, check_range
from eqparse.experiments.config.data import FOLDS, DataConfig
from eqparse.experiments.config.features import FeaturesConfig
from eqparse.experiments.config.solver import BcfwConfig, SolverConfig
from eqparse.experiments.config.system import SystemConfig
from eqparse.parser.calibration import checked_prevalence
from eqparse.stages.registry import FIGURES
from eqparse.training.metrics import CRITERIA
from eqparse.training.options import StageOptions

ALL = "all"
METRICS = (*FIGURES, *CRITERIA)


@dataclass
class AnnotatorConfig:
    """The spaCy pipeline that annotates the sentences.

    pipeline: an installed English pipeline, or "auto" for the first known one that is installed.
    batch_size: how many texts are annotated at once.
    """

    pipeline: str = "auto"
    batch_size: int = 128


@dataclass
class LoggerConfig:
    """A class of `eqparse.experiments.tracking`, or another one with its methods."""

    _target_: str = "eqparse.experiments.tracking.NoLogger"


@dataclass
class WandbConfig(LoggerConfig):
    """Weights & Biases, offline unless WANDB_MODE says otherwise."""

    _target_: str = "eqparse.experiments.tracking.WandbLogger"
    project: str = "eqparse"


LOGGERS = {"none": LoggerConfig, "wandb": WandbConfig}
"""The choices of the group `logger`."""


@dataclass
class RunConfig:
    """The options that training and evaluation share.

    fold: 0 to 4, or "all".
    seed: for the folds and everything random in training.
    device: "cpu", "cuda", "cuda:1", or "auto" for a GPU where there is one.
    threads: number of torch threads; one is fastest, since a sentence's tensors are small.
    outputs: the folder of all runs.
    run: the run's folder within `outputs`.
    cache: the folder where annotations are kept for later runs (see `eqparse.corpus.annotated`), or "none".
    """

    data: DataConfig = field(default_factory=DataConfig)
    annotator: AnnotatorConfig = field(default_factory=AnnotatorConfig)
    fold: Any = 0
    seed: int = 0
    device: str = "cpu"
    threads: int = 1
    outputs: str = "outputs"
    cache: str = "${outputs}/.cache"
    run: str | None = None

    @property
    def folder(self) -> Path:
        """The folder that the run writes to."""
        return Path(self.outputs) / self.run

    @property
    def cache_folder(self) -> Path | None:
        """The folder where annotations are kept, or None if they are not kept."""
        return None if self.cache == "none" else Path(self.cache)

    @property
    def split_name(self) -> str:
        """The part of the name that tells runs with different folds and seeds apart."""
        return f"{self.data.folds}-seed{self.seed}-fold{self.fold}"

    def fill_in(self) -> None:
        """Set the paths that were not given; they are made of other options."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise ConfigError, naming the option, for a value out of range or a run outside `outputs`."""
        if self.fold != ALL and (type(self.fold) is not int or not 0 <= self.fold < FOLDS):
            raise ConfigError(f"fold: expected 0 to {FOLDS - 1}, or {ALL}; found {self.fold!r}")
        check_range("seed", self.seed, 0, 2**32 - 1)
        check_range("threads", self.threads, 1, 1024)
        check_range("annotator.batch_size", self.annotator.batch_size, 1, 100_000)
        check_path("outputs", self.outputs)
        check_path("cache", self.cache)
        self.data.check()
        path = PurePath(self.run)
        if path.anchor or ".." in path.parts or not path.parts:
            raise ConfigError(
                f"run: expected a relative path within `outputs`, without '..' and not '.'; found {self.run!r}. It is "
                "made of name, data.name, features.name and experiment"
            )
        if self.cache_folder is None:
            return
        outputs, folder, cache = (Path(os.path.abspath(p)) for p in (self.outputs, self.folder, self.cache))
        if folder.is_relative_to(cache) and not outputs.is_relative_to(cache):
            raise ConfigError(f"run: expected a folder outside the cache, {self.cache}; found {self.folder}")


@dataclass
class TrainConfig(RunConfig):
    """A run that trains a system and tests it.

    experiment: the row of a table, named as in conf/experiment; by default the system's name.
    name: groups the runs of several folds and seeds.
    checkpoint: where to write the checkpoint, by default in the run's folder.
    resume: let `train.py` skip a run that is already finished, if options, data and code are the same.
    inner_folds: for choosing options; if above 0, test on that many folds of the training sentences, without using the
        test sentences, and write no checkpoint.
    optimized_metric: the figure of metrics.json that a sweeper maximises.
    """

    features: FeaturesConfig = field(default_factory=FeaturesConfig)
    stage: StageOptions = field(default_factory=StageOptions)
    solver: SolverConfig = field(default_factory=BcfwConfig)
    system: SystemConfig = field(default_factory=SystemConfig)
    logger: LoggerConfig = field(default_factory=LoggerConfig)
    relation: RelationConfig = field(default_factory=RelationConfig)
    calibration: CalibrationConfig = field(default_factory=CalibrationConfig)
    experiment: str = "${system.name}"
    name: str = "${data.name}-${features.name}/${experiment}"
    checkpoint: str | None = None
    resume: bool = True
    inner_folds: int = 0
    optimized_metric: str = "grounded"

    def fill_in(self) -> None:
        if self.run is None:
            # a run on inner folds must not take the place of the one whose options it helps to choose
            inner = f"-inner{self.inner_folds}" if self.inner_folds else ""
            self.run = f"{self.name}/{self.split_name}{inner}"
        if self.checkpoint is None:
            self.checkpoint = str(self.folder / "checkpoint")

    def check(self) -> None:
        super().check()
        check_path("checkpoint", self.checkpoint)
        check_path("stage.lexicon_file", self.stage.lexicon_file)
        check_range("inner_folds", self.inner_folds, 0, 100)
        if self.inner_folds == 1:
            raise ConfigError("inner_folds: expected 0 for none, or at least 2; found 1")
        if self.optimized_metric not in METRICS:
            raise ConfigError(
                f"optimized_metric: expected one of {', '.join(METRICS)}; found {self.optimized_metric!r}"
            )
        if self.data.kept_back:
            found = f"found {self.data.name}, which is kept for tests"
            raise ConfigError(f"data: expected sentences to learn from, {found}")
        for group in (self.features, self.stage, self.solver, self.system):
            group.check()
        self.calibration.check(self.system.name, inner_folds=self.inner_folds)
        self.relation.check(self.system.name, self.calibration.folds, inner_folds=self.inner_folds)


@dataclass
class EvaluateConfig(RunConfig):
    """A run that tests a checkpoint; on sentences that are kept for tests (`data=blind`) always on all of them.

    checkpoint: the folder to load.
    name: groups the evaluations on several data and folds.
    fold: as in `RunConfig`; None for "all" where they are kept for tests, else 0.
    min_confidence: answers with less confidence are withheld.
    prevalence: the share of texts that states an equation, which confidences are fitted to.
    """

    fold: Any = None
    checkpoint: str = MISSING
    name: str | None = None
    min_confidence: float | None = None
    prevalence: float | None = None

    def fill_in(self) -> None:
        if self.fold is None:
            self.fold = ALL if self.data.kept_back else RunConfig.fold
        if self.run is None:
            self.name = self.name or f"evaluate/{checkpoint_name(self.checkpoint)}"
            self.run = f"{self.name}/{self.data.name}-{self.split_name}"

    def check(self) -> None:
        super().check()
        if self.data.kept_back and self.fold != ALL:
            raise ConfigError(
                f"fold: expected all with data={self.data.name}, which is for tests as a whole; found {self.fold!r}; "
                "leave it out"
            )
        check_path("checkpoint", self.checkpoint)
        if self.min_confidence is not None:
            check_range("min_confidence", self.min_confidence, 0, 1)
        if self.prevalence is not None:
            checked_prevalence(self.prevalence)


def checkpoint_name(folder: str) -> str:
    """A name for a checkpoint, to tell evaluations apart: the name of its run if there is one, else of its folder."""
    path = Path(os.path.abspath(folder))
    return path.name if path.name != "checkpoint" else "-".join(path.parts[-4:-1])
