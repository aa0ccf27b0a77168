"""How a command ends by signals, and without a standard error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest
from tiny import ROOT

from eqparse.commands import early
from eqparse.commands.ending import exit_status
from eqparse.commands.main import main

STOPPED = """
import os, signal, sys, time
from pathlib import Path
from eqparse.commands.ending import exit_status, say
from eqparse.files import open_aside

def send(names):
    for name in names.split():
        os.kill(os.getpid(), getattr(signal, name))

def command():
    with open_aside(Path("out.txt")) as file:
        try:
            send(sys.argv[1])
            time.sleep(20)
        finally:
            send(sys.argv[2])

def refused(error):
    say(type(error).__name__)
    return 130

sys.exit(exit_status(command, refused=refused))
"""


def hear_hangups() -> None:
    """In a process that begins: not to inherit from nohup that SIGHUP is passed over."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("first", "again", "status", "said"), [
    ("SIGINT", "SIGINT SIGINT", 130, "KeyboardInterrupt\n"), ("SIGINT", "SIGTERM", 130, "KeyboardInterrupt\n"),
    ("SIGTERM", "SIGINT SIGTERM", 143, "eqparse: stopped by SIGTERM\n"),
    ("SIGHUP", "SIGHUP", 129, "eqparse: stopped by SIGHUP\n"),
])
def test_a_signal_that_comes_again_leaves_nothing_behind(first, again, status, said, tmp_path):
    words = [sys.executable, "-c", STOPPED, first, again]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, text=True, preexec_fn=hear_hangups,
    )
    assert (done.returncode, done.stderr) == (status, said)
    assert not any(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("turned", [ImportError, SystemError])
def test_a_signal_that_a_library_turns_into_an_error_is_still_one(name, status, turned, capsys):
    def command():
        try:
            os.kill(os.getpid(), getattr(signal, name))
            time.sleep(5)
        except BaseException:
            raise turned("multiarray failed to import") from None

    def refused(error):
        assert isinstance(error, KeyboardInterrupt)
        return 130

    before = {number: signal.signal(number, handler) for number, handler in early.USUAL.items()}
    try:
        assert exit_status(command, refused=refused) == status
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert capsys.readouterr().err == ("eqparse: stopped by SIGTERM\n" if name == "SIGTERM" else "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_that_a_library_loses_ends_the_command_yet_leaves_it_time_to_remove_files(name, status, tmp_path):
    script = """
import os, signal, sys, time
from pathlib import Path
from eqparse.commands.ending import exit_status

def command():
    try:
        try:
            os.kill(os.getpid(), signal.SIGNAL)
            time.sleep(20)
        except BaseException:
            pass
        Path("went-on").touch()
        time.sleep(20)
    finally:
        try:
            time.sleep(2.5)
        finally:
            Path("removed").touch()

sys.exit(exit_status(command, refused=lambda error: 130))
""".replace("SIGNAL", name)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == status and time.monotonic() - begun < 20
    assert {path.name for path in tmp_path.iterdir()} == {"went-on", "removed"}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full is of Linux")
def test_a_standard_error_that_is_full_changes_no_status(monkeypatch):
    for words, status in ((["parse", "--bogus"], 2), (["parse", "--input", "no/such/file"], 1)):
        with open("/dev/full", "w") as full:
            monkeypatch.setattr(sys, "stderr", full)
            assert main(words) == status


@pytest.mark.parametrize(("error", "short"), [
    (MemoryError(), True), (ImportError("libtorch_cpu.so: failed to map segment from shared object"), True),
    (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 33554432 bytes"), True),
    (OSError(12, "Cannot allocate memory"), True), (RuntimeError("CUDA out of memory. Tried to allocate 2 GiB"), True),
    (ImportError("no module named memory"), False), (FileNotFoundError(2, "No such file", "out of memory.txt"), False),
    (ValueError("found out of memory"), False),
], ids=repr)
def test_want_of_memory_is_told_from_other_errors(error, short, monkeypatch):
    ended = []
    monkeypatch.setattr(early, "end_with", lambda message, status: ended.append((message[:23], status)))
    early.end_if_memory_is_short(error)
    assert ended == [("error: memory was short", 1)] * short


@pytest.mark.slow
@pytest.mark.parametrize("failing", [
    "early.begin(); raise MemoryError",  # as libraries are imported
    "load.read_checkpoint = lambda folder: bytearray(10**18); early.begin(); early.ready(); main(['info', 'fast'])",
], ids=["early", "later"])
def test_want_of_memory_is_one_line(failing):
    code = f"from eqparse.commands import early; from eqparse.commands.main import main; " \
           f"from eqparse.systems import load; {failing}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("eqparse: error: memory was short; ") and done.stderr.count("\n") == 1
