"""The arithmetic in which an encoder computes once it is trained."""

from __future__ import annotations

from enum import StrEnum

import torch

from eqparse.errors import ConfigError


class Precision(StrEnum):
    """float32, in which it was trained; bfloat16; or "auto", bfloat16 where the processor has instructions for it."""

    auto = "auto"
    float32 = "float32"
    bfloat16 = "bfloat16"


def find_precision(name: str, device: torch.device) -> torch.dtype:
    """The type of that name. Raises ConfigError if there is none."""
    if name not in list(Precision):
        raise ConfigError(f"precision: expected one of {', '.join(Precision)}; found {name!r}")
    if name == Precision.auto:
        has_instructions = torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported()
        name = Precision.bfloat16 if device.type == "cpu" and has_instructions else Precision.float32
    return getattr(torch, name)
