"""The entry point for options: whether they come from Hydra or Python, they are typed and checked here, once.

Defaults and meanings of options are defined only by the classes in this folder. `conf/` holds choices of values (data,
preset, experiment); choices of classes (solver, system, logger) are registered here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Any, TypeVar

import hydra
from hydra import initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from omegaconf import MISSING, DictConfig, OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException

from eqparse.errors import ConfigError, first_line
from eqparse.experiments.config.data import REPOSITORY
from eqparse.experiments.config.run import LOGGERS, EvaluateConfig, RunConfig, TrainConfig
from eqparse.experiments.config.solver import SOLVERS
from eqparse.experiments.config.system import SYSTEMS
from eqparse.experiments.config.words import check_words

GROUPS = ("preset", "hparams_search")  # of files in conf/ that set several options of training

Config = TypeVar("Config", TrainConfig, EvaluateConfig)


def register() -> None:
    """Register the classes with Hydra, so that it offers them and refuses keys that they do not have."""
    store = ConfigStore.instance()
    store.store("base_train", TrainConfig(solver=MISSING, logger=MISSING, system=MISSING))
    store.store("base_evaluate", EvaluateConfig)
    for group, choices in {"solver": SOLVERS, "system": SYSTEMS, "logger": LOGGERS}.items():
        for name, kind in choices.items():
            store.store(name, kind, group=group)


register()


def checked(config: Config | DictConfig) -> Config:
    """The typed options, with interpolations resolved, defaults filled in and every value checked.

    Raises ConfigError for an invalid option, DataError for a lexicon file that cannot be read.
    """
    try:
        node = config if isinstance(config, DictConfig) else OmegaConf.structured(config)
        for name in sorted(OmegaConf.missing_keys(node)):
            raise ConfigError(f"{name}: expected a value, found none; give {name}=VALUE")
        config = OmegaConf.to_object(node)
    except OmegaConfBaseException as error:
        raise ConfigError(f"configuration: {first_line(error)}") from error
    check_keys(config)
    config.fill_in()
    config.check()
    return config


def compose(overrides: Sequence[str] = (), *, command: str = "train") -> TrainConfig | EvaluateConfig:
    """The options that `train.py` or `evaluate.py` would run with, for a notebook: compose(["preset=paper", "fold=3"]).

    overrides: KEY=VALUE as on the command line, without the shell's quotes. command: "train" or "evaluate".

    Raises ConfigError for whatever the command would refuse before it runs.
    """
    if isinstance(overrides, str):
        raise ConfigError(f"overrides: expected a list of KEY=VALUE, found {overrides!r}; give [{overrides!r}]")
    if command not in ("train", "evaluate"):
        raise ConfigError(f"command: expected train or evaluate, found {command!r}")
    check_words(overrides)
    before = GlobalHydra.instance().hydra  # of a notebook that has initialized Hydra for itself
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(version_base="1.3", config_dir=str(REPOSITORY / "conf")):
            return checked(hydra.compose(command, overrides=list(overrides)))
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(unknown_key(error) or f"configuration: {' '.join(str(error).split())}") from error
    finally:
        GlobalHydra.instance().hydra = before


def check_keys(options: Any, prefix: str = "") -> None:
    """Raise ConfigError for a key that the class does not have; Hydra's +KEY=VALUE would let it through."""
    known = {f.name for f in fields(options)}
    for name, value in vars(options).items():
        if name not in known:
            raise ConfigError(no_key(name, type(options), prefix))
        if is_dataclass(value):
            check_keys(value, f"{prefix}{name}.")


def unknown_key(error: Exception) -> str | None:
    """What to say of an error of Hydra's if it is about a key that a class does not have, else None."""
    if (group := re.match(r"Could not override '(\w+)'", str(error))) and is_of_training(group[1]):
        return no_key(group[1], EvaluateConfig, "")  # train.py has them all
    cause = error.__cause__
    if not isinstance(cause, (ConfigKeyError, ConfigAttributeError)) or not is_dataclass(cause.object_type):
        return None
    return no_key(str(cause.key), cause.object_type, str(cause.full_key).removesuffix(str(cause.key)))


def is_of_training(name: str) -> bool:
    """Whether train.py has such an option."""
    return name in GROUPS or name in TrainConfig.__dataclass_fields__


def no_key(name: str, kind: type, prefix: str) -> str:
    """That a class does not have a key, and which one may be meant."""
    known = [f.name for f in fields(kind)] + list(GROUPS) * (kind is TrainConfig)
    found = "an unknown key"
    if kind is EvaluateConfig and is_of_training(name):
        found = "an option of train.py alone"
    elif near := get_close_matches(name, known, n=1):
        found += f"; did you mean {prefix}{near[0]}?"
    names = ", ".join(sorted(option for option in known if not option.startswith("_")))
    return f"{prefix}{name}: expected one of {names}; found {found}"


def plain(config: RunConfig) -> dict[str, Any]:
    """The options as nested dicts, lists, strings and numbers, as in a run's config.yaml."""
    return OmegaConf.to_container(OmegaConf.structured(config), resolve=True, enum_to_str=True)
