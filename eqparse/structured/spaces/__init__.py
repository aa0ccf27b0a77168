"""Exact search in output spaces: best, k best, log partition function and marginals over scored parts."""

from eqparse.structured.spaces.cky import BinaryTrees
from eqparse.structured.spaces.enumeration import AnySubset, NonEmptySubset, OneOf
from eqparse.structured.spaces.one_then import OneThen
from eqparse.structured.spaces.output_space import Best, OutputSpace, feasible, gold_argmax, loss_augmented_argmax
from eqparse.structured.spaces.subset_trees import SubsetTrees
from eqparse.structured.spaces.trees_by_size import TreesBySize

__all__ = [
    "AnySubset",
    "Best",
    "BinaryTrees",
    "NonEmptySubset",
    "OneOf",
    "OneThen",
    "OutputSpace",
    "SubsetTrees",
    "TreesBySize",
    "feasible",
    "gold_argmax",
    "loss_augmented_argmax",
]
