"""Checkpoints: what is read back, what is refused and why, and what an interrupted write leaves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from copy import deepcopy

import numpy as np
import pytest
import torch
import yaml
from checkpoints import CONFIG, METRICS, replace_file, replace_tensor, rewrite, save
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from tiny import ROOT, examples, hand_made, random_parser, trained

from eqparse import files
from eqparse.errors import CheckpointError, ConfigError
from eqparse.parser.limits import Limits
from eqparse.systems.checkpoint import FILES, load_checkpoint
from eqparse.systems.folder import FAST, SHIPPED
from eqparse.systems.load import load
from eqparse.systems.signature import signature


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    return save(tmp_path_factory.mktemp("saved") / "model")


@pytest.fixture
def copy(saved, tmp_path):
    return shutil.copytree(saved, tmp_path / "copy")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("kinds", [{}, {"coreference": "rules"}, {"lexicon": False}], ids=str)
def test_a_parser_comes_back_as_it_was(tmp_path, kinds):
    parser = random_parser(**kinds)
    parser.limits = Limits(candidates=77)
    found = load_checkpoint(save(tmp_path / "model", parser))
    assert (found.config, found.metrics, found.annotator) == (CONFIG, METRICS, "en_core_web_sm-3.8.0")
    assert found.parser.limits == parser.limits and not found.parser.training
    ours, theirs = dict(parser.named_children()), dict(found.parser.named_children())
    assert ours.keys() == theirs.keys()
    for name in ours:
        assert (ours[name].groups, ours[name].bits) == (theirs[name].groups, theirs[name].bits)
        assert torch.equal(ours[name].scorer.weight, theirs[name].scorer.weight)
        assert theirs[name].scorer.weight.dtype == torch.float32
    for kind in ("rules", "guards"):
        assert getattr(parser.tree.lexicon, kind, None) == getattr(found.parser.tree.lexicon, kind, None)
    assert found.parser.parse_mentions(hand_made()) == parser.parse_mentions(hand_made())


def test_the_files_are_the_three_and_plain(saved):
    assert names(saved) == sorted(FILES)
    assert json.loads((saved / "metrics.json").read_text()) == METRICS
    document = yaml.safe_load((saved / "config.yaml").read_text(encoding="utf-8"))
    assert document["config"] == CONFIG and document["stages"]["tree"]["bits"] == 10


def test_a_parser_without_any_weight_can_be_saved(tmp_path):
    found = load_checkpoint(save(tmp_path / "model", random_parser(share=0)))
    assert not any(weight.any() for weight in found.parser.parameters())


def test_full_tables_stay_under_five_megabytes(tmp_path):
    folder = save(tmp_path / "model", random_parser(bits=18, share=0.3))
    assert sum(path.stat().st_size for path in folder.iterdir()) < 5e6


@pytest.mark.slow
@pytest.mark.pipeline
def test_same_predictions_in_a_fresh_process(tmp_path):
    parser = trained()
    texts = [example.text for example in examples()]
    save(tmp_path / "model", parser.equation_parser, annotator_version=parser.annotator.version)
    (tmp_path / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    code = (
        "import eqparse, json, sys; parser = eqparse.load('model'); texts = json.load(open('texts.json'))\n"
        "json.dump([p.to_dict() for p in parser.parse_batch(texts)], sys.stdout)\n"
        "sys.exit('hydra' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )
    expected = [p.to_dict() for p in parser.parse_batch(texts)]
    assert json.loads(run.stdout) == json.loads(json.dumps(expected))
    assert any(p["equation"] for p in expected)


@pytest.mark.parametrize("keep", [0, 1, 7, 0.3, 0.9, -1])
@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_short_is_refused(copy, name, keep):
    data = (copy / name).read_bytes()
    (copy / name).write_bytes(data[: int(keep * len(data))] if isinstance(keep, float) else data[:keep])
    with pytest.raises(CheckpointError, match=str(copy)):
        load_checkpoint(copy)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(FILES), position=st.floats(0, 0.999999), flip=st.integers(1, 255))
def test_a_changed_byte_is_refused(saved, copy, name, position, flip):
    data = bytearray((saved / name).read_bytes())
    data[int(position * len(data))] ^= flip
    (copy / name).write_bytes(data)
    try:
        # a byte of the checksums that model.safetensors keeps of the others is seen as damage to them
        named = "|".join(FILES) if name == "model.safetensors" else name
        with pytest.raises(CheckpointError, match=named):
            load_checkpoint(copy)
    finally:
        shutil.copy(saved / name, copy / name)


def test_line_ends_of_another_system_are_no_damage(copy):
    for name in ("config.yaml", "metrics.json"):
        (copy / name).write_bytes((copy / name).read_bytes().replace(b"\n", b"\r\n"))
    assert load_checkpoint(copy).metrics == METRICS


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(copy, name):
    (copy / name).unlink()
    with pytest.raises(CheckpointError, match=f"{name} missing"):
        load_checkpoint(copy)


def test_no_folder(tmp_path):
    with pytest.raises(CheckpointError, match="nothing there"):
        load_checkpoint(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(CheckpointError, match="found a file"):
        load_checkpoint(tmp_path / "file")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="something else"), "not an eqparse checkpoint"),
        (lambda d: d.update(format_version=99), "expected format_version 1, found 99"),
        (lambda d: d["stages"]["tree"].update(signature="0" * 16), "stage tree: .* signature 0{16}"),
        (lambda d: d["stages"].pop("variable"), r"missing \['variable'\]"),
        (lambda d: d["stages"].update(mood=deepcopy(d["stages"]["tree"])), r"unknown \['mood'\]"),
        (lambda d: d["stages"]["tree"].update(bits=60), "bits from 1 to"),
        (lambda d: d["stages"]["tree"].pop("groups"), "damaged"),
        (lambda d: d["stages"].update(tree=None), "damaged"),
        (lambda d: d["lexicon"]["rule"][0].update(operation="%"), "lexicon"),
        (lambda d: d["limits"].update(leaves=0), "limits.leaves"),
        (lambda d: d.pop("config"), "config, a dict"),
    ],
)
def test_another_format_is_refused_with_the_reason(copy, change, message):
    rewrite(copy, change)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(copy)


@pytest.mark.parametrize(("name", "text", "message"), [
    ("metrics.json", "[1, 2]", r"metrics.json: expected an object, found \[1, 2\]"),
    ("metrics.json", "null", "an object"), ("metrics.json", "3", "an object"),
    ("metrics.json", "[" * 100_000, "metrics.json: expected JSON, found values nested"),
    ("metrics.json", '{"a": ' * 900 + "1" + "}" * 900, "nested too deeply"), ("config.yaml", "[" * 5_000, "too deeply"),
    ("config.yaml", "a: &a [1, 2]\nb: [*a, *a]\n", r"alias \*a on line 2"), ("config.yaml", "[]", "not an eqparse"),
])
def test_another_file_with_the_right_checksum_is_refused(copy, name, text, message):
    replace_file(copy, name, text)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(copy)


def test_yaml_that_would_run_code_is_refused(copy):
    (copy / "config.yaml").write_text("!!python/object/apply:os.mkdir ['" + str(copy / "made") + "']")
    with pytest.raises(CheckpointError, match="checksum differs"):  # before it is read as YAML
        load_checkpoint(copy)
    assert not (copy / "made").exists()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("tree.values", None, "stage tree: expected the tensors"),
        ("tree.values", np.ones(3, np.float16), "stage tree: expected .* float16 values"),
        ("tree.values", np.ones(3, np.float64), "stage tree: expected .* float16 values"),
        ("tree.nonzero", np.ones(3, np.uint8), "stage tree: expected .* bytes for weights of shape"),
        ("mood.values", np.ones(3, np.float16), "mood.values"),
    ],
)
def test_other_tensors_are_refused(copy, name, value, message):
    replace_tensor(copy, name, value)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(copy)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_weights_that_are_not_finite_are_refused(copy, bad, tmp_path):
    with safe_open(copy / "model.safetensors", framework="numpy") as file:
        values = file.get_tensor("variable.values")
    values[5] = bad
    replace_tensor(copy, "variable.values", values)
    with pytest.raises(CheckpointError, match="stage variable: expected finite weights"):
        load_checkpoint(copy)
    parser = random_parser()
    with torch.no_grad():
        parser.variable.scorer.weight[0, 0] = bad
    with pytest.raises(CheckpointError, match="stage variable: expected weights that fit half precision"):
        save(tmp_path / "new", parser)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "changes",
    [pytest.param({"config": {"a": object()}}, id="object"), {"metrics": {"a": float("nan")}}, {"metrics": {"a": {1}}}],
    ids=str,
)
def test_config_and_metrics_are_plain_data(tmp_path, changes):
    with pytest.raises(CheckpointError, match="plain data"):
        save(tmp_path / "model", **changes)
    assert names(tmp_path) == []


def test_a_device_that_is_not_there(saved):
    with pytest.raises(ConfigError, match="found .abacus"):
        load_checkpoint(saved, device="abacus")


def test_a_checkpoint_takes_the_place_of_another(tmp_path):
    save(tmp_path / "model", random_parser(seed=1))
    save(tmp_path / "model", random_parser(seed=2))
    expected = random_parser(seed=2).tree.scorer.weight
    assert torch.equal(load_checkpoint(tmp_path / "model").parser.tree.scorer.weight, expected)
    assert names(tmp_path) == ["model"]


def test_nothing_else_is_ever_replaced(tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("...")
    with pytest.raises(CheckpointError, match="chapter1.tex; choose another path"):
        save(tmp_path / "thesis")
    (tmp_path / "file").write_text("...")
    with pytest.raises(CheckpointError, match="found a file"):
        save(tmp_path / "file")
    assert names(tmp_path) == ["file", "thesis"] and names(tmp_path / "thesis") == ["chapter1.tex"]


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("call", [1, 2, 3, 4])
def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch, there, call):
    if there:
        save(tmp_path / "model", random_parser(seed=1))
    calls, sync = [], os.fsync

    def full(handle):
        calls.append(handle)
        if len(calls) == call:
            raise OSError(28, "No space left on device")
        sync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(tmp_path / "model", random_parser(seed=2))
    assert names(tmp_path) == (["model"] if there else [])
    if there:
        found = load_checkpoint(tmp_path / "model").parser.tree.scorer.weight
        assert torch.equal(found, random_parser(seed=1).tree.scorer.weight)


def test_a_rename_that_fails_puts_the_old_one_back(tmp_path, monkeypatch):
    save(tmp_path / "model", random_parser(seed=1))

    def refuse(source, target):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="Input/output"):
        save(tmp_path / "model", random_parser(seed=2))
    assert names(tmp_path) == ["model"]
    found = load_checkpoint(tmp_path / "model").parser.tree.scorer.weight
    assert torch.equal(found, random_parser(seed=1).tree.scorer.weight)


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def stale(path, process, kind):
    """A hidden path beside `path`, as a writer of that process on this machine names it."""
    return path.with_name(f".{path.name}.{files._HOST}.{process}.0.{kind}")


def test_stale_folders_of_killed_writers_are_removed(tmp_path):
    model, pid = tmp_path / "model", dead_process()
    for kind in ("new", "old"):
        stale(model, pid, kind).mkdir()
    at_work, other = stale(model, os.getppid(), "new"), stale(tmp_path / "other", pid, "new")
    at_work.mkdir()
    other.mkdir()
    save(model)
    assert names(tmp_path) == sorted([at_work.name, other.name, "model"])


def test_a_writer_killed_between_two_renames_loses_nothing(tmp_path, monkeypatch):
    save(tmp_path / "model", random_parser(seed=1))
    (tmp_path / "model").rename(stale(tmp_path / "model", dead_process(), "old"))
    monkeypatch.setattr(os, "fsync", lambda handle: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save(tmp_path / "model", random_parser(seed=2))
    assert names(tmp_path) == ["model"]
    found = load_checkpoint(tmp_path / "model").parser.tree.scorer.weight
    assert torch.equal(found, random_parser(seed=1).tree.scorer.weight)


def test_the_signature_is_of_the_features_alone(monkeypatch):
    parser, other = random_parser(seed=1), random_parser(seed=2)
    stages = dict(parser.named_children())
    before = {name: signature(stage) for name, stage in stages.items()}
    assert before == {name: signature(stage) for name, stage in other.named_children()}
    assert len(set(before.values())) == len(before)
    fewer = random_parser().variable
    fewer.groups = ("variable", "neighbourhood")
    assert signature(fewer) != before["variable"]
    assert signature(random_parser(bits=11).tree) != before["tree"]


def test_a_changed_template_is_seen(saved, monkeypatch):
    from eqparse.scoring.features import quantity

    load_checkpoint(saved)
    monkeypatch.setattr(quantity, "WINDOW", 2)
    with pytest.raises(CheckpointError, match="stage quantity: expected features with the signature"):
        load_checkpoint(saved)


def test_a_changed_candidate_rule_is_seen(saved, monkeypatch):
    from eqparse.text import phrase_ends

    monkeypatch.setattr(phrase_ends, "LEADING", frozenset())
    monkeypatch.setattr(phrase_ends, "JOINING", frozenset())
    with pytest.raises(CheckpointError, match="signature"):
        load_checkpoint(saved)


def test_a_refusal_stage_is_kept(tmp_path):
    parser = random_parser(refusal=True)
    loaded = load_checkpoint(save(tmp_path / "model", parser)).parser
    assert torch.equal(loaded.refusal.scorer.weight, parser.refusal.scorer.weight)
    assert [str(p) for p in loaded.parse_mentions(hand_made())] == [str(p) for p in parser.parse_mentions(hand_made())]


@pytest.mark.pipeline
def test_the_checkpoint_that_ships_fits_the_code():
    """Where this fails, train it again: the features have changed since."""
    parser, folder = load(FAST), SHIPPED / FAST
    assert sum(path.stat().st_size for path in folder.iterdir()) < 12.5e6
    shipped = load_checkpoint(folder)
    assert shipped.parser.tree.lexicon is not None and "coreference" in dict(shipped.parser.named_children())
    expected = {
        "The tower is 30 metres taller than twice the height of the chapel.": "V1 = 30 + (2 * V2)",
        "A parrot weighs 3 kg less than a goose.": "V1 = V2 - 3",
        "Ann is 4 times as old as her cousin.": "V1 = 4 * V2",
    }
    assert {text: str(parser(text).equation) for text in expected} == expected
