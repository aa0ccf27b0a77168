"""Examples, and their round trips through brat and JSON lines."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiny import ROOT

from eqparse.corpus import Example, read_brat, read_examples, read_jsonl, write_brat, write_jsonl
from eqparse.corpus.check import check_corpus
from eqparse.corpus.jsonl import write_lines
from eqparse.equation.equation import Equation
from eqparse.errors import DataError

TEXT = "The kettle holds 3 cups more than the old flask ."
TXT = f"{TEXT}\n\nV1=3+V2 \n\n[ The kettle ] holds\n"
ANN = "T2\tV1 0 10\tThe kettle\nT1\tV2 34 47\tthe old flask\n"
KETTLE = Example("7", TEXT, Equation.parse("V1 = 3 + V2"), {"V1": ((0, 10),), "V2": ((34, 47),)})

RELAXED = settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
NUMBERS = st.sampled_from(["3", "-8", "0.05", "0.0000001"])
FORMS = ["V1 = {}", "V1 + V2 = {}", "V1 + ({} * V1) = V2", "V2 / {} = V1 - 4", "(V1 + (2 * V2)) - 1 = {}"]


@st.composite
def examples(draw, text=ANY_TEXT, ids=ANY_TEXT):
    words = draw(text)
    bounds = st.lists(st.integers(0, len(words)), min_size=2, max_size=2, unique=True)
    span = bounds.map(sorted).map(tuple)
    equation = draw(st.none() | st.builds(str.format, st.sampled_from(FORMS), NUMBERS).map(Equation.parse))
    labels = [] if equation is None else draw(st.permutations(["V1", "V2"]))
    variables = {label: tuple(draw(st.lists(span, min_size=1, max_size=3))) for label in labels}
    return Example(draw(ids), words, equation, variables, draw(ANY_TEXT))


def corpora(**options):
    return st.lists(examples(**options), max_size=4, unique_by=lambda example: example.id)


def put(folder, name="7", txt=TXT, ann=ANN):
    folder.mkdir(exist_ok=True)
    for suffix, content in (("txt", txt), ("ann", ann)):
        if content is not None:
            content = content if isinstance(content, bytes) else content.encode()
            (folder / f"{name}.{suffix}").write_bytes(content)
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# --- one example


def test_an_example_keeps_its_spans_as_tuples():
    example = Example("1", TEXT, KETTLE.equation, {"V1": [[0, 10], [4, 10]], "V2": [(34, 47)]})
    assert example.variables == {"V1": ((0, 10), (4, 10)), "V2": ((34, 47),)}
    assert replace(KETTLE, id="1", variables=example.variables) == example


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variables": {"V1": ((0, 10),)}}, "V2 of the equation V1 = 3 [+] V2 has no span"),
        ({"variables": {"V1": ((0, 10),), "V2": ()}}, "expected a list of spans, at least one, for V2"),
        ({"variables": {"V1": ((0, 10),), "V2": ((34, 50),)}}, r"V2.*<= 49 .*found \(34, 50\)"),
        ({"variables": {"V1": ((0, 10),), "V2": ((34, 34),)}}, r"found \(34, 34\)"),
        ({"variables": {"V1": ((-3, 10),), "V2": ((34, 47),)}}, r"found \(-3, 10\)"),
        ({"variables": {"V1": ((0, 10.0),), "V2": ((34, 47),)}}, r"found \(0, 10.0\)"),
        ({"variables": {"V1": ((0, 10, 12),), "V2": ((34, 47),)}}, r"found \(0, 10, 12\)"),
        ({"variables": {"V1": ((0, 10),), "X": ((34, 47),)}}, "label of V and digits.*'X'"),
        ({"variables": [("V1", ((0, 10),))]}, "expected variables that map labels to spans"),
        ({"equation": None}, "expected no spans without an equation"),
        ({"equation": "V1 = 3 + V2"}, "an Equation or None"),
        ({"text": TEXT.encode()}, "text: expected a str"),
        ({"text": TEXT + "\ud800"}, "text: expected whole characters"),
        ({"id": 7}, "id: expected a str"),
        ({"kind": None}, "kind: expected a str"),
    ],
)
def test_an_example_that_does_not_hold_together_is_refused(change, message):
    with pytest.raises(DataError, match=message):
        replace(KETTLE, **change)


# --- brat


def test_brat_by_hand(tmp_path):
    (example,) = read_brat(put(tmp_path))
    assert example == KETTLE
    assert list(example.variables) == ["V1", "V2"]
    write_brat([replace(example, source=None)], tmp_path / "new")
    assert contents(tmp_path / "new") == {
        "7.txt": f"{TEXT}\n\nV1 = 3 + V2\n".encode(),
        "7.ann": b"T1\tV1 0 10\tThe kettle\nT2\tV2 34 47\tthe old flask\n",
    }


def test_brat_is_written_back_byte_for_byte_unless_the_example_changed(tmp_path):
    folder = put(tmp_path / "a")
    put(
        folder,
        "12",
        txt="Grüße kosten 5 € je Stück  \r\n\r\nV1 = 5.00\r\n",
        ann="T9\tV1 20 25\tStü\r\n#1\tnote\r\n\r\n",
    )
    put(folder, "3", txt="It rained .\n\nNONE", ann="")
    read = read_brat(folder)
    assert [example.id for example in read] == ["3", "7", "12"]
    assert read[2].text == "Grüße kosten 5 € je Stück  "
    assert [read[2].text[start:end] for start, end in read[2].variables["V1"]] == ["Stück"]
    assert read[0].equation is None and read[0].variables == {}
    write_brat(read, tmp_path / "b")
    assert contents(tmp_path / "b") == contents(folder)
    changed = replace(read[1], equation=Equation.parse("V1 = 4 + V2"))
    write_brat([changed], tmp_path / "c")
    assert read_brat(tmp_path / "c") == [changed]


def test_brat_ids_are_sorted_by_number_then_name(tmp_path):
    for name in ("10", "9", "b", "a2", "100"):
        put(tmp_path, name)
    assert [example.id for example in read_brat(tmp_path)] == ["9", "10", "100", "a2", "b"]


ONE_LINE = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), min_size=1, max_size=20
)


@given(corpora(text=ONE_LINE, ids=st.integers(0, 10**6).map(str)).filter(bool))
@RELAXED
def test_brat_round_trip(tmp_path_factory, corpus):
    first, second = (tmp_path_factory.mktemp("brat") for _ in range(2))
    write_brat(corpus, first)
    read = read_brat(first)
    assert read == [replace(e, kind="") for e in sorted(corpus, key=lambda example: int(example.id))]
    for example in corpus:  # no reader may see a line end inside an annotation
        count = sum(len(spans) for spans in example.variables.values())
        assert len((first / f"{example.id}.ann").read_bytes().decode().splitlines()) == count
    write_brat(read, second)
    assert contents(first) == contents(second)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"ann": None}, r"7\.ann: expected this file beside its partner"),
        ({"txt": None}, "found no .txt file"),
        ({"txt": TEXT}, "7.txt, line 3: expected an equation or NONE, found nothing"),
        ({"txt": f"{TEXT}\n\n \n"}, "7.txt, line 3: expected an equation or NONE, found nothing"),
        (
            {"txt": f"{TEXT}\n\nV1 = 3 +\n"},
            "7.txt, line 3: equation 'V1 = 3 [+]', character 8: expected a number",
        ),
        ({"txt": f"{TEXT}\n\nNONE\n"}, "7.ann: .*expected no spans"),
        ({"txt": TXT.encode() + b"\n\xff"}, "7.txt, line 7: expected UTF-8, found the byte 0xff"),
        (
            {"ann": b"T1\tV1 0 10\tk\nT2\tV2 34 47\t\xe9"},
            "7.ann, line 2: expected UTF-8, found the byte 0xe9",
        ),
        ({"ann": ""}, "7.ann: .*V1 of the equation .* has no span"),
        ({"ann": ANN + "T3\tV1 0 5;8 10\tThe k"}, "7.ann, line 3: .*a discontinuous one"),
        ({"ann": ANN + "T3\tV1 5 60\tx"}, r"7.ann, line 3: .*found \(5, 60\)"),
        ({"ann": ANN + "T3\tV1 5 5\t"}, r"7.ann, line 3: .*found \(5, 5\)"),
        ({"ann": ANN + f"T3\tV1 5 {'9' * 5000}\t"}, "7.ann, line 3: "),
        ({"ann": ANN + "T3\tX 5 9\tx"}, "7.ann, line 3: expected `T1<tab>V1 start end<tab>text`, found"),
        ({"ann": ANN + "T3 V1 5 9 x"}, "7.ann, line 3: expected `T1"),
        ({"ann": ANN + "R1"}, "7.ann, line 3: expected `T1"),
        ({"ann": ANN + "Remember the flask"}, "7.ann, line 3: expected `T1"),
    ],
)
def test_brat_errors_name_file_and_line(tmp_path, files, message):
    with pytest.raises(DataError, match=message):
        read_brat(put(tmp_path, **files))


def test_brat_folder_errors(tmp_path):
    with pytest.raises(DataError, match="give one that exists"):
        read_brat(tmp_path / "missing")
    with pytest.raises(DataError, match="found no .txt file"):
        read_brat(tmp_path)
    put(tmp_path)
    put(tmp_path, "8", txt=None)
    with pytest.raises(DataError, match=r"8\.txt: expected this file beside its partner"):
        read_brat(tmp_path)


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        ([KETTLE, KETTLE], "'7' appears twice"),
        ([KETTLE, replace(KETTLE, id="../8")], "without slashes"),
        ([KETTLE, replace(KETTLE, id="")], "file name"),
        ([KETTLE, replace(KETTLE, id=".8")], "no dot"),
        ([KETTLE, replace(KETTLE, id="ReadMe")], "other than readme"),
        ([KETTLE, replace(KETTLE, id="8", text=TEXT + "\r")], "'8': expected a text of one line"),
    ],
)
def test_what_brat_cannot_hold_is_refused_before_anything_is_written(tmp_path, corpus, message):
    with pytest.raises(DataError, match=message):
        write_brat(corpus, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_published_sentences_are_read_and_written_back_byte_for_byte(shared, tmp_path):
    folder = shared / "roy2016"
    published = read_brat(folder)
    assert len(published) == len(list(folder.glob("*.txt")))
    write_brat(published, tmp_path / "brat")
    assert contents(tmp_path / "brat") == {k: v for k, v in contents(folder).items() if k != "README.md"}
    write_jsonl(published, tmp_path / "all.jsonl")
    assert read_jsonl(tmp_path / "all.jsonl") == published


# --- JSON lines


def test_jsonl_by_hand(tmp_path):
    path = tmp_path / "corpus.jsonl"
    write_jsonl([replace(KETTLE, kind="size", text=TEXT.replace("old ", "öld "))], path)
    assert path.read_text(encoding="utf-8") == (
        '{"id": "7", "text": "The kettle holds 3 cups more than the öld flask .", "kind": "size", '
        '"equation": "V1 = 3 + V2", "variables": {"V1": [[0, 10]], "V2": [[34, 47]]}}\n'
    )


@given(corpora())
@RELAXED
def test_jsonl_round_trip(tmp_path_factory, corpus):
    folder = tmp_path_factory.mktemp("jsonl")
    write_jsonl(corpus, folder / "a.jsonl")
    read = read_jsonl(folder / "a.jsonl")
    assert read == corpus
    assert [list(example.variables) for example in read] == [list(example.variables) for example in corpus]
    write_jsonl(read, folder / "b.jsonl")
    written = (folder / "a.jsonl").read_bytes()
    assert (folder / "b.jsonl").read_bytes() == written
    assert len(written.decode().splitlines()) == len(corpus)  # no reader may see a line end inside a line
    assert sorted(path.name for path in folder.iterdir()) == ["a.jsonl", "b.jsonl"]


RECORD = {"id": "1", "text": "Jam is 4 .", "kind": "", "equation": "V1 = 4", "variables": {"V1": [[0, 3]]}}


def without(key):
    return json.dumps({k: v for k, v in RECORD.items() if k != key})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "expected a JSON object, found"),
        ("[1]", "expected a JSON object, found a list"),
        ("[" * 100_000, "expected a JSON object, found"),
        (json.dumps(RECORD | {"x": 1}), "no keys but id, text, equation, variables, kind, found 'x'"),
        (without("variables"), "expected the key variables, found none"),
        (json.dumps(RECORD), "'1' appears a second time"),
        (json.dumps(RECORD | {"id": 2}), "expected a string as id, found 2"),
        (json.dumps(RECORD | {"id": "2", "equation": "V1 ="}), "equation 'V1 =', character 4"),
        (json.dumps(RECORD | {"id": "2", "equation": 4}), "expected a string as equation, found 4"),
        (json.dumps(RECORD | {"id": "2", "equation": "V2 = 4"}), "V2 of the equation"),
        (json.dumps(RECORD | {"id": "2", "variables": {"V1": [[0, 30]]}}), r"found \[0, 30\]"),
        (json.dumps(RECORD | {"id": "2", "variables": {"V1": [0, 3]}}), "found 0"),
        (json.dumps(RECORD | {"id": "2", "text": "Jam\ud800 is"}), "half of a surrogate pair"),
        (json.dumps(RECORD)[:-1] + ', "id": "2"}', "each key once, found 'id' several times"),
        (json.dumps(RECORD | {f"{n}{'x' * n}": 1 for n in range(999)}), "found '0'; .*; and 996 more"),
        (b'{"id": "\xff"}', "expected UTF-8, found the byte 0xff"),
    ],
)
def test_jsonl_errors_name_file_and_line(tmp_path, line, message):
    path = tmp_path / "corpus.jsonl"
    line = line if isinstance(line, bytes) else line.encode()
    path.write_bytes(json.dumps(RECORD).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(DataError, match=f"corpus.jsonl, line 3: .*{message}") as error:
        read_jsonl(path)
    assert len(str(error.value)) < 600 + len(str(path))


def test_kind_may_be_missing(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text(without("kind"))
    assert read_jsonl(path)[0].kind == ""


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "corpus.jsonl"
    write_jsonl([KETTLE], path)
    before = path.read_bytes()
    with pytest.raises(DataError, match="appears twice"):
        write_jsonl([replace(KETTLE, id="8"), replace(KETTLE, id="8")], path)
    assert contents(tmp_path) == {"corpus.jsonl": before}


# --- whichever it is


def test_read_examples_finds_out_what_is_there(tmp_path):
    brat, lines = put(tmp_path / "brat"), tmp_path / "lines"
    write_jsonl([replace(KETTLE, id="2")], lines / "b.jsonl")
    write_jsonl([replace(KETTLE, id="1")], lines / "a.jsonl")
    assert read_examples(brat) == [KETTLE]
    assert [example.id for example in read_examples(str(lines / "b.jsonl"))] == ["2"]
    assert [example.id for example in read_examples(lines)] == ["1", "2"]
    write_jsonl([replace(KETTLE, id="1")], lines / "c.jsonl")
    with pytest.raises(DataError, match="c.jsonl: sentence '1' is in another file too"):
        read_examples(lines)
    for path, found in ((tmp_path / "nowhere", "nothing there"), (brat / "7.txt", "another file")):
        with pytest.raises(DataError, match=found):
            read_examples(path)
    with pytest.raises(DataError, match="no such file"):
        read_jsonl(tmp_path / "nowhere.jsonl")


@pytest.mark.skipif(os.name != "posix", reason="pipes and links of POSIX")
@pytest.mark.parametrize("make", [lambda path: os.mkfifo(path), Path.mkdir, lambda path: path.symlink_to("nowhere")])
def test_what_is_named_as_sentences_and_is_no_file_is_refused_at_once(make, tmp_path):
    make(tmp_path / "a.jsonl")
    for read in (read_examples, check_corpus):
        with pytest.raises(DataError, match="a.jsonl: expected a file of JSON lines, found a folder, a pipe or a link"):
            read(tmp_path)


def test_a_folder_that_cannot_be_listed_is_not_taken_for_an_empty_one(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(PermissionError):
        read_examples(tmp_path)


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path):
    target, link, pipe = tmp_path / "target.jsonl", tmp_path / "link.jsonl", tmp_path / "pipe"
    target.write_text("old\n", encoding="utf-8")
    link.symlink_to(target)
    write_lines(["new"], link)
    assert link.is_symlink() and target.read_text(encoding="utf-8") == "new\n"
    os.mkfifo(pipe)
    with pytest.raises(DataError, match="expected a file to write"):
        write_lines(["new"], pipe)
    assert pipe.is_fifo()


def test_no_sentence_that_ships_is_learnt_from_and_calibrated_or_tested_on():
    folder = ROOT / "data"
    files = [folder / "sentences.jsonl", folder / "calibration", *sorted((folder / "blind").glob("*.jsonl"))]
    texts = [{" ".join(e.text.lower().split()) for e in read_examples(file)} for file in files]
    assert [len(some) > 200 for some in texts] == [True] * 6
    natural, test = (texts[[file.stem for file in files].index(name)] for name in ("natural", "test"))
    assert sum(map(len, texts)) - len(natural & test) == len(set.union(*texts))
