"""Structured SVMs over any output space: the loss, the solvers, and training with sets of gold structures."""

from eqparse.learning.frank_wolfe import BlockCoordinateFrankWolfe
from eqparse.learning.hinge import structured_hinge
from eqparse.learning.latent import LatentResult, train_latent
from eqparse.learning.problem import Block, choose_gold
from eqparse.learning.solvers import Solver, SolverResult, objective
from eqparse.learning.subgradient import Subgradient

__all__ = [
    "Block",
    "BlockCoordinateFrankWolfe",
    "LatentResult",
    "Solver",
    "SolverResult",
    "Subgradient",
    "choose_gold",
    "objective",
    "structured_hinge",
    "train_latent",
]
