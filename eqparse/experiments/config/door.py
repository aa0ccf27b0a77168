"""Where options come in: what Hydra composes, or Python gives, becomes typed and checked once, here.

Defaults, and what an option means, stand in the classes of this folder alone. `conf/` holds choices of values (data,
preset, experiment); a choice of a class (solver, system, logger) is registered here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from eqparse.errors import ConfigError, first_line
from eqparse.experiments.config.checks import check_path
from eqparse.experiments.config.run import LOGGERS, EvaluateConfig, RunConfig, TrainConfig
from eqparse.experiments.config.solver import SOLVERS
from eqparse.experiments.config.system import SYSTEMS

Config = TypeVar("Config", TrainConfig, EvaluateConfig)

RENAMED = {
    "score": "optimized_metric=METRIC",
    "data.extra": "data.auxiliary=PATH",
    "solver.planes": "solver.working_set=NUMBER",
    "features": "preset=paper or preset=full",
    "experiment=full": "experiment=pipeline",
}
"""Options of earlier versions -> what to give instead."""


def register() -> None:
    """Make the classes known to Hydra, so that it offers them and refuses keys that they do not have."""
    store = ConfigStore.instance()
    store.store("base_train", TrainConfig(solver=MISSING, logger=MISSING, system=MISSING))
    store.store("base_evaluate", EvaluateConfig)
    for group, choices in {"solver": SOLVERS, "system": SYSTEMS, "logger": LOGGERS}.items():
        for name, kind in choices.items():
            store.store(name, kind, group=group)


register()


def check_words(words: Sequence[str]) -> None:
    """Raise ConfigError for what Hydra would act on or complain about before any option of ours is checked.

    That is an option of an earlier version, which gets the name of the new one, and an empty `outputs`, where a sweep
    would write to the current folder.
    """
    for word in words:
        name, _, given = word.lstrip("+~").partition("=")
        for old in (name, *(f"{name}={value}" for value in given.split(","))):
            if old in RENAMED:
                raise ConfigError(f"{old}: an option of an earlier version; give {RENAMED[old]}")
        if name == "outputs":
            check_path(name, given.strip("'\""))


def checked(config: Config | DictConfig) -> Config:
    """The typed options: interpolations resolved, defaults filled in, every value in its range; raises ConfigError.

    Raises DataError for a lexicon file that cannot be read.
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


def check_keys(options: Any, prefix: str = "") -> None:
    """Raise ConfigError for a key that its class does not have, which Hydra's +KEY=VALUE would let in."""
    known = {f.name for f in fields(options)}
    for name, value in vars(options).items():
        if name not in known:
            raise ConfigError(f"{prefix}{name}: expected one of {', '.join(sorted(known))}; found an unknown key")
        if is_dataclass(value):
            check_keys(value, f"{prefix}{name}.")


def plain(config: RunConfig) -> dict[str, Any]:
    """The options as nested dicts, lists, strings and numbers, as they stand in a run's config.yaml."""
    return OmegaConf.to_container(OmegaConf.structured(config), resolve=True, enum_to_str=True)
