"""Processes that train side by side do what one would do alone."""

from __future__ import annotations

import os
import signal
from copy import deepcopy

import pytest
import torch
from tiny import examples, trained
from tiny_encoder import train_tiny
from torch import nn

from eqparse.errors import ConfigError
from eqparse.systems.encoder import team
from eqparse.systems.encoder.team import Team, check_processes, work_in_team
from eqparse.text.mentions import find_mentions


def test_alone_a_batch_is_one_share():
    assert Team().share("abc") == (list("abc"), 1.0)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shares_cover_a_batch_and_weigh_as_much_as_they_hold(size, count):
    shares = [Team(rank, size).share(range(count)) for rank in range(size)]
    assert sorted(x for items, weight in shares if weight for x in items) == list(range(count))
    assert all(items for items, _ in shares) and sum(weight for _, weight in shares) == pytest.approx(size)


@pytest.mark.parametrize("count", [1, 4, 5])
def test_the_mean_gradient_is_that_of_the_whole_batch(count):
    torch.manual_seed(0)
    model, batch = nn.Linear(3, 2), list(torch.randn(count, 3))
    unused = nn.Parameter(torch.ones(2))

    def gradients(team: Team) -> list[torch.Tensor]:
        own = deepcopy(model)
        share, weight = team.share(batch)
        (own(torch.stack(share)).pow(2).sum(dim=1).mean() * weight).backward()
        team.average([*own.parameters(), unused])
        return [p.grad for p in own.parameters()]

    alone, together = (work_in_team(gradients, size=size, seed=0) for size in (1, 3))
    for a, b in zip(alone, together, strict=True):
        assert torch.allclose(a, b, atol=1e-6)


def test_a_process_that_dies_ends_the_training():
    def work(team: Team) -> None:
        if team.rank:
            os.kill(os.getpid(), signal.SIGKILL)
        team.average([nn.Parameter(torch.ones(1))])

    with pytest.raises(ConfigError, match="system.processes: expected 2 processes .* one of them ended"):
        work_in_team(work, size=2, seed=0)


def test_an_error_ends_the_others_too():
    def work(team: Team) -> None:
        if not team.rank:
            raise ValueError("here")
        signal.pause()

    with pytest.raises(ValueError, match="here"):
        work_in_team(work, size=2, seed=0)


@pytest.mark.parametrize(("methods", "device", "where"), [
    (["spawn"], "cpu", "a system that has no fork"), (["fork", "spawn"], "cuda", "device=cuda"),
    (["fork"], "cuda:1", "device=cuda:1"),
])
def test_where_there_is_only_one_process(monkeypatch, methods, device, where):
    """A process that is forked cannot use the GPU of the one before; said before anything is read or trained."""
    monkeypatch.setattr(team, "get_all_start_methods", lambda: methods)
    check_processes(1, torch.device(device))
    with pytest.raises(ConfigError, match=f"system.processes: expected 1 on {where}, found 2; set it to 1"):
        train_tiny("nowhere", [], some=[], processes=2, device=device)


@pytest.mark.pipeline
def test_a_parser_is_trained_in_two_processes(tiny_base):
    mentions = [find_mentions(sentence) for sentence in trained().annotator([e.text for e in examples()])]
    common = {"hashed": "none", "tuned": "whole", "epochs": 12, "learning_rate": 3e-3}
    alone, two, again = (train_tiny(tiny_base, mentions, processes=n, **common) for n in (1, 2, 2))
    first, second, third = (t.report["encoder"]["objective"] for t in (alone, two, again))
    assert second == third != first and second == pytest.approx(first, rel=0.3)
    assert two.parser.parse_mentions(mentions) == again.parser.parse_mentions(mentions)
