"""One of several problems and then a structure of it, against the list of all pairs; and what a beam leaves."""

from __future__ import annotations

import pytest
import torch
from brute_force import all_choices, all_trees, check_space

from eqparse.errors import EqparseError
from eqparse.structured.spaces import BinaryTrees, OneOf
from eqparse.structured.spaces.beam import OneThen, keep_best


def paired(inner: list[torch.Tensor], columns: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """[Y, K, 1 + F]: every allowed problem with every structure of it; inner: [Y_k, *P] of each problem."""
    rows = []
    for k, structures in enumerate(inner):
        for y in structures if mask[k] else ():
            row = torch.zeros(len(inner), 1 + len(columns), dtype=torch.float64)
            row[k, 0] = 1
            row[k, 1:] = y.flatten()[columns]
            rows.append(row)
    return torch.stack(rows) if rows else torch.zeros(0, len(inner), 1 + len(columns), dtype=torch.float64)


@pytest.mark.parametrize("seed", range(4))
def test_trees_of_several_leaf_lists(seed):
    generator = torch.Generator().manual_seed(seed)
    mask = torch.tensor([[True, True, True], [True, False, True]])
    lengths = torch.tensor([3, 2, 4, 1, 4, 3])
    n, labels = 4, 2
    grid = torch.cartesian_prod(*[torch.arange(n)] * 3, torch.arange(labels))
    columns = ((grid[:, 0] <= grid[:, 1]) & (grid[:, 1] < grid[:, 2])).nonzero().flatten()
    allowed = torch.rand(6, n, n, n, labels, generator=generator) < 0.8
    space = OneThen(
        BinaryTrees(lengths, labels, [0], allowed=allowed), mask, columns=columns, inner_shape=(n, n, n, labels)
    )
    trees = [all_trees(int(length), n, labels, [0], allow) for length, allow in zip(lengths, allowed, strict=True)]
    structures = [paired(trees[3 * b : 3 * b + 3], columns, mask[b]) for b in range(2)]
    scores = torch.randn(2, 3, 1 + len(columns), generator=generator, dtype=torch.float64)
    check_space(space, structures, scores, 5)
    check_space(space, structures, scores.round(), 1)


def test_choices_within_choices():
    inner = torch.tensor([[True, True], [True, False], [False, True], [True, True]])
    mask = torch.tensor([[True, True], [False, True]])
    space = OneThen(OneOf(inner), mask, columns=torch.arange(2), inner_shape=(2,))
    listed = [all_choices(row) for row in inner]
    structures = [paired(listed[2 * b : 2 * b + 2], torch.arange(2), mask[b]) for b in range(2)]
    generator = torch.Generator().manual_seed(3)
    for _ in range(5):
        check_space(space, structures, torch.randn(2, 2, 3, generator=generator, dtype=torch.float64), 4)
    assert space.exact.tolist() == [True, True]


def test_a_row_without_problems_is_refused():
    with pytest.raises(EqparseError, match="row 1"):
        OneThen(OneOf(torch.ones(2, 1, dtype=torch.bool)), torch.tensor([[True], [False]]), columns=torch.arange(1),
                inner_shape=(1,))


def test_a_beam_keeps_the_best_and_says_whether_it_kept_all():
    scores = torch.tensor([[1.0, 3.0, 3.0, 9.0], [5.0, 4.0, 0.0, 0.0]])
    mask = torch.tensor([[True, True, True, False], [True, True, False, False]])
    kept = keep_best(scores, mask, beam=2)
    assert kept.index.tolist() == [[1, 2], [0, 1]] and kept.exact.tolist() == [False, True]
    kept = keep_best(scores, mask, beam=3)
    assert kept.mask.tolist() == [[True] * 3, [True, True, False]] and kept.exact.tolist() == [True, True]
    assert kept.index[0].tolist() == [1, 2, 0]
    with pytest.raises(EqparseError, match="beam"):
        keep_best(scores, mask, beam=0)
