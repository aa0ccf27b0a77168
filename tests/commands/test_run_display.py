"""The table that a run prints."""

from __future__ import annotations

from pathlib import Path

from tiny import ROOT

from eqparse.commands.run_display import CONFIDENCE, EXPLAINED, STAGES, metrics_table
from eqparse.training.metrics import CRITERIA


def test_each_line_of_the_table_is_explained_where_the_table_says():
    counts = {"fold": 3, "seed": 0, "sentences": 9, "train_sentences": 7, "seen_in_training": 1, "without_equation": 2}
    parts = {"refused": 50.0, "unreachable": {"why": 1}, "seconds": {"total": 2.5}}
    table = metrics_table(dict.fromkeys((*STAGES, *CRITERIA, *CONFIDENCE), 50.0) | counts | parts, Path("outputs/run"))
    *_, where, folder = table.splitlines()
    explained = (ROOT / EXPLAINED).read_text(encoding="utf-8")
    names = [line.split("\u2502")[1].strip() for line in table.splitlines() if line.startswith("\u2502")]
    assert (where, folder) == (f"what each figure means: {EXPLAINED}", "outputs/run") and len(names) == 20
    assert [n for n in names if f"`{n}`" not in explained and f"`{n.replace(' ', '_')}`" not in explained] == []
