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

import filelock
import pytest
from small_runs import small

from eqparse.errors import ConfigError
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


def test_a_run_that_is_finished_while_another_one_trains_stands_whole(trained, tmp_path, monkeypatch):
    config, _ = trained
    place, first = tmp_path / "run", contents(config.folder)
    train = runs.training.train

    def slower(*given, **options):
        shutil.copytree(config.folder, place)
        return train(*given, **options)

    monkeypatch.setattr(runs.training, "train", slower)
    second = replace(config, solver=BcfwConfig(max_epochs=1), outputs=str(tmp_path), run="run",
                     checkpoint=str(place / "checkpoint"))
    with pytest.raises(ConfigError, match=r"finished run with other options \(solver\.max_epochs\); give name="):
        runs.train_run(second)
    assert contents(place) == first
    shutil.rmtree(place)
    runs.train_run(replace(second, resume=False))
    assert contents(place).keys() == first.keys() and contents(place) != first


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
    for _ in range(20):
        with locked(Path(folder)):
            for word in ("in", "out"):
                with open(log, "a") as file:
                    file.write(f"{word} {os.getpid()}\n")
                time.sleep(0.001)
        try:
            os.rmdir(folder)
        except OSError:
            pass


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
    assert not (tmp_path / "a" / "b").exists() and not list((tmp_path / "a").iterdir())


def test_an_interrupted_wait_leaves_no_lock(tmp_path, monkeypatch):
    acquire, lock = filelock.FileLock.acquire, tmp_path / ".lock"

    def interrupted(*given, **options):
        monkeypatch.setattr(filelock.FileLock, "acquire", acquire)
        lock.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(filelock.FileLock, "acquire", interrupted)
    with pytest.raises(KeyboardInterrupt), locked(tmp_path):
        pass
    assert not lock.exists()
    with filelock.FileLock(lock):  # another process's stays
        monkeypatch.setattr(filelock.FileLock, "acquire", interrupted)
        with pytest.raises(KeyboardInterrupt), locked(tmp_path):
            pass
        assert lock.exists()


@pytest.mark.slow
def test_two_runs_at_once_with_different_options_leave_one_of_them_whole(tmp_path):
    words = [sys.executable, str(REPOSITORY / "train.py"), "data.limit=40", "fold=1", "logger=none"]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    started = [
        subprocess.Popen([*words, f"solver.max_epochs={n}"], cwd=tmp_path, env=environment, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for n in (1, 2)
    ]
    said = [process.communicate(timeout=120)[1] for process in started]
    assert sorted(process.returncode for process in started) == [0, 2], said
    lost = [process.returncode for process in started].index(2)
    assert "solver.max_epochs" in said[lost].splitlines()[-1] and "Traceback" not in said[lost]
    config = checked(small(tmp_path / "outputs", solver=BcfwConfig(max_epochs=2 - lost)))
    assert [path.name for path in config.folder.iterdir() if path.name.startswith(".")] == []
    assert f"max_epochs: {2 - lost}" in (config.folder / "config.yaml").read_text()
    assert f"max_epochs: {2 - lost}" in (config.folder / "checkpoint" / "config.yaml").read_text()
