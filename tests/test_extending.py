"""The worked example of docs/extending.md, and the page's recipes, carried out on a copy of the repository."""

from __future__ import annotations

import importlib.util
from itertools import product
from pathlib import Path

import pytest
import torch
from torch_struct import KMaxSemiring, LogSemiring

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def tagging():
    spec = importlib.util.spec_from_file_location("tagging", ROOT / "docs" / "tagging.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_chain_is_better_than_each_word_by_itself(tagging):
    alone, chain = tagging.accuracy(transitions=False), tagging.accuracy(transitions=True)
    assert alone > 100 / tagging.TAGS  # the baseline has learnt something
    assert chain > alone + 15


def test_chains_agree_with_every_sequence_scored_by_itself(tagging):
    lengths = [2, 5, 3]
    scores = torch.randn(3, 4, tagging.TAGS, tagging.TAGS, generator=torch.Generator().manual_seed(1))
    space = tagging.Chains(torch.tensor(lengths))
    best, total, two = space.argmax(scores), space.sum(LogSemiring, scores)[0], space.sum(KMaxSemiring(2), scores)
    for b, length in enumerate(lengths):
        tags = list(product(range(tagging.TAGS), repeat=length))
        values = torch.stack([sum(scores[b, i, t[i + 1], t[i]] for i in range(length - 1)) for t in tags])
        torch.testing.assert_close(total[b], values.logsumexp(0))
        torch.testing.assert_close(two[:, b], values.topk(2).values)
        assert best.value[b] == pytest.approx(float(values.max()))
        winner = tags[int(values.argmax())]
        parts = [(i, winner[i + 1], winner[i]) for i in range(length - 1)]
        assert sorted(map(tuple, best.parts[b].nonzero().tolist())) == sorted(parts)


def test_the_example_stays_short():
    assert len((ROOT / "docs" / "tagging.py").read_text(encoding="utf-8").splitlines()) < 80
