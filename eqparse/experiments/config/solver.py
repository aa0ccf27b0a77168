"""The options of the group `solver`, and the solvers to choose from."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, make_dataclass

from hydra.utils import get_class, instantiate
from omegaconf import MISSING

from eqparse.experiments.config.checks import check_range
from eqparse.structured.svm.solver import Solver

OF_THE_RUN = ("regularization", "seed")
"""Keyword arguments of a solver that the run supplies; the first is computed from c."""


@dataclass
class SolverConfig:
    """The options that every solver has.

    `_target_` is the solver's class, and all further options are keyword arguments of that class.

    c: the weight of the losses; regularization = 1 / (c * number of problems).
    block_size: problems in a block.
    max_rounds: rounds of choosing among gold structures, at most.
    """

    _target_: str = MISSING
    _partial_: bool = True
    c: float = 0.1
    block_size: int = 8
    max_rounds: int = 3

    def check(self) -> None:
        """Raise ConfigError for a value out of range."""
        check_range("solver.c", self.c, 1e-6, 10**6)  # inf would make the regularization 0
        check_range("solver.block_size", self.block_size, 1, 100_000)
        check_range("solver.max_rounds", self.max_rounds, 1, 1000)
        self.maker(seed=0)("", 1)  # a solver checks its own options, but is made only once all sentences are annotated

    def maker(self, *, seed: int) -> Callable[[str, int], Solver]:
        """A function (stage name, number of problems) -> solver for that stage."""
        training = {f.name for f in fields(SolverConfig)} - {"_target_", "_partial_"}
        make = instantiate({name: value for name, value in vars(self).items() if name not in training})
        return lambda _, problems: make(regularization=1 / (self.c * problems), seed=seed)


def solver_config(path: str, *, c: float = SolverConfig.c) -> type[SolverConfig]:
    """The options of the solver class at that import path: those of every solver, and the class's keyword arguments."""
    parameters = inspect.signature(get_class(path), eval_str=True).parameters.values()
    own = [(p.name, p.annotation, p.default) for p in parameters if p.name not in OF_THE_RUN]
    options = [("_target_", str, path), ("c", float, c), *own]
    return make_dataclass(path.rpartition(".")[2], options, bases=(SolverConfig,), namespace={"__module__": __name__})


SOLVERS = {
    "bcfw": solver_config("eqparse.structured.svm.BlockCoordinateFrankWolfe"),
    "subgradient": solver_config("eqparse.structured.svm.Subgradient", c=0.3),
}
"""The choices of the group."""
BcfwConfig, SubgradientConfig = SOLVERS["bcfw"], SOLVERS["subgradient"]
