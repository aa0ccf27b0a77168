"""The options of the group `solver`, and the solvers that they choose from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from hydra.utils import instantiate
from omegaconf import MISSING

from eqparse.experiments.config.checks import check_range
from eqparse.structured.svm.solver import Solver


@dataclass
class SolverConfig:
    """What every solver has; `_target_` and all further options are its class and the keyword arguments of that.

    c: the weight of the losses, regularization = 1 / (c * number of problems).
    block_size: problems in a block.
    max_rounds: of choosing among gold structures.
    """

    _target_: str = MISSING
    _partial_: bool = True
    c: float = 0.1
    block_size: int = 8
    max_rounds: int = 3

    def check(self) -> None:
        """Raise ConfigError for a value out of range; the solver itself checks its own."""
        check_range("solver.c", self.c, 1e-6, 10**6)  # inf would make the regularization 0
        check_range("solver.block_size", self.block_size, 1, 100_000)
        check_range("solver.max_rounds", self.max_rounds, 1, 1000)

    def maker(self, *, seed: int) -> Callable[[str, int], Solver]:
        """(stage's name, number of its problems) -> the solver for it."""
        training = {f.name for f in fields(SolverConfig)} - {"_target_", "_partial_"}
        make = instantiate({name: value for name, value in vars(self).items() if name not in training})
        return lambda _, problems: make(regularization=1 / (self.c * problems), seed=seed)


@dataclass
class BcfwConfig(SolverConfig):
    """Block-coordinate Frank-Wolfe, which knows its duality gap; see `BlockCoordinateFrankWolfe`."""

    _target_: str = "eqparse.structured.svm.BlockCoordinateFrankWolfe"
    max_epochs: int = 20
    tolerance: float = 0.05
    check_every: int = 5
    working_set: int = 0
    averaging: bool = True


@dataclass
class SubgradientConfig(SolverConfig):
    """Stochastic subgradient descent; see `Subgradient`."""

    _target_: str = "eqparse.structured.svm.Subgradient"
    c: float = 0.3
    epochs: int = 50
    averaging: bool = True
    check_every: int = 5


SOLVERS = {"bcfw": BcfwConfig, "subgradient": SubgradientConfig}
"""The choices of the group."""
