"""The negative log-likelihood against the sum over all structures, for every output space."""

from __future__ import annotations

import pytest
import torch
from space_cases import CASES

from eqparse.errors import EqparseError
from eqparse.structured.likelihood import negative_log_likelihood
from eqparse.structured.spaces import OneOf


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seed", range(6))
def test_it_is_the_log_ratio_of_two_sums(name, seed):
    generator = torch.Generator().manual_seed(seed)
    space, structures = CASES[name](generator, "cpu")
    while not all(len(some) for some in structures):
        space, structures = CASES[name](generator, "cpu")
    scores = torch.randn(space.shape, generator=generator, dtype=torch.float64, requires_grad=True)
    gold = torch.zeros(len(structures), 3, *space.shape[1:], dtype=torch.float64)
    mask = torch.zeros(len(structures), 3, dtype=torch.bool)
    expected, gradient = [], torch.zeros_like(gold[:, 0])
    for b, some in enumerate(structures):
        right = torch.randperm(len(some), generator=generator)[: 1 + (seed + b) % 3]
        gold[b, : len(right)], mask[b, : len(right)] = some[right], True
        values = (some * scores[b].detach()).flatten(1).sum(1)
        expected.append(values.logsumexp(0) - values[right].logsumexp(0))
        for y, p in zip(some, values.softmax(0), strict=True):
            gradient[b] += p * y
        for y, p in zip(some[right], values[right].softmax(0), strict=True):
            gradient[b] -= p * y
    loss = negative_log_likelihood(scores, space, gold, mask)
    assert torch.allclose(loss, torch.stack(expected), atol=1e-9) and bool((loss > -1e-9).all())
    loss.sum().backward()
    assert torch.allclose(scores.grad, gradient, atol=1e-9)


def test_a_problem_without_gold_structures_is_refused():
    space = OneOf(torch.ones(2, 3, dtype=torch.bool))
    mask = torch.tensor([[True], [False]])
    with pytest.raises(EqparseError, match="gold structures"):
        negative_log_likelihood(torch.zeros(2, 3), space, torch.zeros(2, 1, 3), mask)
