"""What is read from the cache is what would be computed; whatever is wrong with a file costs time and nothing else."""

from __future__ import annotations

import os
import threading
import zlib
from dataclasses import fields

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, DocBin

from eqparse.corpus import annotated as cache
from eqparse.corpus.annotated import annotate, key_of, mentions_of, pipeline_version, read, write
from eqparse.text.annotate import Annotator, Sentence, find_pipeline

TEXTS = ["The pond is 3 metres deeper than the ditch.", "Nothing  of that kind.\n", "Two jars hold 5 % of the honey."]
VOCAB = spacy.blank("en").vocab


def made_by_hand(text):
    """A Doc whose words all hang on the first one."""
    words = text.split(" ")
    spaces = [True] * (len(words) - 1) + [False]
    tags, deps = ["NN"] * len(words), ["ROOT"] + ["dep"] * (len(words) - 1)
    return Doc(VOCAB, words, spaces, tags=tags, heads=[0] * len(words), deps=deps, lemmas=words)


def docs_of(texts):
    return DocBin(attrs=cache.ATTRIBUTES, docs=map(made_by_hand, texts))


OWN = ["The mast is 4 feet longer", "Ida grew 3 tulips", "Both pumps move 90 litres", "Half of the salt"]
MENTIONS = mentions_of(docs_of(OWN), OWN)


def same(a, b) -> bool:
    columns = all(
        np.array_equal(getattr(x.sentence, f.name), getattr(y.sentence, f.name))
        for x, y in zip(a, b, strict=True) for f in fields(Sentence)
    )
    return columns and [(m.quantities, m.quantity_tokens, m.candidates) for m in a] == [
        (m.quantities, m.quantity_tokens, m.candidates) for m in b
    ]


@pytest.fixture
def counted(monkeypatch):
    """Computing without a pipeline, counted."""
    calls = []

    def compute(texts, pipeline, batch_size, progress=None):
        calls.append(list(texts))
        return docs_of(texts)

    monkeypatch.setattr(cache, "compute", compute)
    monkeypatch.setattr(cache, "find_pipeline", lambda name: name)
    monkeypatch.setattr(cache, "pipeline_version", lambda pipeline: "some-pipeline-1")
    return calls


@pytest.mark.pipeline
def test_reading_gives_what_computing_gives(tmp_path):
    annotator = Annotator()
    fresh, version = annotate(TEXTS)
    first, second = annotate(TEXTS, folder=tmp_path), annotate(TEXTS, folder=tmp_path)
    assert same(fresh, first[0]) and same(fresh, second[0])
    assert version == first[1] == second[1] == annotator.version == pipeline_version(find_pipeline())
    assert len(list(tmp_path.iterdir())) == 1
    for sentence, mentions in zip(annotator(TEXTS), second[0], strict=True):  # as the parser annotates
        assert all(np.array_equal(getattr(sentence, f.name), getattr(mentions.sentence, f.name))
                   for f in fields(Sentence))


def test_each_list_of_texts_is_computed_once(tmp_path, counted):
    for _ in range(3):
        annotate(OWN, folder=tmp_path)
    annotate(OWN[:2], folder=tmp_path)
    assert counted == [OWN, OWN[:2]]


def test_no_texts_are_a_list_as_well(tmp_path, counted):
    for _ in range(2):
        assert annotate([], folder=tmp_path) == ([], "some-pipeline-1")
    assert counted == [[]]


def test_without_a_folder_nothing_is_kept(tmp_path, counted, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        annotate(OWN)
    assert len(counted) == 2 and not list(tmp_path.iterdir())


def test_the_key_knows_all_that_the_annotation_depends_on(monkeypatch):
    monkeypatch.setattr(cache, "pipeline_version", lambda pipeline: "1")
    key = key_of(OWN, "p", 8)
    assert key == key_of(list(OWN), "p", 8)
    others = {key_of(OWN[::-1], "p", 8), key_of(OWN, "q", 8), key_of(OWN, "p", 9), key_of(OWN[:1], "p", 8)}
    for function in ("installed", "pipeline_version"):
        with monkeypatch.context() as patched:
            patched.setattr(cache, function, lambda package: "99")
            others.add(key_of(OWN, "p", 8))
    assert len(others) == 6 and key not in others


@pytest.mark.parametrize("damage", [b"", b"\x78\x9c", b"not compressed", zlib.compress(b"\x81\xa5attrs\x90"), None])
def test_a_damaged_file_is_computed_again_with_a_warning(tmp_path, counted, caplog, damage):
    annotate(OWN, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    path.write_bytes(damage if damage is not None else data[: len(data) // 2] + b"?" + data[len(data) // 2 + 1 :])
    assert same(annotate(OWN, folder=tmp_path)[0], MENTIONS)
    assert len(counted) == 2 and "annotating again" in caplog.text
    assert read(path, OWN) is not None


def test_no_damaged_byte_stops_a_job(tmp_path):
    """The file is computed again, or the byte says nothing about what is in it."""
    path = tmp_path / "x.spacy"
    write(path, docs_of(OWN))
    data = path.read_bytes()
    lost = 0
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        found = read(path, OWN)
        lost += found is None
        assert found is None or same(found, MENTIONS)
    assert lost > len(data) - 4


def test_a_file_of_other_sentences_is_refused(tmp_path, caplog):
    write(tmp_path / "x.spacy", docs_of(OWN[:2]))
    assert read(tmp_path / "x.spacy", OWN) is None and "expected the annotation of 4 texts" in caplog.text


def test_the_folder_stays_bounded_and_loses_what_was_not_read_for_longest(tmp_path, counted, monkeypatch):
    for count in (1, 2, 3):
        annotate(OWN[:count], folder=tmp_path)
    paths = {count: tmp_path / f"{key_of(OWN[:count], 'auto', 128)}.spacy" for count in (1, 2, 3, 4)}
    for age, count in enumerate((1, 3, 2)):
        os.utime(paths[count], (age + 1, age + 1))
    annotate(OWN[:1], folder=tmp_path)  # read, and so the newest
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    monkeypatch.setattr(cache, "MAX_BYTES", size)
    annotate(OWN, folder=tmp_path)
    left = {count for count, path in paths.items() if path.exists()}
    assert {1, 4} <= left and 3 not in left
    monkeypatch.setattr(cache, "MAX_BYTES", 1)
    annotate(OWN[1:], folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{key_of(OWN[1:], 'auto', 128)}.spacy"]


def test_a_folder_that_cannot_be_written_costs_a_warning(tmp_path, counted, caplog):
    (tmp_path / "file").write_text("in the way")
    assert same(annotate(OWN, folder=tmp_path / "file")[0], MENTIONS)
    assert "cannot be written" in caplog.text


def test_writers_and_readers_at_once_see_whole_files(tmp_path):
    path = tmp_path / "x.spacy"
    write(path, docs_of(OWN))
    found = []

    def reader():
        for _ in range(5):
            found.append(read(path, OWN))

    def writer():
        for _ in range(20):
            write(path, docs_of(OWN))

    threads = [threading.Thread(target=target) for target in (reader, writer, reader, writer)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 10 and all(f is not None and same(f, MENTIONS) for f in found)


def test_an_empty_text_has_a_sentence_without_words():
    (mentions,) = mentions_of(DocBin(attrs=cache.ATTRIBUTES, docs=[Doc(VOCAB)]), [""])
    assert [len(found) for found in (mentions.sentence.words, mentions.quantities, mentions.candidates)] == [0, 0, 0]
