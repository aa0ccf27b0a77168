"""Whole runs on a few sentences: what they write, that they repeat, and that a failed one leaves nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from omegaconf import OmegaConf
from safetensors.numpy import load_file
from small_runs import small

from eqparse.commands.hydra_command import one_line
from eqparse.commands.run_display import progress_bars
from eqparse.corpus import read_examples, write_jsonl
from eqparse.errors import CheckpointError, ConfigError, DataError
from eqparse.experiments import runs
from eqparse.experiments.config import (
    OWN_SENTENCES,
    REPOSITORY,
    DataConfig,
    EvaluateConfig,
    FeaturesConfig,
    Folds,
    RelationConfig,
    SubgradientConfig,
    TrainConfig,
    checked,
    plain,
)
from eqparse.experiments.run_hash import run_hash
from eqparse.experiments.runs.evaluation import other_data, seen_in_training, training_texts
from eqparse.experiments.runs.sentences import drawn, fold_split, read_split
from eqparse.systems.registry import PIPELINE
from eqparse.training.metrics import CRITERIA, summarize
from eqparse.training.predictions import read_predictions

pytestmark = pytest.mark.pipeline
FILES = {"metrics.json", "predictions.jsonl", "verdicts.jsonl", "config.yaml", "checkpoint"}
FIGURES = ("quantity_list", "variable_list", "tree", *CRITERIA, "sentences", "without_prediction", "unreachable")


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_run_writes_its_files_and_returns_what_it_wrote(trained):
    config, metrics = trained
    assert names(config.folder) == FILES
    assert json.loads((config.folder / "metrics.json").read_text()) == metrics
    assert OmegaConf.load(config.folder / "config.yaml") == plain(config)
    predictions = read_predictions(config.folder / "predictions.jsonl")
    examples = {e.id: e for e in read_examples(REPOSITORY / "data" / "sentences.jsonl")}
    tested = [examples[id_] for id_ in predictions]
    assert [e.text for e in tested] == [p.text for p in predictions.values()]
    assert metrics["sentences"] + metrics.get("without_equation", 0) == len(predictions) == 8
    assert metrics["train_sentences"] == 32
    assert {name: metrics[name] for name in CRITERIA} == {k: summarize(tested, predictions)[k] for k in CRITERIA}


def test_a_run_reports_each_stage_and_phase(trained):
    _, metrics = trained
    assert set(metrics["solver"]) == {"quantity", "variable", "coreference", "tree", "refusal"}
    for report in metrics["solver"].values():
        assert report["objective"] - report["dual"] == pytest.approx(report["gap"])
        assert 0 < report["problems"] <= 32 and 1 <= report["epochs"] <= 6 * report["rounds"]
    assert {"read", "annotate", "train", "evaluate", "total"} <= set(metrics["seconds"])


def test_evaluation_of_the_checkpoint_agrees_with_training(trained, tmp_path):
    config, metrics = trained
    evaluate = EvaluateConfig(data=config.data, fold=1, checkpoint=config.checkpoint, outputs=str(tmp_path))
    annotated = []
    again = runs.evaluate_run(evaluate, progress=lambda phase, entry: annotated.append(entry.get("total")))
    assert {name: again[name] for name in FIGURES} == {name: metrics[name] for name in FIGURES}
    assert {total for total in annotated if total} == {8}  # only what it tests
    assert again["seen_in_training"] == 0
    folder = checked(evaluate).folder
    assert "ours-full-pipeline-random-seed0-fold1" in folder.parts  # so that two checkpoints' evaluations are two
    assert names(folder) == FILES - {"checkpoint"}
    first = (config.folder / "predictions.jsonl").read_bytes()
    assert (folder / "predictions.jsonl").read_bytes() == first


def test_evaluation_says_what_was_trained_on(trained, tmp_path, caplog):
    config, _ = trained
    evaluate = EvaluateConfig(data=config.data, checkpoint=config.checkpoint, outputs=str(tmp_path))
    assert runs.evaluate_run(replace(evaluate, fold="all"))["seen_in_training"] == 32
    assert runs.evaluate_run(replace(evaluate, fold=2))["seen_in_training"] == 8
    assert "it was trained on 8 of these sentences" in caplog.text


def test_a_run_names_each_phase_as_it_begins(tmp_path, monkeypatch):
    begun = []
    monkeypatch.setattr(runs.inner, "learn_relations", lambda *_: None)  # from so few sentences there is nothing
    config = small(
        tmp_path, data=DataConfig(limit=20), relation=RelationConfig(folds=2), solver=SubgradientConfig(epochs=1)
    )
    with pytest.raises(DataError, match="calibration: expected at least 20"):
        runs.train_run(config, progress=lambda phase, entry: None if entry else begun.append(phase))
    stages = ["quantity", "variable", "coreference", "tree", "refusal"]
    inner = [name for number in (1, 2) for name in (f"inner fold {number} of 2", *stages)]
    assert begun == ["annotate", *stages, *inner, "relation", "calibration"]
    begun.clear()
    runs.train_run(replace(config, relation=RelationConfig()), progress=lambda p, entry: entry or begun.append(p))
    assert begun == ["annotate", *stages, "evaluate"]


@pytest.mark.parametrize(("data", "said"), [
    (DataConfig(), ["trained with data.limit=40, tested with data.limit=null; for a test on the same sentences give "
                    "data.limit=40"]),
    (DataConfig(limit=40), []), (DataConfig(limit=50), []),  # asked for
], ids=["none", "its own", "others"])
def test_a_test_on_data_that_nobody_asked_for_says_what_training_had(trained, data, said, monkeypatch, caplog):
    config, _ = trained
    monkeypatch.setattr(runs.evaluation, "read_split", stop)
    with pytest.raises(StopIteration):
        runs.evaluate_run(EvaluateConfig(data=data, checkpoint=config.checkpoint, outputs=config.outputs, name="other"))
    assert caplog.messages == said


def stop(config):
    raise StopIteration


@pytest.mark.parametrize(("trained", "found"), [
    ({"data": {"name": "mine", "root": "a b/ü.jsonl", "folds": "fixed", "phrases": "any"}},
     'data.folds="fixed" data.name="mine" data.root="a b/ü.jsonl"'),
    ({"data": {"auxiliary": "ours", "phrases": "any", "train_fraction": 0.5}}, ""),
    ({"data": {"name": "ours", "limit": None}}, ""), ({"data": ["ours"]}, ""), ({}, ""),
])
def test_only_options_that_say_what_is_tested_count(trained, found):
    assert other_data(trained, DataConfig()).rpartition("give ")[2] == found


def test_what_was_trained_on_is_known_whatever_is_tested(trained, tmp_path):
    """A limit, further sentences, a part of them: each sentence is looked for among those that training took."""
    config, _ = trained
    tested, known = (drawn(read_examples(OWN_SENTENCES), limit) for limit in (120, 40))
    auxiliary = tmp_path / "auxiliary.jsonl"
    write_jsonl([e for e in tested if e not in known][:10], auxiliary)
    data = replace(config.data, auxiliary=str(auxiliary), train_fraction=0.5)
    model = checked(small(tmp_path, data=data, solver=SubgradientConfig(epochs=1), cache=config.cache))
    assert runs.train_run(model)["train_sentences"] == 16 + 10

    def seen(checkpoint, **options):
        evaluate = EvaluateConfig(checkpoint=checkpoint, outputs=str(tmp_path / "e"), cache=config.cache, **options)
        return runs.evaluate_run(evaluate)["seen_in_training"]

    tests = [{"data": d, "fold": "all"} for d in (DataConfig(limit=120), DataConfig("mine", str(auxiliary)))]
    assert [seen(config.checkpoint, **test) for test in tests] == [32, 0]
    assert [seen(model.checkpoint, **test, name="second") for test in tests] == [26, 10]
    assert seen(model.checkpoint, data=config.data, fold=1, name="second") == 0


def test_what_was_trained_on_may_be_unknown_and_then_it_says_why(tmp_path, caplog):
    lines = drawn(OWN_SENTENCES.read_text(encoding="utf-8").splitlines(keepends=True), 40)
    mine = tmp_path / "mine.jsonl"
    mine.write_text("".join(lines), encoding="utf-8")
    options = {"data": DataConfig("mine", str(mine)), "solver": SubgradientConfig(epochs=1)}
    config = checked(small(tmp_path, **options))
    runs.train_run(config)
    evaluate = EvaluateConfig(data=DataConfig(limit=40), fold="all", checkpoint=config.checkpoint)
    evaluate = replace(evaluate, outputs=str(tmp_path))
    assert runs.evaluate_run(evaluate)["seen_in_training"] == 32
    mine.write_text("".join(lines[:30]), encoding="utf-8")
    unknown = runs.evaluate_run(evaluate)
    assert unknown["seen_in_training"] is None and "have changed since" in unknown["seen_in_training_unknown"]
    assert "it is not known how many" in caplog.text
    mine.write_text("".join(lines[::-1]), encoding="utf-8")
    unknown = runs.evaluate_run(evaluate)
    assert unknown["seen_in_training"] is None and "not the same" in unknown["seen_in_training_unknown"]
    moved = mine.rename(tmp_path / "moved.jsonl")
    assert "mine.jsonl" in runs.evaluate_run(evaluate)["seen_in_training_unknown"]
    moved.write_text("".join(lines), encoding="utf-8")
    again = runs.evaluate_run(replace(evaluate, data=DataConfig("mine", str(moved))))
    assert again["seen_in_training"] == 32 and "seen_in_training_unknown" not in again
    assert "does not say" in seen_in_training({}, {}, DataConfig(), [])["seen_in_training_unknown"]


def test_other_folds_since_training_make_what_was_trained_on_unknown(tmp_path):
    lines = (REPOSITORY / "data" / "sentences.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:20]
    (tmp_path / "mine.jsonl").write_text("".join(lines), encoding="utf-8")
    ids = [json.loads(line)["id"] for line in lines]
    dealt = {name: at % 5 for at, name in enumerate(ids)}
    (tmp_path / "folds.json").write_text(json.dumps(dealt))
    data = DataConfig("mine", str(tmp_path / "mine.jsonl"), folds=Folds.fixed)
    config = checked(small(tmp_path, data=data, fold=0, solver=SubgradientConfig(epochs=1)))
    runs.train_run(config)
    evaluate = EvaluateConfig(data=data, fold=0, checkpoint=config.checkpoint, outputs=str(tmp_path))
    assert runs.evaluate_run(evaluate)["seen_in_training"] == 0
    (tmp_path / "folds.json").write_text(json.dumps({name: (fold + 1) % 5 for name, fold in dealt.items()}))
    assert "its folds have changed" in runs.evaluate_run(evaluate)["seen_in_training_unknown"]
    (tmp_path / "folds.json").write_text(json.dumps(dealt))
    (tmp_path / "mine.jsonl").write_text("".join(lines[::-1]), encoding="utf-8")  # the order says nothing here
    assert runs.evaluate_run(evaluate)["seen_in_training"] == 0


def test_a_checkpoint_without_a_digest_is_told_by_numbers_alone(trained):
    config, metrics = trained
    kept = PIPELINE.load(config.checkpoint, device="cpu")
    texts = [e.text for e in drawn(read_examples(OWN_SENTENCES), 40)]
    assert kept.metrics["trained_on"] == metrics["trained_on"]
    kept.metrics["trained_on"] = "another"
    with pytest.raises(DataError, match="32 sentences .* found 32 that are not the same"):
        training_texts(kept.config, kept.metrics, config.data)
    del kept.metrics["trained_on"]
    assert len(training_texts(kept.config, kept.metrics, config.data) & set(texts)) == 32


def test_what_an_earlier_checkpoint_learnt_is_known_unless_a_later_one_took_its_place(trained, monkeypatch):
    config, metrics = trained
    further = plain(config) | {"seed": 1, "system": {"start": config.checkpoint}}
    measured = {name: value for name, value in metrics.items() if name != "trained_on"}
    assert len(training_texts(further, measured, config.data)) > 32  # of another split
    monkeypatch.setattr("eqparse.experiments.runs.evaluation.trained_with", lambda folder: (further, measured))
    with pytest.raises(DataError, match="found a later one there"):
        training_texts(further, measured, config.data)


def test_the_same_seed_gives_the_same_weights_and_predictions(trained, tmp_path):
    config, metrics = trained
    again = replace(config, outputs=str(tmp_path), checkpoint=str(tmp_path / "model"))
    figures = runs.train_run(again)
    assert {name: figures[name] for name in FIGURES} == {name: metrics[name] for name in FIGURES}
    first, second = (Path(c.folder) / "predictions.jsonl" for c in (config, again))
    assert first.read_bytes() == second.read_bytes()
    ours, theirs = (load_file(Path(c.checkpoint) / "model.safetensors") for c in (config, again))
    assert ours.keys() == theirs.keys() and all((ours[k] == theirs[k]).all() for k in ours)


def test_fixed_folds_are_those_of_the_file(tmp_path):
    lines = (REPOSITORY / "data" / "sentences.jsonl").read_text().splitlines(keepends=True)[:30]
    (tmp_path / "some.jsonl").write_text("".join(lines))
    ids = [json.loads(line)["id"] for line in lines]
    folds = tmp_path / "folds.json"
    folds.write_text(json.dumps({name: int(at in (3, 7)) for at, name in enumerate(ids)}))
    data = DataConfig(name="some", root=str(tmp_path), folds=Folds.fixed)
    config = checked(small(tmp_path / "out", data=data))
    metrics = runs.train_run(config)
    assert list(read_predictions(config.folder / "predictions.jsonl")) == [ids[3], ids[7]]
    folds.write_text(json.dumps({name: int(at in (3, 8)) for at, name in enumerate(ids)}))
    assert metrics["run_hash"] != run_hash(config, read_examples(tmp_path))
    with pytest.raises(DataError, match="found folds \\[0, 1\\]"):
        runs.train_run(replace(config, fold=4, resume=False))


def test_training_on_everything_tests_nothing(tmp_path):
    features = FeaturesConfig(name="paper")
    config = checked(small(tmp_path, fold="all", solver=SubgradientConfig(epochs=2), features=features))
    metrics = runs.train_run(config)
    assert metrics["sentences"] == 0 and metrics["train_sentences"] == 40 and "equation" not in metrics
    assert (config.folder / "predictions.jsonl").read_text() == ""
    assert metrics["solver"]["tree"]["gap"] is None


def test_every_fold_seed_and_method_splits_otherwise(shared):
    examples = read_examples(shared / "roy2016")
    drawn = [DataConfig(folds=method) for method in (Folds.random, Folds.grouped)]
    splits = {(d.folds, s, f): fold_split(examples, d, s, f) for d in drawn for s in (0, 1) for f in (0, 1)}
    assert len({tuple(test) for _, test in splits.values()}) == 8
    for train, test in splits.values():
        assert sorted(train + test) == list(range(len(examples)))


def test_a_limit_draws_from_all_sentences_and_always_the_same():
    options = [TrainConfig(data=DataConfig(limit=n), seed=n) for n in (60, 90)]
    few, more = [{e.id: e for e in read_split(config).examples} for config in options]
    everything = [e.id for e in read_examples(OWN_SENTENCES)]
    assert len(few) == 60 and few.keys() < more.keys()
    assert list(few) == sorted(few, key=everything.index)
    assert 15 < sum(e.equation is None for e in few.values()) < 45
    assert len({id_.rsplit("-", 1)[0] for id_ in few}) > 30


def test_a_run_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError("no space left on device")

    monkeypatch.setattr("eqparse.systems.registry.PIPELINE", replace(PIPELINE, save=full))
    config = checked(small(tmp_path))
    with pytest.raises(OSError, match="no space"):
        runs.train_run(config)
    assert not config.folder.exists()


def test_a_run_that_fails_leaves_the_one_before_it(trained, tmp_path, monkeypatch):
    config, _ = trained
    shutil.copytree(config.folder, tmp_path / "before")
    before = {path: path.read_bytes() for path in (tmp_path / "before").rglob("*") if path.is_file()}

    def full(*_, **__):
        raise OSError("no space left on device")

    monkeypatch.setattr("eqparse.experiments.runs.files.write_predictions", full)
    with pytest.raises(OSError, match="no space"):
        checkpoint = str(tmp_path / "before" / "checkpoint")
        runs.train_run(replace(config, outputs=str(tmp_path), run="before", checkpoint=checkpoint))
    assert {path: path.read_bytes() for path in (tmp_path / "before").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(("place", "error"), [
    ({"outputs": "file"}, NotADirectoryError), ({"outputs": "file/o"}, NotADirectoryError),
    ({"checkpoint": "file"}, CheckpointError), ({"checkpoint": "."}, CheckpointError),
    ({"checkpoint": "file/o"}, NotADirectoryError),
])
def test_a_run_that_cannot_be_written_is_refused_before_it_trains(tmp_path, monkeypatch, place, error):
    (tmp_path / "file").touch()
    monkeypatch.setattr(runs.training, "read_split", None)
    options = {name: str(tmp_path / path) for name, path in place.items()}
    said = "is not a folder; choose another path" if error is NotADirectoryError else str(tmp_path)
    with pytest.raises(error, match=said):
        runs.train_run(replace(small(tmp_path / "out"), **options))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("root", ["missing", "empty"])
def test_data_that_is_not_there_is_refused_before_anything_is_written(tmp_path, root):
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=root):
        runs.train_run(small(tmp_path / "out", data=DataConfig("mine", str(tmp_path / root))))
    assert not (tmp_path / "out").exists()


def test_the_scorer_of_the_published_sentences_agrees(shared, tmp_path):
    data = DataConfig("roy2016", str(shared / "roy2016"), limit=80)
    config = checked(small(tmp_path, data=data))
    metrics = runs.train_run(config)
    found = config.folder / "predictions.jsonl"
    (tmp_path / "ids").write_text("\n".join(read_predictions(found)))
    command = [sys.executable, shared / "tools" / "score.py", data.root, found, "--ids", tmp_path / "ids", "--json"]
    scores = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    names = [name for name in CRITERIA if name in scores]
    assert len(names) == 6 and scores["sentences"] == metrics["sentences"]
    assert {name: round(scores[name], 2) for name in names} == {name: metrics[name] for name in names}


@pytest.mark.slow
def test_train_from_another_directory(tmp_path):
    shutil.copy(REPOSITORY / "data" / "sentences.jsonl", tmp_path / "mine.jsonl")
    options = ["data.name=mine", "data.root=mine.jsonl", "data.limit=30", "solver.max_epochs=1", "logger=none"]
    path = os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(REPOSITORY / "train.py"), "-m", *options, "fold=0,4"], cwd=tmp_path, capture_output=True,
        text=True, timeout=300, env=os.environ | {"PYTHONPATH": path, "HYDRA_FULL_ERROR": "0"},
    )
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "outputs" / "mine-full" / "pipeline"
    assert names(folder) == {"random-seed0-fold0", "random-seed0-fold4"}
    for fold in (0, 4):
        assert names(folder / f"random-seed0-fold{fold}") == FILES
    assert names(tmp_path) == {"mine.jsonl", "outputs"}
    assert done.stdout.count("quantity list") == 2


@pytest.mark.parametrize(("name", "arguments", "said"), [
    ("train.py", ["fold=9"], "fold: expected 0 to 4, or all; found 9"),
    ("train.py", ["nonsense=1"], "nonsense"),
    ("train.py", ["name=../mine"], "train.py: run: expected a relative path within `outputs`"),
    ("train.py", ["--multirun", "--cfg", "job"], "--multirun"),
    ("train.py", ["--fold=3"], "unrecognized arguments: --fold=3; options are KEY=VALUE, as in fold=3"),
    ("train.py", ["--cfg"], "argument --cfg/-c: expected one argument; options are"),
    ("train.py", ["fold", "3"], "fold: expected KEY=VALUE, as in fold=3; found no ="),
    ("evaluate.py", ["checkpoint=cut"], "cut"),
])
def test_commands_say_in_one_line_what_is_wrong(name, arguments, said, script, trained, tmp_path):
    config, _ = trained
    shutil.copytree(config.checkpoint, tmp_path / "cut")
    weights = tmp_path / "cut" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    done = script(name, *arguments)
    assert done.status == 2 and done.out == ""
    assert done.err.startswith(f"{name}: ") and done.err.count("\n") == 1 and said in done.err
    assert [p for p in tmp_path.rglob("*") if p.is_file() and "cut" not in p.parts] == []


def test_errors_are_raised_as_ours(trained, tmp_path):
    with pytest.raises(CheckpointError, match="nowhere"):
        runs.evaluate_run(EvaluateConfig(checkpoint=str(tmp_path / "nowhere"), outputs=str(tmp_path)))
    with pytest.raises(ConfigError, match="checkpoint"):
        runs.evaluate_run(EvaluateConfig())


def test_an_error_is_put_on_one_line():
    error = ConfigError("first;\n second\nfull_key: x")
    assert one_line(error) == "first;; second"
    assert one_line(OSError()) == "OSError"


def test_bars_are_quiet_where_there_is_no_terminal(capsys):
    with progress_bars() as show:
        show("annotate", {"done": 1, "total": 2})
        show("tree", {"epoch": 5, "objective": 0.1, "gap": None})
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""
