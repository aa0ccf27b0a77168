"""A finished run stays: one with other options, or of another kind, never takes its place, even if both run at once."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from small_runs import small

from eqparse.errors import ConfigError, DataError
from eqparse.experiments import runs
from eqparse.experiments.config import REPOSITORY, BcfwConfig, DataConfig, EvaluateConfig, checked
from eqparse.files import locked

pytestmark = pytest.mark.pipeline


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def standing(trained, tmp_path):
    """The options of a finished run that stands in a folder of its own."""
    config, _ = trained
    shutil.copytree(config.folder, tmp_path / "run")
    return replace(config, outputs=str(tmp_path), run="run", checkpoint=str(tmp_path / "run" / "checkpoint"))


def test_a_run_is_refused_at_its_start_while_another_one_is_at_work_there(standing, monkeypatch):
    before, started = contents(Path(standing.folder)), []
    evaluation = EvaluateConfig(data=standing.data, fold=1, checkpoint="fast", outputs=standing.outputs, run="run")
    train = runs.training.train

    def interrupted(*given, **options):
        for run, second in [
            (runs.train_run, standing), (runs.train_run, replace(standing, seed=1, resume=False)),
            (runs.evaluate_run, evaluation),
        ]:
            with pytest.raises(ConfigError, match=r"run: expected no other run .* or give name=\.\.\. to keep both$"):
                run(second)
            started.append(second)
        return train(*given, **options)

    monkeypatch.setattr(runs.training, "train", interrupted)
    runs.train_run(standing)
    assert len(started) == 3 and contents(Path(standing.folder)).keys() == before.keys()


def test_a_killed_run_keeps_nobody_out(standing):
    before = contents(Path(standing.folder))
    code = "import sys, time, pathlib, eqparse.files as f\n" \
           "with f.locked(pathlib.Path(sys.argv[1]), instead=''): print('in', flush=True); time.sleep(60)"
    words = [sys.executable, "-c", code, str(standing.folder)]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE) as killed:
        assert killed.stdout.readline() == b"in\n"
        with pytest.raises(ConfigError, match="found one at work"):
            runs.train_run(standing)
        killed.kill()
    runs.train_run(standing)
    assert contents(Path(standing.folder)).keys() == before.keys()


def test_a_run_that_is_refused_leaves_no_folder(trained, tmp_path):
    config, _ = trained
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError):
        runs.train_run(replace(config, data=DataConfig(root=str(tmp_path / "empty")), outputs=str(tmp_path / "new"),
                               run="a/run", checkpoint=str(tmp_path / "new" / "checkpoint")))
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_a_run_is_refused_before_it_trains_where_another_one_stands(standing, monkeypatch):
    monkeypatch.setattr(runs.training, "read_split", None)
    with pytest.raises(ConfigError, match=r"other options \(seed\)"):
        runs.train_run(replace(standing, seed=1))


def test_an_evaluation_is_replaced_by_one_with_the_same_options_alone(trained, tmp_path, monkeypatch):
    config, _ = trained
    monkeypatch.chdir(tmp_path)
    shutil.copytree(config.checkpoint, "mine")
    shutil.copytree(config.checkpoint, "other/mine")
    evaluate = EvaluateConfig(data=config.data, fold=1, checkpoint="mine", cache=config.cache)
    first = runs.evaluate_run(evaluate)
    folder = checked(evaluate).folder
    before = contents(folder)
    for options, what in [
        ({"data": DataConfig(limit=30)}, r"data\.limit"), ({"checkpoint": "other/mine"}, "checkpoint"),
        ({"min_confidence": None, "device": "auto"}, "device"),
    ]:
        with pytest.raises(ConfigError, match=rf"evaluation with other options \({what}\); give name=.* delete that"):
            runs.evaluate_run(replace(evaluate, **options))
    assert contents(folder) == before
    absolute = str(tmp_path / "mine")
    assert runs.evaluate_run(replace(evaluate, checkpoint=absolute, threads=2))["grounded"] == first["grounded"]
    named = replace(evaluate, data=DataConfig(limit=30), name="thirty")
    assert checked(named).folder.parts[:2] == ("outputs", "thirty")
    runs.evaluate_run(named)
    assert contents(folder).keys() == before.keys()


def test_runs_and_evaluations_do_not_replace_each_other(standing, trained, tmp_path):
    config, _ = trained
    before = contents(standing.folder)
    evaluate = EvaluateConfig(data=standing.data, fold=1, checkpoint=config.checkpoint, outputs=str(tmp_path))
    with pytest.raises(ConfigError, match="found a finished run of training; give another run=PATH"):
        runs.evaluate_run(replace(evaluate, run="run"))
    assert contents(standing.folder) == before
    runs.evaluate_run(evaluate)
    there = checked(evaluate).run
    with pytest.raises(ConfigError, match="expected a folder for this run of training, found a finished evaluation"):
        runs.train_run(replace(standing, run=there, checkpoint=None))


def hold(folder: str, log: str) -> None:
    """In a process: write that it is in the block, and that it leaves it."""
    done = 0
    while done < 20:
        try:
            with locked(Path(folder), instead="wait"):
                for word in ("in", "out"):
                    with open(log, "a") as file:
                        file.write(f"{word} {os.getpid()}\n")
                    time.sleep(0.001)
            done += 1
        except ConfigError:
            time.sleep(0.001)


def test_one_process_at_a_time_is_in_a_locked_folder_and_no_lock_is_left(tmp_path):
    log = tmp_path / "log"
    context = multiprocessing.get_context("fork" if os.name == "posix" else "spawn")
    held = [context.Process(target=hold, args=(str(tmp_path / "a" / "b"), str(log))) for _ in range(3)]
    for process in held:
        process.start()
    for process in held:
        process.join(60)
    assert [process.exitcode for process in held] == [0, 0, 0]
    said = [line.split() for line in log.read_text().splitlines()]
    assert len(said) == 120
    assert all(came == ["in", left[1]] and left[0] == "out" for came, left in zip(said[::2], said[1::2], strict=True))
    assert not (tmp_path / "a" / "b" / ".lock").exists()


@pytest.mark.slow
def test_two_runs_at_once_with_different_options_leave_one_of_them_whole(tmp_path):
    words = [sys.executable, str(REPOSITORY / "train.py"), "data.limit=40", "fold=1", "logger=none"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    started = [
        subprocess.Popen([*words, f"solver.max_epochs={n}"], cwd=tmp_path, env=environment, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for n in (1, 2)
    ]
    said = [process.communicate(timeout=600)[1] for process in started]
    assert sorted(process.returncode for process in started) == [0, 2], said
    lost = [process.returncode for process in started].index(2)
    refusal = said[lost].splitlines()[-1]
    assert "found one at work" in refusal or "solver.max_epochs" in refusal  # where it started after the other's end
    assert "Traceback" not in said[lost]
    config = checked(small(tmp_path / "outputs", solver=BcfwConfig(max_epochs=2 - lost)))
    assert [path.name for path in config.folder.iterdir() if path.name.startswith(".")] == []
    assert f"max_epochs: {2 - lost}" in (config.folder / "config.yaml").read_text()
    assert f"max_epochs: {2 - lost}" in (config.folder / "checkpoint" / "config.yaml").read_text()
