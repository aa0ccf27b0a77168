"""Several files as one input of `eqparse parse`: each named, a folder, or a pattern."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from types import SimpleNamespace

import pytest
from tiny import trained

from eqparse.commands.main import main
from eqparse.commands.write_parses import CSV_COLUMNS
from eqparse.errors import DataError
from eqparse.integrations import input_files
from eqparse.integrations.bulk import run
from eqparse.systems import load as parsing

GOOD = "The oak is 12 feet taller than the birch."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with a folder of files of several kinds in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "news").mkdir()
    contents = {
        "b.txt": f"{GOOD}\nIt rained.\n", "a.csv": f"text,n,file\n{GOOD},1,own\n",
        "c.jsonl": '{"id": 7, "text": "No."}', "d.md": "# no", ".e.txt": "hidden", "_SUCCESS": "",
    }
    for name, text in contents.items():
        (tmp_path / "news" / name).write_text(text)
    (tmp_path / "news" / "f.txt.gz").write_bytes(gzip.compress(b"Snow."))
    (tmp_path / "news" / "older").mkdir()
    return tmp_path


@pytest.fixture
def command(folder, monkeypatch, capfd):
    monkeypatch.setattr(parsing, "load", lambda *_, **__: trained())
    monkeypatch.setattr("torch.set_num_threads", lambda count: None)

    def parse(*options):
        assert main(["parse", *options]) == 0
        return capfd.readouterr()

    return parse


READ = ["news/a.csv", "news/b.txt", "news/c.jsonl", "news/f.txt.gz"]


@pytest.mark.parametrize(("given", "form", "files"), [
    (["news"], None, READ), (["news/"], None, READ), (["news/*.txt*"], None, ["news/b.txt", "news/f.txt.gz"]),
    (["news/b.txt", "news/a.csv"], None, ["news/b.txt", "news/a.csv"]), (["-", "news/c*"], None, ["-", "news/c.jsonl"]),
    (["news"], "text", [*READ[:3], "news/d.md", READ[3]]), (["none.txt", "none.csv"], None, ["none.txt", "none.csv"]),
])
def test_files_are_found_in_the_order_of_their_names(folder, given, form, files):
    assert input_files.is_several(given) and input_files.find_files(given, form=form) == files


def test_one_file_is_not_several_even_if_its_name_is_a_pattern(folder):
    (folder / "a[1].txt").write_text(GOOD)
    assert not input_files.is_several(["a[1].txt"]) and not input_files.is_several(["none.txt"])
    assert input_files.find_files(["a[1].txt"]) == ["a[1].txt"]


@pytest.mark.parametrize(("given", "message"), [("news/older", "files in it whose names end"), ("x*", "pattern")])
def test_no_files_are_refused(folder, given, message):
    with pytest.raises(DataError, match=f"{message}.*found none"):
        input_files.find_files([given])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("given", ["news", "news/*.txt"])
def test_a_pipe_among_the_files_of_a_folder_is_not_waited_for(folder, given):
    os.mkfifo(folder / "news/e.txt")
    with pytest.raises(DataError, match="found news/e.txt, which is none; give it by itself"):
        input_files.find_files([given])
    assert input_files.find_files(["news/e.txt"]) == ["news/e.txt"]


@pytest.mark.parametrize("again", ["-", pytest.param("/dev/stdin", marks=pytest.mark.skipif(
    not os.path.exists("/dev/stdin") or os.path.isfile("/dev/stdin"), reason="a device of POSIX, but no file"))])
def test_what_can_be_read_only_once_is_given_once(folder, monkeypatch, again):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"a 3\n")))
    with pytest.raises(DataError, match=f"^--input {again}: expected it once, as it can be read only once"):
        input_files.open_files(["-", "news/b.txt", again], form=None, text_column="text")


def test_each_row_has_its_file(folder):
    rows = list(input_files.open_files(READ, form=None, text_column="text").rows)
    assert [(r.fields["file"], r.id) for r in rows] == [
        ("news/a.csv", "1"), ("news/b.txt", "1"), ("news/b.txt", "2"), ("news/c.jsonl", 7), ("news/f.txt.gz", "1"),
    ]
    assert dict(rows[0].fields) == {"file": "news/a.csv", "n": "1", "input_file": "own"}


@pytest.mark.pipeline
def test_the_output_names_the_files(command):
    out, err = command("--input", "news")
    assert out.startswith(f"news/a.csv:1  {GOOD}\n") and "\nnews/c.jsonl:7  No.\n" in out
    assert err == "eqparse: 5 texts: 2 parsed, 3 refused (3 no_number)\n"
    out, _ = command("--input", "news/b.txt", "--input", "news/c.jsonl", "--format", "jsonl")
    assert [(json.loads(line)["file"], json.loads(line)["id"]) for line in out.splitlines()] == [
        ("news/b.txt", "1"), ("news/b.txt", "2"), ("news/c.jsonl", 7),
    ]
    out, _ = command("--input", "news/[ab].*", "--format", "csv")
    found = list(csv.DictReader(io.StringIO(out)))
    assert list(found[0])[:5] == ["file", "text", "n", "input_file", "id"] and set(CSV_COLUMNS) < set(found[0])
    assert [[row[name] for name in ("file", "id", "n", "input_file")] for row in found] == [
        ["news/a.csv", "1", "1", "own"], ["news/b.txt", "1", "", ""], ["news/b.txt", "2", "", ""],
    ]


@pytest.mark.parametrize(("words", "message"), [
    (["--input", "news/b.txt", "news/a.csv"], "give several files by --input before each of them, or by a pattern"),
    (["--input", "news/b.txt", "--input", "none.csv"], "none.csv: No such file"),
    (["--input", "news", "--input-format", "csv"], "news/b.txt: expected a column 'text'"),
    (["--input", "news/*.txt", "--text-column", "q"], "--text-column q: expected csv, tsv, jsonl or json"),
    (["--input", "news", "--output", "news/c.jsonl"], "--output news/c.jsonl: expected a file other than"),
    (["--input", "news/older"], "--input news/older: expected files in it"),
    (["--input", "news", "--output", "news"], "--output news: expected another folder than that of news/a.csv, which"),
    (["--input", "news", "--output", "shards/"], "--output shards/: expected a folder for the folders of several"),
    (["--input", "news", "--input", "news/b.txt", "--output", "out/"], "expected files of different names"),
    (["--input", "news/*.txt", "--output", "out/", "--text-column", "q"], "found plain text alone"),
    (["--input", "news", "--output", "out/", "--text-column", "q"], "news/a.csv: expected a column 'q'"),
    (["--input", "news", "--input", "-", "--output", "out/"], "expected a file, which can be read again to go on"),
])
def test_what_is_refused_is_one_line_before_anything_is_loaded(folder, monkeypatch, capfd, words, message):
    monkeypatch.setattr(parsing, "load", lambda *_, **__: pytest.fail("nothing is loaded"))
    monkeypatch.setattr(run, "load_parser", lambda *_, **__: pytest.fail("nothing is loaded"))
    (folder / "shards").mkdir()
    (folder / "shards" / "_manifest.json").write_text("{}")
    assert main(["parse", *words]) in (1, 2)
    out, err = capfd.readouterr()
    assert out == "" and message in err and err.startswith("eqparse: error: ") and err.count("\n") == 1
    assert not (folder / "out").exists()


def test_each_file_has_a_folder_of_shards(folder, monkeypatch, capfd):
    pytest.importorskip("pyarrow")
    from bulk_parsers import Canned, without_processes

    monkeypatch.setattr(run, "load_parser", lambda *_, **__: Canned())
    without_processes(monkeypatch)
    for _ in range(2):  # the second time, all is done
        assert main(["parse", "--input", "news", "--output", "out/", "--output-format", "jsonl"]) == 0
        assert sorted(path.name for path in (folder / "out").iterdir()) == ["a.csv", "b.txt", "c.jsonl", "f.txt.gz"]
        lines = (folder / "out" / "b.txt" / "part-000000.jsonl").read_text().splitlines()
        assert [json.loads(line)["text"] for line in lines] == [GOOD, "It rained."]
        said = capfd.readouterr().err.splitlines()
        assert said[1].startswith("eqparse: file 2 of 4, news/b.txt: 2 texts")
        assert said[-1].startswith("eqparse: 5 texts")
