"""One part of many and subsets beyond the laws: ties, precision, and what is refused."""

from __future__ import annotations

import pytest
import torch

from eqparse.errors import EqparseError
from eqparse.structured.spaces import AnySubset, NonEmptySubset, OneOf

spaces = pytest.mark.parametrize("space", [OneOf, NonEmptySubset, AnySubset])


@spaces
def test_ties_go_the_same_way_every_time_and_for_every_neighbour(space):
    scores = torch.zeros(3, 4)
    scores[0] = torch.tensor([1.0, -1.0, 2.0, 0.5])
    mask = torch.ones(3, 4, dtype=torch.bool)
    alone, together = space(mask[1:2]).argmax(scores[1:2]), space(mask).argmax(scores)
    first = [0, 0, 0, 0] if space is AnySubset else [1, 0, 0, 0]
    assert together.parts[1].tolist() == together.parts[2].tolist() == alone.parts[0].tolist() == first


def test_a_subset_takes_all_positive_items_or_else_the_least_bad_one():
    scores = torch.tensor([[1.0, -2.0, 3.0], [-3.0, -1.0, -2.0]])
    best = NonEmptySubset(torch.ones(2, 3, dtype=torch.bool)).argmax(scores)
    assert best.parts.tolist() == [[1, 0, 1], [0, 1, 0]]
    assert best.value.tolist() == [4, -1]


@pytest.mark.parametrize("size", [-300.0, 300.0])
def test_log_partition_of_subsets_neither_overflows_nor_cancels(size):
    scores = torch.full((1, 3), size, requires_grad=True)
    value = NonEmptySubset(torch.ones(1, 3, dtype=torch.bool)).log_partition(scores)
    # dominated by the three singletons, or by the full set
    expected = size + torch.tensor(3.0).log() if size < 0 else 3 * size
    torch.testing.assert_close(value.item(), float(expected))
    (gradient,) = torch.autograd.grad(value, scores)
    torch.testing.assert_close(gradient, torch.full((1, 3), 1 / 3 if size < 0 else 1.0))


@spaces
def test_a_row_with_nothing_allowed_is_refused_by_its_number(space):
    with pytest.raises(EqparseError, match="found none in row 1"):
        space(torch.tensor([[True, False], [False, False]]))


@spaces
@pytest.mark.parametrize("mask", [torch.ones(2, 3), torch.ones(3, dtype=torch.bool)])
def test_masks_must_be_boolean_and_batched(space, mask):
    with pytest.raises(EqparseError, match="boolean mask"):
        space(mask)
