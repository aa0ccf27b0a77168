"""The attack of benchmarks/attack.py in small: nothing falls, and it would see what does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tiny import ROOT

from eqparse.parser.limits import reason
from eqparse.parser.parse import Parse

SIZES = {"--texts": 0, "--checkpoints": 0, "--kills": 0, "--pooled": 0, "--sentences": 60, "--seed": 1}


@pytest.mark.slow
@pytest.mark.pipeline
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("size", [{"--texts": 400}, {"--checkpoints": 60}, {"--kills": 4}], ids=str)
def test_nothing_falls(size):
    options = [str(word) for pair in (SIZES | size).items() for word in pair]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "attack.py"), *options], capture_output=True, text=True, timeout=400,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 fell" in done.stderr


def test_what_falls_is_seen(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from attack import wrong_with

    code, why = reason("no_number").code, reason("no_number").text
    good = Parse("It rained.", reason=why, reason_code=code)
    assert wrong_with(good, "It rained.") == ""
    assert "another text" in wrong_with(good, "It rained")
    assert "spans outside" in wrong_with(Parse("It", reason=why, reason_code=code, candidates=((0, 3),)), "It")
    assert "failed" in wrong_with(Parse("It", reason="?", reason_code="failed"), "It")
    assert "no_such" in wrong_with(Parse("It", reason="?", reason_code="no_such"), "It")
