"""Exact search in output spaces: best, k best, log partition function and marginals over scored parts."""

from eqparse.inference.cky import BinaryTrees
from eqparse.inference.enumeration import AnySubset, NonEmptySubset, OneOf
from eqparse.inference.nonprojective import SubsetTrees
from eqparse.inference.oracle import Best, OutputSpace, feasible, gold_argmax, loss_augmented_argmax

__all__ = [
    "AnySubset",
    "Best",
    "BinaryTrees",
    "NonEmptySubset",
    "OneOf",
    "OutputSpace",
    "SubsetTrees",
    "feasible",
    "gold_argmax",
    "loss_augmented_argmax",
]
