"""The searches that follow for any output space: with a loss, and among gold structures."""

from __future__ import annotations

import pytest
import torch
from brute_force import all_subsets, all_trees

from eqparse.errors import EqparseError
from eqparse.structured.spaces import BinaryTrees, NonEmptySubset, feasible, gold_argmax, loss_augmented_argmax


def _hamming(listed: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
    return (listed != gold).flatten(1).sum(1).double()


@pytest.mark.parametrize("seed", range(10))
def test_loss_augmented_argmax_maximises_score_plus_hamming_loss(seed):
    generator = torch.Generator().manual_seed(seed)
    cases = [
        (NonEmptySubset(torch.ones(2, 4, dtype=torch.bool)), all_subsets(torch.ones(4, dtype=torch.bool))),
        (BinaryTrees(torch.tensor([4, 4]), 3, [2]), all_trees(4, 4, 3, [2])),
    ]
    for space, listed in cases:
        scores = torch.randn(2, *listed.shape[1:], generator=generator, dtype=torch.float64)
        gold = listed[torch.randint(len(listed), (2,), generator=generator)]
        best = loss_augmented_argmax(space, scores, 1 - 2 * gold)
        for b in range(2):
            values = (listed * scores[b]).flatten(1).sum(1) + _hamming(listed, gold[b])
            torch.testing.assert_close(best.value[b] + gold[b].sum(), values.max())
            assert torch.equal(best.parts[b], listed[values.argmax()])


def test_gold_argmax_takes_the_best_gold_structure_and_skips_padding():
    gold = torch.tensor([[[1, 0, 0], [0, 1, 0], [0, 1, 1]], [[0, 0, 0], [1, 1, 0], [1, 1, 1]]]).float()
    mask = torch.tensor([[True, True, True], [False, True, False]])
    best = gold_argmax(torch.tensor([[1.0, 2.0, 3.0], [-1.0, -1.0, 5.0]]), gold, mask)
    assert best.value.tolist() == [5, -2]
    assert best.parts.tolist() == [[0, 1, 1], [1, 1, 0]]


def test_equal_gold_structures_give_the_first():
    gold = torch.tensor([[[0, 0, 1], [1, 0, 0], [0, 1, 0]]]).float()
    assert gold_argmax(torch.zeros(1, 3), gold, torch.ones(1, 3, dtype=torch.bool)).parts.tolist() == [[0, 0, 1]]


def test_gold_argmax_refuses_a_problem_without_gold_and_shapes_that_do_not_fit():
    gold, mask = torch.zeros(2, 1, 3), torch.tensor([[True], [False]])
    with pytest.raises(EqparseError, match="found none in row 1"):
        gold_argmax(torch.zeros(2, 3), gold, mask)
    with pytest.raises(EqparseError, match=r"found \[2, 1, 3\]"):
        gold_argmax(torch.zeros(2, 4), gold, mask)


def test_feasible_tells_real_values_from_the_missing():
    assert feasible(torch.tensor([0.0, -1e3, -1e5, -3e5])).tolist() == [True, True, False, False]
