"""Binary trees beyond the laws: against Catalan numbers, against torch-struct, and what is refused."""

from __future__ import annotations

from math import comb, log

import pytest
import torch
import torch_struct
from brute_force import all_trees, check_space

from eqparse.errors import EqparseError
from eqparse.structured.spaces import BinaryTrees, feasible

LABELS, ROOT = 3, [1]


def _scores(lengths: list[int], size: int, seed: int, labels: int = LABELS) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(len(lengths), size, size, size, labels, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("seed", range(3))
def test_larger_trees_without_a_mask(seed):
    scores = _scores([5, 3, 5], 5, seed, labels=2)
    check_space(BinaryTrees(torch.tensor([5, 3, 5]), 2, [0]), [all_trees(n, 5, 2, [0]) for n in (5, 3, 5)], scores, 20)


def test_at_zero_scores_the_partition_counts_the_trees():
    lengths, inner, root = torch.arange(1, 13), 5, 2
    scores = torch.zeros(12, 12, 12, 12, inner + root, dtype=torch.float64)
    found = BinaryTrees(lengths, inner + root, [0, 6]).log_partition(scores)
    for n, value in zip(lengths.tolist(), found.tolist(), strict=True):
        catalan = comb(2 * n - 2, n - 1) // n
        count = catalan * inner ** (n - 2) * root if n > 1 else 1
        assert value == pytest.approx(log(count), abs=1e-9)


@pytest.mark.filterwarnings("ignore:.*arg_constraints:UserWarning")
def test_without_dependence_on_the_split_it_is_torch_structs_chart():
    lengths, n = torch.tensor([7, 4, 6]), 7
    generator = torch.Generator().manual_seed(0)
    spans = torch.randn(3, n, n, 4, generator=generator, dtype=torch.float64)
    # torch-struct labels leaves too, and lets the root take any label: score those 0, in one way
    reference = spans.clone()
    reference[:, torch.arange(n), torch.arange(n)] = -1e5
    reference[:, torch.arange(n), torch.arange(n), 0] = 0
    chart = torch_struct.TreeCRF(reference, lengths=lengths)
    scores = spans.unsqueeze(2).expand(-1, -1, n, -1, -1)
    joined = torch.cat([scores, scores], dim=-1)  # labels 0..3 inside, 4..7 at the root
    space = BinaryTrees(lengths, 8, range(4, 8))
    torch.testing.assert_close(space.log_partition(joined), chart.partition)
    torch.testing.assert_close(space.argmax(joined).value, chart.max)
    upper = torch.triu(torch.ones(n, n), diagonal=1).bool()
    by_span = space.marginals(joined).sum(2).unflatten(-1, (2, 4)).sum(-2)
    torch.testing.assert_close(by_span[:, upper], chart.marginals[:, upper])


def test_leaves_beyond_a_length_change_nothing_not_even_when_they_are_nan():
    lengths = [2, 5, 1, 4]
    scores = _scores(lengths, 5, 0)
    inside = torch.arange(5) < torch.tensor(lengths).unsqueeze(1)
    scores = scores.masked_fill(~inside.view(4, 1, 1, 5, 1), torch.nan)
    together = BinaryTrees(torch.tensor(lengths), LABELS, ROOT)
    for b, n in enumerate(lengths):
        alone = BinaryTrees(torch.tensor([n]), LABELS, ROOT)
        own = scores[b : b + 1, :n, :n, :n]
        for oracle in ("argmax", "log_partition", "marginals"):
            one, all_ = getattr(alone, oracle)(own), getattr(together, oracle)(scores)
            pairs = zip(one, all_, strict=True) if oracle == "argmax" else [(one, all_)]
            for single, batched in pairs:
                corner = batched[b, :n, :n, :n] if single.dim() > 1 else batched[b]
                torch.testing.assert_close(single[0], corner)


def test_a_single_leaf_is_the_empty_tree_and_two_leaves_make_a_root():
    one = BinaryTrees(torch.tensor([1, 1]), LABELS, ROOT)
    scores = _scores([1, 1], 1, 0)
    assert one.argmax(scores).value.tolist() == one.log_partition(scores).tolist() == [0, 0]
    assert not one.argmax(scores).parts.any() and not one.marginals(scores).any()
    assert feasible(one.kbest(scores, 2).value).tolist() == [[True, True], [False, False]]
    two = BinaryTrees(torch.tensor([2]), LABELS, ROOT).argmax(_scores([2], 2, 1))
    assert two.parts.nonzero().tolist() == [[0, 0, 0, 1, ROOT[0]]]


def test_a_mask_that_allows_no_tree_is_told_apart_and_leaves_its_neighbour_alone():
    allowed = torch.ones(2, 3, 3, 3, LABELS, dtype=torch.bool)
    allowed[0, :, :, 2, ROOT] = False
    scores = _scores([3, 3], 3, 0).requires_grad_()
    space = BinaryTrees(torch.tensor([3, 3]), LABELS, ROOT, allowed=allowed)
    assert feasible(space.argmax(scores).value).tolist() == [False, True]
    assert space.marginals(scores).isfinite().all()
    torch.testing.assert_close(space.marginals(scores)[1].sum(), torch.tensor(2.0, dtype=torch.float64))
    (gradient,) = torch.autograd.grad(space.log_partition(scores)[1], scores)
    torch.testing.assert_close(gradient, space.marginals(scores) * torch.tensor([0.0, 1.0]).view(2, 1, 1, 1, 1))


def test_when_every_label_is_a_root_label_only_a_root_alone_makes_a_tree():
    values = BinaryTrees(torch.tensor([2, 3]), 2, [0, 1]).argmax(_scores([2, 3], 3, 0, labels=2)).value
    assert feasible(values).tolist() == [True, False]


def test_what_does_not_fit_is_refused_with_its_size_and_the_limit():
    with pytest.raises(EqparseError, match="at most 16 leaves, found 17"):
        BinaryTrees(torch.tensor([3, 17]), LABELS, ROOT)
    BinaryTrees(torch.tensor([3, 17]), LABELS, ROOT, max_leaves=17)
    with pytest.raises(EqparseError, match="at least 1 leaf a problem, found 0"):
        BinaryTrees(torch.tensor([3, 0]), LABELS, ROOT)
    for roots in ([], [LABELS], [-1]):
        with pytest.raises(EqparseError, match="root labels in 0..2"):
            BinaryTrees(torch.tensor([3]), LABELS, roots)
    for lengths in (torch.tensor([2.0]), torch.tensor(2), torch.tensor([], dtype=torch.long)):
        with pytest.raises(EqparseError, match="integer lengths"):
            BinaryTrees(lengths, LABELS, ROOT)
    with pytest.raises(EqparseError, match="expected scores"):
        BinaryTrees(torch.tensor([3]), LABELS, ROOT, allowed=torch.ones(1, 3, 3, 3, 1, dtype=torch.bool))
    space = BinaryTrees(torch.tensor([3]), LABELS, ROOT)
    for shape in ((1, 2, 2, 2, 3), (1, 4, 4, 4, 3), (1, 3, 3, 4, 3), (2, 3, 3, 3, 3), (1, 3, 3, 3), (1, 3, 3, 3, 2)):
        with pytest.raises(EqparseError, match="expected scores"):
            space.argmax(torch.zeros(shape))
