"""`eqparse parse` into a folder of shards."""

from __future__ import annotations

import io
import json
import sys

import pytest
from bulk_parsers import contents, no_model, without_processes

import eqparse
from eqparse.commands import parse_shards
from eqparse.commands.main import main
from eqparse.integrations.bulk import run
from eqparse.integrations.bulk.run import Progress
from eqparse.integrations.fields import fields

pytest.importorskip("pyarrow")
TEXTS = ["The oak is 12 feet taller than the birch.", "It rained.", "Tom is twice as old as Ann.", "", "Ida has 3."]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text;n\n" + "".join(f"{text};{n}\n" for n, text in enumerate(TEXTS)))
    return path


@pytest.mark.slow
@pytest.mark.pipeline
def test_a_folder_holds_what_the_parser_says(table, tmp_path, capfd):
    command = ["parse", "--input", str(table), "--output", f"{tmp_path}/out/", "--output-format", "jsonl"]
    assert main([*command, "--workers", "2", "--shard-rows", "2"]) == 0
    found = [json.loads(line) for file in sorted((tmp_path / "out").glob("part-*")) for line in file.open()]
    parses = eqparse.load().parse_batch(TEXTS)
    expected = [{"text": text, "n": str(n)} | fields(parses[n]) for n, text in enumerate(TEXTS)]
    assert found == json.loads(json.dumps(expected))
    out, err = capfd.readouterr()
    assert out == "" and err.splitlines()[-1].startswith("eqparse: 5 texts: ")  # on a busy machine, progress before it
    before = contents(tmp_path / "out")
    assert main([*command, "--shard-rows", "2"]) == 0 and contents(tmp_path / "out") == before
    assert main([*command, "--shard-rows", "3"]) == 2 and contents(tmp_path / "out") == before
    err = capfd.readouterr().err.splitlines()
    assert "changed: --shard-rows from 2 to 3; give the earlier ones" in err[1]


@pytest.mark.parametrize(("words", "message"), [
    (["--output", "out/", "--solve"], "--solve: expected one file"),
    (["--workers", "2"], "--workers: expected a folder to write to; give --output FOLDER/"),
    (["--output", "out/", "--format", "text"], "--output-format: expected parquet, jsonl or csv for a folder"),
    (["--output", "out.csv", "--shard-rows", "9"], "--shard-rows: expected --input FILE and --output FOLDER/"),
    (["--output", "out.csv", "--format", "parquet"], "--output out.csv: expected a folder, into which alone"),
    (["--output", "out.parquet"], "--output out.parquet: expected a folder, into which alone"),
    (["--output", "out.parquet.gz"], "give --input FILE --output FOLDER/ --format parquet"),
    (["--output", "out/", "--input", "-"], "expected a file, which can be read again to go on; found standard"),
    (["--output", "out/", "--input", "/dev/null", "--input-format", "csv"], "to go on; found /dev/null"),
    (["--output", "out/", "--input", "a.txt", "--text-column", "q"], "--text-column q: expected a table or JSON"),
    (["--output", "out/", "--input", "a.parquet"], "a.parquet: expected a whole parquet file"),
    (["--input", "a.parquet"], "--output -: expected a folder, into which alone parquet is read and written"),
    (["--output", "out/", "--input", "none.csv"], "none.csv: No such file"),
    (["--output", "out/", "--checkpoint", "none"], "checkpoint none: expected a folder"),
    (["--output", "out/", "--device", "tpu"], "device: expected cpu"),
    (["--output", "a.csv", "--workers", "1"], "a.csv: is not a folder; choose another path"),
])
def test_what_is_refused_is_one_line(table, tmp_path, monkeypatch, capfd, words, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "load_parser", lambda *_, **__: pytest.fail("nothing is loaded"))
    for name in ("a.txt", "a.parquet"):
        (tmp_path / name).write_text("a\n")
    before = table.read_bytes()
    given = [] if "--input" in words else ["--input", "a.csv"]
    assert main(["parse", *given, *words]) in (1, 2)
    out, err = capfd.readouterr()
    assert out == "" and err.startswith("eqparse: error: ") and message in err and err.count("\n") == 1
    assert not (tmp_path / "out").exists() and table.read_bytes() == before


def test_piped_text_is_not_read_in_shards(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n")))
    assert main(["parse", "--output", f"{tmp_path}/out/"]) == 2
    assert "found standard input" in capfd.readouterr().err


def test_a_model_that_cannot_be_loaded_is_one_line(table, tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(run, "load_parser", lambda *_, **__: no_model())
    without_processes(monkeypatch)
    monkeypatch.setattr(run, "make_all", lambda tasks, *, workers, load: (load() for _ in tasks))
    assert main(["parse", "--input", str(table), "--output", f"{tmp_path}/out/"]) == 2
    assert capfd.readouterr().err == "eqparse: error: no model\n"


def test_progress_has_a_rate_and_the_time_left(capfd, monkeypatch):
    known = Progress(done=120_000, before=20_000, total=1_000_000, seconds=1000)
    assert parse_shards.in_words(known) == "120,000 of 1,000,000 rows, 100 a second, 2:26:40 left"
    assert parse_shards.in_words(Progress(0, 0, 10, 1)) == "0 of 10 rows, 0 a second"
    with parse_shards.shown() as show:
        for seconds in (1, 59, 61, 100, 121):
            show(known._replace(seconds=seconds))
    assert capfd.readouterr().err.count("rows") == 2
    monkeypatch.setenv("FORCE_COLOR", "1")
    with parse_shards.shown() as show:
        show(known)
    assert "2:26:40 left" in capfd.readouterr().err


@pytest.mark.parametrize("output", ["file/", "file/shards/"])
def test_a_file_where_the_folder_of_shards_would_be_is_named(tmp_path, output, capfd):
    for name in ("in.txt", "file"):
        (tmp_path / name).write_text("x 3\n")
    assert main(["parse", "--input", str(tmp_path / "in.txt"), "--output", f"{tmp_path}/{output}"]) == 1
    assert capfd.readouterr().err == f"eqparse: error: {tmp_path}/file: is not a folder; choose another path\n"
