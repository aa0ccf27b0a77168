"""What a report says of runs whose answers have a confidence."""

from __future__ import annotations

import csv
import io
import json

import pytest
from report_runs import corpus, make_grid

from eqparse.commands.main import main


@pytest.fixture
def report(tmp_path):
    """Folders of a row with a confidence, and of one without."""
    (tmp_path / "data").mkdir()
    data, runs = corpus(tmp_path / "data"), tmp_path / "runs"
    make_grid(runs, data, wrong={"s0"})
    for path in runs.rglob("metrics.json"):
        seed = 10 * ("seed1" in str(path))
        curve = {
            "answered_at_90": 40.0 + seed, "answered_at_95": 20.0 + seed,
            "precision_by_answered": [[20.0, 100.0, 0.9], [60.0, 75.0, 0.3]],
        }
        path.write_text(json.dumps(json.loads(path.read_text()) | curve))
    make_grid(runs, data, wrong={"s1"}, experiment="joint")
    return runs


def test_the_share_answered_is_a_table_of_the_rows_that_have_it(report, capfd):
    assert main(["report", str(report), "--format", "markdown"]) == 0
    text = capfd.readouterr().out
    table = text[text.index("### Percent of all sentences that can be answered") :]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert ["row", "90 % right", "95 % right"] in cells and ["pipeline", "45.0 ± 7.1", "25.0 ± 7.1"] in cells
    assert "joint" not in table.split("\n\n")[1]
    assert main(["report", str(report), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capfd.readouterr().out)))
    shares = {row["figure"]: (row["experiment"], float(row["mean"])) for row in rows if "answered" in row["figure"]}
    assert shares == {"answered_at_90": ("pipeline", 45), "answered_at_95": ("pipeline", 25)}


def test_its_curves_are_plotted(report, tmp_path):
    pytest.importorskip("matplotlib")
    assert main(["report", str(report), "--output", str(tmp_path / "t.md"), "--plots", str(tmp_path / "plots")]) == 0
    assert (tmp_path / "plots" / "kites-random-paper-precision_by_answered.png").is_file()


def test_a_damaged_curve_is_named(report, capfd):
    path = next((report / "pipeline-paper").rglob("metrics.json"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"precision_by_answered": [[1.0]]}))
    assert main(["report", str(report)]) == 0
    assert "points of three numbers for precision_by_answered" in " ".join(capfd.readouterr().out.split())
