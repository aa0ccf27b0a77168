"""The options of the group `system`: the pipeline, or a system that replaces it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hydra.utils import get_object

from eqparse.errors import ConfigError
from eqparse.experiments.config.checks import check_range
from eqparse.systems.system import System


@dataclass
class SystemConfig:
    """The pipeline: one stage after the other.

    `_target_`: import path of the `eqparse.systems.system.System`.
    name: name of the choice, and of runs without an `experiment`.

    All further options are keyword arguments of that system's `train`.
    """

    _target_: str = "eqparse.systems.registry.PIPELINE"
    name: str = "pipeline"

    def check(self) -> None:
        """Raise ConfigError for a system that is not in `SYSTEMS`, or a value out of range."""
        if type(self) is not SYSTEMS.get(self.name):
            raise ConfigError(f"system: expected one of {', '.join(SYSTEMS)}; found {self.name!r}")
        for option in sorted({"beam", "rounds", "epochs"} & vars(self).keys()):
            check_range(f"system.{option}", getattr(self, option), 1, 10_000)

    def system(self) -> System:
        """The system itself. Raises ConfigError if `_target_` is not a system."""
        return find_system(self._target_)

    def options(self) -> dict[str, Any]:
        """The keyword arguments of `train` that only this system has."""
        return {name: value for name, value in vars(self).items() if name not in ("name", "_target_")}


@dataclass
class JointConfig(SystemConfig):
    """One structured SVM over all stages; see `eqparse.systems.joint.training`.

    beam: how many trigger lists of a sentence a tree is searched for.
    rounds: rounds of training.
    """

    _target_: str = "eqparse.systems.registry.JOINT"
    name: str = "joint"
    beam: int = 30
    rounds: int = 4


@dataclass
class CcgConfig(SystemConfig):
    """The CCG semantic parser; it ignores the options for features, stages and solver.

    beam: how many constituents a chart cell keeps.
    epochs: passes over the training sentences, at most.
    induce: learn entries for words that the seed lexicon lacks.
    """

    _target_: str = "eqparse.systems.registry.CCG"
    name: str = "ccg"
    beam: int = 30
    epochs: int = 10
    induce: bool = True


SYSTEMS = {"pipeline": SystemConfig, "joint": JointConfig, "ccg": CcgConfig}
"""The choices of the group."""


def find_system(path: str) -> System:
    """The system at that import path. Raises ConfigError where there is none."""
    found = get_object(path)
    if not isinstance(found, System):
        raise ConfigError(f"system: expected an eqparse.systems.system.System at {path}, found {found!r}")
    return found
