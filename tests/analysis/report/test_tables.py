"""Rows, gaps and curves of hand-made runs."""

from __future__ import annotations

import json
import os
import shutil
from statistics import mean, stdev

import pytest
from report_runs import corpus, make_grid, make_run

from eqparse.analysis.report import Report, find_runs, make_report, rendering, verdicts
from eqparse.analysis.report.finished_runs import short_name
from eqparse.analysis.report.layout import read_layout
from eqparse.analysis.report.significance import sign_flip_p
from eqparse.commands.main import main
from eqparse.errors import DataError
from eqparse.experiments.config import GROUPS, OWN_SENTENCES, TrainConfig, plain
from eqparse.training.metrics import CRITERIA


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return corpus(tmp_path / "data")


def tables_of(*folders):
    runs, _ = find_runs(folders)
    return {(t.name, t.figure, t.block.features): t for t in make_report(runs, []).tables}


@pytest.mark.parametrize("given_name, expected", [
    ("kites-paper", "pipeline"), ("kites-tree-no-lexicon-paper", "tree-no-lexicon"),
    ("tree-no-lexicon", "tree-no-lexicon"), ("kites", "pipeline"), ("full", "pipeline"), ("pipeline", "pipeline"),
    ("paper-kites", "paper-kites"), ("kites-joint", "joint"),
])
def test_names_of_data_and_features_are_taken_off(given_name, expected):
    assert short_name(given_name, "kites", "paper") == expected


def test_means_weigh_folds_by_sentences_and_seeds_alike(tmp_path):
    (tmp_path / "data").mkdir()
    data = corpus(tmp_path / "data", count=13)  # folds 0 to 2 have 3 sentences, 3 and 4 have 2
    make_grid(tmp_path / "runs", data, seeds=(0,), wrong={"s3"})
    make_grid(tmp_path / "runs", data, seeds=(1,), wrong={"s0", "s1", "s4", "s7"})
    line = tables_of(tmp_path / "runs")["system", "equation", "paper"].lines[0]
    shares = [100 * 12 / 13, 100 * 9 / 13]
    assert (line.score.mean, line.score.spread) == pytest.approx((mean(shares), stdev(shares)))
    folds = [1, 1, 1, 1 / 2, 1] + [2 / 3, 2 / 3, 2 / 3, 1, 1 / 2]
    assert line.score.fold_spread == pytest.approx(stdev(100 * f for f in folds))
    assert (line.score.sentences, line.score.seeds, line.paper) == (13, (0, 1), 71.3)


def test_runs_of_earlier_versions_are_read(tmp_path, data):
    old, now = ({"c": 0.1, name: 0} for name in ("planes", "working_set"))
    folder = make_run(tmp_path / "runs", data, experiment="full", options={"extra": "ours"}, run_hash="a1", solver=old)
    metrics = json.loads((folder / "metrics.json").read_text())
    metrics["made_from"] = metrics.pop("run_hash")
    (folder / "metrics.json").write_text(json.dumps(metrics))
    new = make_run(tmp_path / "more", data, options={"auxiliary": "ours"}, run_hash="a1", solver=now)
    first, second = (find_runs([tmp_path / name])[0][0] for name in ("runs", "more"))
    assert (second.folder, second.experiment, second.run_hash) == (new, "pipeline", "a1")
    for name in ("experiment", "data", "features", "run_hash", "options", "name"):
        assert getattr(first, name) == getattr(second, name)


def test_a_row_is_tested_against_the_full_system_on_the_same_sentences(tmp_path, data):
    make_grid(tmp_path / "runs", data, seeds=(0,), wrong={"s0", "s1"})
    make_grid(tmp_path / "runs", data, seeds=(1,), wrong={"s0"})
    make_grid(tmp_path / "runs", data, seeds=(0, 1), experiment="joint", wrong={"s1", "s5", "s6", "s7"})
    make_grid(tmp_path / "runs", data, seeds=(0, 1), experiment="ccg", wrong={f"s{n}" for n in range(20)})
    joint, ccg = tables_of(tmp_path / "runs")["system", "equation", "paper"].lines[1:]
    assert joint.difference == pytest.approx(80 - (90 + 95) / 2)
    # s0 twice better, s1 once worse, s5 s6 s7 twice worse
    differences = [2, -1, -2, -2, -2]
    assert joint.p == pytest.approx(sign_flip_p(differences)) and joint.p > 0.05 and joint.p_holm == joint.p
    assert ccg.p == pytest.approx(2 / 2**19) and ccg.p_holm == pytest.approx(2 * ccg.p)
    assert (ccg.paper, ccg.score.mean, joint.label) == (3.1, 0, "joint learning")


def test_stages_are_tested_by_their_own_verdicts(tmp_path, data):
    make_grid(tmp_path / "runs", data, verdicts={"tree": {"s1"}})
    make_grid(tmp_path / "runs", data, verdicts={"tree": {"s1", "s2", "s3"}}, experiment="tree-no-lexicon")
    full, row = tables_of(tmp_path / "runs")["tree", "tree", "paper"].lines
    assert (full.score.mean, row.score.mean, row.difference) == pytest.approx((95, 85, -10))
    assert row.p == 0.5 and full.p is None and full.interval[0] < 95 <= full.interval[1]


def test_without_verdicts_a_stage_has_a_mean_and_says_why_it_is_not_tested(tmp_path, data):
    for experiment in ("pipeline", "tree-no-lexicon"):
        make_grid(tmp_path / "runs", data, verdicts={"tree": {"s1"}}, experiment=experiment)
    for path in (tmp_path / "runs").rglob("verdicts.jsonl"):
        path.unlink()
    table = tables_of(tmp_path / "runs")["tree", "tree", "paper"]
    assert [line.score.mean for line in table.lines] == [95, 95] and table.lines[1].p is None
    assert table.notes == ("no lexicon: not tested, since not all runs say which sentences were right "
                           "(verdicts.jsonl).",)


def test_gaps_are_said_and_not_averaged_over(tmp_path, data):
    make_grid(tmp_path / "runs", data, seeds=(0, 1, 2))
    make_grid(tmp_path / "runs", data, seeds=(0, 2), experiment="joint", wrong={"s2"})
    for fold in (1, 3):
        shutil.rmtree(tmp_path / f"runs/joint-paper/random-seed2-fold{fold}")
    make_run(tmp_path / "runs", data, experiment="ccg")
    table = tables_of(tmp_path / "runs")["system", "equation", "paper"]
    _, joint, ccg = table.lines
    assert joint.score.seeds == (0,) and joint.score.mean == 95 and joint.difference == -5
    assert ccg.score is None and ccg.difference is None and ccg.p is None
    assert table.notes == (
        "joint learning: seed 2 lacks folds 1, 3 and is left out.",
        "joint learning: no runs of seed 1, which other rows have.",
        "joint learning: compared with the full system on seed 0 alone.",
        "CCG semantic parser (paper: SPF): seed 0 lacks folds 1, 2, 3, 4 and is left out.",
        "CCG semantic parser (paper: SPF): no runs of seeds 1, 2, which other rows have.",
        "CCG semantic parser (paper: SPF): no complete seed in common with the full system, so not compared.",
    )
    assert "incomplete" in rendering.markdown(Report([table], [], []))


def test_a_seed_whose_folds_are_of_two_versions_of_the_data_is_left_out(tmp_path, data, capfd):
    make_grid(tmp_path / "runs", data, seeds=(0,))
    for fold in range(3):
        make_run(tmp_path / "runs", data, seed=1, fold=fold)
    lines = data.read_text().splitlines(keepends=True)
    data.write_text("".join(lines[::-1]))  # now fold 3 has the sentences of fold 1, and fold 4 those of fold 0
    for fold in (3, 4):
        make_run(tmp_path / "runs", data, seed=1, fold=fold)
    table = tables_of(tmp_path / "runs")["system", "equation", "paper"]
    (full,) = table.lines
    assert full.score.seeds == (0,) and full.score.sentences == 20
    said = "seed 1 was tested on 8 sentences in several folds, so its data changed between runs, and is left out."
    assert [note for note in table.notes if "several folds" in note] == [f"pipeline: {said}"]
    assert main(["report", str(tmp_path / "runs")]) == 0
    text = capfd.readouterr().out
    assert said in " ".join(text.split())


def test_a_fold_alone_has_its_tables_which_say_so(tmp_path, data, capfd):
    make_run(tmp_path / "runs", data, seed=3, fold=2, wrong={"s2"})
    table = tables_of(tmp_path / "runs")["system", "equation", "paper"]
    (full,) = table.lines
    assert (full.score.mean, full.score.sentences, full.score.spread, full.score.fold_spread) == (75, 4, None, None)
    assert table.notes == () and "random folds (fold 2 alone)" in table.caption
    assert main(["report", str(tmp_path / "runs"), "--format", "csv"]) == 0
    assert ",random,2,paper,system,equation,pipeline,pipeline,,,71.3,75.0,,," in capfd.readouterr().out


def test_seeds_of_which_none_has_the_folds_of_another_are_incomplete(tmp_path, data, capfd):
    make_run(tmp_path / "runs", data, seed=3)
    make_run(tmp_path / "runs", data, seed=4, fold=1)
    assert main(["report", str(tmp_path / "runs")]) == 0
    text = " ".join(capfd.readouterr().out.split())
    assert "random folds (folds 0, 1 alone), features paper: pipeline: seed 3 lacks fold 1 and is left out." in text
    assert "│ pipeline" not in text


def test_a_table_says_of_how_many_sentences_and_which_seeds(tmp_path, data):
    make_grid(tmp_path / "runs", data, seeds=(0, 2))
    table = tables_of(tmp_path / "runs")["system", "equation", "paper"]
    assert table.caption.endswith("; 20 sentences, seeds 0, 2)")


def test_a_suffix_that_no_format_has_is_refused(tmp_path, data, capfd):
    make_run(tmp_path / "runs", data)
    assert main(["report", str(tmp_path / "runs"), "--output", str(tmp_path / "t.html")]) == 2
    assert ".html" in capfd.readouterr().err and not (tmp_path / "t.html").exists()


def test_a_folder_that_cannot_be_listed_is_named(tmp_path, data, monkeypatch):
    make_run(tmp_path / "runs", data)
    (tmp_path / "runs" / "shut").mkdir()
    scandir = os.scandir

    def refused(path):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    runs, left_out = find_runs([tmp_path / "runs"])
    assert len(runs) == 1
    assert [str(item) for item in left_out] == [f"{tmp_path}/runs/shut: cannot be read: Permission denied"]


def test_unfinished_runs_and_other_folders_are_named(tmp_path, data):
    outputs = tmp_path / "runs"
    good = make_run(outputs, data)
    (outputs / "started").mkdir()
    (outputs / "stopped" / "checkpoint").mkdir(parents=True)
    (outputs / "killed").mkdir()
    (outputs / "killed" / ".predictions.jsonl.a-machine.12.0.new").touch()
    (outputs / ".cache" / "empty").mkdir(parents=True)
    half = make_run(outputs, data, fold=1)
    (half / "metrics.json").unlink()
    whole = make_run(outputs, data, fold=2)
    config = (whole / "config.yaml").read_text()
    (whole / "config.yaml").write_text(config.replace("fold: 2", "fold: all"))
    tested = make_run(outputs, data, fold=3)
    (tested / "config.yaml").write_text(config.replace("experiment:", "other:"))
    (good / "checkpoint").mkdir()
    for name in ("config.yaml", "metrics.json", "model.safetensors"):
        (good / "checkpoint" / name).write_text("{}")
    runs, left_out = find_runs([outputs, good, outputs / "pipeline-paper"])
    assert [run.folder for run in runs] == [good]
    reasons = {item.folder.name: item.reason for item in left_out}
    assert reasons["random-seed0-fold1"] == "unfinished, without metrics.json"
    assert "fold=all" in reasons["random-seed0-fold2"] and "checkpoint" in reasons["random-seed0-fold3"]
    others = {"random-seed0-fold1", "random-seed0-fold2", "random-seed0-fold3"}
    assert set(reasons) == {"started", "stopped", "killed"} | others


def test_feature_sets_and_data_have_tables_of_their_own(tmp_path, data):
    make_grid(tmp_path / "runs", data, features="paper", wrong={"s1"})
    make_grid(tmp_path / "runs", data, features="full")
    make_grid(tmp_path / "other", data, name="more", wrong={"s1", "s2"})
    runs, _ = find_runs([tmp_path / "runs", tmp_path / "other"])
    found = {(t.block.name, t.block.features): t.lines[0].score.mean
             for t in make_report(runs, []).tables if t.figure == "equation"}
    assert found == {("kites", "full"): 100, ("kites", "paper"): 95, ("more", "paper"): 90}


def test_runs_on_other_sentences_under_one_name_are_refused(tmp_path, data):
    make_grid(tmp_path / "runs", data)
    (tmp_path / "more").mkdir()
    make_grid(tmp_path / "runs", corpus(tmp_path / "more", count=25), experiment="joint")
    runs, _ = find_runs([tmp_path / "runs"])
    said = r"pipeline-paper.*expected the test sentences of .*joint-paper.*found others.*otherwise"
    with pytest.raises(DataError, match=said):
        make_report(runs, [])


def test_two_runs_of_one_cell_are_refused_but_the_same_folder_twice_is_one(tmp_path, data):
    run = make_run(tmp_path / "runs", data)
    assert len(find_runs([tmp_path / "runs", run])[0]) == 1
    shutil.copytree(run, tmp_path / "runs" / "again")
    runs, _ = find_runs([tmp_path / "runs"])
    said = "pipeline-paper.*: expected one run of pipeline, seed 0, fold 0 .*again is another. Keep one of the two"
    with pytest.raises(DataError, match=said):
        make_report(runs, [])


def test_runs_that_differ_in_their_name_alone_are_rows_of_their_own(tmp_path, data):
    make_grid(tmp_path / "runs", data, wrong={"s0"})
    make_grid(tmp_path / "runs", data, wrong={"s0", "s1"}, named="trial")
    make_grid(tmp_path / "runs", data, wrong={"s2", "s3", "s4"}, experiment="joint", seeds=(0,))
    make_grid(tmp_path / "runs", data, wrong={"s2"}, experiment="joint", seeds=(1,), named="later")
    table = tables_of(tmp_path / "runs")["system", "equation", "paper"]
    # a name alone makes no row: the seeds of "joint" belong together
    assert [(line.label, line.score.mean) for line in table.lines] == [
        ("pipeline", 95), ("pipeline [name=trial]", 90), ("joint learning", 90),
    ]
    assert [line.difference for line in table.lines] == pytest.approx([None, -5, -5]) and table.notes == ()
    make_grid(tmp_path / "more", data, named="a")
    make_grid(tmp_path / "more", data, named="b")
    table = tables_of(tmp_path / "more")["system", "equation", "paper"]
    assert "Several full systems (name=a; name=b)" in table.notes[0]


def test_verdicts_that_disagree_with_the_metrics_are_refused(tmp_path, data):
    make_grid(tmp_path / "runs", data, seeds=(0,))
    text = data.read_text().replace("V1 = 3 + V2", "V1 = 3 * V2")
    data.write_text(text)
    verdicts.gold.cache_clear()
    with pytest.raises(DataError, match=r"expected \(4, 4\).*by equation.*found \(3, 4\)"):
        tables_of(tmp_path / "runs")


def test_other_options_under_one_name_make_other_rows(tmp_path, data):
    make_grid(tmp_path / "runs", data)
    for value in (1, 2):
        make_grid(tmp_path / "runs", data, experiment="joint", options={"width": value})
    labels = [line.label for line in tables_of(tmp_path / "runs")["system", "equation", "paper"].lines]
    assert labels == ["pipeline", "joint learning [data.width=1]", "joint learning [data.width=2]"]
    make_grid(tmp_path / "runs", data, options={"width": 9})
    make_grid(tmp_path / "runs", data, options={"width": 8})
    table = tables_of(tmp_path / "runs")["system", "equation", "paper"]
    assert "Several full systems" in table.notes[0] and all(line.difference is None for line in table.lines)


def test_parts_of_the_training_sentences_make_a_learning_curve(tmp_path, data):
    make_grid(tmp_path / "runs", data, wrong={"s0"}, options={"train_fraction": 1.0})
    make_grid(tmp_path / "runs", data, wrong={"s0", "s1"}, options={"train_fraction": 0.25})
    make_grid(tmp_path / "runs", data, wrong={"s0", "s1", "s2"}, experiment="joint")
    runs, _ = find_runs([tmp_path / "runs"])
    report = make_report(runs, [])
    (curve,) = [c for c in report.curves if c.figure == "equation"]
    assert [(p.fraction, p.score.mean) for p in curve.points] == [(0.25, 90), (1.0, 95)]
    lines = next(t for t in report.tables if t.figure == "equation").lines
    assert [(line.experiment, line.score.mean) for line in lines] == [("pipeline", 95), ("joint", 85)]


def test_runs_on_one_part_under_two_names_make_two_learning_curves(tmp_path, data):
    for name, wrong, fraction in (("a", {"s0"}, 1.0), ("b", set(), 1.0), ("a-part", {"s0", "s1"}, 0.25)):
        make_grid(tmp_path, data, named=name, wrong=wrong, options={"train_fraction": fraction})
    runs, _ = find_runs([tmp_path])
    curves = [c for c in make_report(runs, []).curves if c.figure == "equation"]
    assert {c.experiment: [(p.fraction, p.score.mean) for p in c.points] for c in curves} == {
        "pipeline [name=a]": [(0.25, 90), (1.0, 95)], "pipeline [name=b]": [(0.25, 90), (1.0, 100)],
    }


def test_rows_of_other_code_or_other_training_sentences_are_told_apart(tmp_path, data):
    make_grid(tmp_path / "runs", data, run_hash="a1")
    make_grid(tmp_path / "runs", data, experiment="joint", run_hash="b2")
    make_grid(tmp_path / "more", data, run_hash="a1", wrong={"s1"}, options={"auxiliary": "ours"})
    make_run(tmp_path / "inner", data, inner_folds=3)
    runs, left_out = find_runs([tmp_path / "runs", tmp_path / "more", tmp_path / "inner"])
    assert [item.reason for item in left_out] == ["tested within the training sentences (inner_folds=3)"]
    alone, more = (t for t in make_report(runs, []).tables if t.figure == "equation")
    assert [line.label for line in alone.lines] == ["pipeline", "joint learning"] and len(more.lines) == 1
    assert any("Not all rows were made from the same code" in note for note in alone.notes) and more.notes == ()
    assert "trained on ours too" in str(more.block) and more.lines[0].score.mean == 95


def test_a_new_experiment_has_its_place_by_its_name(tmp_path, data):
    make_grid(tmp_path / "runs", data, verdicts={"tree": set()})
    make_grid(tmp_path / "runs", data, verdicts={"tree": set()}, experiment="tree-upside-down")
    make_grid(tmp_path / "runs", data, experiment="oracle")
    tables = tables_of(tmp_path / "runs")
    assert [line.label for line in tables["tree", "tree", "paper"].lines] == ["all features", "upside down"]
    assert [line.label for line in tables["system", "equation", "paper"].lines] == ["pipeline", "oracle"]


def test_the_layout_names_figures_and_options_that_exist():
    figures = {"quantity_list", "variable_list", "tree", *CRITERIA}
    for table in read_layout():
        assert set(table.figures) <= figures and table.rows[0].experiment == "pipeline"
        for row in table.rows:
            assert set(row.paper) <= set(table.figures)
    assert verdicts.OWN_SENTENCES == OWN_SENTENCES
    assert {"tree", "quantity"} <= GROUPS.keys() and "experiment" in plain(TrainConfig())


def test_a_missing_folder_or_an_empty_one_is_an_error(tmp_path):
    with pytest.raises(DataError, match="expected a folder with runs, found none"):
        find_runs([tmp_path / "nowhere"])
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "notes.txt").write_text("nothing")
    with pytest.raises(DataError, match="found none"):
        find_runs([tmp_path / "text"])
