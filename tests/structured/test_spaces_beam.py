"""What a beam leaves, and what one of several problems with a structure of it refuses."""

from __future__ import annotations

import pytest
import torch

from eqparse.errors import EqparseError
from eqparse.structured.spaces import OneOf, OneThen
from eqparse.structured.spaces.beam import keep_best


def test_a_row_without_problems_is_refused():
    with pytest.raises(EqparseError, match="row 1"):
        OneThen(OneOf(torch.ones(2, 1, dtype=torch.bool)), torch.tensor([[True], [False]]), columns=torch.arange(1))


def test_another_number_of_inner_problems_is_refused():
    with pytest.raises(EqparseError, match="expected 2 inner problems, found 3"):
        OneThen(OneOf(torch.ones(3, 1, dtype=torch.bool)), torch.tensor([[True], [True]]), columns=torch.arange(1))


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
    with pytest.raises(EqparseError, match=r"expected scores \[2, 4\], found \[2, 3\]"):
        keep_best(scores[:, :3], mask, beam=1)
