"""Trees over subsets of leaves beyond the laws: against their number, against projective trees, and what is refused."""

from __future__ import annotations

from math import log, prod

import numpy as np
import pytest
import torch
from brute_force import all_subset_trees, check_space

from eqparse.errors import EqparseError
from eqparse.structured.spaces import BinaryTrees, SubsetTrees, feasible
from eqparse.structured.spaces.subset_trees import split_numbers, splits

LABELS, ROOT = 3, [1]


def _scores(lengths, seed, labels=LABELS):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(len(lengths), len(splits(max(lengths)).left), labels, generator=generator, dtype=torch.float64)


def test_a_leaf_alone_is_a_tree_without_parts():
    best = SubsetTrees(torch.tensor([1, 1]), LABELS, ROOT).argmax(torch.zeros(2, 0, LABELS))
    assert best.value.tolist() == [0, 0] and best.parts.shape == (2, 0, LABELS)


def test_larger_trees():
    scores = _scores([5, 3, 5], 1, labels=2)
    space = SubsetTrees(torch.tensor([5, 3, 5]), 2, [0])
    check_space(space, [all_subset_trees(n, 5, 2, [0]) for n in (5, 3, 5)], scores, 20)


def test_at_zero_scores_the_partition_counts_the_trees():
    lengths, inner, root = torch.arange(1, 9), 5, 2
    found = SubsetTrees(lengths, inner + root, [0, 6]).log_partition(
        torch.zeros(8, len(splits(8).left), inner + root, dtype=torch.float64)
    )
    for n, value in zip(lengths.tolist(), found.tolist(), strict=True):
        shapes = prod(range(1, 2 * n - 2, 2))  # unordered binary trees with named leaves: (2n - 3)!!
        assert value == pytest.approx(log(shapes * (inner ** (n - 2) * root if n > 1 else 1)), abs=1e-9)


def test_there_are_as_many_splits_as_there_should_be():
    for n in range(1, 9):
        table = splits(n)
        assert len(table.left) == (3**n - 2 ** (n + 1) + 1) // 2 == len(split_numbers(n))
        assert not (table.left & table.right).any()
        lowest = [np.bitwise_and(part, -part) for part in (table.left, table.right)]
        assert (lowest[0] < lowest[1]).all()


@pytest.mark.parametrize("seed", range(4))
def test_with_only_neighbouring_spans_it_is_the_projective_search(seed):
    lengths, n = torch.tensor([6, 2, 4]), 6
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(3, n, n, n, LABELS, generator=generator, dtype=torch.float64)
    ends = splits(n).ends
    dense = [bin(s).count("1") for s in splits(n).left], [bin(s).count("1") for s in splits(n).right]
    whole = (ends[:, 1] - ends[:, 0] + 1 == dense[0]) & (ends[:, 3] - ends[:, 2] + 1 == dense[1])
    projective = torch.from_numpy(whole & (ends[:, 1] + 1 == ends[:, 2]))
    i, k, _, j = torch.from_numpy(ends).T
    gathered = scores[:, i, k, j]
    allowed = projective.view(1, -1, 1).expand_as(gathered)
    space, reference = SubsetTrees(lengths, LABELS, ROOT, allowed=allowed), BinaryTrees(lengths, LABELS, ROOT)
    torch.testing.assert_close(space.log_partition(gathered), reference.log_partition(scores))
    parts, expected = space.argmax(gathered).parts, reference.argmax(scores).parts
    assert torch.equal(parts[:, projective], expected[:, i[projective], k[projective], j[projective]])
    assert not parts[:, ~projective].any()


def test_a_problem_without_a_tree_is_told_apart_and_nan_beyond_a_length_does_not_matter():
    scores = _scores([3, 2], 0)
    beyond = torch.from_numpy((splits(3).left | splits(3).right) >= 4)
    scores[1, beyond] = torch.nan
    allowed = torch.ones_like(scores, dtype=torch.bool)
    allowed[0, :, ROOT] = False
    space = SubsetTrees(torch.tensor([3, 2]), LABELS, ROOT, allowed=allowed)
    assert feasible(space.argmax(scores).value).tolist() == [False, True]
    assert space.marginals(scores).isfinite().all()
    with torch.inference_mode():
        torch.testing.assert_close(space.kbest(scores * 1, 2).value[0], space.argmax(scores * 1).value)


def test_what_does_not_fit_is_refused_with_its_size_and_the_limit():
    with pytest.raises(EqparseError, match="at most 8 leaves, found 9"):
        SubsetTrees(torch.tensor([3, 9]), LABELS, ROOT)
    SubsetTrees(torch.tensor([3, 9]), LABELS, ROOT, max_leaves=9)
    with pytest.raises(EqparseError, match="at least 1 leaf a problem, found 0"):
        SubsetTrees(torch.tensor([0]), LABELS, ROOT)
    with pytest.raises(EqparseError, match="root labels in 0..2"):
        SubsetTrees(torch.tensor([3]), LABELS, [3])
    with pytest.raises(EqparseError, match="integer lengths"):
        SubsetTrees(torch.tensor([2.0]), LABELS, ROOT)
    space = SubsetTrees(torch.tensor([3]), LABELS, ROOT)
    for shape in ((1, 5, 3), (2, 6, 3), (1, 6, 2)):
        with pytest.raises(EqparseError, match="expected scores"):
            space.argmax(torch.zeros(shape))
