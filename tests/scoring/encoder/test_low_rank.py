"""Low-rank adapters compute what their layer does at first, and what their merged layer does at last."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from eqparse.scoring.encoder.low_rank import LowRankLinear, add_adapters, merge_adapters


def model(seed: int = 0) -> nn.Module:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(7, 5), nn.Tanh(), nn.ModuleDict({"inner": nn.Linear(5, 3, bias=False)})["inner"])


@pytest.fixture
def x():
    return torch.randn(11, 7, generator=torch.Generator().manual_seed(1))


def test_an_adapter_changes_nothing_at_first_and_alone_is_trained(x):
    base, adapted = model(), model()
    add_adapters(adapted, rank=2)
    assert torch.equal(adapted(x), base(x))
    trained = {name for name, p in adapted.named_parameters() if p.requires_grad}
    assert trained == {"0.down", "0.up", "2.down", "2.up"}
    adapted(x).square().sum().backward()
    assert adapted[0].up.grad.abs().sum() > 0 and adapted[0].weight.grad is None
    assert adapted[0].up.shape == (5, 2) and adapted[0].down.shape == (2, 7)


def test_a_merged_layer_computes_the_same(x):
    adapted = model()
    add_adapters(adapted, rank=2)
    with torch.no_grad():
        for name, p in adapted.named_parameters():
            if name.endswith(".up"):
                p.normal_()
    before = adapted(x)
    assert not torch.allclose(before, model()(x))
    merge_adapters(adapted)
    assert torch.allclose(adapted(x), before, atol=1e-5)
    assert not any(isinstance(layer, LowRankLinear) for layer in adapted.modules())
    assert {name for name, _ in adapted.named_parameters()} == {name for name, _ in model().named_parameters()}
    merge_adapters(adapted)  # nothing left to do
    assert torch.allclose(adapted(x), before, atol=1e-5)
