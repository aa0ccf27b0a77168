"""What holds for every output space; a new one needs an entry in `space_cases.CASES` and nothing here."""

from __future__ import annotations

import pytest
import torch
from brute_force import DEVICES, check_space
from hypothesis import given, settings
from hypothesis import strategies as st
from space_cases import CASES, Drawn

from eqparse.errors import EqparseError
from eqparse.structured import spaces
from eqparse.structured.spaces import OutputSpace, feasible

cases = pytest.mark.parametrize("case", CASES)
seeds = st.integers(0, 10**6)


def drawn(case: str, seed: int, *, device: str = "cpu") -> tuple[Drawn, torch.Tensor]:
    """A space with its structures, and scores for it."""
    generator = torch.Generator().manual_seed(seed)
    found = CASES[case](generator, device)
    return found, 2 * torch.randn(found.space.shape, generator=generator, dtype=torch.float64).to(device)


def test_every_space_is_held_to_the_laws():
    offered = {name for name in spaces.__all__ if isinstance(getattr(spaces, name), type)}
    known = {name for name in offered if issubclass(getattr(spaces, name), OutputSpace)} - {"OutputSpace"}
    assert known == {case.split(",")[0] for case in CASES}


@cases
@pytest.mark.parametrize("device", DEVICES)
@settings(max_examples=25)
@given(seed=seeds, k=st.integers(1, 20), ties=st.booleans())
def test_every_search_agrees_with_a_list_of_all_structures(case, device, seed, k, ties):
    (space, structures), scores = drawn(case, seed, device=device)
    check_space(space, structures, scores.round() if ties else scores, k)


@cases
@settings(max_examples=15)
@given(seed=seeds)
def test_of_equally_good_structures_every_search_takes_the_same(case, seed):
    (space, _), scores = drawn(case, seed)
    for tied in (scores.round(), torch.zeros_like(scores)):
        best, ranked = space.argmax(tied), space.kbest(tied, 3)
        assert torch.equal(best.parts, ranked.parts[0])
        assert torch.equal(ranked.parts[:2], space.kbest(tied, 2).parts)


@cases
@settings(max_examples=15)
@given(seed=seeds)
def test_a_problem_does_not_depend_on_its_neighbours(case, seed):
    (space, _), scores = drawn(case, seed)
    others = torch.cat([scores[:1], torch.zeros_like(scores[1:])])
    one, other = (
        (*space.argmax(s), *(ranks[0] for ranks in space.kbest(s, 2)), space.log_partition(s), space.marginals(s))
        for s in (scores, others)
    )
    assert all(torch.equal(a[0], b[0]) for a, b in zip(one, other, strict=True))


@cases
@pytest.mark.parametrize("seed", range(3))
def test_log_partition_has_the_gradient_that_it_claims(case, seed):
    (space, _), scores = drawn(case, seed)
    assert torch.autograd.gradcheck(space.log_partition, scores.requires_grad_())
    (gradient,) = torch.autograd.grad(space.log_partition(scores).sum(), scores)
    torch.testing.assert_close(gradient, space.marginals(scores))


@cases
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_every_gradient_mode_and_dtype_gives_the_same_structures(case, mode, dtype):
    (space, _), scores = drawn(case, 5)
    expected = space.argmax(scores)
    with mode():
        (space, _), scores = drawn(case, 5)  # its masks are inference tensors then, as its scores are
        scores = scores.to(dtype).requires_grad_(mode is torch.enable_grad)
        best, ranked, marginals = space.argmax(scores), space.kbest(scores, 2), space.marginals(scores)
    assert {t.dtype for t in (*best, *ranked, marginals)} == {dtype}
    assert not any(t.requires_grad for t in (*best, *ranked, marginals))
    assert torch.equal(best.parts, expected.parts.to(dtype)) and torch.equal(ranked.parts[0], best.parts)
    torch.testing.assert_close(best.value, expected.value.to(dtype))


@cases
def test_scores_of_another_shape_and_ranks_below_one_are_refused(case):
    (space, _), scores = drawn(case, 0)
    longer = torch.cat([scores, scores], -1)
    for search in (space.argmax, space.log_partition, space.marginals, lambda s: space.kbest(s, 2)):
        for wrong in (longer, longer[:, None], scores[0]):
            with pytest.raises(EqparseError, match=rf"^{type(space).__name__}: expected scores \[.*\], found \["):
                search(wrong)
    with pytest.raises(EqparseError, match="k of at least 1, found 0"):
        space.kbest(scores, 0)


@cases
def test_ranks_beyond_the_number_of_structures_are_told_apart(case):
    (space, structures), scores = drawn(case, 1)
    most = max(map(len, structures))
    ranked = space.kbest(scores, min(most, 60) + 2)
    assert [int(n) for n in feasible(ranked.value).sum(0)] == [min(len(s), len(ranked.value)) for s in structures]
