"""The options of a run, typed: what Hydra composes from `conf/` is checked against these classes.

They work without Hydra as well: `train_run(TrainConfig(fold=3))`. Defaults and what an option means stand here; `conf/`
holds the choices of each group. docs/configuration.md is the page for users.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Any, TypeVar

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from eqparse.errors import ConfigError, first_line
from eqparse.parser.limits import Limits
from eqparse.stages.custom import find_class
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.registry import FIGURES, STAGES
from eqparse.training.metrics import CRITERIA
from eqparse.training.train import StageOptions

REPOSITORY = Path(__file__).resolve().parents[2]
OWN_SENTENCES = REPOSITORY / "data" / "sentences.jsonl"
FOLDS = 5
ALL = "all"
SCORES = (*FIGURES, *CRITERIA)
MAX_BITS = 22  # of a stage's hash; 2**22 buckets of 7 labels are 117 MB

GROUPS = {name: kind.groups for name, kind in STAGES.items()}
"""stage -> its feature groups; `eqparse/features` says what is in each."""


class Folds(StrEnum):
    """How sentences are dealt to folds: at random, with near-duplicates kept together, or as folds.json has them."""

    random = "random"
    grouped = "grouped"
    fixed = "fixed"


class Phrases(StrEnum):
    """Which of a variable's annotated phrases to learn from: the first one listed, or any (chosen by Algorithm 1)."""

    first = "first"
    any = "any"


class Coreference(StrEnum):
    """Who decides that two mentions are one variable: a learned stage, or the paper's three rules."""

    learned = "learned"
    rules = "rules"


class LexiconUse(StrEnum):
    """What the lexicon's operation for a node is: a constraint on the search, or a feature of the node."""

    constraint = "constraint"
    feature = "feature"


class LexiconRules(StrEnum):
    """Which rules restrict the tree search: the paper's and ours, the paper's alone, none."""

    extended = "extended"
    paper = "paper"
    none = "none"


@dataclass
class DataConfig:
    """root: a .jsonl file or a folder of .jsonl or brat files, None for the sentences that ship in data/.

    A relative root starts at the current directory. limit: read only so many sentences, for a quick trial.
    phrases: which of a variable's annotated phrases to learn from; "first" suits data that lists the best one first.
    extra: further sentences that are always trained on and never tested on: a path like root, or "ours".
    train_fraction: train on this share of the training sentences, drawn by seed, for learning curves.
    """

    name: str = "ours"
    root: str | None = None
    folds: Folds = Folds.random
    limit: int | None = None
    phrases: Phrases = Phrases.first
    extra: str | None = None
    train_fraction: float = 1.0


@dataclass
class FeaturesConfig:
    """The feature groups of each stage, of those in `GROUPS`; name: what runs with them are called.

    without: groups that are left out of them, each as STAGE.GROUP ("tree.number").
    """

    name: str = "full"
    quantity: list[str] = field(default_factory=lambda: list(GROUPS["quantity"]))
    variable: list[str] = field(default_factory=lambda: list(GROUPS["variable"]))
    tree: list[str] = field(default_factory=lambda: list(GROUPS["tree"]))
    coreference: list[str] = field(default_factory=lambda: list(GROUPS["coreference"]))
    refusal: list[str] = field(default_factory=lambda: list(GROUPS["refusal"]))
    without: list[str] = field(default_factory=list)


@dataclass
class LimitsConfig:
    """What a text may hold; see `eqparse.parser.limits.Limits`."""

    characters: int = Limits.characters
    tokens: int = Limits.tokens
    quantities: int = Limits.quantities
    candidates: int = Limits.candidates
    leaves: int = Limits.leaves


@dataclass
class ClassesConfig:
    """For each stage a class of one's own, MODULE.CLASS, or None for the project's; see docs/extending.md."""

    quantity: str | None = None
    variable: str | None = None
    tree: str | None = None
    coreference: str | None = None
    refusal: str | None = None


@dataclass
class StageConfig:
    """bits: 2**bits hash buckets a stage. lexicon_file: a user's rules, of precedence over those of `lexicon`.

    refusal: learn to say "no equation", where the training sentences hold some without one.

    Ablations of the paper's tables: independent_quantities: each is decided by a classifier of its own.
    variable_overlap: whether a variable's phrase may overlap a quantity that counts. projective: whether a tree's nodes
    join neighbouring spans only, rather than any two sets of at most 8 leaves. syntactic: no node of a tree crosses a
    constituent of the parse.
    """

    bits: int = 18
    coreference: Coreference = Coreference.learned
    refusal: bool = True
    lexicon: LexiconRules = LexiconRules.extended
    lexicon_file: str | None = None
    lexicon_use: LexiconUse = LexiconUse.constraint
    independent_quantities: bool = False
    variable_overlap: bool = True
    projective: bool = True
    syntactic: bool = False
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    classes: ClassesConfig = field(default_factory=ClassesConfig)


@dataclass
class SolverConfig:
    """What every solver has. c: the weight of the losses, regularization = 1 / (c * number of problems).

    block_size: problems in a block. max_rounds: of choosing among gold structures. `_target_` and all further options
    are the solver's class and its keyword arguments.
    """

    _target_: str = MISSING
    _partial_: bool = True
    c: float = 0.1
    block_size: int = 8
    max_rounds: int = 3


@dataclass
class BcfwConfig(SolverConfig):
    """Block-coordinate Frank-Wolfe; see `eqparse.structured.svm.BlockCoordinateFrankWolfe`."""

    _target_: str = "eqparse.structured.svm.BlockCoordinateFrankWolfe"
    max_epochs: int = 20
    tolerance: float = 0.05
    check_every: int = 5
    planes: int = 0
    averaging: bool = True


@dataclass
class SubgradientConfig(SolverConfig):
    """Stochastic subgradient descent; see `eqparse.structured.svm.Subgradient`."""

    _target_: str = "eqparse.structured.svm.Subgradient"
    epochs: int = 50
    averaging: bool = True
    check_every: int = 5


SOLVERS = {"bcfw": BcfwConfig, "subgradient": SubgradientConfig}
"""The file of conf/solver/NAME.yaml begins with `defaults: [base_NAME]`, which gives its options their types."""


@dataclass
class LoggerConfig:
    """A class of `eqparse.experiments.tracking`, or another one with its methods."""

    _target_: str = "eqparse.experiments.tracking.NoLogger"


@dataclass
class WandbConfig(LoggerConfig):
    """Weights & Biases, offline unless WANDB_MODE says otherwise."""

    _target_: str = "eqparse.experiments.tracking.WandbLogger"
    project: str = "eqparse"


@dataclass
class SystemConfig:
    """The whole system: the pipeline, one stage after the other. `_target_`: its `eqparse.systems.system.System`; all
    further options are keyword arguments of that system's `train`.
    """

    _target_: str = "eqparse.systems.registry.PIPELINE"
    name: str = "pipeline"


@dataclass
class JointConfig(SystemConfig):
    """One structured SVM over all stages. beam: trigger lists of a sentence that get a tree. rounds: of training; see
    `eqparse.systems.joint.training`.
    """

    _target_: str = "eqparse.systems.registry.JOINT"
    name: str = "joint"
    beam: int = 30
    rounds: int = 4


@dataclass
class CcgConfig(SystemConfig):
    """The CCG semantic parser. beam: constituents of a chart cell. epochs: of the perceptron. induce: learn entries for
    words that the seed lexicon lacks. Features, stage and solver play no part.
    """

    _target_: str = "eqparse.systems.registry.CCG"
    name: str = "ccg"
    beam: int = 30
    epochs: int = 10
    induce: bool = True


SYSTEMS = {"pipeline": SystemConfig, "joint": JointConfig, "ccg": CcgConfig}
"""The file of conf/system/NAME.yaml begins with `defaults: [base_NAME]`; checkpoints are known by these."""


@dataclass
class AnnotatorConfig:
    """pipeline: an installed English spaCy pipeline, "auto" for the first known one. batch_size: texts at once."""

    pipeline: str = "auto"
    batch_size: int = 128


@dataclass
class RunConfig:
    """What training and evaluation share.

    fold: 0 to 4, or "all". seed: of the folds and of everything drawn in training. device: "cpu", "cuda", "cuda:1",
    or "auto" for a GPU where there is one. threads: of torch; one is fastest, since a sentence's tensors are small.
    outputs, run: the run's files go to the folder `outputs`/`run`. cache: the folder of annotations that later runs
    read (see `eqparse.corpus.annotated`), or "none".
    """

    data: DataConfig = field(default_factory=DataConfig)
    annotator: AnnotatorConfig = field(default_factory=AnnotatorConfig)
    fold: Any = 0
    seed: int = 0
    device: str = "cpu"
    threads: int = 1
    outputs: str = "outputs"
    cache: str = "${outputs}/.cache"
    run: str = MISSING

    @property
    def folder(self) -> Path:
        """Where the run writes."""
        return Path(self.outputs) / self.run


@dataclass
class TrainConfig(RunConfig):
    """experiment: the row of a table, as conf/experiment has it. name: groups the runs of several folds and seeds.

    checkpoint: where to write it, by default in the run. resume: `train.py` skips a run that is there and finished, if
    options, data and code are the same. inner_folds: above 0, test on that many folds of the training sentences instead
    of the test sentences, which take no part, and write no checkpoint; for choosing options. score: the figure of
    metrics.json that a sweeper maximises.
    """

    features: FeaturesConfig = field(default_factory=FeaturesConfig)
    stage: StageConfig = field(default_factory=StageConfig)
    solver: SolverConfig = field(default_factory=BcfwConfig)
    system: SystemConfig = field(default_factory=SystemConfig)
    logger: LoggerConfig = field(default_factory=LoggerConfig)
    experiment: str = "${eqparse_row:${system.name}}"
    name: str = "${data.name}-${features.name}/${experiment}"
    run: str = "${name}/${data.folds}-seed${seed}-fold${fold}${eqparse_inner:${inner_folds}}"
    checkpoint: str = "${outputs}/${run}/checkpoint"
    resume: bool = True
    inner_folds: int = 0
    score: str = "grounded"


@dataclass
class EvaluateConfig(RunConfig):
    """checkpoint: the folder to load."""

    checkpoint: str = MISSING
    run: str = "evaluate/${eqparse_kept:${checkpoint}}/${data.name}-${data.folds}-seed${seed}-fold${fold}"


Config = TypeVar("Config", TrainConfig, EvaluateConfig)


def checkpoint_name(folder: str) -> str:
    """A name for the checkpoint in a folder: of the run that it is from, else the folder's own."""
    path = Path(os.path.abspath(folder))
    if path.name != "checkpoint":
        return path.name
    return "-".join(path.parts[-4:-1])


def register() -> None:
    """Make the classes known to Hydra, so that it refuses keys they do not have."""
    # a run on inner folds must not take the place of the one whose options it helps to choose
    OmegaConf.register_new_resolver("eqparse_inner", lambda k: f"-inner{k}" if k else "", replace=True)
    # nor one of another system that of the pipeline
    OmegaConf.register_new_resolver("eqparse_row", lambda name: "full" if name == "pipeline" else name, replace=True)
    # evaluations of two checkpoints are two
    OmegaConf.register_new_resolver("eqparse_kept", checkpoint_name, replace=True)
    # Hydra makes the folder of a run before anything else is checked
    OmegaConf.register_new_resolver("eqparse_inside", inside, replace=True)
    OmegaConf.register_new_resolver("eqparse_given", given, replace=True)
    store = ConfigStore.instance()
    store.store("base_train", TrainConfig(solver=MISSING, logger=MISSING, system=MISSING))
    store.store("base_evaluate", EvaluateConfig)
    for name, solver in SOLVERS.items():
        store.store(f"base_{name}", solver, group="solver")
    for name, system in SYSTEMS.items():
        store.store(f"base_{name}", system, group="system")
    store.store("base_wandb", WandbConfig, group="logger")
    store.store("base_none", LoggerConfig, group="logger")


def inside(run: str) -> str:
    """The path of a run within `outputs`, as it is. Raises ConfigError for one that leads out of there or nowhere."""
    path = PurePath(run)
    if path.anchor or ".." in path.parts or not path.parts:
        raise ConfigError(
            f"run: expected a path within `outputs`, relative, without '..' and not '.'; found {run!r}. It is made of "
            "name, data.name, features.name and experiment"
        )
    return run


def given(name: str, path: str) -> str:
    """The path that is the value of an option, as it is. Raises ConfigError for an empty one."""
    if not path.strip():
        raise ConfigError(f"{name}: expected a path, found {path!r}; give {name}=PATH, or leave it out")
    return path


def check_paths(config: RunConfig) -> None:
    """Raise ConfigError for an empty path, which would be the current folder, and for a run among the annotations."""
    paths = {"outputs": config.outputs, "cache": config.cache, "checkpoint": config.checkpoint}
    paths |= {"data.root": config.data.root, "data.extra": config.data.extra}
    if isinstance(config, TrainConfig):
        paths["stage.lexicon_file"] = config.stage.lexicon_file
    for name, path in paths.items():
        if path is not None:
            given(name, path)
    inside(config.run)
    outputs, folder, cache = (Path(os.path.abspath(path)) for path in (config.outputs, config.folder, config.cache))
    if config.cache != "none" and folder.is_relative_to(cache) and not outputs.is_relative_to(cache):
        raise ConfigError(f"run: expected a folder outside of the cache, {config.cache}; found {config.folder}")


register()


def checked(config: Config | DictConfig) -> Config:
    """The typed options, interpolations resolved and every value in its range; raises ConfigError."""
    try:
        node = config if isinstance(config, DictConfig) else OmegaConf.structured(config)
        for name in sorted(OmegaConf.missing_keys(node)):
            raise ConfigError(f"{name}: expected a value, found none; give {name}=VALUE")
        config = OmegaConf.to_object(node)
    except OmegaConfBaseException as error:
        raise ConfigError(f"configuration: {first_line(error)}") from error
    check_keys(config)
    check_paths(config)
    check_fold(config.fold)
    if config.data.root is None and config.data.name != DataConfig.name:
        raise ConfigError(f"data.root: expected the file or folder of {config.data.name}; give data.root=PATH")
    if config.data.limit is not None and config.data.limit < FOLDS:
        raise ConfigError(f"data.limit: expected at least {FOLDS}, one sentence a fold; found {config.data.limit}")
    if not 0 < config.data.train_fraction <= 1:
        raise ConfigError(f"data.train_fraction: expected above 0 and at most 1, found {config.data.train_fraction}")
    bounds = {"seed": (config.seed, 0, 2**32 - 1), "threads": (config.threads, 1, 1024)}
    bounds["annotator.batch_size"] = (config.annotator.batch_size, 1, 100_000)
    if isinstance(config, TrainConfig):
        bounds["stage.bits"] = (config.stage.bits, 1, MAX_BITS)
        bounds["solver.c"] = (config.solver.c, 1e-6, 10**6)  # inf would make the regularization 0
        bounds["solver.block_size"] = (config.solver.block_size, 1, 100_000)
        bounds["solver.max_rounds"] = (config.solver.max_rounds, 1, 1000)
        bounds["inner_folds"] = (config.inner_folds, 0, 100)
        if type(config.system) is not SYSTEMS.get(config.system.name):
            raise ConfigError(f"system: expected one of {', '.join(SYSTEMS)}; found {config.system.name!r}")
        for option in {"beam", "rounds", "epochs"} & vars(config.system).keys():
            bounds[f"system.{option}"] = (getattr(config.system, option), 1, 10_000)
        if config.inner_folds == 1:
            raise ConfigError("inner_folds: expected 0 for none, or at least 2; found 1")
        if config.score not in SCORES:
            raise ConfigError(f"score: expected one of {', '.join(SCORES)}; found {config.score!r}")
        check_groups(config.features)
    for name, (value, least, most) in bounds.items():
        if not least <= value <= most:
            raise ConfigError(f"{name}: expected {least} to {most}, found {value}")
    return config


def check_keys(options: Any, prefix: str = "") -> None:
    """Raise ConfigError for a key that its class does not have, which Hydra's +KEY=VALUE would let in."""
    known = {f.name for f in fields(options)}
    for name, value in vars(options).items():
        if name not in known:
            raise ConfigError(f"{prefix}{name}: expected one of {', '.join(sorted(known))}; found an unknown key")
        if is_dataclass(value):
            check_keys(value, f"{prefix}{name}.")


def check_fold(fold: Any) -> None:
    """Raise ConfigError for anything but 0 to 4 and "all"."""
    if fold != ALL and (type(fold) is not int or not 0 <= fold < FOLDS):
        raise ConfigError(f"fold: expected 0 to {FOLDS - 1}, or {ALL}; found {fold!r}")


def check_groups(features: FeaturesConfig) -> None:
    """Raise ConfigError for a feature group that its stage does not have: misspelt, it would be left out silently."""
    for stage, known in GROUPS.items():
        unknown = sorted(set(getattr(features, stage)) - set(known))
        if unknown:
            raise ConfigError(f"features.{stage}: expected some of {', '.join(known)}; found {', '.join(unknown)}")
    every = {f"{stage}.{group}" for stage, groups in GROUPS.items() for group in groups}
    unknown = sorted(set(features.without) - every)
    if unknown:
        expected = ", ".join(sorted(every))
        raise ConfigError(f"features.without: expected some of {expected}; found {', '.join(unknown)}")


def plain(config: RunConfig) -> dict[str, Any]:
    """The options as nested dicts, lists, strings and numbers, as they stand in a run's config.yaml."""
    return OmegaConf.to_container(OmegaConf.structured(config), resolve=True, enum_to_str=True)


def stage_options(config: TrainConfig) -> StageOptions:
    """The stages that the options ask for. Raises DataError for an unreadable lexicon file."""
    stage, lexicon = config.stage, None
    if stage.lexicon is not LexiconRules.none:
        lexicon = Lexicon.load(rule_set=stage.lexicon.value, extra=stage.lexicon_file)
    elif stage.lexicon_file is not None:
        raise ConfigError("stage.lexicon_file: adds to stage.lexicon, which is none; leave one of the two out")
    classes = {name: path for name, path in vars(stage.classes).items() if path is not None}
    if "tree" in classes and not stage.projective:
        raise ConfigError("stage.classes.tree: takes the place of the tree stage that stage.projective chooses; leave "
                          "one of the two out")
    return StageOptions(
        features={
            name: tuple(g for g in getattr(config.features, name) if f"{name}.{g}" not in config.features.without)
            for name in GROUPS
        },
        bits=stage.bits,
        coreference=stage.coreference.value,
        refusal=stage.refusal,
        phrases=config.data.phrases.value,
        lexicon=lexicon,
        limits=Limits(**{f.name: getattr(stage.limits, f.name) for f in fields(stage.limits)}),
        lexicon_use=stage.lexicon_use.value,
        independent_quantities=stage.independent_quantities,
        variable_overlap=stage.variable_overlap,
        projective=stage.projective,
        syntactic=stage.syntactic,
        classes={name: find_class(path, name, anywhere=True) for name, path in classes.items()},
    )


def solver_options(solver: SolverConfig) -> dict[str, Any]:
    """What `hydra.utils.instantiate` makes the solver's constructor of: all but the options of the training loop."""
    ours = {"c", "block_size", "max_rounds"}
    return {name: value for name, value in vars(solver).items() if name not in ours}


def cache_folder(config: RunConfig) -> Path | None:
    """Where annotations are kept, None for nowhere."""
    return None if config.cache == "none" else Path(config.cache)


def extra_root(data: DataConfig) -> Path | None:
    """The file or folder with further sentences to train on, if any."""
    return OWN_SENTENCES if data.extra == DataConfig.name else Path(data.extra) if data.extra is not None else None


def data_root(data: Mapping[str, Any] | DataConfig) -> Path:
    """The file or folder with the sentences."""
    root = data["root"] if isinstance(data, Mapping) else data.root
    return Path(root) if root is not None else OWN_SENTENCES
