"""The files that `eqparse parse` reads: which sentences and which fields each holds, and which are refused."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import random
import subprocess
import sys

import pytest
from tiny import ROOT, trained

from eqparse.commands.main import main
from eqparse.commands.write_parses import CSV_COLUMNS
from eqparse.errors import ConfigError, DataError
from eqparse.integrations import input_file, text_rows
from eqparse.parser.limits import Reason
from eqparse.systems import load as parsing

GOOD = "The oak is 12 feet taller than the birch."
MARK = b"\xef\xbb\xbf"

pipeline = pytest.mark.pipeline


def rows(path, *, text_column="text"):
    """(id, text or the reason's code, fields) of each row of a file."""
    given = input_file.open_input(str(path), form=input_file.input_format(str(path)), text_column=text_column)
    return [(r.id, r.text.code if isinstance(r.text, Reason) else r.text, dict(r.fields)) for r in given.rows]


def put(folder, name, data):
    data = data.encode() if isinstance(data, str) else data
    (folder / name).write_bytes(gzip.compress(data) if name.lower().endswith(".gz") else data)
    return folder / name


# --- kinds of files; each is tried compressed as well

TEXT = [
    ("a\nb\n", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("", []), ("\n\na", ["", "", "a"]), (MARK + b"a\nb", ["a", "b"]),
    (MARK, []), (b"caf\xe9\na", ["not_utf8", "a"]), ("a,b\n", ["a,b"]), ("{\n", ["{"]),
    ("\ta \n", ["\ta "]), ("x" * 1_000_001 + "\na", ["too_long", "a"]),
    (MARK + MARK + b"a", ["\ufeffa"]), ("a\rb\r", ["a", "b"]), ("a\r\r\nb", ["a", "", "b"]),
]


@pytest.mark.parametrize("seed", range(40))
def test_carriage_returns_end_lines_in_files_longer_than_the_longest_line(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(text_rows, "MAX_LINE", 10)
    draw = random.Random(seed)
    end = draw.choice(["\r", "\r\n", "\n", None])
    pairs = [("x" * draw.randrange(end is None, 15), end or draw.choice(["\r", "\r\n", "\n"])) for _ in range(30)]
    found = [text for _, text, _ in rows(put(tmp_path, "a.txt", "".join(map("".join, pairs)) + "last"))]
    assert len(found) == 31 and found[-1] == "last"
    for (text, _), got in zip(pairs, found, strict=False):
        assert got == text if len(text) < 8 else got in (text, "too_long") if len(text) < 11 else got == "too_long"


def test_many_columns_of_one_name_are_refused_before_their_new_names_fill_the_memory(tmp_path):
    [(_, _, fields)] = rows(put(tmp_path, "a.csv", f"text{',' * 500}\n{GOOD}{',x' * 500}\n"))
    assert len(fields) == 500 and {"", "input_", "input_input_"} < fields.keys()
    for count in (2_000, 900_000):
        with pytest.raises(DataError, match=rf"a.csv, line 1: .*found {count} with the name ''; name them"):
            rows(put(tmp_path, "a.csv", f"text{',' * count}\n{GOOD}\n"))
    names = [f"c{n}" for n in range(100_000)]
    assert len(rows(put(tmp_path, "a.csv", f"text,{','.join(names)}\n{GOOD}{',' * 100_000}\n"))[0][2]) == 100_000


@pytest.mark.parametrize("suffix", [".txt", "", ".TXT", ".txt.gz", ".gz"])
@pytest.mark.parametrize(("data", "texts"), TEXT, ids=range(len(TEXT)))
def test_text(tmp_path, data, texts, suffix):
    expected = [(str(number), text, {}) for number, text in enumerate(texts, start=1)]
    assert rows(put(tmp_path, f"a{suffix}", data)) == expected


TABLES = [
    ("text\na\nb\n", [("1", "a", {}), ("2", "b", {})]),
    ("id,text,n\nx,a,1\ny,b,2\n", [("x", "a", {"n": "1"}), ("y", "b", {"n": "2"})]),
    ("n,text,id\n1,a,x\n2,b,\n", [("x", "a", {"n": "1"}), ("2", "b", {"n": "2"})]),
    (MARK + b'"text","n"\r\n"a, b","1"\r\n', [("1", "a, b", {"n": "1"})]),
    ('text,n\n"say ""a""",1\n"two\nlines",2\n', [("1", 'say "a"', {"n": "1"}), ("2", "two\nlines", {"n": "2"})]),
    ("text,n\ra,1\rb,2\r", [("1", "a", {"n": "1"}), ("2", "b", {"n": "2"})]),
    ("text\n", []),
    ("\n\ntext,n\n\na,1\n\n,2\n", [("1", "a", {"n": "1"}), ("2", "", {"n": "2"})]),
    ("text,n\na,1,extra\nb,2,,\nc\n", [("1", "not_csv", {"n": "1"}), ("2", "b", {"n": "2"}), ("3", "c", {})]),
    ("n,text\n1\n2,b\n", [("1", "not_csv", {"n": "1"}), ("2", "b", {"n": "2"})]),
    (
        'n,text\n1,"a\n2,b\n3,"c"\n4,d',
        [("1", "not_csv", {}), ("2", "b", {"n": "2"}), ("3", "c", {"n": "3"}), ("4", "d", {"n": "4"})],
    ),
    ('n,text\n1,"a" b\n2,b\n', [("1", "not_csv", {}), ("2", "b", {"n": "2"})]),
    ('n,text\n1,a\n2,"b', [("1", "a", {"n": "1"}), ("2", "not_csv", {})]),
    (b"n,text\n1,caf\xe9\ncaf\xe9,b\n", [("1", "not_utf8", {"n": "1"}), ("2", "b", {"n": "caf\\xe9"})]),
    ("n,n,text,text,\n1,2,a,b,3\n", [("1", "a", {"n": "1", "input_n": "2", "input_text": "b", "": "3"})]),
    ("text,n\na," + "x" * 131_073 + "\nb,2", [("1", "not_csv", {}), ("2", "b", {"n": "2"})]),
    ("text,n\na," + "x," * 500_000 + "\nb,2", [("1", "too_long", {}), ("2", "b", {"n": "2"})]),
    ('text,n\n"a\n' + "x" * 1_000_001 + "\nb,2", [("1", "not_csv", {}), ("2", "too_long", {}), ("3", "b", {"n": "2"})]),
    (" text , n\na,1\n", [("1", "a", {"n": "1"})]),
    ("text,n\na\0b,1\n", [("1", "a\0b", {"n": "1"})]),
]


@pytest.mark.parametrize("suffix", [".csv", ".CSV.gz"])
@pytest.mark.parametrize(("data", "expected"), TABLES, ids=range(len(TABLES)))
def test_csv(tmp_path, data, expected, suffix):
    assert rows(put(tmp_path, f"a{suffix}", data)) == expected


SEPARATED = [
    ("id;text;n\nx;a, b;1\n", [("x", "a, b", {"n": "1"})]),
    ('"n";"text"\r\n"1";"a; b"\r\n2;"c', [("1", "a; b", {"n": "1"}), ("2", "not_csv", {})]),
    ("\n\n n ; text \n1;a\n", [("1", "a", {"n": "1"})]),
    ("n;text\n1;a;b\n", [("1", "not_csv", {"n": "1"})]),
    ("n\ttext\n1\ta\n", [("1", "a", {"n": "1"})]),
    ("sep=;\r\nn;text\r\n1;a\r\n", [("1", "a", {"n": "1"})]),
    ("text,a;b\nx,1\n", [("1", "x", {"a;b": "1"})]),
    (MARK + b"n;text\n1;a\n", [("1", "a", {"n": "1"})]),
]


@pytest.mark.parametrize(("data", "expected"), SEPARATED, ids=range(len(SEPARATED)))
def test_csv_may_have_semicolons_or_tabs(tmp_path, data, expected):
    assert rows(put(tmp_path, "a.csv", data)) == expected


def test_zstd(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    codec = pyarrow.Codec("zstd")
    parts = [codec.compress(part, asbytes=True) for part in (b"text,n\na,1\n", b"b,2")]
    path = put(tmp_path, "a.csv.zst", b"".join(parts))
    assert rows(path) == [("1", "a", {"n": "1"}), ("2", "b", {"n": "2"})]
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(DataError, match="a.csv.zst: expected a whole zstd file"):
        rows(path)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ConfigError, match=r"\.\[bulk\]"):
        patch.setitem(sys.modules, "pyarrow", None)
        rows(path)


TABS = [
    ("text\na\n", [("1", "a", {})]),
    ("id\ttext\nx\ta, b\n", [("x", "a, b", {})]),
    (MARK + b"text\tn\r\na\t1\r\n", [("1", "a", {"n": "1"})]),
    ('text\tn\n"say ""a"""\t1\n', [("1", 'say "a"', {"n": "1"})]),
    ('text\tn\n"A," he said.\t1\nb\t2\n', [("1", '"A," he said.', {"n": "1"}), ("2", "b", {"n": "2"})]),
    ('text\tn\n"a\t1\nb\t2\n', [("1", '"a', {"n": "1"}), ("2", "b", {"n": "2"})]),
    ('text\tn\na 5" pipe\t1\n', [("1", 'a 5" pipe', {"n": "1"})]),
    ("text\tn\na\tb\tc\n", [("1", "not_csv", {"n": "b"})]),
    ("n\ttext\n1\n", [("1", "not_csv", {"n": "1"})]),
    (b"text\tn\ncaf\xe9\t1\n", [("1", "not_utf8", {"n": "1"})]),
    ("text\tn\n\n\t\n", [("1", "", {"n": ""})]),
]


@pytest.mark.parametrize("suffix", [".tsv", ".tsv.gz"])
@pytest.mark.parametrize(("data", "expected"), TABS, ids=range(len(TABS)))
def test_tsv(tmp_path, data, expected, suffix):
    assert rows(put(tmp_path, f"a{suffix}", data)) == expected


OBJECTS = [
    ({"text": "a"}, ("1", "a", {})),
    ({"id": "x", "text": "a", "n": [1, {"m": None}]}, ("x", "a", {"n": [1, {"m": None}]})),
    ({"id": 7, "text": "a", "input_id": 1}, (7, "a", {"input_id": 1})),
    ({"id": None, "text": "a"}, ("1", "a", {"input_id": None})),
    ({"id": True, "text": "a", "input_id": 0}, ("1", "a", {"input_input_id": True, "input_id": 0})),
    ({"id": "x", "n": 1}, ("x", "no_text", {"n": 1})),
    ({"text": None}, ("1", "empty", {"input_text": None})),
    ({"text": 5, "n": 1}, ("1", "not_text", {"input_text": 5, "n": 1})),
    ({}, ("1", "no_text", {})),
    ([], ("1", "not_json", {})),
    (5, ("1", "not_json", {})),
    ({"id": "", "text": "a"}, ("1", "a", {"input_id": ""})),
    ({"id": " ", "text": "a"}, ("1", "a", {"input_id": " "})),
    ({"id": 0, "text": "a"}, (0, "a", {})),
    ({"text": "caf\u00e9 \U0001f600"}, ("1", "caf\u00e9 \U0001f600", {})),
]


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".jsonl.gz", ".Json.GZ"])
@pytest.mark.parametrize("mark", [b"", MARK])
@pytest.mark.parametrize(("item", "expected"), OBJECTS, ids=range(len(OBJECTS)))
def test_json(tmp_path, item, expected, mark, suffix):
    shown = item if "jsonl" in suffix else [item]
    assert rows(put(tmp_path, f"a{suffix}", mark + json.dumps(shown, ensure_ascii=False).encode())) == [expected]


def test_a_null_among_texts_is_an_empty_cell_and_no_object(tmp_path):
    assert rows(put(tmp_path, "a.json", '["a", null]')) == [("1", "a", {}), ("2", "empty", {})]
    assert rows(put(tmp_path, "a.jsonl", "null")) == [("1", "not_json", {})]


def test_a_number_that_is_too_long_to_read_stays_as_text(tmp_path):
    digits = "9" * 6000
    for name, form in (("a.json", '[{{"text": "a", "n": {}}}]'), ("a.jsonl", '{{"text": "a", "n": {}}}')):
        assert rows(put(tmp_path, name, form.format(digits))) == [("1", "a", {"n": digits})]


@pytest.mark.parametrize(("line", "found"), [
    ("5", "a number"), ("1.5", "a number"), ("true", "true or false"), ("null", "null"), ('"a"', "a string"),
    ("[]", "a list"),
])
def test_what_is_no_object_is_named_as_json_does(tmp_path, line, found):
    given = input_file.open_input(str(put(tmp_path, "a.jsonl", line)), form="jsonl", text_column="text")
    assert next(given.rows).text.text == f"this cannot be read as a JSON object: found {found}"


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
@pytest.mark.parametrize("levels", [50, 99, 100, 200, 900, 990, 5000])
def test_what_is_nested_too_deeply_is_a_row_or_no_list(tmp_path, suffix, levels):
    item = '{"text": "a", "n": ' + "[" * levels + "]" * levels + "}"
    path = put(tmp_path, f"a{suffix}", item if suffix == ".jsonl" else f"[{item}]")
    if suffix == ".json" and levels > 900:
        with pytest.raises(DataError, match="nested too deeply"):
            rows(path)
    else:
        assert [text for _, text, _ in rows(path)] == ["a" if levels < 100 else "not_json"]


@pytest.mark.parametrize("line", ['{"text": "a", "text": "b"}', '{"text": "a", "n": [{"m": 1, "m": 2}]}'])
def test_an_object_with_a_key_twice_is_a_row_with_a_reason(tmp_path, line):
    given = input_file.open_input(str(put(tmp_path, "a.jsonl", line)), form="jsonl", text_column="text")
    [row] = given.rows
    assert row.text.code == "not_json" and row.text.read == line and row.fields == {}
    assert f"expected each key once, found {'m' if 'm' in line else 'text'!r} several times" in row.text.text


def test_the_field_that_is_missing_is_named(tmp_path):
    given = input_file.open_input(str(put(tmp_path, "a.jsonl", '{"id": 1, "n": 2}')), form="jsonl", text_column="said")
    [row] = given.rows
    assert row.text.text == "the JSON object lacks the field of the text: expected the field 'said', found an object " \
        "with ['id', 'n']"


def test_a_list_of_texts(tmp_path):
    expected = [("1", "a", {}), ("2", "", {}), ("3", "not_json", {}), ("x", "b", {"n": 1})]
    path = put(tmp_path, "a.json", json.dumps(["a", "", ["c"], {"id": "x", "text": "b", "n": 1}], indent=2))
    assert rows(path) == expected


NAMED = [
    ("q", "a.csv", "q,text\na,b\n", ("1", "a", {"q": "a", "input_text": "b"})),
    ("q", "a.csv", "id,q\nx,a\n", ("x", "a", {"q": "a"})),
    ("the question", "a.tsv", "id\tthe question\nx\ta\n", ("x", "a", {"the question": "a"})),
    ("Text", "a.csv.gz", "Text\na\n", ("1", "a", {"Text": "a"})),
    ("id", "a.csv", "id\na\n", ("a", "a", {})),
    ("q", "a.jsonl", '{"q": "a", "text": "b"}', ("1", "a", {"q": "a", "input_text": "b"})),
    ("q", "a.jsonl", '{"id": "x", "text": "b"}', ("x", "no_text", {"input_text": "b"})),
    ("q", "a.jsonl", '{"id": "x", "q": 3}', ("x", "not_text", {"q": 3})),
    ("id", "a.jsonl", '{"id": "a"}', ("a", "a", {})),
    ("q", "a.json", '[{"q": "a", "id": 3}]', (3, "a", {"q": "a"})),
    ("q", "a.json", '["a"]', ("1", "a", {})),
]


@pytest.mark.parametrize(("column", "name", "data", "expected"), NAMED)
def test_the_text_column_is_named(tmp_path, column, name, data, expected):
    assert rows(put(tmp_path, name, data), text_column=column) == [expected]


# --- refused before anything is read or any heavy library imported

REFUSED = [
    ("a.xlsx", b"PK\x03\x04", "found .xlsx"), ("a.zip", b"PK", "found .zip"),
    ("a.txt.bz2", b"BZh9", "found .bz2"), ("a.ndjson", b"{}", "found .ndjson"), ("a.pdf.gz", b"%PDF", "found .pdf"),
    ("a.md", b"#", "found .md"), ("a.v2", b"x", "found .v2"), ("a.csvx", b"text\n", "found .csvx"),
    ("a.py", b"", "found .py"), ("a.csv", b"", "expected the names of columns, found nothing"),
    ("a.csv", b"sentence,n\na,1\n", "found 'sentence', 'n'"), ("a.csv", b"a,b;n;sentence\n", "'a,b', 'n', 'sentence'"),
    ("a.csv", b"n\ttext s\n", "found 'n', 'text s'"),
    ("a.csv", b"n|text\n", "a comma or semicolon or tab separates, found 'n|"),
    ("a.tsv", b"text,n\na,1\n", "found 'text,n'"), ("a.csv", b'"text\na\n', "expected the names of columns"),
    ("a.json", b'{"text": "a"}', "found an object with ['text']"), ("a.json", b"", "found none"),
    ("a.json", b'{"text": "a"}\n{"text": "b"}\n', ".jsonl"), ("a.json", b'"a"', "found a string"),
    ("a.json", b'[{"text": "a", "text": "b"}]', "expected each key once, found 'text' several times in an object"),
    ("a.json", b"[" * 100_000, "nested too deeply"), ("a.json", b'["caf\xe9"]', "the byte 0xe9 at 5"),
]


@pytest.mark.parametrize(("name", "data", "message"), REFUSED)
def test_what_is_refused_is_one_line(tmp_path, monkeypatch, capfd, name, data, message):
    monkeypatch.setattr(parsing, "load", lambda *_, **__: pytest.fail("the file is looked at first"))
    path = put(tmp_path, name, data)
    assert main(["parse", "--input", str(path)]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith("eqparse: error: ") and err.count("\n") == 1
    assert str(path) in err and message in err


@pytest.mark.parametrize("suffix", [".txt.gz", ".csv.gz", ".tsv.gz", ".jsonl.gz", ".json.gz"])
@pytest.mark.parametrize("damage", [
    lambda data: b"text\na\n", lambda data: data[:30], lambda data: data[:-4],
    lambda data: data[:200] + b"\0\0\0" + data[203:],
    lambda data: data + b"more", lambda data: b"",
])
def test_a_damaged_gzip_file_is_refused(tmp_path, monkeypatch, capfd, suffix, damage):
    monkeypatch.setattr(parsing, "load", lambda *_, **__: trained())
    content = "text\n" + "".join(f"sentence {n * 7919 % 1009}\n" for n in range(2000))
    path = tmp_path / f"a{suffix}"
    path.write_bytes(damage(gzip.compress(content.encode())))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eqparse.commands.write_parses.write_parses", lambda parser, given, *_, **__: list(given.rows))
        assert main(["parse", "--input", str(path), "--output", str(tmp_path / "out.csv")]) == 2
    err = capfd.readouterr().err
    assert f"{path}: expected" in err and err.count("\n") == 1
    assert not (tmp_path / "out.csv").exists()


def test_a_text_column_of_plain_text_is_refused(tmp_path, capfd):
    for arguments in (["--input", str(put(tmp_path, "a.txt", "a"))], ["a sentence"]):
        assert main(["parse", *arguments, "--text-column", "q"]) == 2
        assert "--text-column q: expected csv, tsv, jsonl or json to read" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.xlsx", "a.csv", "a.json", "a.csv.gz"])
def test_a_file_is_refused_before_torch_is_imported(tmp_path, name):
    (tmp_path / name).write_text("none")
    code = ("import sys; from eqparse.commands.main import main; assert main(sys.argv[1:]) == 2; "
            "sys.exit(bool(sys.modules.keys() & {'torch', 'spacy', 'rich', 'numpy'}))")
    command = [sys.executable, "-c", code, "parse", "--input", str(tmp_path / name)]
    assert subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True).returncode == 0


# --- what comes out


@pytest.fixture
def command(monkeypatch, tmp_path, capfd):
    """What `eqparse parse` writes of a file, as text, and what it says on standard error."""
    monkeypatch.setattr(parsing, "load", lambda *_, **__: trained())
    monkeypatch.setattr("torch.set_num_threads", lambda count: None)

    def run(name, data, *options):
        assert main(["parse", "--input", str(put(tmp_path, name, data)), *options]) == 0
        return capfd.readouterr()

    return run


@pipeline
def test_columns_come_first_in_csv(command):
    out, err = command("a.csv", f"n,id,text,score,V1\n1,x,{GOOD},high,me\n2,y,It rained.,low,\n", "--format", "csv")
    header, good, rained = csv.reader(io.StringIO(out))
    own = ["n", "id", "text", "input_score", "V1"]
    assert header == [*own, *(column for column in CSV_COLUMNS if column not in own)]
    assert good[:5] == ["1", "x", GOOD, "high", "me"] and rained[:5] == ["2", "y", "It rained.", "low", ""]
    good = dict(zip(header, good, strict=True))
    assert good["equation"] == str(trained()(GOOD).equation) and float(good["score"]) == trained()(GOOD).score
    assert dict(zip(header, rained, strict=True))["reason_code"] == "no_number"
    assert err == "eqparse: 2 texts: 1 parsed, 1 refused (1 no_number)\n"


@pipeline
def test_fields_stay_beside_the_parse_in_json(command):
    record = {"kind": "trees", "id": "x", "equation": "V1 = V2 + 12", "text": GOOD, "input_equation": 0, "V1": 3}
    out, err = command("a.jsonl", json.dumps(record), "--format", "jsonl")
    parse = json.loads(json.dumps(trained()(GOOD).to_dict()))
    assert json.loads(out) == parse | {
        "id": "x", "kind": "trees", "input_equation": "V1 = V2 + 12", "input_input_equation": 0, "V1": 3,
    }
    assert err == ""  # of one text there is nothing to sum up


@pipeline
def test_fields_of_all_records_become_columns(command):
    records = [
        {"text": "a.", "n": 1, "at": [1, 2]}, {"text": "b", "m": "x", "score": 0.5}, "c", {"n": None, "text": 4},
    ]
    out, err = command("a.json", json.dumps(records), "--format", "csv")
    found = list(csv.DictReader(io.StringIO(out)))
    own = ["id", "text", "n", "at", "m", "input_score", "input_text"]
    assert list(found[0]) == [*own, *CSV_COLUMNS[2:]]
    assert [[row[column] for column in own] for row in found] == [
        ["1", "a.", "1", "[1, 2]", "", "", ""], ["2", "b", "", "", "x", "0.5", ""], ["3", "c", "", "", "", "", ""],
        ["4", "", "", "", "", "", "4"],
    ]
    assert err == "eqparse: 4 texts: 0 parsed, 4 refused (3 no_number, 1 not_text)\n"


@pipeline
def test_columns_are_fields_in_json_and_bad_rows_are_there(command):
    data = b'q,grade\n"The oak,7\n' + f"{GOOD},8\r\n".encode() + b"caf\xe9,9\n" + b"a,b,c\n"
    out, err = command("a.csv", data, "--format", "jsonl", "--text-column", "q")
    found = [json.loads(line) for line in out.splitlines()]
    assert [record["reason_code"] for record in found] == ["not_csv", "", "not_utf8", "not_csv"]
    assert [record.get("grade") for record in found] == [None, "8", "9", "b"]
    assert found[1]["q"] == found[1]["text"] == GOOD and [record["id"] for record in found] == ["1", "2", "3", "4"]
    assert err == "eqparse: 4 texts: 1 parsed, 3 refused (2 not_csv, 1 not_utf8)\n"


@pipeline
def test_standard_input_in_any_format(command, monkeypatch, capfd):
    for form, data in (("csv", f"text\n{GOOD}"), ("json", json.dumps([GOOD])), ("tsv", f"\ufefftext\n{GOOD}\n")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
        assert main(["parse", "--input-format", form]) == 0
        assert capfd.readouterr() == (f"1  {GOOD}\n    {trained()(GOOD)}\n", "")
    assert command("a.log", GOOD, "--input-format", "text").out == f"1  {GOOD}\n    {trained()(GOOD)}\n"
