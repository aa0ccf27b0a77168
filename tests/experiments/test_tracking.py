"""Loggers: W&B writes a run without an account or a connection, `none` leaves nothing; runs tell them in order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from small_runs import small

from eqparse.errors import EqparseError
from eqparse.experiments import runs, tracking
from eqparse.experiments.config import REPOSITORY, DataConfig


class Recorder:
    """A logger that remembers what it is told."""

    told: list[tuple] = []

    def start(self, **options):
        self.told.append(("start", options))

    def progress(self, stage, entry):
        self.told.append(("progress", stage, entry))

    def finish(self, metrics, predictions):
        self.told.append(("finish", metrics, predictions))

    def fail(self):
        self.told.append(("fail",))


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(Recorder, "told", [])
    monkeypatch.setattr(tracking, "NoLogger", Recorder)
    return Recorder.told


@pytest.mark.pipeline
def test_a_run_tells_its_logger_everything(told, tmp_path):
    metrics = runs.train_run(small(tmp_path, data=DataConfig(limit=30), fold=0))
    (first, options), *middle, (last, finished, table) = told
    assert (first, last) == ("start", "finish") and {kind for kind, *_ in middle} == {"progress"}
    assert options["group"] == "ours-full/pipeline" and options["name"] == "random-seed0-fold0"
    assert options["config"]["solver"]["max_epochs"] == 6
    assert finished == metrics and len(table) == 6
    assert {stage for _, stage, _ in middle} == set(metrics["solver"])
    for stage, report in metrics["solver"].items():
        entries = [entry for _, name, entry in middle if name == stage]
        assert entries[-1]["objective"] == report["objective"]
        assert {"epoch", "objective", "dual", "gap"} <= set(entries[-1])


@pytest.mark.pipeline
def test_a_run_that_fails_says_so(told, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise EqparseError("no")

    monkeypatch.setattr("eqparse.experiments.runs.training.train", refuse)
    with pytest.raises(EqparseError, match="no"):
        runs.train_run(small(tmp_path, data=DataConfig(limit=30), fold=0))
    assert [kind for kind, *_ in told] == ["start", "fail"]


@pytest.mark.pipeline
@pytest.mark.parametrize("method", ["progress", "finish"])
def test_a_logger_that_fails_is_a_warning_in_one_line_and_the_run_stands(method, told, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied\nby the disk", "/home")

    warnings = []
    log = SimpleNamespace(warning=lambda message, *values: warnings.append(message % values))
    monkeypatch.setattr(tracking, "log", log)  # whatever earlier tests have configured of logging
    monkeypatch.setattr(Recorder, method, refuse)
    config = small(tmp_path, data=DataConfig(limit=30), fold=0)
    metrics = runs.train_run(config)
    assert json.loads((tmp_path / "ours-full/pipeline/random-seed0-fold0/metrics.json").read_text()) == metrics
    (warning,) = warnings
    assert warning.startswith(f"logger: {method} failed") and "Permission denied" in warning and "\n" not in warning
    assert {kind for kind, *_ in told} == ({"start"} if method == "progress" else {"start", "progress"})


@pytest.mark.pipeline
def test_a_logger_that_fails_does_not_hide_why_the_run_did(told, tmp_path, monkeypatch):
    def refuse(error):
        def raising(*_, **__):
            raise error
        return raising

    monkeypatch.setattr("eqparse.experiments.runs.training.train", refuse(EqparseError("no")))
    monkeypatch.setattr(Recorder, "fail", refuse(OSError("nor this")))
    with pytest.raises(EqparseError, match="^no$"):
        runs.train_run(small(tmp_path, data=DataConfig(limit=30), fold=0))


WANDB = """
import sys
from pathlib import Path
from eqparse.experiments.tracking import WandbLogger
logger = WandbLogger(project="shed")
logger.start(name="fold0", group="sheds", config={"solver": {"c": 0.25}}, folder=Path(sys.argv[1]))
for epoch in (5, 10):
    logger.progress("quantity", {"epoch": epoch, "objective": 1 / epoch, "gap": 0.0})
if len(sys.argv) > 2:
    logger.fail()
else:
    rows = [("a", "It costs 4.", True), ("b", "", None)]
    logger.finish({"equation": 50.0}, [dict(zip(("id", "text", "right"), row)) for row in rows])
"""


NONE = """
import sys
from pathlib import Path
import eqparse.experiments.runs
from eqparse.experiments.tracking import NoLogger
logger = NoLogger()
logger.start(name="fold0", group="sheds", config={}, folder=Path("run"))
logger.progress("tree", {"epoch": 5})
logger.finish({}, [])
logger.fail()
sys.exit("wandb" in sys.modules)
"""


def wandb_run(folder, *arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WANDB")}
    environment |= {"PYTHONPATH": str(REPOSITORY), "HOME": str(folder / "home"), **variables}
    command = [sys.executable, "-c", WANDB, str(folder / "run"), *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL
    )


@pytest.mark.slow
def test_wandb_writes_an_offline_run_without_account_or_question(tmp_path):
    done = wandb_run(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    (run,) = (tmp_path / "run" / "wandb").glob("offline-run-*")
    (record,) = run.glob("*.wandb")
    written = record.read_bytes()
    for expected in (b"shed", b"sheds", b"fold0", b"quantity/objective", b"quantity/gap", b"equation", b"0.25"):
        assert expected in written
    (table,) = run.rglob("*.table.json")
    content = json.loads(table.read_text())
    assert content["columns"] == ["id", "text", "right"]
    assert content["data"] == [["a", "It costs 4.", True], ["b", "", None]]


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc"), reason="a folder where nobody may write is of Linux")
@pytest.mark.parametrize("variable", ["HOME", "XDG_CACHE_HOME", "WANDB_CACHE_DIR", "WANDB_DATA_DIR"])
def test_wandb_does_without_a_home_that_it_may_write_to(variable, tmp_path):
    done = wandb_run(tmp_path, **{variable: "/proc/nowhere"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(list((tmp_path / "run" / "wandb").glob("offline-run-*"))) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variables", "said"),
    [({"WANDB_MODE": "onlin"}, "'online', 'offline'"), ({"WANDB_MODE": ""}, "'online', 'offline'"),
     ({"WANDB_MODE": "online"}, "No API key"), ({"WANDB_MODE": "online", "WANDB_API_KEY": "abc"}, "WANDB_API_KEY")],
)
def test_wandb_that_does_not_start_is_an_error_in_one_line(variables, said, tmp_path):
    done = wandb_run(tmp_path, **variables)
    *_, last = done.stderr.splitlines()
    assert done.returncode == 1 and said in last and "logger=none" in last
    assert last.startswith("eqparse.errors.ConfigError: logger: W&B did not start") and not (tmp_path / "run").exists()


@pytest.mark.slow
def test_wandb_that_is_not_reached_is_a_warning_in_one_line_and_an_offline_run(tmp_path):
    done = wandb_run(tmp_path, WANDB_MODE="online", WANDB_API_KEY="a" * 40, WANDB_BASE_URL="http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr.startswith("logger: W&B is not reached") and done.stderr.count("\n") == 1
    assert len(list((tmp_path / "run" / "wandb").glob("offline-run-*"))) == 1


@pytest.mark.slow
def test_wandb_ends_a_failed_run(tmp_path):
    done = wandb_run(tmp_path, "fail")
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "run" / "wandb").glob("offline-run-*"))) == 1


@pytest.mark.slow
def test_none_leaves_nothing_behind_and_does_not_import_wandb(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", NONE], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True, timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []
