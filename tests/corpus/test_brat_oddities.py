"""Brat folders as people keep them: notes beside the sentences, brat's other lines, byte order marks, stale quotes."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

from eqparse.corpus import Example, read_brat, read_examples, read_jsonl, write_brat, write_jsonl
from eqparse.corpus.check import check_corpus
from eqparse.corpus.folds import read_folds
from eqparse.equation.equation import Equation

TEXT = "The kettle holds 3 cups more than the old flask ."
TXT = f"{TEXT}\n\nV1=3+V2\n"
ANN = "T1\tV1 0 10\tThe kettle\nT2\tV2 34 47\tthe old flask\n"
KETTLE = Example("7", TEXT, Equation.parse("V1 = 3 + V2"), {"V1": ((0, 10),), "V2": ((34, 47),)})
MARK = "\ufeff"


def put(folder, **files):
    """7.txt and 7.ann, or other files in their place or beside them."""
    folder.mkdir(exist_ok=True)
    for name, content in ({"7.txt": TXT, "7.ann": ANN} | files).items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return folder


# --- files that are no sentences

BESIDE = [
    {"README.txt": "Notes."}, {"readme.txt": "Notes."}, {"ReadMe.txt": ""}, {"READ_ME.txt": "\n\n"},
    {"._7.txt": b"\x00\x05\x16\x07\xff"}, {"._7.ann": b"\x00\x05\x16\x07\xff"}, {".8.txt": "x", ".8.ann": "y"},
    {"README.txt": "Notes.", "README.ann": ""}, {".DS_Store": b"\xff"}, {"annotation.conf": "[entities]\nV1\n"},
    {"README.md": "# Notes", "7.txt.bak": "x", "7.ann~": "y"},
]


@pytest.mark.parametrize("files", BESIDE, ids=lambda files: " ".join(files))
def test_what_is_no_sentence_does_not_cost_the_folder(tmp_path, files):
    put(tmp_path, **files)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_examples(tmp_path) == [KETTLE]
        assert check_corpus(tmp_path) == ([KETTLE], [])


@pytest.mark.parametrize("name", ["LICENSE.txt", "notes.txt", "7a.txt", "todo list.txt"])
def test_a_text_that_nobody_annotated_is_passed_over_with_a_word(tmp_path, name):
    put(tmp_path, **{name: "Any text."})
    with pytest.warns(UserWarning, match=f"{name} passed over"):
        assert read_brat(tmp_path) == [KETTLE]


# --- brat's other kinds of lines

OTHER_LINES = [
    "R1\tSame Arg1:T1 Arg2:T2", "A1\tSure T1", "A2\tNumber T1 Singular", "E1\tV1:T1 Unit:T2",
    "N1\tReference T1 wiki:5\tpot",
    "M1\tNegated E1", "#1\tAnnotatorNotes T1\tsure?", "*\tEquiv T1 T2", "# a comment", "R12 Same Arg1:T1 Arg2:T2", "",
]


@pytest.mark.parametrize("line", OTHER_LINES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_other_lines_are_passed_over(tmp_path, line, end):
    put(tmp_path, **{"7.ann": (line + "\n" + ANN + line).replace("\n", end)})
    assert check_corpus(tmp_path) == ([KETTLE], [])
    write_brat(read_brat(tmp_path), tmp_path / "again")
    assert (tmp_path / "again" / "7.ann").read_bytes() == (tmp_path / "7.ann").read_bytes()


# --- byte order marks

COUNTED = "T1\tV1 1 11\tThe kettle\nT2\tV2 35 48\tthe old flask\n"  # by a tool that took the mark for a character
MARKED = [
    (MARK + TXT, ANN), (MARK + TXT, MARK + ANN), (TXT, MARK + ANN), (MARK + TXT, COUNTED), (MARK + TXT, MARK + COUNTED),
    (MARK + TXT, "T1\tV1 0 10\nT2\tV2 34 47\n"), (MARK + TXT.replace("\n", "\r\n"), ANN.replace("\n", "\r\n")),
    (MARK + TXT.replace("\n", "\r"), ANN), (MARK + TXT, "R1\tSame Arg1:T1 Arg2:T2\n" + COUNTED),
    (MARK + TXT, MARK + "#1\tNotes T1\tx\n" + ANN),
]


@pytest.mark.parametrize(("txt", "ann"), MARKED)
def test_a_mark_shifts_no_span(tmp_path, txt, ann):
    put(tmp_path, **{"7.txt": txt, "7.ann": ann})
    (example,) = read_brat(tmp_path)
    assert example == KETTLE
    assert check_corpus(tmp_path) == ([KETTLE], [])
    write_brat([example], tmp_path / "again")
    assert (tmp_path / "again" / "7.txt").read_bytes() == txt.encode()
    write_brat([replace(example, equation=Equation.parse("V1 = V2 + 3"))], tmp_path / "changed")
    assert read_brat(tmp_path / "changed")[0].variables == KETTLE.variables


def test_a_mark_in_jsonl_and_in_folds(tmp_path):
    path = tmp_path / "some.jsonl"
    other = replace(KETTLE, id="8", text=TEXT.replace("3", "4"), equation=Equation.parse("V1 = 4 + V2"))
    write_jsonl([KETTLE, other], path)
    for data in (path.read_bytes(), b"\r\n" + path.read_bytes()):
        path.write_bytes(MARK.encode() + data)
        (tmp_path / "._some.jsonl").write_bytes(b"\x00\x05\xff")
        assert [example.id for example in read_jsonl(path)] == ["7", "8"]
        assert [example.id for example in read_examples(tmp_path)] == ["7", "8"]
        assert [len(part) for part in check_corpus(tmp_path)] == [2, 0]
    (tmp_path / "folds.json").write_text(MARK + '{"7": 1, "8": 0}', encoding="utf-8")
    assert read_folds(tmp_path / "folds.json", read_jsonl(path)) == [1, 0]


# --- quoted texts

MISQUOTED = [
    ("0 10\tThe kettl", "'The kettle'", "'The kettl'"),
    ("0 10\tthe kettle", "'The kettle'", "'the kettle'"),
    ("0 10\t", "'The kettle'", "''"),
    ("0 10\t The kettle", "'The kettle'", "' The kettle'"),
    ("0 10\tThe kettle ", "'The kettle'", "'The kettle '"),
    ("0 3\tThe kettle", "'The'", "'The kettle'"),
    ("4 10\tThe kettle", "'kettle'", "'The kettle'"),
    ("0 10\tThe pot", "'The kettle'", "'The pot'"),
    ("0 10\tThe\tkettle", "'The kettle'", "'The\\tkettle'"),
    ("0 10\tThe  kettle", "'The kettle'", "'The  kettle'"),
]


@pytest.mark.parametrize(("line", "text", "quoted"), MISQUOTED)
def test_the_check_names_a_quoted_text_that_is_not_the_spans(tmp_path, line, text, quoted):
    put(tmp_path, **{"7.ann": f"T1\tV1 {line}\nT2\tV2 34 47\tthe old flask\n"})
    (problem,) = check_corpus(tmp_path)[1]
    assert problem.id == "7" and all(part in problem.expected for part in ("V1", text, "line 1"))
    assert problem.found == quoted
    assert len(read_brat(tmp_path)) == 1  # the offsets alone count


@pytest.mark.parametrize("ann", [ANN, ANN.replace("\tThe kettle", ""), ANN.replace("\n", "\r\n")])
def test_the_check_passes_quoted_texts_that_agree(tmp_path, ann):
    assert check_corpus(put(tmp_path, **{"7.ann": ann})) == ([KETTLE], [])
