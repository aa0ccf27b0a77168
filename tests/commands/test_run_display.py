"""The table that a run prints."""

from __future__ import annotations

from pathlib import Path

from tiny import ROOT

from eqparse.commands import run_display
from eqparse.commands.run_display import CONFIDENCE, EXPLAINED, STAGES, metrics_table, progress_bars, stage_lines
from eqparse.training.metrics import CRITERIA


def test_each_line_of_the_table_is_explained_where_the_table_says():
    counts = {"fold": 3, "seed": 0, "sentences": 9, "train_sentences": 7, "seen_in_training": 1, "without_equation": 2}
    parts = {"refused": 50.0, "unreachable": {"why": 1}, "seconds": {"total": 2.5}}
    table = metrics_table(dict.fromkeys((*STAGES, *CRITERIA, *CONFIDENCE), 50.0) | counts | parts, Path("outputs/run"))
    *_, where, folder = table.splitlines()
    explained = (ROOT / EXPLAINED).read_text(encoding="utf-8")
    names = [line.split("\u2502")[1].strip() for line in table.splitlines() if line.startswith("\u2502")]
    assert (where, folder) == (f"what each figure means: {EXPLAINED}", "outputs/run") and len(names) == 21
    assert [n for n in names if f"`{n}`" not in explained and f"`{n.replace(' ', '_')}`" not in explained] == []


def test_a_file_of_lines_says_how_far_a_phase_is_now_and_then(monkeypatch, capsys):
    clock = iter([0.0, 2.0, 10.0, 32.0, 33.0, 40.0, 50.0, 70.5])
    monkeypatch.setattr(run_display, "perf_counter", lambda: next(clock))
    show = stage_lines()
    show("annotate", {})
    for done in (640, 12_800, 24_478):
        show("annotate", {"done": done, "total": 24_478})
    show("encoder", {})
    show("encoder", {"epoch": 0, "step": 20, "steps": 2745, "loss": 3.14159})
    show("encoder", {"epoch": 1, "objective": 0.8125})
    assert capsys.readouterr().err.splitlines() == [
        "2 s: annotate",
        "32 s: annotate, done 12,800, total 24,478",
        "40 s: encoder",
        "70 s: encoder, epoch 1, objective 0.8125",
    ]


def test_bars_take_the_beginning_of_a_phase(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress_bars() as show:
        show("read", {})
        show("annotate", {"done": 3, "total": 3})
    assert "annotate" in capsys.readouterr().err
