"""The arithmetic of an encoder that is trained: in bfloat16, its linear layers are, and nothing else.

With everything in bfloat16 more parses change, at nearly the same speed. Integers of eight bits
(`torch.ao.quantization.quantize_dynamic`) change many, and make a sentence's states depend on the rest of its batch.
"""

from __future__ import annotations

from enum import StrEnum

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from eqparse.errors import ConfigError
from eqparse.scoring.encoder.layers import replace_layers


class Precision(StrEnum):
    """float32, in which it was trained; bfloat16; or "auto", bfloat16 where the processor has instructions for it."""

    auto = "auto"
    float32 = "float32"
    bfloat16 = "bfloat16"


class BFloat16Linear(nn.Linear):
    """A linear layer that multiplies in bfloat16, for use without training."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__(layer.in_features, layer.out_features, bias=layer.bias is not None, device="meta")
        for name, p in layer.named_parameters():
            setattr(self, name, nn.Parameter(p.detach().bfloat16(), requires_grad=False))

    def forward(self, x: Tensor) -> Tensor:
        return linear(x.bfloat16(), self.weight, self.bias).to(x.dtype)


def find_precision(name: str, device: torch.device) -> Precision:
    """The precision of that name, with "auto" decided for a device. Raises ConfigError if there is none."""
    if name not in list(Precision):
        raise ConfigError(f"precision: expected one of {', '.join(Precision)}; found {name!r}")
    if name != Precision.auto:
        return Precision(name)
    has_instructions = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
    return Precision.bfloat16 if device.type == "cpu" and has_instructions else Precision.float32


def use_precision(model: nn.Module, precision: Precision) -> None:
    """Let a model in single precision compute in another one."""
    if precision == Precision.bfloat16:
        replace_layers(model, nn.Linear, BFloat16Linear)
