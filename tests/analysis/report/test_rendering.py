"""`eqparse report`: every form of the tables, and runs with damaged files."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys

import pytest
import yaml
from report_runs import corpus, example, make_grid, make_run

from eqparse.analysis.report import csv_file, find_runs, plots
from eqparse.commands.main import main
from eqparse.errors import ConfigError


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data").mkdir()
    return corpus(tmp_path / "data")


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
    assert text.count(r"\begin{") == text.count(r"\end{") and text.count(r"\toprule") == text.count(r"\bottomrule") == 7
    bare = re.sub(r"\\[&%$#_{}]", "", text)
    assert bare.count("{") == bare.count("}") and "#" not in bare


def test_csv_has_one_line_a_row_and_warns_of_gaps(report, capfd):
    text, err = out(capfd, report, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    chosen = {r["experiment"]: r for r in rows if r["figure"] == "equation"}
    unchanged = chosen["pipeline"]
    assert float(unchanged["mean"]) == 95 and unchanged["p"] == "" and unchanged["seeds"] == "0 1"
    assert float(chosen["a_b&50%|<x>$[#1]"]["difference"]) == pytest.approx(-40)
    assert chosen["joint"]["mean"] == "" and "seed 0 lacks folds" in err


def test_a_formula_stays_text_in_a_spreadsheet():
    assert [csv_file.plain(t) for t in ("=1+1", "@x", "tree")] == ["'=1+1", "'@x", "tree"]


def test_plots_are_written_and_repeat(report, tmp_path, capfd):
    pytest.importorskip("matplotlib")
    for name in ("one", "two"):
        out(capfd, report, "--plots", tmp_path / name)
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert "kites-random-paper-system-equation.png" in names and "kites-random-paper-system-equation.pdf" in names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ConfigError, match=r'pip install -e "\.\[plots\]"'):
        plots.figure_class()


def test_without_matplotlib_the_tables_are_written_all_the_same(monkeypatch, report, tmp_path, capfd):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    folder, table = tmp_path / "plots", tmp_path / "tables.md"
    assert main(["report", str(report), "--plots", str(folder)]) == 2
    text, err = capfd.readouterr()
    assert "95.0 ± 0.0" in text and 'pip install -e ".[plots]"' in err
    assert main(["report", str(report), "--output", str(table), "--plots", str(folder)]) == 2
    assert "95.0 ± 0.0" in table.read_text() and not folder.exists()


@pytest.mark.slow
def test_a_report_needs_no_torch(report):
    code = ("import sys; from eqparse.commands.main import main; main(sys.argv[1:]); "
            "sys.exit(any(m in sys.modules for m in ('torch', 'spacy')))")
    done = subprocess.run([sys.executable, "-c", code, "report", str(report)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "text", "said"), [
    ("metrics.json", "[1]", "metrics.json: expected a JSON object, found a list"),
    ("metrics.json", "{", "metrics.json: expected a JSON object, found b'{'"),
    ("metrics.json", "{}", "metrics.json: expected sentences, found none"),
    ("metrics.json", '{"sentences": "8"}', "metrics.json: expected an integer for sentences, found '8'"),
    ("metrics.json", '{"sentences": 8, "tree": NaN}', "metrics.json: expected a percentage for tree, found nan"),
    ("predictions.jsonl", '{"id": {}}', "predictions.jsonl, line 1: expected a string as id, found {}"),
    ("predictions.jsonl", '{"id": "a"}', "predictions.jsonl, line 1: expected the key text, found none"),
    ("predictions.jsonl", "", "predictions.jsonl: expected a line for each sentence that was tested, found none"),
    ("verdicts.jsonl", "\n", "verdicts.jsonl: expected a line for each sentence that was tested, found none"),
    ("verdicts.jsonl", '\n{"id": {}}', "verdicts.jsonl, line 2: expected a string as id, found {}"),
    ("config.yaml", "- a", "config.yaml: expected the options of a run"),
    ("config.yaml", "data: [", "config.yaml: expected YAML"),
    ("config.yaml", "data: " + "[" * 5000, "config.yaml: expected YAML"),
])
def test_a_run_with_a_damaged_file_is_left_out_by_name(report, name, text, said, capfd):
    folder = report / "pipeline-paper/random-seed0-fold0"
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
    path = tmp_path / "runs/pipeline-paper/random-seed0-fold0" / name
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


CONTROL = "\x1b[31m\x07\r\u202e"


@pytest.mark.parametrize("form", ["terminal", "markdown", "latex", "csv"])
def test_names_of_runs_leave_a_terminal_alone(tmp_path, data, form, capfd):
    make_grid(tmp_path / "runs", data, seeds=(0,), experiment=f"joint{CONTROL}", name=f"kites{CONTROL}",
              options={"option": CONTROL, "folds": f"random{CONTROL}"})
    make_grid(tmp_path / "runs", data, seeds=(0,), experiment=f"joint{CONTROL}", name=f"kites{CONTROL}",
              features=f"full{CONTROL}", options={"auxiliary": CONTROL}, named=f"trial{CONTROL}")
    lost = make_run(tmp_path / "runs", data, experiment="lost", named=f"lost{CONTROL}")
    (lost / "metrics.json").unlink()
    assert main(["report", str(tmp_path / "runs"), "--format", form]) == 0
    out, err = capfd.readouterr()
    assert all(line.isprintable() for line in (out + err).split("\n")) and "u001b" in out


@pytest.mark.parametrize("form", ["terminal", "markdown", "latex", "csv"])
@pytest.mark.parametrize("verdicts", [
    '{"id": "s0", "tree": false}\n', '{"id": "s0", "tree": true}\n', '{"id": "other", "tree": true}\n' * 4,
])
def test_a_run_whose_verdicts_disagree_is_left_out_by_name(tmp_path, data, form, verdicts, capfd):
    make_grid(tmp_path / "runs", data, verdicts={"tree": set()})
    folder = tmp_path / "runs/pipeline-paper/random-seed1-fold2"
    (folder / "verdicts.jsonl").write_text(verdicts)
    status, (out, err) = main(["report", str(tmp_path / "runs"), "--format", form]), capfd.readouterr()
    assert status == 0 and "100.0" in out
    assert f"eqparse: warning: {folder}: in doubt: verdicts.jsonl: expected " in err and err.count("random-seed1") == 1
    assert form == "csv" or "random-seed1-fold2" in "".join(out.split()).replace("\\", "")


def test_only_runs_in_doubt_are_an_error(tmp_path, data, capfd):
    run = make_run(tmp_path / "runs", data, verdicts={"tree": set()})
    (run / "verdicts.jsonl").write_text('{"id": "s0", "tree": false}\n')
    assert main(["report", str(tmp_path / "runs"), "--output", str(tmp_path / "t.md")]) == 2
    assert f"error: {run}/verdicts.jsonl: expected (4, 4)" in capfd.readouterr().err
    assert not (tmp_path / "t.md").exists()
