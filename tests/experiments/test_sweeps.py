"""Sweeps: what is done is skipped, what failed is named, and a run is done only where nothing that makes it changed."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.plugins import Plugins
from small_runs import small

from eqparse.corpus import assign_folds, read_examples
from eqparse.errors import BusyError, ConfigError
from eqparse.experiments import config as C
from eqparse.experiments import runs
from eqparse.experiments.config import (
    REPOSITORY,
    BcfwConfig,
    DataConfig,
    FeaturesConfig,
    StageOptions,
    checked,
)
from eqparse.experiments.run_hash import run_hash, source_hash
from eqparse.experiments.runs.sentences import drawn
from eqparse.experiments.sweeps import finished, resumable
from eqparse.systems.folder import MODEL
from eqparse.systems.registry import PIPELINE
from eqparse.training.predictions import read_predictions

CONF = REPOSITORY / "conf"


@pytest.mark.pipeline
def test_a_finished_run_is_read_and_never_replaced_by_one_with_other_options(trained, tmp_path):
    config, metrics = trained
    made = []

    def run(config, **_):
        made.append(config)
        return {}

    assert resumable(run)(config) == metrics and made == []
    assert finished(replace(config, threads=2, cache="none", optimized_metric="tree")) == metrics
    for other, option in (
        (replace(config, solver=BcfwConfig(max_epochs=3)), r"solver\.max_epochs"),
        (replace(config, stage=StageOptions(syntactic=True)), r"stage\.syntactic"),
        (replace(config, features=FeaturesConfig(without=["tree.rich"])), r"features\.\w+"),
    ):
        with pytest.raises(ConfigError, match=rf"other options \({option}.*name=.*resume=false"):
            resumable(run)(other)
        assert resumable(run)(replace(other, resume=False)) == {}
    for same in (replace(config, outputs=str(tmp_path)), replace(config, checkpoint=str(tmp_path / "none"))):
        assert resumable(run)(same) == {}
    assert len(made) == 5


@pytest.mark.pipeline
def test_a_run_on_other_sentences_or_by_other_code_is_made_again(trained, monkeypatch, tmp_path):
    config, metrics = trained
    own = tmp_path / "own.jsonl"
    lines = drawn(C.OWN_SENTENCES.read_text(encoding="utf-8").splitlines(), 40)
    own.write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr("eqparse.experiments.config.data.OWN_SENTENCES", own)
    assert finished(config) == metrics
    own.write_text("\n".join([*lines[1:], lines[0]]) + "\n", encoding="utf-8")
    assert finished(config) is None
    own.write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr("eqparse.experiments.run_hash.code_hash", lambda: "another")
    assert finished(config) is None


@pytest.mark.pipeline
def test_a_run_with_other_rules_or_user_defined_classes_is_made_again(tmp_path, monkeypatch):
    rules, base, own = tmp_path / "rules.toml", tmp_path / "own_base.py", tmp_path / "own_stage.py"
    rules.write_text('[[rule]]\nname = "mine"\noperation = "+"\nmiddle = ["beside"]\n')
    base.write_text("from eqparse.stages.quantity import QuantityStage as Base\nclass Own(Base):\n    pass\n")
    own.write_text("from own_base import Own\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    stage = StageOptions(lexicon_file=str(rules), classes=C.StageClasses(quantity="own_stage.Own"))
    config = checked(small(tmp_path / "outputs", stage=stage))
    metrics = runs.train_run(config)
    assert finished(config) == metrics
    for path in (rules, base, own):
        before = path.read_text()
        path.write_text(before + "# changed\n")
        source_hash.cache_clear()
        assert finished(config) is None
        path.write_text(before)
        source_hash.cache_clear()
        assert finished(config) == metrics
    rules.unlink()
    assert finished(config) is None


@pytest.mark.pipeline
@pytest.mark.parametrize("option", ["base", "start"])
def test_a_run_whose_weights_to_begin_with_are_others_is_another(tmp_path, option):
    """A checkpoint to go on from may be trained anew in its place, and so may a base model of one's own."""
    config = checked(small(tmp_path, system=C.EncoderConfig(**{option: str(tmp_path)})))
    hashes = [run_hash(config, [])]
    for weights in (b"some", b"others"):
        (tmp_path / MODEL).write_bytes(weights)
        hashes.append(run_hash(config, []))
    assert len(set(hashes)) == 3


@pytest.mark.pipeline
@pytest.mark.parametrize(
    ("system", "file"), [(C.SystemConfig(), "model.safetensors"), (C.CcgConfig(beam=8, epochs=1), "ccg.json")]
)
def test_a_run_whose_checkpoint_is_now_anothers_is_not_finished(tmp_path, system, file):
    options = {"checkpoint": str(tmp_path / "m"), "solver": C.SubgradientConfig(epochs=1), "system": system}
    data = DataConfig(limit=10)
    first, second = (checked(small(tmp_path, fold=fold, data=data, **options)) for fold in (0, 1))
    metrics = runs.train_run(first)
    assert finished(first) == metrics
    later = runs.train_run(second)
    assert finished(first) is None and finished(second) == later
    weights = Path(second.checkpoint, file)
    weights.write_bytes(weights.read_bytes()[:-9])
    assert finished(second) is None


@pytest.mark.pipeline
@pytest.mark.parametrize("damage", ["{", "[]", ""])
def test_a_run_with_broken_files_is_not_finished(trained, tmp_path, damage):
    config, metrics = trained
    shutil.copytree(config.outputs, tmp_path / "copy")
    copy = checked(replace(config, outputs=str(tmp_path / "copy"), checkpoint=config.checkpoint))
    assert finished(copy) == metrics
    (copy.folder / "metrics.json").write_text(damage)
    assert finished(copy) is None


@pytest.mark.pipeline
def test_a_job_of_a_sweep_waits_for_the_run_in_its_folder_and_takes_its_figures(trained, tmp_path, monkeypatch):
    config, metrics = trained
    same = checked(replace(config, outputs=str(tmp_path), checkpoint=config.checkpoint))
    looks = []

    def run(config, **_):
        looks.append(config)
        if len(looks) > 1:
            shutil.copytree(trained[0].folder, config.folder)
        raise BusyError("another run is at work")

    with pytest.raises(BusyError):
        resumable(run)(same)
    monkeypatch.setattr("eqparse.experiments.sweeps.in_sweep", lambda: True)
    monkeypatch.setattr("eqparse.experiments.sweeps.WAIT", 0)
    assert resumable(run)(same) == metrics and len(looks) == 2
    with pytest.raises(ConfigError, match=r"other options \(solver\.max_epochs\)"):
        resumable(run)(replace(same, solver=BcfwConfig(max_epochs=3)))


@pytest.mark.pipeline
def test_inner_folds_see_no_test_sentence(tmp_path, monkeypatch):
    seen: set[str] = set()

    def record(examples, mentions, **options):
        seen.update(e.id for e in examples)
        return PIPELINE.train(examples, mentions, **options)

    monkeypatch.setattr("eqparse.systems.registry.PIPELINE", replace(PIPELINE, train=record))
    config = checked(small(tmp_path, inner_folds=2))
    metrics = runs.train_run(config)
    examples = drawn(read_examples(C.OWN_SENTENCES), 40)
    dealt = zip(examples, assign_folds(examples, method="random", seed=0), strict=True)
    test = {example.id for example, fold in dealt if fold == 1}
    predicted = set(read_predictions(config.folder / "predictions.jsonl"))
    assert len(predicted) == metrics["train_sentences"] == 32 and predicted == seen
    assert not predicted & test and len(metrics["inner_folds"]) == 2
    both = [fold["tree"] for fold in metrics["inner_folds"]]
    assert metrics["tree"] == pytest.approx(sum(both) / 2, abs=0.01)
    assert not Path(config.checkpoint).exists() and config.folder.name.endswith("-inner2")
    assert finished(config) == json.loads((config.folder / "metrics.json").read_text())


FEW = ("-m", "data.limit=20", "solver.max_epochs=1", "logger=none")


def folders(outputs: Path) -> set[str]:
    return {path.parent.relative_to(outputs).as_posix() for path in outputs.rglob("metrics.json")
            if path.parent.name != "checkpoint"}


@pytest.mark.pipeline
def test_a_sweep_names_what_failed_and_goes_on_where_it_stopped(script, tmp_path):
    few = (*FEW, "data.limit=19", "experiment=pipeline,tree-syntactic")  # sentences that no other test has annotated
    done = script("train.py", *few, "fold=0,7,1")
    expected = {f"ours-full/{row}/random-seed0-fold{fold}" for row in ("pipeline", "tree-syntactic") for fold in (0, 1)}
    assert folders(tmp_path / "outputs") == expected
    assert done.status == 1 and "2 of the sweep's jobs failed" in done.err.splitlines()[-1]
    named = [line for line in done.err.splitlines() if line.startswith("failed: ")]
    assert len(named) == 2 and all("fold=7" in line and "expected 0 to 4" in line for line in named)
    assert {p.name for p in (tmp_path / "outputs").iterdir()} == {".cache", "multirun.yaml", "ours-full"}
    assert len(list((tmp_path / "outputs" / ".cache").iterdir())) == 1

    lost = tmp_path / "outputs" / "ours-full" / "pipeline" / "random-seed0-fold1" / "metrics.json"
    lost.unlink()
    again = script("train.py", *few, "fold=0,1")
    assert again.status == 0, again.err
    assert again.err.count("skipped ") == 3 and lost.exists()


@pytest.mark.parametrize("words", [["fold=7", "-m", "seed=0,1"], ["fold=7", "seed=0,1", "--multirun"]])
def test_a_sweep_may_be_asked_for_anywhere(words, script):
    done = script("train.py", *words)
    named = [line for line in done.err.splitlines() if line.startswith("failed: ")]
    assert done.status == 1 and [f"fold=7 seed={n}" in line for n, line in enumerate(named)] == [True, True]


EXTRAS = {
    "parallel": "hydra_plugins.hydra_joblib_launcher",
    "submitit_local": "hydra_plugins.hydra_submitit_launcher",
    "optuna": "hydra_plugins.hydra_optuna_sweeper",
}


def needs(name: str) -> None:
    try:
        there = find_spec(EXTRAS[name]) is not None
    except ModuleNotFoundError:
        there = False
    if not there:
        pytest.skip(f"{EXTRAS[name].rpartition('.')[2]} is not installed (pip install -e '.[sweeps]')")


@pytest.mark.slow
@pytest.mark.pipeline
@pytest.mark.parametrize("launcher", ["parallel", "submitit_local"])
def test_jobs_side_by_side(launcher, script, tmp_path):
    needs(launcher)
    done = script("train.py", *FEW, f"hydra/launcher={launcher}", "fold=0,9")
    assert folders(tmp_path / "outputs") == {"ours-full/pipeline/random-seed0-fold0"}
    assert done.status == 1 and "1 of the sweep's jobs failed" in done.err.splitlines()[-1]
    assert "fold=9" in done.err


@pytest.mark.parametrize(
    "choice", ["hydra/launcher=parallel", "hydra/launcher=slurm", "hydra/launcher=submitit_local",
               "hparams_search=optuna", "hydra/sweeper=optuna"]
)
def test_without_the_extra_the_error_says_what_to_install(choice, script, monkeypatch, tmp_path):
    Plugins.instance()  # which registers what is installed, whatever ran before
    hydra = ConfigStore.instance().repo["hydra"]
    for group, name in (("launcher", "joblib"), ("launcher", "submitit_local"), ("launcher", "submitit_slurm"),
                        ("sweeper", "optuna")):
        monkeypatch.delitem(hydra[group], f"{name}.yaml", raising=False)  # what the extra registers
    done = script("train.py", "-m", choice, "fold=0,1")
    assert done.status == 2 and done.out == "" and not any(tmp_path.iterdir())
    assert done.err.count("\n") == 1 and 'not installed; pip install -e ".[sweeps]"' in done.err


def test_the_cluster_launcher_composes():
    needs("submitit_local")
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        config = compose("train", overrides=["hydra/launcher=slurm"], return_hydra_config=True)
    assert config.hydra.launcher.array_parallelism == 50 and config.hydra.launcher.timeout_min == 30


@pytest.mark.slow
@pytest.mark.pipeline
def test_options_are_chosen_on_inner_folds(script, tmp_path):
    needs("optuna")
    done = script("train.py", *FEW, "hparams_search=optuna", "inner_folds=2", "hydra.sweeper.n_trials=2",
                  "data.limit=30", "stage.coreference=rules")
    assert done.status == 0, done.err
    found = folders(tmp_path / "outputs")
    assert 1 <= len(found) <= 2 and all("/search-pipeline/" in name and name.endswith("-inner2") for name in found)
    assert "best_value" in (tmp_path / "outputs" / "optimization_results.yaml").read_text()
