"""Random problems of every output space, each with a list of all its structures: what the laws are tested on."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from brute_force import all_choices, all_subset_trees, all_subsets, all_trees, every_subset, paired
from torch import Tensor

from eqparse.structured.spaces import (
    AnySubset,
    BinaryTrees,
    NonEmptySubset,
    OneOf,
    OneThen,
    OutputSpace,
    SubsetTrees,
    TreesBySize,
)

LABELS, ROOT = 3, [1]


class Drawn(NamedTuple):
    """A space and the structures [Y_b, *P] of each of its problems, maybe none."""

    space: OutputSpace
    structures: list[Tensor]


def masked(space: type, listed: Callable[[Tensor], Tensor]) -> Callable[[torch.Generator, str], Drawn]:
    def draw(generator: torch.Generator, device: str) -> Drawn:
        parts = integer(1, 5, generator)
        mask = torch.rand(3, parts, generator=generator) < 0.7
        mask[torch.arange(3), torch.randint(parts, (3,), generator=generator)] = True
        return Drawn(space(mask.to(device)), [listed(row) for row in mask])

    return draw


def binary_trees(generator: torch.Generator, device: str, problems: int = 2, most: int = 4) -> Drawn:
    lengths = [integer(1, most, generator) for _ in range(problems)]
    n = max(lengths)
    allowed = torch.rand(problems, n, n, n, LABELS, generator=generator) < share(generator)
    space = BinaryTrees(torch.tensor(lengths, device=device), LABELS, ROOT, allowed=allowed.to(device))
    pairs = zip(lengths, allowed, strict=True)
    return Drawn(space, [all_trees(length, n, LABELS, ROOT, mask) for length, mask in pairs])


def subset_trees(generator: torch.Generator, device: str) -> Drawn:
    lengths = [integer(1, 4, generator), integer(2, 4, generator)]
    open_space = SubsetTrees(torch.tensor(lengths), LABELS, ROOT)
    allowed = torch.rand(open_space.shape, generator=generator) < share(generator)
    space = SubsetTrees(torch.tensor(lengths, device=device), LABELS, ROOT, allowed=allowed.to(device))
    pairs = zip(lengths, allowed, strict=True)
    return Drawn(space, [all_subset_trees(length, max(lengths), LABELS, ROOT, mask) for length, mask in pairs])


def trees_by_size(generator: torch.Generator, device: str) -> Drawn:
    lengths, few = [integer(1, 3, generator), 4, 3], 3
    options = {"labels": LABELS, "root_labels": ROOT, "few": few}
    shape = TreesBySize(torch.tensor(lengths), **options).shape
    allowed = torch.rand(shape, generator=generator) < share(generator)
    space = TreesBySize(torch.tensor(lengths, device=device), allowed=allowed.to(device), **options)
    structures = []
    for length, mask in zip(lengths, allowed, strict=True):
        splits, chart = mask[: -(4**3)], mask[-(4**3) :].view(4, 4, 4, LABELS)
        if length <= few:
            trees = all_subset_trees(length, few, LABELS, ROOT, splits)
            structures.append(torch.cat([trees, trees.new_zeros(len(trees), 4**3, LABELS)], dim=1))
        else:
            trees = all_trees(length, 4, LABELS, ROOT, chart).flatten(1, 3)
            structures.append(torch.cat([trees.new_zeros(len(trees), *splits.shape), trees], dim=1))
    return Drawn(space, structures)


def one_then_a_tree(generator: torch.Generator, device: str) -> Drawn:
    inner, trees = binary_trees(generator, device, problems=6, most=3)
    mask = torch.tensor([[True, True, True], [True, False, True]])
    n = inner.shape[1]
    grid = torch.cartesian_prod(*[torch.arange(n)] * 3, torch.arange(LABELS))
    columns = ((grid[:, 0] <= grid[:, 1]) & (grid[:, 1] < grid[:, 2])).nonzero().flatten()
    structures = [paired(trees[3 * b : 3 * b + 3], columns, mask[b]) for b in range(2)]
    return Drawn(OneThen(inner, mask.to(device), columns=columns.to(device)), structures)


def one_then_one(generator: torch.Generator, device: str) -> Drawn:
    inner, choices = masked(OneOf, all_choices)(generator, device)
    parts = inner.shape[1]
    mask = torch.tensor([[True, False, True]])
    columns = torch.randperm(parts, generator=generator)
    return Drawn(OneThen(inner, mask.to(device), columns=columns.to(device)), [paired(choices, columns, mask[0])])


CASES: dict[str, Callable[[torch.Generator, str], Drawn]] = {
    "OneOf": masked(OneOf, all_choices),
    "NonEmptySubset": masked(NonEmptySubset, all_subsets),
    "AnySubset": masked(AnySubset, every_subset),
    "BinaryTrees": binary_trees,
    "SubsetTrees": subset_trees,
    "TreesBySize": trees_by_size,
    "OneThen": one_then_a_tree,
    "OneThen, within OneOf": one_then_one,
}
"""By the name of the space, perhaps with what is inside it."""


def integer(least: int, most: int, generator: torch.Generator) -> int:
    return int(torch.randint(least, most + 1, (), generator=generator))


def share(generator: torch.Generator) -> float:
    """Of the parts that are allowed."""
    return (1.0, 0.8, 0.5)[integer(0, 2, generator)]
