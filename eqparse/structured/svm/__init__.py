"""Structured SVMs over any output space: the loss, the solvers, and training with sets of gold structures."""

from eqparse.structured.svm.block import Block, choose_gold
from eqparse.structured.svm.frank_wolfe import BlockCoordinateFrankWolfe
from eqparse.structured.svm.hinge import structured_hinge
from eqparse.structured.svm.latent import LatentResult, train_latent
from eqparse.structured.svm.solver import Solver, SolverResult, objective
from eqparse.structured.svm.subgradient import Subgradient

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
