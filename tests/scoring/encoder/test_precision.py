"""Which arithmetic a name stands for."""

from __future__ import annotations

import pytest
import torch

from eqparse.errors import ConfigError
from eqparse.scoring.encoder.precision import find_precision

CPU, GPU = torch.device("cpu"), torch.device("cuda")


def test_a_name_is_taken_at_its_word():
    assert find_precision("float32", CPU) == torch.float32 and find_precision("bfloat16", GPU) == torch.bfloat16


@pytest.mark.parametrize("name", ["int8", "", "double", None, 16])
def test_another_name_is_refused(name):
    with pytest.raises(ConfigError, match="precision: expected one of auto, float32, bfloat16; found"):
        find_precision(name, CPU)


@pytest.mark.parametrize("has", [False, True])
def test_the_processor_decides(has, monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: has)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    assert find_precision("auto", CPU) == (torch.bfloat16 if has else torch.float32)
    assert find_precision("auto", GPU) == torch.float32
