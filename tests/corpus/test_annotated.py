"""What is read from the cache is what would be computed; whatever is wrong with a file costs time and nothing else."""

from __future__ import annotations

import os
import struct
import threading
import zipfile

import numpy as np
import pytest
from tiny import hand_made

from eqparse.corpus import annotated as cache
from eqparse.corpus.annotated import COLUMNS, annotate, key_of, pack, read, unpack, write

TEXTS = ["The pond is 3 metres deeper than the ditch.", "Nothing of that kind.", "Two jars hold 5 % of the honey."]
SENTENCES = hand_made()
OWN = [m.sentence.text for m in SENTENCES]


@pytest.fixture(autouse=True)
def forgetful():
    cache._memory.clear()
    yield
    cache._memory.clear()


def same(a, b) -> bool:
    columns = all(
        np.array_equal(getattr(x.sentence, name), getattr(y.sentence, name))
        and getattr(x.sentence, name).dtype == getattr(y.sentence, name).dtype
        for x, y in zip(a, b, strict=True) for name in COLUMNS
    )
    return columns and [(m.sentence.text, m.quantities, m.quantity_tokens, m.candidates) for m in a] == [
        (m.sentence.text, m.quantities, m.quantity_tokens, m.candidates) for m in b
    ]


@pytest.fixture
def counted(monkeypatch):
    """Computing without a pipeline, counted."""
    calls = []

    def compute(texts, pipeline, batch_size, progress=None):
        calls.append(list(texts))
        return SENTENCES[: len(texts)], "some-pipeline-1"

    monkeypatch.setattr(cache, "compute", compute)
    monkeypatch.setattr(cache, "find_pipeline", lambda name: name)
    return calls


def test_what_was_packed_comes_back():
    found, annotator = unpack(pack(SENTENCES, "some-pipeline-1"), OWN)
    assert same(found, SENTENCES) and annotator == "some-pipeline-1"
    kinds = {(type(q.value), type(q.start), type(q.kind)) for m in found for q in m.quantities}
    assert kinds == {(float, int, str)}
    assert not found[0].sentence.lower.flags.writeable
    assert unpack(pack([], "p"), []) == ([], "p")


@pytest.mark.pipeline
def test_reading_gives_what_computing_gives(tmp_path):
    fresh, version = annotate(TEXTS)
    first, second = annotate(TEXTS, folder=tmp_path), annotate(TEXTS, folder=tmp_path)
    assert first[0] is second[0]  # from memory
    cache._memory.clear()
    third = annotate(TEXTS, folder=tmp_path)
    assert third[0] is not first[0]
    assert same(fresh, first[0]) and same(fresh, third[0]) and version == first[1] == third[1]
    assert len(list(tmp_path.iterdir())) == 1


def test_each_list_of_texts_is_computed_once(tmp_path, counted):
    for _ in range(3):
        cache._memory.clear()
        annotate(OWN, folder=tmp_path)
    annotate(OWN[:2], folder=tmp_path)
    assert counted == [OWN, OWN[:2]]


def test_without_a_folder_nothing_is_kept(tmp_path, counted, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        annotate(OWN)
    assert len(counted) == 2 and not list(tmp_path.iterdir()) and not cache._memory


def test_the_key_knows_all_that_the_annotation_depends_on(monkeypatch, tmp_path):
    key = key_of(OWN, "p", 8)
    assert key == key_of(list(OWN), "p", 8)
    others = {key_of(OWN[::-1], "p", 8), key_of(OWN, "q", 8), key_of(OWN, "p", 9), key_of(OWN[:1], "p", 8)}
    with monkeypatch.context() as patched:
        patched.setattr(cache, "installed", lambda package: "99")
        others.add(key_of(OWN, "p", 8))
    for name in cache.CODE:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("pass")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "corpus" / "annotated.py"))
    others.add(key_of(OWN, "p", 8))
    assert len(others) == 6 and key not in others


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04", b"not a zip file", None])
def test_a_damaged_file_is_computed_again_with_a_warning(tmp_path, counted, caplog, damage):
    annotate(OWN, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    data = path.read_bytes()
    path.write_bytes(damage if damage is not None else data[: len(data) // 2] + b"?" + data[len(data) // 2 + 1 :])
    cache._memory.clear()
    assert same(annotate(OWN, folder=tmp_path)[0], SENTENCES)
    assert len(counted) == 2 and "annotating again" in caplog.text
    assert read(path, OWN) is not None


def test_no_damaged_byte_stops_a_job(tmp_path, caplog):
    """The file is computed again, or the byte says nothing about what is in it."""
    path = tmp_path / "x.npz"
    write(path, SENTENCES[:1], "p")
    data = path.read_bytes()
    flags = data.index(b"PK\x01\x02") + 8  # whose lowest bit says that the first array is encrypted
    places = {*range(0, len(data), 9), flags}
    lost = 0
    for at in places:
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        found = read(path, OWN[:1])
        lost += found is None
        assert found is None or same(found[0], SENTENCES[:1])
    assert lost > len(places) / 2 and "encrypted" in caplog.text and "decompressing" in caplog.text


def test_a_header_that_is_no_python_stops_no_job(tmp_path, caplog):
    header = b"{'descr': ('<f8', 'shape': (1,)}".ljust(117) + b"\n"
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as file:
        file.writestr("counts.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
    assert read(tmp_path / "x.npz", ["a"]) is None and "cannot be read" in caplog.text


def test_a_file_of_other_sentences_is_refused(tmp_path, caplog):
    write(tmp_path / "x.npz", SENTENCES[:2], "p")
    assert read(tmp_path / "x.npz", OWN) is None and "expected 4 sentences, found 2" in caplog.text


def test_objects_are_not_unpickled(tmp_path, caplog):
    np.savez(tmp_path / "x.npz", counts=np.array([object()], dtype=object))
    assert read(tmp_path / "x.npz", ["a"]) is None and "cannot be read" in caplog.text


def test_the_folder_stays_bounded_and_loses_what_was_not_read_for_longest(tmp_path, counted, monkeypatch):
    for count in (1, 2, 3):
        annotate(OWN[:count], folder=tmp_path)
    paths = {count: tmp_path / f"{key_of(OWN[:count], 'auto', 128)}.npz" for count in (1, 2, 3, 4)}
    for age, count in enumerate((1, 3, 2)):
        os.utime(paths[count], (age + 1, age + 1))
    cache._memory.clear()
    annotate(OWN[:1], folder=tmp_path)  # read, and so the newest
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    monkeypatch.setattr(cache, "MAX_BYTES", size)
    annotate(OWN, folder=tmp_path)
    left = {count for count, path in paths.items() if path.exists()}
    assert {1, 4} <= left and 3 not in left
    monkeypatch.setattr(cache, "MAX_BYTES", 1)
    annotate(OWN[1:], folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{key_of(OWN[1:], 'auto', 128)}.npz"]


def test_memory_stays_bounded(tmp_path, counted):
    for count in range(1, 5):
        for batch_size in (8, 9):
            annotate(OWN[:count], folder=tmp_path, batch_size=batch_size)
    assert len(cache._memory) == cache.MAX_LISTS


def test_what_a_killed_writer_left_is_removed(tmp_path, counted):
    old, new = tmp_path / ".writing-old", tmp_path / ".writing-new"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (0, 0))
    annotate(OWN, folder=tmp_path)
    assert not old.exists() and new.exists()


def test_a_folder_that_cannot_be_written_costs_a_warning(tmp_path, counted, caplog):
    (tmp_path / "file").write_text("in the way")
    assert same(annotate(OWN, folder=tmp_path / "file")[0], SENTENCES)
    assert "cannot be written" in caplog.text


def test_writers_and_readers_at_once_see_whole_files(tmp_path):
    path = tmp_path / "x.npz"
    write(path, SENTENCES, "p")
    found = []

    def reader():
        for _ in range(20):
            found.append(read(path, OWN))

    def writer():
        for _ in range(20):
            write(path, SENTENCES, "p")

    threads = [threading.Thread(target=target) for target in (reader, writer, reader, writer)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 40 and all(f is not None and same(f[0], SENTENCES) for f in found)
