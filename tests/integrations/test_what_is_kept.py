"""What comes out of a file beside the parses: all that was read, in one file or in shards, in any format."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from bulk_parsers import Canned, without_processes
from parses import answered
from tiny import trained

from eqparse.commands.output_file import Output
from eqparse.commands.write_parses import write_parses
from eqparse.equation.equation import Equation
from eqparse.errors import DataError
from eqparse.integrations.bulk import parse_file
from eqparse.integrations.fields import COLUMNS, fields, typed
from eqparse.integrations.input_file import input_format, open_input
from eqparse.parser.parse import Alternative

pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
FORMS = ("one jsonl", "one csv", "jsonl", "csv", "parquet")


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The rows that become of a file, with `Canned`; form: "one" for one file, else a folder of shards."""
    without_processes(monkeypatch)

    def write(name, data, form, *, text_column="text", **options):
        (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        *one, form = form.split()
        if one:
            given = open_input(str(tmp_path / name), form=input_format(name), text_column=text_column)
            out = io.BytesIO()
            write_parses(Canned(), given, Output(out, "utf-8"), form=form, batch_size=2, **options)
            parts = [out.getvalue().decode()]
        else:
            parse_file(tmp_path / name, tmp_path / f"out-{form}", output_format=form, load=Canned,
                       text_column=text_column, **options)
            paths = sorted((tmp_path / f"out-{form}").glob("part-*"))
            if form == "parquet":
                return [row for path in paths for row in parquet.read_table(path).to_pylist()]
            parts = [path.read_text(encoding="utf-8") for path in paths]
        if form == "csv":
            return [row for part in parts for row in csv.DictReader(io.StringIO(part, newline=""))]
        return [json.loads(line) for part in parts for line in part.splitlines()]

    return write


UNREAD = [
    ("a.csv", b'n,text\n1,a 4\n2,b,c,d\n3\n4,caf\xe9 9\n5,"e\n6,f\n', [
        ("a 4", ""), ("2,b,c,d", "not_csv"), ("3", "not_csv"), ("caf\\xe9 9", "not_utf8"), ('5,"e', "not_csv"),
        ("f", "no_number"),
    ]),
    ("a.csv", b'n,text\n1,"a\nb",2\n2,"c\n', [('1,"a\nb",2', "not_csv"), ('2,"c', "not_csv")]),
    ("a.tsv", b"n\ttext\n1\ta\tb\xff\n", [("1\ta\tb\\xff", "not_csv")]),
    ("a.txt", b"a 4\ncaf\xe9 9\n", [("a 4", ""), ("caf\\xe9 9", "not_utf8")]),
    ("a.jsonl", b'{"text": "a 4"}\n{"text": 1\n[2, "x"]\n"y"\ncaf\xe9 9\n', [
        ("a 4", ""), ('{"text": 1', "not_json"), ('[2, "x"]', "not_json"), ('"y"', "not_json"),
        ("caf\\xe9 9", "not_utf8"),
    ]),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("name", "data", "rows"), UNREAD)
def test_a_row_that_cannot_be_read_is_kept_as_it_stands(written, name, data, rows, form):
    found = written(name, data, form)
    assert [(row["text"], row["reason_code"]) for row in found] == rows
    if name == "a.csv" and len(rows) > 2:
        assert [row.get("n") or "" for row in found] == ["1", "2", "3", "4", "", "6"]


@pytest.mark.parametrize("form", ["one jsonl", "jsonl"])
def test_a_row_is_kept_under_another_name_of_the_text_too(written, form):
    [row] = written("a.csv", "said,n\n1,2,3\n", form, text_column="said")
    assert (row["said"], row["n"], row["reason_code"]) == ("1,2,3", "2", "not_csv")


def test_items_of_a_list_that_are_no_texts_are_kept(written):
    found = written("a.json", '["a", 7, [1, "\u00e9"], {"text": "b"}]', "one jsonl")
    assert [row["text"] for row in found] == ["a", "7", '[1, "\u00e9"]', "b"]


@pytest.mark.parametrize("form", FORMS)
def test_numbers_that_json_has_not_are_texts(written, form):
    [row] = written(
        "a.jsonl", '{"text": "a", "x": NaN, "y": 1e999, "z": -1E400, "w": [-Infinity, 0.5], "v": {"u": Infinity}}', form
    )
    assert [row["x"], row["y"], row["z"]] == ["NaN", "1e999", "-1E400"]
    inner = [value if "jsonl" in form else json.loads(value) for value in (row["w"], row["v"])]
    assert inner == [["-Infinity", 0.5], {"u": "Infinity"}]


@pytest.mark.parametrize("form", ["one jsonl", "jsonl"])
def test_fields_keep_their_types(written, form):
    record = {"text": "a", "id": 7, "n": 2**70, "x": 1.0, "on": True, "none": None, "in": [1, "2", {"m": 3}], "s": "4"}
    [row] = written("a.jsonl", json.dumps(record), form)
    assert {name: row[name] for name in record} == record
    assert [type(row[name]) for name in record] == [type(value) for value in record.values()]


BLANK = {
    "a.csv": "text,n\n\na,1\n  \n\nb,2\n\n", "a.tsv": "text\tn\n\na\t1\n \nb\t2\n",
    "a.jsonl": '\n{"text": "a"}\n  \n\r\n{"text": "b"}\n\n', "a.txt": "a\n\nb\n",
}
IDS = {"a.jsonl": ["2", "5"], "a.txt": ["1", "2", "3"]}  # the line in the file, where a row is a line


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", BLANK)
def test_a_blank_line_is_a_row_in_plain_text_alone(written, name, form):
    found = written(name, BLANK[name], form)
    assert [row["text"] or "" for row in found] == (["a", "", "b"] if name == "a.txt" else ["a", "b"])
    if "one" in form:
        assert [row["id"] for row in found] == IDS.get(name, ["1", "2"])


@pytest.mark.parametrize("form", ["one jsonl", "csv"])
@pytest.mark.parametrize(("encoding", "mark", "named"), [
    ("utf-16-le", "\ufeff", "UTF-16 by its byte order mark FF FE"), ("utf-16-be", "\ufeff", "UTF-16 .* FE FF"),
    ("utf-32-le", "\ufeff", "UTF-32 .* FF FE 00 00"), ("utf-32-be", "\ufeff", "UTF-32 .* 00 00 FE FF"),
])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt", "a.jsonl", "a.json"])
def test_another_encoding_is_named_by_its_mark(written, name, encoding, mark, named, form):
    if (name, form) == ("a.json", "csv"):
        pytest.skip("a list is not read in shards")
    with pytest.raises(DataError, match=f"{name}: expected UTF-8, found {named}; convert it, as by `iconv -f UTF-"):
        written(name, f"{mark}text\na 4\n".encode(encoding), form)


# --- the columns


def test_the_columns_are_what_a_parse_has_but_its_text():
    parse = answered("a 4 b", Equation.parse("V1 = 4"), {"V1": ((0, 1),)}, confidence=0.5)
    assert ["text", *COLUMNS] == list(parse.to_dict()) and fields(parse)["variables"] == {"V1": [[0, 1]]}
    shown = {name: typed(value, COLUMNS[name]) for name, value in fields(parse).items()}
    assert shown["variables"] == {"V1": [[0, 1]], "V2": []} and shown["phrases"] == {"V1": ["a"], "V2": []}
    assert typed({"op": "="}, str) == '{"op": "="}' and typed(None, str) is None


@pytest.mark.pipeline
def test_columns_with_types_lack_nothing_of_a_parse():
    parse = trained()("The oak is 12 feet taller than the birch.")
    other = Alternative(parse.equation, parse.variables, 0.5)
    found = fields(replace(parse, alternatives=(other,)))
    assert found["quantities"] and found["alternatives"]
    for name, kind in COLUMNS.items():
        shown = typed(found[name], kind)
        assert shown == (json.dumps(found[name]) if name == "tree" else json.loads(json.dumps(found[name])))


@pytest.mark.parametrize("form", FORMS)
def test_every_destination_has_the_same_columns_and_the_alternatives_asked_for(written, form):
    found = written("a.csv", "n,text,score\n1,a 4 b,x\n2,nobody,y\n", form, alternatives=3)
    for row in found:
        own = ["n", "text", "input_score"]
        assert set(row) == {*own, *COLUMNS, *(["id"] if "one" in form else [])}
    first, second = [json.loads(row["alternatives"]) if "csv" in form else row["alternatives"] for row in found]
    [other] = first
    assert (other["equation"], other["probability"], other["phrases"]["V2"]) == ("V1 = 4 + V2", 0.75, ["4"])
    assert second == []
