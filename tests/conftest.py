"""Fixtures that several test files share."""

from __future__ import annotations

import logging
import os
import runpy
import signal
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hypothesis import settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background, and processes would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.setdefault("OMP_NUM_THREADS", "1")  # the tensors are small: threads would only wait for each other
settings.register_profile("unhurried", deadline=None)  # a busy machine is no failure
settings.load_profile("unhurried")
ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the published sentences and the independent scorer, beside the checkout; skips without it."""
    if not ((SHARED / "roy2016").is_dir() and (SHARED / "tools" / "score.py").is_file()):
        pytest.skip("the published sentences and the scorer (../shared) are not beside this checkout")
    return SHARED


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


@pytest.fixture(autouse=True)
def loggers_heard():
    """After each test, no logger is silenced: libraries that configure logging silence those that are there."""
    yield
    for logger in logging.root.manager.loggerDict.values():
        if isinstance(logger, logging.Logger):
            logger.disabled = False


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory) -> Path:
    """The folder of a base model of two layers."""
    from tiny_encoder import save_tiny

    return save_tiny(tmp_path_factory.mktemp("tiny_base"))
