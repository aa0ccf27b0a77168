"""A small run, and train.py and evaluate.py in this process."""

from __future__ import annotations

import logging
import runpy
import sys
from typing import NamedTuple

import pytest
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from small_runs import small
from tiny import ROOT

from eqparse.experiments import runs
from eqparse.experiments.config import checked


class Done(NamedTuple):
    """What a command left: its exit status, and what it wrote."""

    status: int
    out: str
    err: str


@pytest.fixture
def script(tmp_path, monkeypatch, capfd):
    """Run a script of the repository from an empty folder as a command line would, without the cost of a process."""

    def run(name: str, *words: str) -> Done:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("HYDRA_FULL_ERROR", "0")  # the commands set it
        monkeypatch.setattr(sys, "argv", [str(ROOT / name), *words])
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        status: int | str | None = 0
        capfd.readouterr()
        try:
            runpy.run_path(str(ROOT / name), run_name="__main__")
        except SystemExit as end:
            status = end.code
        finally:  # what Hydra left behind
            root.handlers[:], root.level = handlers, level
            GlobalHydra.instance().clear()
            HydraConfig.instance().cfg = None
        return Done(status or 0, *capfd.readouterr())

    return run


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """The options and the metrics of a run, whose files no test may change."""
    config = checked(small(tmp_path_factory.mktemp("run")))
    return config, runs.train_run(config)
