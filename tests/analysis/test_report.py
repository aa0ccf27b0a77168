"""`eqparse report`: the test against enumeration, rows and gaps by hand-made runs, and every form of the tables."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from math import comb
from statistics import mean, stdev

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from report_runs import corpus, example, make_grid, make_run

from eqparse.analysis.report import build_curves, build_tables, find_runs, grid, plots, rendering, verdicts
from eqparse.analysis.report.finished_runs import short_name
from eqparse.analysis.report.layout import read_layout
from eqparse.analysis.report.significance import bootstrap_interval, holm, sign_flip_p
from eqparse.commands.main import main
from eqparse.errors import ConfigError, DataError
from eqparse.experiments.config import GROUPS, OWN_SENTENCES, TrainConfig, plain
from eqparse.training.metrics import CRITERIA


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return corpus(tmp_path / "data")


def tables_of(*folders):
    runs, _ = find_runs(folders)
    return {(t.name, t.figure, t.block.features): t for t in build_tables(grid(runs))}


# --- statistics


@given(st.lists(st.integers(-3, 3), max_size=9))
def test_the_sign_flip_test_counts_every_choice_of_signs(differences):
    sums = [sum(s * d for s, d in zip(signs, differences, strict=True))
            for signs in itertools.product((1, -1), repeat=len(differences))]
    share = Fraction(sum(abs(s) >= abs(sum(differences)) for s in sums), len(sums))
    assert sign_flip_p(differences) == pytest.approx(float(share), abs=1e-12)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 5))
def test_with_one_seed_it_is_the_exact_mcnemar_test(better, worse, same):
    n, k = better + worse, max(better, worse)
    tail = sum(comb(n, i) for i in range(k, n + 1)) / 2**n
    expected = min(1.0, 2 * tail)
    assert sign_flip_p([1] * better + [-1] * worse + [0] * same) == pytest.approx(expected)


def test_holm_by_hand():
    # sorted 0.01 0.02 0.03 0.5: times 4, 3, 2, 1, each at least the one before
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0] and holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_rejects_what_the_step_down_procedure_rejects(values):
    for level in (0.01, 0.05, 0.2):
        rejected = set()
        for rank, at in enumerate(sorted(range(len(values)), key=values.__getitem__)):
            if values[at] * (len(values) - rank) > level:
                break
            rejected.add(at)
        assert {at for at, p in enumerate(holm(values)) if p <= level} == rejected


def test_a_bootstrap_interval_holds_the_mean_repeats_and_narrows():
    few, many = [0, 100] * 10, [0, 100] * 250
    assert bootstrap_interval(few) == bootstrap_interval(few)
    (a, b), (c, d) = bootstrap_interval(few), bootstrap_interval(many)
    assert a < c < 50 < d < b
    # normal approximation: 50 +- 1.96 * 50 / sqrt(500)
    assert (c, d) == pytest.approx((50 - 4.38, 50 + 4.38), abs=0.5)
    assert bootstrap_interval([100] * 7) == (100, 100)


# --- runs and rows


@pytest.mark.parametrize("given_name, expected", [
    ("kites-paper", "full"), ("kites-tree-no-lexicon-paper", "tree-no-lexicon"), ("tree-no-lexicon", "tree-no-lexicon"),
    ("kites", "full"), ("full", "full"), ("paper-kites", "paper-kites"), ("kites-joint", "joint"),
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
    for experiment in ("full", "tree-no-lexicon"):
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
    assert "incomplete" in rendering.markdown([table], [], [])


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
    text, _ = out(capfd, tmp_path / "runs")
    assert said in " ".join(text.split())


def test_a_report_of_nothing_but_an_incomplete_row_says_so(tmp_path, data, capfd):
    make_run(tmp_path / "runs", data, seed=3)
    text, _ = out(capfd, tmp_path / "runs")
    assert "full: seed 3 lacks folds 1, 2, 3, 4 and is left out." in text


def test_a_table_says_of_how_many_sentences_and_which_seeds(tmp_path, data):
    make_grid(tmp_path / "runs", data, seeds=(0, 2))
    table = tables_of(tmp_path / "runs")["system", "equation", "paper"]
    assert table.caption.endswith("; 20 sentences, seeds 0, 2)")


def test_a_suffix_that_no_format_has_is_refused(tmp_path, data, capfd):
    make_run(tmp_path / "runs", data)
    assert main(["report", str(tmp_path / "runs"), "--output", str(tmp_path / "t.html")]) == 2
    assert ".html" in capfd.readouterr().err and not (tmp_path / "t.html").exists()


def test_unfinished_runs_and_other_folders_are_named(tmp_path, data):
    outputs = tmp_path / "runs"
    good = make_run(outputs, data)
    (outputs / "started").mkdir()
    (outputs / "stopped" / "checkpoint").mkdir(parents=True)
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
    runs, left_out = find_runs([outputs, good, outputs / "full-paper"])
    assert [run.folder for run in runs] == [good]
    reasons = {item.folder.name: item.reason for item in left_out}
    assert reasons["random-seed0-fold1"] == "unfinished, without metrics.json"
    assert "fold=all" in reasons["random-seed0-fold2"] and "checkpoint" in reasons["random-seed0-fold3"]
    assert set(reasons) == {"started", "stopped", "random-seed0-fold1", "random-seed0-fold2", "random-seed0-fold3"}


def test_feature_sets_and_data_have_tables_of_their_own(tmp_path, data):
    make_grid(tmp_path / "runs", data, features="paper", wrong={"s1"})
    make_grid(tmp_path / "runs", data, features="full")
    make_grid(tmp_path / "other", data, name="more", wrong={"s1", "s2"})
    runs, _ = find_runs([tmp_path / "runs", tmp_path / "other"])
    found = {(t.block.name, t.block.features): t.lines[0].score.mean
             for t in build_tables(grid(runs)) if t.figure == "equation"}
    assert found == {("kites", "full"): 100, ("kites", "paper"): 95, ("more", "paper"): 90}


def test_runs_on_other_sentences_under_one_name_are_refused(tmp_path, data):
    make_grid(tmp_path / "runs", data)
    (tmp_path / "more").mkdir()
    make_grid(tmp_path / "runs", corpus(tmp_path / "more", count=25), experiment="joint")
    runs, _ = find_runs([tmp_path / "runs"])
    with pytest.raises(DataError, match=r"expected the test sentences of .*full-paper.*found others.*otherwise"):
        grid(runs)


def test_two_runs_of_one_cell_are_refused_but_the_same_folder_twice_is_one(tmp_path, data):
    run = make_run(tmp_path / "runs", data)
    assert len(find_runs([tmp_path / "runs", run])[0]) == 1
    shutil.copytree(run, tmp_path / "runs" / "again")
    runs, _ = find_runs([tmp_path / "runs"])
    said = "full-paper.*: expected one run of full, seed 0, fold 0 .*again is another. Keep one of the two elsewhere"
    with pytest.raises(DataError, match=said):
        grid(runs)


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
    rows = grid(runs)
    (curve,) = [c for c in build_curves(rows) if c.figure == "equation"]
    assert [(p.fraction, p.score.mean) for p in curve.points] == [(0.25, 90), (1.0, 95)]
    lines = next(t for t in build_tables(rows) if t.figure == "equation").lines
    assert [(line.experiment, line.score.mean) for line in lines] == [("full", 95), ("joint", 85)]


def test_rows_of_other_code_or_other_training_sentences_are_told_apart(tmp_path, data):
    make_grid(tmp_path / "runs", data, made_from="a1")
    make_grid(tmp_path / "runs", data, experiment="joint", made_from="b2")
    make_grid(tmp_path / "more", data, made_from="a1", wrong={"s1"}, options={"extra": "ours"})
    make_run(tmp_path / "inner", data, inner_folds=3)
    runs, left_out = find_runs([tmp_path / "runs", tmp_path / "more", tmp_path / "inner"])
    assert [item.reason for item in left_out] == ["tested within the training sentences (inner_folds=3)"]
    alone, more = (t for t in build_tables(grid(runs)) if t.figure == "equation")
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
        assert set(table.figures) <= figures and table.rows[0].experiment == "full"
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


# --- what is written


@pytest.fixture
def report(tmp_path, data):
    """Folders with a full system, an experiment whose name is hostile, and one that is incomplete."""
    make_grid(tmp_path / "runs", data, wrong={"s0"})
    make_grid(tmp_path / "runs", data, wrong={f"s{n}" for n in range(9)}, experiment="a_b&50%|<x>$[#1]")
    make_run(tmp_path / "runs", data, experiment="joint")
    return tmp_path / "runs"


def out(capfd, *arguments):
    assert main(["report", *map(str, arguments)]) == 0
    return capfd.readouterr()


def test_the_terminal_has_every_row_and_note(report, capfd):
    text, err = out(capfd, report)
    assert "│ pipeline         │  71.3 │ 95.0 ± 0.0 │" in text and err == ""
    assert re.search(r"a_b&50%\|<x>\$\[#1\] │ +│ 55\.0 ± 0\.0 │ +-40\.0 │ +0\.008\*", text)
    assert "joint learning: seed 0 lacks folds 1, 2, 3, 4 and is left out." in text


def test_markdown_is_escaped_and_rectangular(report, capfd, tmp_path):
    out(capfd, report, "--output", tmp_path / "tables.md")
    text = (tmp_path / "tables.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert rows and {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}
    assert r"a\_b&50%\|\<x\>$\[\#1\]" in text and text.endswith("\n")


def test_latex_is_escaped_and_balanced(report, capfd):
    text, _ = out(capfd, report, "--format", "latex")
    assert r"a\_b\&50\%|$<$x$>$\${[}\#1{]}" in text and "-40.0" not in text and "$-$40.0" in text
    assert text.count(r"\begin{") == text.count(r"\end{") and text.count(r"\toprule") == text.count(r"\bottomrule") == 5
    bare = re.sub(r"\\[&%$#_{}]", "", text)
    assert bare.count("{") == bare.count("}") and "#" not in bare


def test_csv_has_one_line_a_row_and_warns_of_gaps(report, capfd):
    text, err = out(capfd, report, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    chosen = {r["experiment"]: r for r in rows if r["figure"] == "equation"}
    assert float(chosen["full"]["mean"]) == 95 and chosen["full"]["p"] == "" and chosen["full"]["seeds"] == "0 1"
    assert float(chosen["a_b&50%|<x>$[#1]"]["difference"]) == pytest.approx(-40)
    assert chosen["joint"]["mean"] == "" and "seed 0 lacks folds" in err


def test_a_formula_stays_text_in_a_spreadsheet():
    assert [rendering.plain(t) for t in ("=1+1", "@x", "tree")] == ["'=1+1", "'@x", "tree"]


def test_plots_are_written_and_repeat(report, tmp_path, capfd):
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        out(capfd, report, "--plots", tmp_path / name)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert "kites-random-paper-system-equation.png" in names and "kites-random-paper-system-equation.pdf" in names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch, report, capfd):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ConfigError, match=r'pip install "eqparse\[plots\]"'):
        plots.figure_class()
    assert main(["report", str(report), "--plots", "x"]) == 2
    assert capfd.readouterr().out == ""


def test_a_report_needs_no_torch(report):
    code = ("import sys; from eqparse.commands.main import main; main(sys.argv[1:]); "
            "sys.exit(any(m in sys.modules for m in ('torch', 'spacy')))")
    done = subprocess.run([sys.executable, "-c", code, "report", str(report)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "text", "said"), [
    ("metrics.json", "[1]", "metrics.json: expected an object, found [1]"),
    ("metrics.json", "{", "metrics.json: expected JSON"),
    ("metrics.json", "{}", "metrics.json: expected sentences, found none"),
    ("metrics.json", '{"sentences": "8"}', "metrics.json: expected an integer for sentences, found '8'"),
    ("metrics.json", '{"sentences": 8, "tree": NaN}', "metrics.json: expected a percentage for tree, found nan"),
    ("predictions.jsonl", '{"id": {}}', "predictions.jsonl, line 1: expected an object with an id"),
    ("predictions.jsonl", '{"id": "a"}', "predictions.jsonl: expected text, found none"),
    ("verdicts.jsonl", '\n{"id": {}}', "verdicts.jsonl, line 2: expected an object with an id"),
    ("config.yaml", "- a", "config.yaml: expected the options of a run"),
    ("config.yaml", "data: [", "config.yaml: expected YAML"),
    ("config.yaml", "data: " + "[" * 5000, "config.yaml: expected YAML"),
])
def test_a_run_with_a_damaged_file_is_left_out_by_name(report, name, text, said, capfd):
    folder = report / "full-paper/random-seed0-fold0"
    (folder / name).write_text(text)
    (left_out,) = find_runs([report])[1]
    assert left_out.folder == folder and left_out.reason.startswith(f"damaged: {said}")
    shown, _ = out(capfd, report)
    assert "random-seed0-fold0: damaged: " in " ".join(shown.split())


def leaves(document, path=()):
    """The places of all values of nested mappings."""
    for name, value in document.items():
        yield (*path, name)
        if isinstance(value, dict):
            yield from leaves(value, (*path, name))


@pytest.mark.parametrize("name", ["config.yaml", "metrics.json"])
@pytest.mark.parametrize("value", [[0], {"a": "b"}, "x", None, -1, True, "", float("nan"), float("inf")], ids=str)
def test_no_value_in_a_runs_files_is_a_fault_of_ours(tmp_path, data, name, value, capfd):
    make_grid(tmp_path / "runs", data, seeds=(0,))
    path = tmp_path / "runs/full-paper/random-seed0-fold0" / name
    read, write = (yaml.safe_load, yaml.safe_dump) if name == "config.yaml" else (json.loads, json.dumps)
    whole = path.read_text()
    for *outer, last in leaves(read(whole)):
        document = read(whole)
        within = document
        for part in outer:
            within = within[part]
        within[last] = value
        path.write_text(write(document))
        assert main(["report", str(tmp_path / "runs")]) in (0, 2)
        assert "a fault of" not in capfd.readouterr().err, (*outer, last)


def test_the_sentences_of_these_tests_hold_together():
    assert example(4).text[slice(*example(4).variables["V2"][0])] == "the shed"
