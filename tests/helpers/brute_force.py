"""Twins of the output spaces that list every structure, and the checks that every space must pass against its twin."""

from __future__ import annotations

from itertools import combinations

import pytest
import torch
from torch import Tensor

from eqparse.structured.spaces import OutputSpace, feasible
from eqparse.structured.spaces.subset_trees import split_numbers

DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device here")),
]


def all_choices(mask: Tensor) -> Tensor:
    """[Y, P] of a mask [P]: every single allowed part."""
    return torch.eye(len(mask), dtype=torch.float64)[mask]


def all_subsets(mask: Tensor) -> Tensor:
    """[Y, P] of a mask [P]: every non-empty set of allowed parts."""
    items = mask.nonzero().flatten().tolist()
    sets = [chosen for size in range(1, len(items) + 1) for chosen in combinations(items, size)]
    out = torch.zeros(len(sets), len(mask), dtype=torch.float64)
    for row, chosen in enumerate(sets):
        out[row, list(chosen)] = 1
    return out


def every_subset(mask: Tensor) -> Tensor:
    """[Y, P] of a mask [P]: the empty set and `all_subsets`."""
    subsets = all_subsets(mask)
    return torch.cat([torch.zeros_like(subsets[:1]), subsets])


def all_trees(length: int, size: int, labels: int, root_labels: list[int], allowed: Tensor | None = None) -> Tensor:
    """[Y, n, n, n, L]: every labelled binary tree over the leaves 0..length-1, n = size."""
    inner = [label for label in range(labels) if label not in root_labels]

    def trees(start: int, end: int, choices: list[int]) -> list[list[tuple[int, int, int, int]]]:
        if end - start == 1:
            return [[]]
        return [
            [(start, middle - 1, end - 1, label), *left, *right]
            for middle in range(start + 1, end)
            for left in trees(start, middle, inner)
            for right in trees(middle, end, inner)
            for label in choices
        ]

    found = trees(0, length, root_labels)
    if allowed is not None:
        found = [tree for tree in found if all(bool(allowed[part]) for part in tree)]
    out = torch.zeros(len(found), size, size, size, labels, dtype=torch.float64)
    for row, tree in enumerate(found):
        for part in tree:
            out[row][part] = 1
    return out


def all_subset_trees(
    length: int, size: int, labels: int, root_labels: list[int], allowed: Tensor | None = None
) -> Tensor:
    """[Y, T, L]: every labelled binary tree over a set of `length` leaves, by frozensets; parts as over `size`."""
    number = split_numbers(size)

    def mask(leaves):
        return sum(2**leaf for leaf in leaves)

    def trees(leaves, choices):
        if len(leaves) == 1:
            return [[]]
        found = []
        for count in range(1, len(leaves)):
            for some in combinations(sorted(leaves), count):
                left, right = frozenset(some), leaves - frozenset(some)
                if min(left) > min(right):
                    continue
                found += [
                    [(number[mask(left), mask(right)], label), *a, *b]
                    for a in trees(left, inner) for b in trees(right, inner) for label in choices
                ]
        return found

    inner = [label for label in range(labels) if label not in root_labels]
    found = trees(frozenset(range(length)), root_labels)
    if allowed is not None:
        found = [tree for tree in found if all(bool(allowed[part]) for part in tree)]
    out = torch.zeros(len(found), len(number), labels, dtype=torch.float64)
    for row, tree in enumerate(found):
        for part in tree:
            out[row][part] = 1
    return out


def paired(inner: list[Tensor], columns: Tensor, mask: Tensor) -> Tensor:
    """[Y, K, 1 + F]: every allowed problem with every structure of it; inner: [Y_k, *P] of each problem."""
    rows = []
    for k, structures in enumerate(inner):
        for y in structures if mask[k] else ():
            row = torch.zeros(len(inner), 1 + len(columns), dtype=torch.float64)
            row[k, 0] = 1
            row[k, 1:] = y.flatten()[columns]
            rows.append(row)
    return torch.stack(rows) if rows else torch.zeros(0, len(inner), 1 + len(columns), dtype=torch.float64)


def check_space(space: OutputSpace, structures: list[Tensor], scores: Tensor, k: int) -> None:
    """Every oracle of the space against the list of all structures, problem by problem.

    structures: [Y_b, *P] for each problem, maybe none. scores: [B, *P], float64.
    """
    best, ranked = space.argmax(scores), space.kbest(scores, k)
    partition, marginals = space.log_partition(scores), space.marginals(scores)
    assert ranked.value.shape == (k, len(scores)) and ranked.parts.shape == (k, *scores.shape)
    for b, listed in enumerate(structures):
        listed = listed.to(scores)
        values = (listed * scores[b]).flatten(1).sum(1)
        if len(listed) == 0:
            assert not feasible(best.value[b]) and not feasible(partition[b])
            assert not feasible(ranked.value[:, b]).any()
            assert not best.parts[b].any() and not ranked.parts[:, b].any()
            continue
        assert_structure(best.value[b], best.parts[b], listed, values)
        torch.testing.assert_close(best.value[b], values.max())

        count = min(k, len(listed))
        assert feasible(ranked.value[:, b]).tolist() == [True] * count + [False] * (k - count)
        torch.testing.assert_close(ranked.value[:count, b], values.sort(descending=True).values[:count])
        for rank in range(count):
            assert_structure(ranked.value[rank, b], ranked.parts[rank, b], listed, values)
        assert len(ranked.parts[:count, b].flatten(1).unique(dim=0)) == count
        assert not ranked.parts[count:, b].any()

        torch.testing.assert_close(partition[b], values.logsumexp(0))
        expected = (values.softmax(0).view(-1, *[1] * (listed.dim() - 1)) * listed).sum(0)
        torch.testing.assert_close(marginals[b], expected)


def assert_structure(value: Tensor, parts: Tensor, listed: Tensor, values: Tensor) -> None:
    """The parts are one of the listed structures, and the value is that structure's."""
    same = (listed == parts).flatten(1).all(1)
    assert int(same.sum()) == 1
    torch.testing.assert_close(value, values[same][0])
