"""Low-rank adapters (Hu et al., "LoRA", ICLR 2022): W x + B A x, where only A and B are trained."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from eqparse.scoring.encoder.layers import replace_layers


class LowRankLinear(nn.Linear):
    """A linear layer with frozen weights and an adapter of rank r: y = W x + b + B (A x).

    At first B is 0, so that the layer computes what the one that it replaces does.
    """

    def __init__(self, layer: nn.Linear, *, rank: int) -> None:
        super().__init__(layer.in_features, layer.out_features, bias=layer.bias is not None)
        self.weight, self.bias = layer.weight, layer.bias
        self.down = nn.Parameter(torch.empty(rank, layer.in_features))
        self.up = nn.Parameter(torch.zeros(layer.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=5**0.5)

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) + linear(linear(x, self.down), self.up)

    def merged(self) -> nn.Linear:
        """An ordinary layer that computes the same."""
        layer = nn.Linear(self.in_features, self.out_features, bias=self.bias is not None, device=self.weight.device)
        with torch.no_grad():
            layer.weight.copy_(self.weight + self.up @ self.down)
            if self.bias is not None:
                layer.bias.copy_(self.bias)
        return layer


def add_adapters(model: nn.Module, *, rank: int) -> None:
    """Give every linear layer of a transformer an adapter; freeze everything else."""
    model.requires_grad_(False)
    replace_layers(model, nn.Linear, partial(LowRankLinear, rank=rank))


def merge_adapters(model: nn.Module) -> None:
    """Replace every layer that has an adapter by an ordinary one that computes the same, for use without training."""
    replace_layers(model, LowRankLinear, LowRankLinear.merged)
