"""What `train.py` says where standard output or a launcher fails: one line, or nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from tiny import ROOT

from eqparse.commands.ending import Stopped, with_notes
from eqparse.commands.hydra_command import one_line, raised_by_launching, run_and_show
from eqparse.experiments.config import TrainConfig

SHOWN = """
import sys
from eqparse.experiments.config import TrainConfig
from eqparse.commands.ending import Stopped, with_notes
from eqparse.commands.hydra_command import run_command, run_and_show
metrics = {"fold": 0, "seed": 0, "equation": 50.0, "sentences": 8, "seconds": {"total": 1.0}}
config = TrainConfig(run="a-run")
run_command(lambda: run_and_show(lambda config, progress: metrics, config))
"""
posix = pytest.mark.skipif(os.name != "posix", reason="pipes and devices of POSIX")


def run(*arguments, stdout, cwd=ROOT):
    """Python run with a standard output -> exit status, what stands on standard error."""
    environment = {name: value for name, value in os.environ.items() if name != "HYDRA_FULL_ERROR"}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, stdout=stdout, stderr=subprocess.PIPE, text=True,
                          env={**environment, "PYTHONPATH": str(ROOT)})
    return done.returncode, done.stderr


@posix
@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["-c", SHOWN], ["train.py", "--help"]], ids=["run", "help"])
def test_a_reader_that_went_away_is_no_error(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing) as pipe:
        assert run(*arguments, stdout=pipe) == (141, "")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full is of Linux")
def test_a_full_disk_is_one_line_that_names_it(tmp_path):
    with open("/dev/full", "w") as full:
        status, err = run("-c", SHOWN, stdout=full)
    assert (status, err) == (1, "-c: standard output: No space left on device\n")


def test_a_figure_is_shown(capsys):
    config = TrainConfig(run="a-run")
    metrics = {"fold": 0, "seed": 0, "equation": 50.0, "sentences": 8, "seconds": {"total": 1.0}}
    assert run_and_show(lambda config, progress: metrics, config) == metrics
    text, err = capsys.readouterr()
    assert "50.0 %" in text and text.endswith("outputs/a-run\n") and err == ""


def test_a_run_that_is_not_on_a_terminal_says_each_stage_once(capsys):
    def run(config, progress):
        for stage, entry in (("annotate", {"done": 1, "total": 2}), ("tree", {"epoch": 5})):
            progress(stage, {})
            progress(stage, entry)
        return {"fold": 0, "seed": 0, "sentences": 8, "seconds": {"total": 1.0}}

    run_and_show(run, TrainConfig(run="a-run"))
    said = capsys.readouterr().err.splitlines()
    assert said == ["0 s: annotate", "0 s: tree"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Stopped(128 + 15)], ids=repr)
def test_a_run_that_is_stopped_says_whether_there_are_results(stop, tmp_path, monkeypatch):
    def stopped(*_, **__):
        raise stop

    def whole(config, progress):
        config.folder.mkdir(exist_ok=True)
        for name in ("new", "metrics.json"):  # not the earlier file, which may keep its number
            (config.folder / name).write_text("{}")
        (config.folder / "new").replace(config.folder / "metrics.json")

    def stopped_at_the_end(config, progress):
        whole(config, progress)
        raise stop

    monkeypatch.setattr("eqparse.commands.hydra_command.metrics_table", stopped)
    config = TrainConfig(outputs=str(tmp_path), run="a-run")
    for run, left in ((stopped, "no results were written"), (stopped_at_the_end, "the results were written"),
                      (stopped, "no results were written"), (whole, "the results were written")):
        stop.__notes__ = []
        with pytest.raises(type(stop)) as raised:
            run_and_show(run, config)
        said = "interrupted" if isinstance(stop, KeyboardInterrupt) else "stopped by SIGTERM"
        assert with_notes(raised.value) == f"{said}; {left}"


@pytest.mark.skipif(shutil.which("srun") is not None, reason="Slurm is there")
def test_a_launcher_that_cannot_start_is_one_line(script):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher")
    done = script("train.py", "-m", "fold=0", "hydra/launcher=slurm", "logger=none")
    assert done.status == 1 and done.err.startswith("train.py: ") and "srun" in done.err and done.err.count("\n") == 1


def test_a_fault_of_ours_is_not_the_launchers():
    def error_of(module):
        try:
            exec("raise RuntimeError", {"__name__": module})
        except RuntimeError as error:
            return error

    found = {module: raised_by_launching(error_of(module)) for module in ("hydra.core.utils", "submitit.slurm.slurm",
                                                                          "eqparse.runs", "hydrant")}
    assert found == {"hydra.core.utils": True, "submitit.slurm.slurm": True, "eqparse.runs": False, "hydrant": False}


def test_an_error_of_the_system_names_its_file():
    assert one_line(OSError(28, "No space left on device", "a/b")) == "a/b: No space left on device"
    assert one_line(OSError(32, "Broken pipe")) == "Broken pipe" and one_line(OSError("odd")) == "odd"


DATA = "auxiliary, folds, limit, name, phrases, root, train_fraction"


@pytest.mark.parametrize(("words", "said"), [
    (["preset=none"], "In 'train': Could not find 'preset/none'; Available options in 'preset': full; paper"),
    (["logger=mine"], "In 'train': Could not find 'logger/mine'; Available options in 'logger': none; wandb"),
    (["logger.mode=loud"], "logger.mode: expected one of project; found an unknown key"),
    (["data.limt=60"], f"data.limt: expected one of {DATA}; found an unknown key; did you mean data.limit?"),
    (["+data.limt=60"], f"data.limt: expected one of {DATA}; found an unknown key; did you mean data.limit?"),
], ids=lambda words: " ".join(words) if isinstance(words, list) else "")
def test_what_hydra_refuses_is_said_without_its_search_path(script, words, said):
    assert script("train.py", "fold=0", *words) == (2, "", f"train.py: {said}\n")


@pytest.mark.parametrize(("name", "word", "found"), [
    ("train.py", "prest=full", "an unknown key; did you mean preset?"), ("train.py", "colour=3", "an unknown key"),
    ("evaluate.py", "fld=3", "an unknown key; did you mean fold?"),
    ("evaluate.py", "resume=false", "an option of train.py alone"),
    ("evaluate.py", "solver.c=1", "an option of train.py alone"),
    ("evaluate.py", "logger=none", "an option of train.py alone"),
    ("evaluate.py", "preset=paper", "an option of train.py alone"),
], ids=str)
def test_an_unknown_key_is_said_with_what_may_be_meant(script, name, word, found):
    status, out, err = script(name, word)
    key = word.partition("=")[0].partition(".")[0]
    assert (status, out) == (2, "") and err.startswith(f"{name}: {key}: expected one of annotator, cache, ")
    assert err.endswith(f"; found {found}\n")


@pytest.mark.slow
def test_want_of_memory_is_one_line():
    failing = SHOWN.replace("lambda config, progress: metrics", "lambda config, progress: bytearray(10**18)")
    status, err = run("-c", failing, stdout=subprocess.DEVNULL)
    assert status == 1 and err.startswith("eqparse: error: memory was short; ") and err.count("\n") == 1
