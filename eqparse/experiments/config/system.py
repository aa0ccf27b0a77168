"""The options of the group `system`: the pipeline, or a system in its place."""

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

    `_target_`: its `eqparse.systems.system.System`. name: of the choice, and of runs without an `experiment`. All
    further options are keyword arguments of that system's `train`.
    """

    _target_: str = "eqparse.systems.registry.PIPELINE"
    name: str = "pipeline"

    def check(self) -> None:
        """Raise ConfigError for another system than those of `SYSTEMS`, or a value out of range."""
        if type(self) is not SYSTEMS.get(self.name):
            raise ConfigError(f"system: expected one of {', '.join(SYSTEMS)}; found {self.name!r}")
        for option in sorted({"beam", "rounds", "epochs"} & vars(self).keys()):
            check_range(f"system.{option}", getattr(self, option), 1, 10_000)

    def system(self) -> System:
        """The system itself. Raises ConfigError where `_target_` is none."""
        return find_system(self._target_)

    def options(self) -> dict[str, Any]:
        """The keyword arguments of its `train` that are its alone."""
        return {name: value for name, value in vars(self).items() if name not in ("name", "_target_")}


@dataclass
class JointConfig(SystemConfig):
    """One structured SVM over all stages; see `eqparse.systems.joint.training`.

    beam: trigger lists of a sentence that get a tree.
    rounds: of training.
    """

    _target_: str = "eqparse.systems.registry.JOINT"
    name: str = "joint"
    beam: int = 30
    rounds: int = 4


@dataclass
class CcgConfig(SystemConfig):
    """The CCG semantic parser; features, stages and solver play no part.

    beam: constituents of a chart cell.
    epochs: of the perceptron.
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
