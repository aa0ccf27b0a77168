"""Which arithmetic a name stands for."""

from __future__ import annotations

import pytest
import torch

from eqparse.errors import ConfigError
from eqparse.scoring.encoder.precision import BFloat16Linear, Precision, find_precision, use_precision

CPU, GPU = torch.device("cpu"), torch.device("cuda")


def test_a_name_is_taken_at_its_word():
    assert find_precision("float32", CPU) == "float32" and find_precision("bfloat16", GPU) == "bfloat16"


@pytest.mark.parametrize("name", ["int8", "", "double", None, 16])
def test_another_name_is_refused(name):
    with pytest.raises(ConfigError, match="precision: expected one of auto, float32, bfloat16; found"):
        find_precision(name, CPU)


@pytest.mark.parametrize("has", [False, True])
def test_the_processor_decides(has, monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: has)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    assert find_precision("auto", CPU) == ("bfloat16" if has else "float32")
    assert find_precision("auto", GPU) == "float32"


def test_linear_layers_alone_compute_in_bfloat16():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(40, 30), torch.nn.LayerNorm(30), torch.nn.Linear(30, 20, bias=False))
    x = torch.randn(7, 40)
    expected = model(x)
    use_precision(model, Precision.float32)
    assert torch.equal(model(x), expected)
    use_precision(model, Precision.bfloat16)
    assert [type(layer) for layer in model] == [BFloat16Linear, torch.nn.LayerNorm, BFloat16Linear]
    assert {p.dtype for p in model[0].parameters()} == {torch.bfloat16} and model[1].weight.dtype == torch.float32
    found = model(x)
    assert found.dtype == torch.float32 and not torch.equal(found, expected)
    assert torch.allclose(found, expected, atol=0.03)
