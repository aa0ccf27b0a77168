"""Runs into a folder of shards: interrupted, killed, out of room, repeated, and with something else in the way."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from pathlib import Path

import filelock
import pytest
from bulk_parsers import Canned, contents, killed_once, no_model, without_processes
from checkpoints import save
from tiny import ROOT

from eqparse.errors import CheckpointError, ConfigError, DataError
from eqparse.integrations.bulk import manifest, parse_file, workers
from eqparse.integrations.bulk.shard import Shard

pytest.importorskip("pyarrow")
TEXTS = [f"{n} birches" if n % 3 else "birches" for n in range(100)]
OPTIONS = {"load": Canned, "shard_rows": 10, "text_column": "said"}


def table(path: Path, texts=TEXTS) -> Path:
    path.write_text("said,row\n" + "".join(f"{text},{n}\n" for n, text in enumerate(texts)), encoding="utf-8")
    return path


@pytest.fixture
def whole(tmp_path, monkeypatch):
    """The table of `TEXTS`, and the folder of a run over it that nothing disturbed."""
    with monkeypatch.context() as patch:
        without_processes(patch)
        parse_file(table(tmp_path / "a.csv"), tmp_path / "whole", **OPTIONS)
    return tmp_path / "a.csv", tmp_path / "whole"


def rows(folder: Path) -> list[str]:
    return [line.split(",")[1] for file in sorted(folder.glob("part-*")) for line in file.read_text().splitlines()[1:]]


def test_workers_give_the_same_bytes_as_none_in_order(whole, tmp_path):
    told = []
    codes = parse_file(whole[0], tmp_path / "out", workers=2, progress=told.append, **OPTIONS)
    assert contents(tmp_path / "out") == contents(whole[1]) and codes == {"": 66, "no_number": 34}
    assert rows(tmp_path / "out") == [str(n) for n in range(100)]
    assert [p.done for p in told] == list(range(10, 101, 10)) and told[-1].total == 100 and told[-1].left == 0
    listed = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    assert listed["complete"] and listed["rows"] == 100 and len(listed["shards"]) == 10
    assert parse_file(whole[0], tmp_path / "out", **{**OPTIONS, "load": no_model}) == codes  # nothing is left to do


@pytest.mark.parametrize("damage", [
    lambda folder: (folder / "part-000003.csv").unlink(), lambda folder: (folder / "part-000003.csv").write_text("x"),
    lambda folder: (folder / "part-000009.csv").open("a").write("x"),
])
def test_a_shard_that_is_not_as_it_was_written_is_made_again(whole, tmp_path, monkeypatch, damage):
    shutil.copytree(whole[1], tmp_path / "out")
    damage(tmp_path / "out")
    without_processes(monkeypatch)
    told = []
    parse_file(whole[0], tmp_path / "out", progress=told.append, **OPTIONS)
    assert contents(tmp_path / "out") == contents(whole[1]) and [(p.done, p.before) for p in told] == [(100, 90)]


def test_what_a_killed_worker_left_half_written_is_removed(whole):
    before = contents(whole[1])
    (whole[1] / ".part-000003.csv.host.1.0.new").write_text("half")
    parse_file(*whole, **OPTIONS)
    assert contents(whole[1]) == before


PROGRAM = """
import sys
from bulk_parsers import Canned
from eqparse.commands.main import report_error
from eqparse.commands.ending import exit_status
from eqparse.integrations.bulk import parse_file

if __name__ == "__main__":
    call = lambda: parse_file(*sys.argv[1:3], load=Canned, shard_rows=10, text_column="said", workers=2) and None
    sys.exit(exit_status(call, refused=report_error))
"""


def program(tmp_path: Path, *words: str, limit: str = "") -> subprocess.Popen:
    """A program that parses a table, in a group of processes of its own."""
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers")])}
    return subprocess.Popen(
        ["sh", "-c", f'{limit} exec "$@"', "sh", sys.executable, str(tmp_path / "program.py"), *map(str, words)],
        stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # also under nohup
    )


def running(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize(("number", "to_all", "status"), [
    (signal.SIGINT, True, 130), (signal.SIGTERM, False, 143), (signal.SIGHUP, True, 129),
    (signal.SIGKILL, False, -9),
], ids=str)
def test_an_interrupted_run_goes_on(tmp_path, monkeypatch, number, to_all, status):
    texts = TEXTS.copy()
    texts[77] = "wait"
    out = tmp_path / "out"
    with program(tmp_path, table(tmp_path / "a.csv", texts), out) as process:
        while process.poll() is None and len(list(out.glob("part-*"))) < 7:
            time.sleep(0.05)
        (os.killpg if to_all else os.kill)(process.pid, number)
        err = process.communicate()[1]
    assert process.returncode == status and "Traceback" not in err, err
    end = time.monotonic() + 5
    while running(process.pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not running(process.pid)  # no worker stays behind
    assert not json.loads((out / "_manifest.json").read_text())["complete"]
    monkeypatch.setattr("bulk_parsers.time.sleep", lambda seconds: None)
    without_processes(monkeypatch)
    parse_file(tmp_path / "a.csv", out, **OPTIONS)
    parse_file(tmp_path / "a.csv", tmp_path / "again", **OPTIONS)
    assert contents(out) == contents(tmp_path / "again") and rows(out) == [str(n) for n in range(100)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="ulimit")
def test_a_disk_that_fills_is_named_and_the_same_call_goes_on(whole, tmp_path):
    texts = TEXTS.copy()
    texts[55] = "4" * 9000
    out, path = tmp_path / "out", table(tmp_path / "b.csv", texts)
    with program(tmp_path, path, out, limit="ulimit -f 8;") as process:
        err = process.communicate()[1]
    assert process.returncode == 1 and err == f"eqparse: error: {out}/part-000005.csv: File too large\n"
    assert not [path for path in out.iterdir() if "part-000005" in path.name]
    parse_file(path, out, **OPTIONS)
    parse_file(path, tmp_path / "again", **OPTIONS)
    assert contents(out) == contents(tmp_path / "again")


def test_the_shard_of_a_killed_worker_is_made_again(tmp_path, monkeypatch):
    texts = TEXTS.copy()
    texts[42] = "kill"
    path = table(tmp_path / "a.csv", texts)
    parse_file(path, tmp_path / "out", workers=2, **{**OPTIONS, "load": killed_once(tmp_path)})
    assert (tmp_path / "killed").exists() and rows(tmp_path / "out") == [str(n) for n in range(100)]
    without_processes(monkeypatch)
    parse_file(path, tmp_path / "again", **{**OPTIONS, "load": killed_once(tmp_path)})
    assert contents(tmp_path / "out") == contents(tmp_path / "again")


@pytest.mark.parametrize("at", range(6))
@pytest.mark.parametrize("where", ["submit", "result"])
def test_nothing_is_lost_or_doubled_wherever_workers_break(monkeypatch, at, where):
    calls = iter(range(100))

    class Inline:
        def submit(self, make, task):
            future, fails = Future(), next(calls) == at
            if fails and where == "submit":
                raise BrokenProcessPool
            future.set_exception(BrokenProcessPool()) if fails else future.set_result(task.shard.number)
            return future

    monkeypatch.setattr(workers, "pool_of", lambda *_: nullcontext(Inline()))
    tasks = [workers.Task(Shard(n, 1, ["a"], []), Path("a"), "csv", None, {}) for n in range(5)]
    assert sorted(workers.make_all(tasks, workers=1, load=Canned)) == [*range(5)]


def test_rows_that_kill_every_worker_are_named(tmp_path):
    texts = TEXTS.copy()
    texts[42] = "kill"
    path = table(tmp_path / "a.csv", texts)
    with pytest.raises(DataError, match="^rows 41 to 50: expected a worker to parse them, found it killed 3 times"):
        parse_file(path, tmp_path / "out", workers=2, **OPTIONS)
    done = [shard["file"] for shard in json.loads((tmp_path / "out" / "_manifest.json").read_text())["shards"]]
    assert "part-000004.csv" not in done and "part-000003.csv" in done


def test_what_loading_a_model_raises_is_raised(tmp_path):
    with pytest.raises(CheckpointError, match="^no model$"):
        parse_file(table(tmp_path / "a.csv"), tmp_path / "out", **{**OPTIONS, "load": no_model})


def test_two_runs_into_one_folder(whole, tmp_path):
    (tmp_path / "out").mkdir()
    with filelock.FileLock(tmp_path / "out" / manifest.LOCK), pytest.raises(ConfigError, match="found one at work"):
        parse_file(whole[0], tmp_path / "out", **OPTIONS)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("beside", [False, True])
def test_a_signal_waits_until_a_worker_is_started(name, beside):
    number, seen = getattr(signal, name), []
    before = signal.signal(number, lambda *_: seen.append("handled"))
    done = threading.Event()  # another thread, which may catch the signal
    if beside:
        threading.Thread(target=done.wait, daemon=True).start()
    try:
        with workers.signals_held():
            os.kill(os.getpid(), number)
            seen.append("started")
        for _ in range(500):  # another thread may take its time
            if len(seen) < 2:
                time.sleep(0.01)
        assert seen == ["started", "handled"]
    finally:
        done.set()
        signal.signal(number, before)


@pytest.mark.parametrize(("change", "message"), [
    ({"shard_rows": 20}, "changed: --shard-rows from 10 to 20;"),
    ({"text_column": "row"}, "changed: --text-column from 'said' to 'row';"),
    ({"output_format": "jsonl", "precision": "float32"},
     "changed: --output-format from 'csv' to 'jsonl', --precision from 'auto' to 'float32';"),
    ({"min_confidence": 0.5}, "changed: --min-confidence from None to 0.5;"),
    ({"prevalence": 0.1}, "changed: --prevalence from None to 0.1;"),
    ({"alternatives": 2}, "changed: --alternatives from 0 to 2;"),
])
def test_other_options_are_refused_by_name(whole, change, message):
    before = contents(whole[1])
    with pytest.raises(ConfigError, match=message):
        parse_file(*whole, **{**OPTIONS, **change})
    assert contents(whole[1]) == before


def test_a_run_that_made_nothing_binds_to_nothing(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("id,said\n1,x\n".encode("utf-16"))
    with pytest.raises(DataError, match="iconv"):
        parse_file(path, tmp_path / "out", **OPTIONS)
    table(path)
    parse_file(path, tmp_path / "out", **OPTIONS)
    assert json.loads((tmp_path / "out" / "_manifest.json").read_text())["complete"]


def test_a_shard_that_was_made_but_never_counted_does_not_stay(whole, tmp_path, monkeypatch):
    without_processes(monkeypatch)

    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(manifest.Manifest, "add", interrupted)
        parse_file(whole[0], tmp_path / "out", **OPTIONS)
    assert "part-000000.csv" in contents(tmp_path / "out")
    parse_file(whole[0], tmp_path / "out", output_format="jsonl", **OPTIONS)
    assert list(contents(tmp_path / "out")) == ["_manifest.json", *(f"part-{n:06}.jsonl" for n in range(10))]


def test_another_input_model_or_library_is_refused_by_name(whole, tmp_path, monkeypatch):
    with pytest.raises(ConfigError, match="changed: model.sha256 from"):
        parse_file(*whole, checkpoint=save(tmp_path / "checkpoint"), **OPTIONS)
    with monkeypatch.context() as patch, pytest.raises(ConfigError, match="versions.spacy from '.*' to '4.0',"):
        patch.setattr("eqparse.integrations.bulk.identity.version", lambda name: "4.0")
        parse_file(*whole, **OPTIONS)
    os.utime(whole[0], (0, 0))  # when it was written doesn't matter
    parse_file(*whole, **OPTIONS)
    table(whole[0], TEXTS[1:])
    with pytest.raises(ConfigError, match="changed: input.bytes from .*, input.sha256 from"):
        parse_file(*whole, **OPTIONS)


@pytest.mark.parametrize("texts", [[*TEXTS, "more 1"], TEXTS[:25], []])
def test_an_input_that_changes_meanwhile_is_refused(whole, tmp_path, monkeypatch, texts):
    without_processes(monkeypatch)
    stamp = os.stat(whole[0])

    def change(progress):
        table(whole[0], texts)

    with pytest.raises(DataError, match="found it changed while it was read"):
        parse_file(whole[0], tmp_path / "out", progress=change, **OPTIONS)
    kept = json.loads((tmp_path / "out" / "_manifest.json").read_text())
    assert not kept["complete"] and kept["rows"] == 10  # of the one shard that was made before
    table(whole[0])
    os.utime(whole[0], ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    parse_file(whole[0], tmp_path / "out", **OPTIONS)
    assert contents(tmp_path / "out") == contents(whole[1])


@pytest.mark.parametrize("gone", ["part-000001.csv", "part-000003.csv", "all"])
def test_shards_that_are_lost_meanwhile_are_said(whole, tmp_path, monkeypatch, gone):
    without_processes(monkeypatch)
    out = tmp_path / "out"

    def lose(progress):
        if progress.done == 50:
            shutil.rmtree(out) if gone == "all" else (out / gone).unlink()

    with pytest.raises(DataError, match="expected the shards that were made, found .*part-00000[013].csv.* gone"):
        parse_file(whole[0], out, progress=lose, **OPTIONS)
    assert not json.loads((out / "_manifest.json").read_text())["complete"]
    parse_file(whole[0], out, **OPTIONS)
    assert contents(out) == contents(whole[1])


@pytest.mark.parametrize("name", ["notes.txt", "part-000000.csv", ".hidden", "folder/"])
def test_a_folder_that_holds_something_else_is_refused(whole, tmp_path, name):
    out = tmp_path / "out"
    (out / name).mkdir(parents=True) if name.endswith("/") else (out.mkdir(), (out / name).write_text("mine"))
    with pytest.raises(ConfigError, match=f"found {name.rstrip('/')}; choose another"):
        parse_file(whole[0], out, **OPTIONS)
    assert len([*out.iterdir()]) == 1
    (whole[1] / "mine").write_text("x")
    with pytest.raises(ConfigError, match="found mine; choose another"):
        parse_file(*whole, **OPTIONS)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "x", "format_version": 1}', "\xff"])
def test_a_damaged_manifest_is_refused(whole, text, monkeypatch):
    without_processes(monkeypatch)
    before = contents(whole[1])
    (whole[1] / manifest.NAME).write_bytes(text.encode("latin-1"))
    with pytest.raises(DataError, match="_manifest.json: expected the manifest of a run.*: delete the folder "):
        parse_file(*whole, **OPTIONS)
    shutil.rmtree(whole[1])  # as it says
    parse_file(*whole, **OPTIONS)
    assert contents(whole[1]) == before


def test_a_manifest_names_no_files_elsewhere(whole):
    place = whole[1] / manifest.NAME
    place.write_text(place.read_text().replace("part-000000.csv", "../whole/part-000000.csv"))
    with pytest.raises(DataError, match="found ValueError: the shard"):
        parse_file(*whole, **OPTIONS)


@pytest.mark.parametrize("option", [{"workers": 0}, {"workers": 10**20}, {"shard_rows": True}, {"batch_size": "9"}])
def test_numbers_are_checked(whole, option):
    with pytest.raises(ConfigError, match="expected an integer from 1 to 2147483647"):
        parse_file(*whole, **{**OPTIONS, **option})
