"""Files written by the commands and by the corpus: permissions, links, devices, and what a failure leaves."""

from __future__ import annotations

import os
import stat

import pytest

from eqparse.corpus.jsonl import write_lines
from eqparse.outputs import open_output
from eqparse.report_commands import write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions, links and devices of POSIX")


def parse(text, path):
    """As `eqparse parse --output` writes."""
    with open_output(path) as output:
        output.file.write(text.encode())


WRITERS = pytest.mark.parametrize(
    "writer", [parse, write, lambda text, path: write_lines([text.rstrip()], path)], ids=["parse", "report", "corpus"]
)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@WRITERS
@pytest.mark.parametrize("bits", [0o600, 0o640, 0o666, 0o755])
def test_a_file_keeps_its_permissions(writer, bits, tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old\n")
    path.chmod(bits)
    writer("new\n", str(path))
    assert path.read_text() == "new\n" and mode(path) == bits
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


@WRITERS
def test_a_new_file_has_the_permissions_that_the_umask_leaves(writer, tmp_path):
    before = os.umask(0o037)
    try:
        writer("new\n", str(tmp_path / "deep" / "out.txt"))
    finally:
        os.umask(before)
    assert mode(tmp_path / "deep" / "out.txt") == 0o640


@WRITERS
def test_a_link_stays_one(writer, tmp_path):
    (tmp_path / "real.txt").write_text("old\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    writer("new\n", str(tmp_path / "link.txt"))
    assert (tmp_path / "link.txt").is_symlink() and (tmp_path / "real.txt").read_text() == "new\n"


@pytest.mark.parametrize("writer", [parse, write])
def test_a_pipe_is_written_to_and_stays(writer, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        writer("new\n", str(pipe))
        assert os.read(reading, 10) == b"new\n"
    finally:
        os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old\n")
    with pytest.raises(ZeroDivisionError), open_output(str(path)) as output:
        output.file.write(b"half")
        raise ZeroDivisionError
    assert path.read_text() == "old\n" and [p.name for p in tmp_path.iterdir()] == ["out.txt"]
