"""What is read of each kind of file in shards, and what is written of it in each format."""

from __future__ import annotations

import csv
import gzip
import json
import sys

import pytest
from bulk_parsers import Canned, contents, without_processes

from eqparse.errors import ConfigError, DataError
from eqparse.integrations.bulk import parse_file, reading
from eqparse.integrations.fields import COLUMNS

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

FOUND = {
    "equation": "V1 = 4 + V2", "variables": {"V1": [[0, 1]], "V2": [[2, 4]]}, "phrases": {"V1": ["a"], "V2": ["4"]},
    "quantities": [], "tree": None, "score": None, "confidence": 0.75, "alternatives": [], "reason": "",
    "reason_code": "",
}


@pytest.fixture(autouse=True)
def in_one_process(monkeypatch):
    without_processes(monkeypatch)


def put(path, data):
    data = data.encode() if isinstance(data, str) else data
    if path.suffix == ".zst":
        data = pyarrow.Codec("zstd").compress(data, asbytes=True)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def parsed(tmp_path, path, to="jsonl", **options):
    """The rows of a file's shards, as JSON has them; with `to`, as that format has them."""
    folder = tmp_path / f"out-{to}"
    parse_file(path, folder, output_format=to, load=Canned, **options)
    files = sorted(folder.glob("part-*"))
    if to == "parquet":
        return [row for file in files for row in parquet.read_table(file).to_pylist()]
    if to == "csv":
        return [row for file in files for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def given(rows):
    """The rows without what parsing found, and for which reason it found nothing."""
    return [({k: v for k, v in row.items() if k not in COLUMNS}, row["reason_code"]) for row in rows]


TABLE = [({"n": "1", "text": "a 4 b", "id": "x"}, ""), ({"n": "2", "text": "b, c; d", "id": ""}, "no_number")]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize(("name", "data"), [
    ("a.csv", 'n,text,id\n1,a 4 b,x\n2,"b, c; d",\n'), ("a.csv", 'n;text;id\n1;a 4 b;x\n2;"b, c; d";\n'),
    ("a.csv", '"n";"text";"id"\n1;a 4 b;x\n2;"b, c; d";\n'), ("a.csv", "n\ttext\tid\n1\ta 4 b\tx\n2\tb, c; d\t\n"),
    ("a.tsv", "n\ttext\tid\n1\ta 4 b\tx\n2\tb, c; d\t\n"),
    ("a.jsonl", "\n".join(json.dumps(row) for row, _ in TABLE)),
])
def test_columns_pass_through_whatever_separates_them(tmp_path, name, data, suffix):
    rows = parsed(tmp_path, put(tmp_path / f"{name}{suffix}", data))
    assert given(rows) == TABLE and {name: rows[0][name] for name in COLUMNS} == FOUND
    assert (rows[1]["equation"], rows[1]["confidence"], rows[1]["variables"]) == (None, None, {})


def test_a_file_of_parquet_keeps_its_types(tmp_path):
    table = pyarrow.table({
        "n": pyarrow.array([1, 2, None], "int8"), "said": ["a 4 b", None, "b"], "tags": [["x"], [], None],
        "reason": ["r"] * 3, "b": pyarrow.array(["p", "q", "p"]).dictionary_encode(),
    })
    parquet.write_table(table, tmp_path / "a.parquet")
    parse_file(tmp_path / "a.parquet", tmp_path / "out", text_column="said", load=Canned, shard_rows=2)
    files = sorted((tmp_path / "out").glob("part-*.parquet"))
    assert [parquet.read_metadata(file).num_rows for file in files] == [2, 1]
    made = parquet.read_table(tmp_path / "out")  # the manifest is no table
    own = [name if name != "reason" else "input_reason" for name in table.column_names]
    assert made.column_names == [*own, *COLUMNS] and made.select(own).rename_columns(table.column_names) == table
    assert made["reason_code"].to_pylist() == ["", "empty", "no_number"]
    assert {name: made.to_pylist()[0][name] for name in COLUMNS} == FOUND
    assert len({parquet.read_schema(file) for file in files}) == 1
    rows = parsed(tmp_path, tmp_path / "a.parquet", "csv", text_column="said")
    assert (rows[0]["n"], rows[0]["tags"], rows[1]["said"], rows[2]["tags"]) == ("1", '["x"]', "", "")
    assert json.loads(rows[0]["phrases"]) == FOUND["phrases"] and list(rows[0]) == [*own, *COLUMNS]


def test_what_only_arrow_has_is_text_elsewhere(tmp_path):
    from datetime import date
    from decimal import Decimal

    row = {"text": "a 4 b", "day": date(2020, 2, 1), "price": Decimal("1.50"), "raw": b"\xff", "nan": float("nan")}
    parquet.write_table(pyarrow.Table.from_pylist([row]), tmp_path / "a.parquet")
    [found] = given(parsed(tmp_path, tmp_path / "a.parquet"))
    assert found[0] == {"text": "a 4 b", "day": "2020-02-01", "price": "1.50", "raw": "\\xff", "nan": "NaN"}
    [found] = given(parsed(tmp_path, tmp_path / "a.parquet", "csv"))
    assert [*found[0].values()] == ["a 4 b", "2020-02-01", "1.50", "\\xff", "NaN"]


@pytest.mark.parametrize("to", ["jsonl", "csv"])
def test_what_python_cannot_hold_is_text_elsewhere(tmp_path, to):
    days = pyarrow.array([10**7, 0, None], "date32")
    bad = pyarrow.Array.from_buffers(
        pyarrow.string(), 3, [None, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0"), pyarrow.py_buffer(b"\xff")]
    )
    columns = {"text": ["a 4 b"] * 3, "day": days, "view": bad.cast("string_view"),
               "days": pyarrow.ListArray.from_arrays([0, 2, 2, 2], days),
               "in": pyarrow.StructArray.from_arrays([days, bad], ["day", "said"])}
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    found = [row for row, _ in given(parsed(tmp_path, tmp_path / "a.parquet", to))]
    of_json = found if to == "jsonl" else [row | {n: json.loads(row[n]) for n in ("days", "in")} for row in found]
    assert [row["day"] for row in found] == ["29349-01-26", "1970-01-01", None if to == "jsonl" else ""]
    assert [row["view"] for row in found] == [r"\xff", "", ""]
    assert [row["days"] for row in of_json] == [["29349-01-26", "1970-01-01"], [], []]
    assert of_json[0]["in"] == {"day": "29349-01-26", "said": r"\xff"}


def test_texts_of_parquet_that_are_not_utf8_are_rows_with_a_reason(tmp_path):
    buffers = [None, pyarrow.py_buffer(b"\0\0\0\0\5\0\0\0\6\0\0\0"), pyarrow.py_buffer(b"a 4 b\xff")]
    texts = pyarrow.Array.from_buffers(pyarrow.string(), 2, buffers)
    parquet.write_table(pyarrow.table({"text": texts}), tmp_path / "a.parquet")
    assert [code for _, code in given(parsed(tmp_path, tmp_path / "a.parquet"))] == ["", "not_utf8"]
    parse_file(tmp_path / "a.parquet", tmp_path / "same", load=Canned)
    assert parquet.read_table(tmp_path / "same")["reason_code"].to_pylist() == ["", "not_utf8"]


BAD = [
    ("a.csv", b"n,text\n1,a 4 b\n2\n3,caf\xe9\n4,\"b\n5,c", ["", "not_csv", "not_utf8", "not_csv", "no_number"]),
    ("a.jsonl", b'{"text": "a 4 b"}\n{\n{"text": 3}\n[]\ncaf\xe9\n{"text": "\\ud800"}',
     ["", "not_json", "not_text", "not_json", "not_utf8", "not_unicode"]),
    ("a.txt", b"a 4 b\n\ncaf\xe9\n", ["", "empty", "not_utf8"]),
    ("a.csv", b"n,text\n1,\n", ["empty"]), ("a.tsv", b"n\ttext\n1\t\n", ["empty"]),
    ("a.jsonl", b'{"n": 1, "text": null}\n{"n": 1, "text": ""}', ["empty", "empty"]),
]


@pytest.mark.parametrize("to", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize(("name", "data", "codes"), BAD)
def test_a_bad_row_is_a_row_with_a_reason(tmp_path, name, data, codes, to):
    rows = parsed(tmp_path, put(tmp_path / name, data), to)
    assert [row["reason_code"] for row in rows] == codes and all(bool(row["equation"]) != bool(row["reason"])
                                                                 for row in rows)


@pytest.mark.parametrize("to", ["csv", "parquet"])
def test_fields_of_json_become_columns_and_none_is_lost(tmp_path, to):
    records = [
        {"text": "a", "n": 1, "x": 1, "on": True, "at": [1], "none": None},
        {"text": "b", "n": 2, "x": 0.5, "\ud800": 4},
        {"text": "c", "n": "three", "x": 3, "more": {"m": 1}, "none": "no", "other_fields": 1},
        {"n": 2**70, "text": "d", "x": 2**53 + 1},
    ]
    path = put(tmp_path / "a.jsonl", "\n".join(map(json.dumps, records)))
    rows = parsed(tmp_path, path, to, shard_rows=2)
    assert list(rows[0]) == ["text", "n", "x", "on", "at", "none", "other_fields", *COLUMNS]
    empty = "" if to == "csv" else None
    assert [row["other_fields"] for row in rows] == [
        empty, r'{"\ud800": 4}', '{"n": "three", "more": {"m": 1}, "other_fields": 1}',
        f'{{"n": {2**70}, "x": {2**53 + 1}}}',
    ]
    if to == "parquet":
        assert [rows[1][name] for name in ("n", "x", "on", "at")] == [2, 0.5, None, None] and rows[0]["at"] == "[1]"
        assert (rows[0]["x"], rows[0]["on"], rows[2]["none"]) == (1.0, True, "no")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "a.txt"])
@pytest.mark.parametrize("to", ["jsonl", "csv", "parquet"])
def test_a_file_without_rows_gives_a_shard_without_rows(tmp_path, name, to):
    if name == "a.parquet":
        parquet.write_table(pyarrow.table({"text": pyarrow.array([], "string")}), tmp_path / name)
    else:
        put(tmp_path / name, "text\n" if name == "a.csv" else "")
    told = []
    assert parsed(tmp_path, tmp_path / name, to, progress=told.append) == [] and told[0].total == 0
    assert json.loads((tmp_path / f"out-{to}" / "_manifest.json").read_text())["rows"] == 0


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_shards_follow_one_another_and_long_rows_end_one(tmp_path, monkeypatch, name):
    monkeypatch.setattr(reading, "SHARD_BYTES", 3000)
    texts = [f"{n} " + "x" * (900 if n > 20 else 9) for n in range(30)]
    if name == "a.parquet":
        table = pyarrow.table({"text": texts})
        parquet.write_table(table, tmp_path / name, row_group_size=7)
        monkeypatch.setattr("eqparse.integrations.bulk.parquet.BATCH_ROWS", 1)
    else:
        put(tmp_path / name, "text\n" + "\n".join(texts) if name == "a.csv" else "\n".join(
            json.dumps({"text": text}) for text in texts))
    form = name.removeprefix("a.")
    source = reading.open_source(str(tmp_path / name), form=form, text_column="text", shard_rows=8)
    shards = list(source.shards)
    assert [text for shard in shards for text in shard.texts] == texts and source.share() == 1
    assert [shard.first for shard in shards] == [1 + sum(len(s.texts) for s in shards[:n]) for n in range(len(shards))]
    assert [len(shard.texts) for shard in shards[:2]] == [8, 8] and max(len(s.texts) for s in shards[3:]) <= 4


REFUSED = [
    ("a.parquet", b"PAR1", "expected a whole parquet file"), ("a.parquet", b"", "expected a whole parquet file"),
    ("a.parquet.gz", b"", "expected parquet, which compresses itself"), ("a.json", b"[]", r"one a line \(.jsonl\)"),
    ("a.csv", b"said;n\n", "found 'said', 'n'; name one with --text-column"), ("a.xlsx", b"", "found .xlsx"),
]


@pytest.mark.parametrize(("name", "data", "message"), REFUSED)
def test_a_file_that_cannot_be_read_is_refused(tmp_path, name, data, message):
    with pytest.raises((ConfigError, DataError), match=message):
        parse_file(put(tmp_path / name, data), tmp_path / "out", load=Canned)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("columns", "message"), [
    ({"said": ["a"]}, "expected a column 'text', found 'said'"), ({}, "found none"),
    ({"text": [["a"]]}, "expected strings in the column 'text', found list"), ({"text": [3]}, "found int64"),
])
def test_a_column_that_holds_no_texts_is_refused(tmp_path, columns, message):
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    with pytest.raises(DataError, match=message):
        parse_file(tmp_path / "a.parquet", tmp_path / "out", load=Canned)


def test_columns_of_one_name_are_refused(tmp_path):
    parquet.write_table(pyarrow.table([["a"], ["b"]], ["text", "text"]), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="several 'text'"):
        parse_file(tmp_path / "a.parquet", tmp_path / "out", load=Canned)


def cut(data):
    return data[: len(data) * 2 // 3]


def begun_otherwise(data):
    return b"none" + data[4:]


def changed(data):
    return data[:-200] + b"\0\0\0\0" + data[-196:]


@pytest.mark.parametrize(("name", "damage"), [
    ("a.csv.gz", cut), ("a.csv.gz", begun_otherwise), ("a.csv.gz", changed), ("a.csv.zst", cut),
    ("a.csv.zst", begun_otherwise), ("a.jsonl.zst", cut), ("a.parquet", cut), ("a.parquet", changed),
])
def test_a_damaged_file_is_named_and_what_was_made_stays(tmp_path, name, damage):
    texts = [f"sentence {n * 7919 % 100_003}" for n in range(20_000)]
    if name == "a.parquet":
        parquet.write_table(pyarrow.table({"text": texts}), tmp_path / name, row_group_size=1000)
    elif "jsonl" in name:
        put(tmp_path / name, "\n".join(json.dumps({"text": text}) for text in texts))
    else:
        put(tmp_path / name, "text\n" + "\n".join(texts))
    (tmp_path / name).write_bytes(damage((tmp_path / name).read_bytes()))
    with pytest.raises(DataError, match=f"{name}: expected a whole"):
        parse_file(tmp_path / name, tmp_path / "out", load=Canned, shard_rows=1000)
    assert all(not file.startswith(".part") for file in (contents(tmp_path / "out") if (tmp_path / "out").exists()
                                                         else ()))


def test_a_library_that_is_not_installed_is_named_with_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"package pyarrow, .*\(pip install -e '\.\[bulk\]'\)"):
        parse_file(put(tmp_path / "a.csv", "text\na\n"), tmp_path / "out", load=Canned)
