"""Files written by the commands and by the corpus: permissions, links, devices, and what a failure leaves."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import stat
import subprocess
import sys

import pytest
from report_runs import corpus, make_run
from tiny import ROOT

from eqparse import files
from eqparse.commands.main import main
from eqparse.commands.output_file import check_not_read, leads_to, open_output
from eqparse.commands.output_file import write_text as write
from eqparse.corpus.jsonl import write_lines
from eqparse.errors import CheckpointError, ConfigError
from eqparse.integrations.input_file import open_file

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
        writer("new\n", str(tmp_path / "out.txt"))
    finally:
        os.umask(before)
    assert mode(tmp_path / "out.txt") == 0o640


def test_what_cannot_be_replaced_is_known_before_it_is_made(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes").touch()
    (tmp_path / "loop").symlink_to("loop")
    for name in ("file", "full"):
        with pytest.raises(CheckpointError, match=f"{name}: expected nothing there, or a folder with a, b alone"):
            files.check_replaceable(tmp_path / name, ["a", "b"])
    for name in ("file/o", "loop", "loop/o", "o" * 300):
        with pytest.raises(OSError, match=name.removesuffix("/o")):
            files.check_replaceable(tmp_path / name, ["a", "b"])
    files.check_replaceable(tmp_path / "full", ["notes", "b"])
    files.check_replaceable(tmp_path / "new" / "o", ["a"])
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(os.name == "posix" and not os.geteuid(), reason="root may write anywhere")
def test_a_folder_without_rights_is_known_before(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError, match="nothing can be written there"):
        files.check_folder_can_be(tmp_path / "o")


@pytest.mark.slow
def test_an_output_that_is_only_read_is_named(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from eqparse.commands.main import main; sys.exit(main(sys.argv[1:]))",
         "corpus", "folds", str(corpus(tmp_path)), "--method", "random", "--output", "/dev/fd/0"],
        stdin=open(os.devnull), capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (1, "eqparse: error: /dev/fd/0: Bad file descriptor\n")


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


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a folder that nobody may write to")
def test_a_folder_that_cannot_be_written_to_names_the_output_alone():
    with pytest.raises(OSError) as caught, open_output("/proc/out.jsonl"):
        pass
    assert str(caught.value.filename) == "/proc/out.jsonl"


def test_a_name_may_be_as_long_as_the_system_takes(tmp_path):
    for _ in range(2):
        write("new\n", str(tmp_path / ("\u4e2d" * 84)))
    assert [p.name for p in tmp_path.iterdir()] == ["\u4e2d" * 84]


def test_a_file_that_cannot_be_replaced_is_named(tmp_path, monkeypatch):
    def refuse(source, target):
        raise OSError(16, "Device or resource busy", source)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError) as caught:
        write("new\n", str(tmp_path / "out.txt"))
    assert str(caught.value.filename) == str(tmp_path / "out.txt") and not [*tmp_path.iterdir()]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_compressed_output_is_read_again_and_written_whole_or_not_at_all(suffix, tmp_path):
    if suffix == ".zst":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"out.csv{suffix.upper()}"
    for text in ("old\n", "new\n" * 1000):
        write(text, str(path))
        with open_file(str(path)) as file:
            assert file.read().decode() == text and len(path.read_bytes()) < 100
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), open_output(str(path)) as output:
        output.file.write(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == [path.name]


STANDARD = pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])


def process(code, *arguments, folder, redirected):
    """Python code run with `redirected`, of a shell, after it."""
    command = ["sh", "-c", f'(echo header; "$@"; echo footer) {redirected}', "sh", sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True, env=environment)


OPEN = """import sys
from eqparse.commands.output_file import open_output
with open_output(sys.argv[1]) as output:
    output.file.write(b"new\\n")
"""


@STANDARD
def test_standard_output_by_any_name_is_written_on(name, tmp_path):
    (tmp_path / "link").symlink_to("/dev/stdout")
    done = process(OPEN, name, folder=tmp_path, redirected="> f")
    assert done.returncode == 0 and (tmp_path / "f").read_text() == "header\nnew\nfooter\n", done.stderr
    assert process(OPEN, name, folder=tmp_path, redirected="| cat").stdout == "header\nnew\nfooter\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f", "link"]


@pytest.mark.parametrize(("name", "number"), [("/dev/stderr", 2), ("/dev/fd/2", 2), ("/dev/fd/7", 7)])
def test_another_open_file_is_written_on(name, number, tmp_path):
    done = process(OPEN, name, folder=tmp_path, redirected=f"{number}> f; echo more >> f")
    assert done.returncode == 0 and (tmp_path / "f").read_text() == "new\nmore\n", done.stderr


@pytest.mark.parametrize(
    "command", [["folds", "a.jsonl", "--output"], ["agreement", "a.jsonl", "b.jsonl", "--disagreements"]], ids=str
)
@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_what_is_written_to_standard_output_stands_there_alone(command, name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "a.jsonl"
    shutil.copy(ROOT / "data" / "sentences.jsonl", path)
    lines = path.read_text().splitlines(keepends=True)[:12]
    path.write_text("".join(lines))
    first = json.loads(lines[0])
    (tmp_path / "b.jsonl").write_text(json.dumps(first | {"equation": "V1 = 99", "variables": {"V1": [[0, 3]]}}) + "\n")
    assert main(["corpus", *command, name]) == 0
    found, told = capfd.readouterr()
    document = json.loads(found)  # one sentence to settle is one line
    assert first["id"] in (document if command[0] == "folds" else document.values())
    assert ("in fold 4" in told) if command[0] == "folds" else ("to settle" in told)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.jsonl", "b.jsonl"]


@pytest.mark.parametrize("command", [
    ["parse", "--input", "{a}", "--output"], ["parse", "x", "--checkpoint", "{tmp}", "--format", "text", "--output"],
    ["corpus", "folds", "{a}", "--output"], ["corpus", "agreement", "{a}", "{b}", "--disagreements"],
    ["corpus", "agreement", "{tmp}/b", "{tmp}", "--disagreements"], ["errors", "{run}", "--output"],
    ["errors", "{run}", "--data", "{tmp}", "--output"],
], ids=lambda command: " ".join(command))
@pytest.mark.parametrize("name", ["a.jsonl", "link.jsonl", "./b/../a.jsonl"])
def test_an_input_is_not_written_over(command, name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b").mkdir()
    a = corpus(tmp_path).rename(tmp_path / "a.jsonl")
    before = a.read_bytes()
    b = corpus(tmp_path / "b")
    run = make_run(tmp_path / "runs", a)
    (tmp_path / "link.jsonl").symlink_to("a.jsonl")
    places = {"a": a, "b": b, "tmp": tmp_path, "run": run}
    assert main([*(word.format(**places) for word in command), name]) == 2
    assert name in capfd.readouterr().err and a.read_bytes() == before


def test_a_run_is_not_written_over_by_its_report(tmp_path, capfd):
    run = make_run(tmp_path / "runs", corpus(tmp_path))
    for name in ("metrics.json", "config.yaml", "predictions.jsonl"):
        before = (run / name).read_bytes()
        for command in (["report", str(tmp_path / "runs"), "--format", "csv"], ["errors", str(run)]):
            assert main([*command, "--output", str(run / name)]) == 2
            assert "expected a file other" in capfd.readouterr().err and (run / name).read_bytes() == before


def test_standard_input_and_a_new_file_are_told_apart(tmp_path):
    path = tmp_path / "a"
    path.write_text("x\n")
    check_not_read("--output", str(tmp_path / "new"), [path, 0])
    check_not_read("--output", "/dev/null", ["/dev/null"])
    code = "import sys\nfrom eqparse.commands.output_file import *\ncheck_not_read('--output', sys.argv[1], [0])"
    with open(path) as file:
        done = subprocess.run([sys.executable, "-c", code, str(path)], stdin=file, capture_output=True, text=True)
    assert "expected a file other than standard input" in done.stderr
    os.link(path, tmp_path / "b")
    with pytest.raises(ConfigError, match="--to .*/b: expected a file other than .*/a, which is read"):
        check_not_read("--to", str(tmp_path / "b"), [path])


@pytest.mark.parametrize("writer", [parse, write])
def test_a_link_to_itself_is_refused(writer, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="leads to itself"):
        writer("new\n", str(tmp_path / "loop"))
    assert os.readlink(tmp_path / "loop") == "loop"


def test_a_link_in_a_folder_of_links_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "real" / "link").symlink_to("../there")
    assert leads_to(str(tmp_path / "folder" / "link")) == tmp_path.resolve() / "there"


full_device = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device that is always full is of Linux")


@full_device
def test_a_full_disk_is_named(tmp_path):
    with pytest.raises(OSError) as caught:
        parse("new\n", "/dev/full")
    assert caught.value.filename == "/dev/full"
    with pytest.raises(OSError, match="No space left") as caught, open_output(str(tmp_path / "out")):
        raise OSError(28, "No space left on device")
    assert caught.value.filename == str(tmp_path / "out")


@full_device
@pytest.mark.slow
def test_a_full_standard_output_is_named(tmp_path):
    command = ["sh", "-c", '"$@" > /dev/full', "sh", sys.executable, "-m", "eqparse"]
    done = subprocess.run([*command, "corpus", "check", str(corpus(tmp_path))], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "eqparse: error: standard output: No space left on device\n")


def killed(path, kind):
    """A hidden file beside `path` of a writer on this machine that runs no more."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    stale = path.with_name(f".{path.name}.{files._HOST}.{done.pid}.0.{kind}")
    stale.write_text("half")
    return stale


def test_stale_temporary_files_of_killed_writers_are_removed(tmp_path):
    path = tmp_path / "out.txt"
    stale, another = killed(path, "new"), killed(tmp_path / "another.txt", "new")
    elsewhere = [tmp_path / f".out.txt.{host}.1.0.new" for host in ("old-machine", "new-machine")]
    for file in elsewhere:
        file.write_text("half")
    os.utime(elsewhere[0], (0, 0))
    write("new\n", str(path))
    assert not stale.exists() and not elsewhere[0].exists()
    assert another.exists() and elsewhere[1].exists() and path.read_text() == "new\n"


def test_stale_temporary_files_of_an_earlier_process_with_the_same_number_are_removed(tmp_path, monkeypatch):
    """As in a container, where a program has the same number, and the same name of its machine, each time."""
    monkeypatch.setattr(files, "_counter", itertools.count())
    for kind in ("new", "old"):
        stale = tmp_path / f".model.{files._HOST}.{os.getpid()}.0.{kind}"
        stale.mkdir()
        (stale / "half").touch()
    with files.replacing(tmp_path / "model") as outer:
        outer.mkdir()
        with files.replacing(tmp_path / "model") as inner:  # of another thread, say
            inner.mkdir()
        assert outer.is_dir()
    assert [path.name for path in tmp_path.iterdir()] == ["model"] and not any((tmp_path / "model").iterdir())


def test_what_was_written_aside_of_a_file_aside_is_removed(tmp_path):
    """As of a run that is killed while it writes its predictions."""
    path = tmp_path / "out.txt"
    stale = killed(killed(path, "new"), "new")
    hidden = killed(tmp_path / ".out.txt", "old")  # of another file
    write("new\n", str(path))
    assert not stale.exists() and set(tmp_path.iterdir()) == {path, hidden}


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_writer_that_is_killed_leaves_nothing_for_ever(tmp_path):
    code = ("import sys, time; from pathlib import Path; from eqparse import files\n"
            "with files.replacing_files(Path(sys.argv[1]), ['a', 'last']) as aside:\n"
            "    aside['a'].write_text('half')\n"
            "    with files.open_aside(aside['last']) as file: print(flush=True); time.sleep(60)\n")
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE,
                          env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        process.stdout.readline()
        process.kill()
    assert len(list(tmp_path.iterdir())) == 2
    with files.replacing_files(tmp_path, ["a", "last"]) as aside:
        for place in aside.values():
            place.write_text("new")
    assert sorted(place.name for place in tmp_path.iterdir()) == ["a", "last"]


def test_files_of_a_folder_are_replaced_together_or_not_at_all(tmp_path):
    for name in ("a", "b", "other"):
        (tmp_path / name).write_text("old")
    with pytest.raises(ZeroDivisionError), files.replacing_files(tmp_path, ["a", "b"]) as aside:
        aside["a"].write_text("new")
        raise ZeroDivisionError
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(["a", "b", "other"], "old")
    with files.replacing_files(tmp_path, ["a", "b"]) as aside:
        for name, path in aside.items():
            path.write_text(f"new {name}")
    found = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert found == {"a": "new a", "b": "new b", "other": "old"}


def test_a_full_disk_names_the_file_of_a_folder_and_not_what_is_written_aside(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError) as raised, files.replacing_files(files.Path("run"), ["a.jsonl", "b.json"]) as aside:
        write_lines(["{}"], aside["a.jsonl"])
    assert raised.value.filename == os.path.join("run", "a.jsonl")
    assert not any((tmp_path / "run").iterdir())


def test_a_folder_that_the_system_does_not_make_is_refused_rather_than_tried_for_ever(tmp_path, monkeypatch):
    def refuse(path, *_, **__):
        raise FileNotFoundError(2, "No such file or directory", str(path))  # as in /proc

    monkeypatch.setattr(files.Path, "mkdir", refuse)
    with pytest.raises(FileNotFoundError, match="new"), files.locked(tmp_path / "new" / "run", instead="wait"):
        pass


def test_the_last_file_of_a_folder_says_that_the_others_are_whole(tmp_path, monkeypatch):
    for name in ("a", "last"):
        (tmp_path / name).write_text("old")

    def refuse(source, target):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="Input/output"), files.replacing_files(tmp_path, ["a", "last"]) as aside:
        for path in aside.values():
            path.write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
