"""The worked example of docs/extending.md, and the page's recipes, carried out on a copy of the repository."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
import torch
from brute_force import check_space

from eqparse.errors import CheckpointError, ConfigError
from eqparse.experiments.config import StageClasses, StageOptions, TrainConfig, checked
from eqparse.stages.custom import find_class
from eqparse.stages.quantity import QuantityStage
from eqparse.systems.checkpoint import load_checkpoint, save_checkpoint
from eqparse.training.train import build_parser

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^`([\w/.-]+)`:\n\n```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)
COMMANDS = re.findall(r"^    python (train|evaluate)\.py (.*)$", PAGE, re.M)
DRIVER = """
import json, shlex, sys
from itertools import product
from hydra import compose, initialize_config_dir
from eqparse.experiments import runs
assert runs.__file__.startswith(sys.argv[1]), runs.__file__
for name, options in json.load(sys.stdin):
    sweep = [option.split("=", 1) for option in shlex.split(options) if option != "-m"]
    for values in product(*(v.split(",") if "[" not in v else [v] for _, v in sweep)):
        with initialize_config_dir(version_base="1.3", config_dir=sys.argv[1] + "/conf"):
            config = compose(name, overrides=[f"{k}={v}" for (k, _), v in zip(sweep, values)])
        getattr(runs, name + "_run")(config)
"""
"""Does what the page's commands say, in one process, so that libraries and annotations are loaded once."""


class OwnStage(QuantityStage):
    """A stage of another package than eqparse."""


@pytest.fixture(scope="module")
def extended(tmp_path_factory) -> Path:
    """A copy of the repository in which all that the page says is done, and what its commands wrote."""
    copy = tmp_path_factory.mktemp("extended").resolve()
    for name in ("eqparse", "conf", "data"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, kind, body in BLOCKS:
        path = copy / name
        if kind == "diff":
            old, new = ("".join(x[1:] for x in body.splitlines(True) if x[0] in f" {sign}") for sign in "-+")
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{name} has the lines that the page changes {text.count(old)} times"
            path.write_text(text.replace(old, new), encoding="utf-8")
        else:
            assert not path.exists(), f"{name} is there already"
            path.write_text(body, encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-c", DRIVER, str(copy)], input=json.dumps(COMMANDS), cwd=copy, text=True,
        env=os.environ | {"PYTHONPATH": str(copy)}, capture_output=True,
    )
    assert result.returncode == 0, result.stderr
    return copy


def metrics(copy: Path, run: str) -> dict:
    return json.loads((copy / run / "metrics.json").read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.pipeline
def test_every_recipe_of_the_page_does_what_it_says(extended):
    assert len(BLOCKS) == 13 and len(COMMANDS) == 9
    fold = "random-seed0-fold0"
    with_group, without, adam, plain, careful = (
        metrics(extended, f"trials/{name}/{fold}") for name in ("with", "without", "adam", "plain", "careful")
    )
    objective = {name: m["solver"]["quantity"]["objective"] for name, m in (("with", with_group), ("without", without))}
    assert objective["with"] != objective["without"]
    assert adam["solver"]["tree"]["gap"] is None and adam["solver"]["tree"]["epochs"] % 30 == 0  # a round each
    # what stands before a number says less of it than all features; forgetting costs more
    assert plain["solver"]["quantity"]["objective"] > with_group["solver"]["quantity"]["objective"]
    assert careful["solver"]["quantity"]["objective"] > with_group["solver"]["quantity"]["objective"]
    assert metrics(extended, f"trials/word-before/{fold}")["solver"]["encoder"]["epochs"] == 1
    config = (extended / "trials" / "careful" / fold / "checkpoint" / "config.yaml").read_text(encoding="utf-8")
    assert "class: eqparse.stages.careful.CarefulQuantityStage" in config
    flat = metrics(extended, f"outputs/ours-full/flat/{fold}")
    again = metrics(extended, f"outputs/evaluate/ours-full-flat-{fold}/ours-{fold}")
    assert flat["solver"]["flat"]["operation"] in "+-*/" and again["seen_in_training"] == 0
    assert {k: again[k] for k in ("equation", "grounded")} == {k: flat[k] for k in ("equation", "grounded")}


@pytest.mark.slow
@pytest.mark.pipeline
def test_the_new_row_has_a_place_in_the_table(extended):
    result = subprocess.run(
        [sys.executable, "-m", "eqparse", "report", "outputs", "--output", "tables.md"], cwd=extended, text=True,
        env=os.environ | {"PYTHONPATH": str(extended)}, capture_output=True,
    )
    assert result.returncode == 0, result.stderr
    tables = (extended / "tables.md").read_text(encoding="utf-8")
    assert re.search(r"Quantity trigger list.*all features.*no place in the sentence.*Variable", tables, re.S)


def test_an_own_stage_survives_a_checkpoint_once_its_module_is_imported(tmp_path, monkeypatch):
    config = TrainConfig()
    config.stage.classes.quantity = f"{__name__}.OwnStage"
    config.stage.bits = 8
    parser = build_parser(features=config.features.groups(), options=checked(config).stage).eval()
    assert type(parser.quantity) is OwnStage
    save_checkpoint(tmp_path / "own", parser, config={}, metrics={}, annotator_version="x")
    assert type(load_checkpoint(tmp_path / "own").parser.quantity) is OwnStage
    monkeypatch.delitem(sys.modules, __name__)
    with pytest.raises(CheckpointError, match=f"import {__name__} first"):
        load_checkpoint(tmp_path / "own")


@pytest.mark.parametrize(
    "path",
    [
        "QuantityStage",
        "..quantity.QuantityStage",
        "eqparse.nothing.Stage",
        "eqparse.stages.quantity.Nothing",
        "eqparse.stages.tree.TreeStage",
        "eqparse.errors.EqparseError",
    ],
)
def test_what_is_no_such_stage_is_refused_by_name(path):
    config = TrainConfig()
    config.stage.classes.quantity = path
    with pytest.raises(ConfigError, match="stage.classes.quantity: expected"):
        checked(config)


@pytest.mark.parametrize(("code", "said"), [
    ("class :", "SyntaxError: .*line 1"), ("nonsense", "NameError: name 'nonsense'"), ("{}['k']", "KeyError: 'k'"),
    ("raise RuntimeError('no')", "RuntimeError: no"), ("import sys; sys.exit(3)", "SystemExit: 3"),
    ("open('/no/such/file')", "FileNotFoundError: .*No such file"), ("import no_such_module", "no_such_module"),
    ("def __getattr__(name): raise RuntimeError(name)", "RuntimeError: Mine"),
])
def test_a_module_that_cannot_be_imported_is_named_with_its_error(code, said, tmp_path, monkeypatch):
    (tmp_path / "faulty_stage.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "faulty_stage", raising=False)
    importlib.invalidate_caches()
    config = TrainConfig()
    config.stage.classes.quantity = "faulty_stage.Mine"
    with pytest.raises(ConfigError, match=f"stage.classes.quantity: .*importing faulty_stage raised .*{said}"):
        checked(config)
    sys.modules.pop("faulty_stage", None)


def test_own_stages_get_the_options_that_are_asked_for(monkeypatch):
    class Narrow(QuantityStage):
        def __init__(self, *, groups, bits):
            super().__init__(groups=groups, bits=bits)

    monkeypatch.setattr(sys.modules[__name__], "OwnStage", Narrow)
    features = TrainConfig().features.groups()
    options = StageOptions(bits=8, classes=StageClasses(quantity=f"{__name__}.OwnStage"))
    assert type(build_parser(features=features, options=options).quantity) is Narrow
    options.independent_quantities = True
    with pytest.raises(ConfigError, match="stage.classes.quantity: expected a class that takes .*independent"):
        build_parser(features=features, options=options)


def test_the_tree_stage_is_chosen_once():
    config = TrainConfig(stage=StageOptions(projective=False))
    config.stage.classes.tree = "eqparse.stages.tree.TreeStage"
    with pytest.raises(ConfigError, match="stage.classes.tree"):
        checked(config)
    assert find_class(config.stage.classes.tree, "tree", anywhere=False).name == "tree"


@pytest.fixture(scope="module")
def tagging():
    spec = importlib.util.spec_from_file_location("tagging", ROOT / "docs" / "tagging.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_chain_is_better_than_each_word_by_itself(tagging):
    alone, chain = tagging.accuracy(transitions=False), tagging.accuracy(transitions=True)
    assert alone > 100 / tagging.TAGS  # the baseline has learnt something
    assert chain > alone + 15
    told = re.search(r"each word by itself ([\d.]+)\n    as a chain ([\d.]+)", PAGE)
    assert [float(figure) for figure in told.groups()] == pytest.approx([alone, chain], abs=1)


def test_chains_agree_with_every_sequence_scored_by_itself(tagging):
    lengths = [2, 5, 3]
    space = tagging.Chains(torch.tensor(lengths))
    scores = torch.randn(space.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    listed = []
    for length in lengths:
        tags = list(product(range(tagging.TAGS), repeat=length))
        structures = torch.zeros(len(tags), *space.shape[1:], dtype=torch.float64)
        for row, sequence in enumerate(tags):
            for i in range(length - 1):
                structures[row, i, sequence[i + 1], sequence[i]] = 1
        listed.append(structures)
    check_space(space, listed, scores, 3)


def test_the_example_stays_short():
    assert len((ROOT / "docs" / "tagging.py").read_text(encoding="utf-8").splitlines()) < 80
