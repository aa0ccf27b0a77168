"""One part of many and non-empty subsets, against lists of all of them."""

from __future__ import annotations

import pytest
import torch
from brute_force import DEVICES, all_choices, all_subsets, check_space
from hypothesis import given, settings
from hypothesis import strategies as st

from eqparse.errors import EqparseError
from eqparse.structured.spaces import AnySubset, NonEmptySubset, OneOf


def with_the_empty_set(mask: torch.Tensor) -> torch.Tensor:
    subsets = all_subsets(mask)
    return torch.cat([torch.zeros_like(subsets[:1]), subsets])


TWINS = {OneOf: all_choices, NonEmptySubset: all_subsets, AnySubset: with_the_empty_set}
spaces = pytest.mark.parametrize("space", TWINS)


def _masks(batch: int, parts: int, generator: torch.Generator) -> torch.Tensor:
    mask = torch.rand(batch, parts, generator=generator) < 0.7
    mask[torch.arange(batch), torch.randint(parts, (batch,), generator=generator)] = True
    return mask


@spaces
@pytest.mark.parametrize("device", DEVICES)
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10**6), parts=st.integers(1, 5), k=st.integers(1, 40), step=st.sampled_from([0, 0.5]))
def test_oracles_agree_with_a_list_of_all_structures(space, device, seed, parts, k, step):
    generator = torch.Generator().manual_seed(seed)
    mask = _masks(4, parts, generator)
    scores = 2 * torch.randn(4, parts, generator=generator, dtype=torch.float64)
    if step:  # ties
        scores = (scores / step).round() * step
    check_space(space(mask.to(device)), [TWINS[space](row) for row in mask], scores.to(device), k)


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
def test_log_partition_has_the_gradient_that_it_claims(space):
    mask = torch.tensor([[True, False, True], [True, True, True]])
    scores = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(space(mask).log_partition, scores)


@spaces
def test_a_row_with_nothing_allowed_is_refused_by_its_number(space):
    with pytest.raises(EqparseError, match="found none in row 1"):
        space(torch.tensor([[True, False], [False, False]]))


@spaces
@pytest.mark.parametrize("mask", [torch.ones(2, 3), torch.ones(3, dtype=torch.bool)])
def test_masks_must_be_boolean_and_batched(space, mask):
    with pytest.raises(EqparseError, match="boolean mask"):
        space(mask)


@spaces
def test_scores_of_another_shape_and_ranks_below_one_are_refused(space):
    built = space(torch.ones(2, 3, dtype=torch.bool))
    for oracle in (built.argmax, built.log_partition, built.marginals, lambda s: built.kbest(s, 2)):
        with pytest.raises(EqparseError, match=r"expected scores \[2, 3\], found \[2, 4\]"):
            oracle(torch.zeros(2, 4))
    with pytest.raises(EqparseError, match="k of at least 1, found 0"):
        built.kbest(torch.zeros(2, 3), 0)


@spaces
def test_everything_works_in_inference_mode(space):
    with torch.inference_mode():
        built = space(torch.ones(1, 2, dtype=torch.bool))
        scores = torch.tensor([[1.0, 3.0]])
        assert built.marginals(scores)[0, 1] > built.marginals(scores)[0, 0]
        assert built.argmax(scores).value == built.kbest(scores, 1).value[0]
