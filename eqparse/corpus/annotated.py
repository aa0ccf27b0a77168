"""Annotations and mentions that are computed once and read by every later job, of this process and of others.

One file holds what a list of texts was annotated with. Its name is a hash of all that this depends on: the texts
in their order, the pipeline and its version, spaCy's version, the batch size, and the code that annotates and finds
mentions. So nothing in the folder can be out of date, and it may be removed at any time. Files are written aside
and renamed, so jobs may share the folder: at worst two of them compute the same file.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import os
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from eqparse.text.annotate import Annotator, Sentence, find_pipeline
from eqparse.text.mentions import Mentions, find_mentions
from eqparse.text.noun_phrases import Candidate
from eqparse.text.quantities import Quantity

MAX_BYTES = 256 * 2**20  # of all files; the ones not read for longest go first. 1000 sentences take about 2 MB
MAX_LISTS = 4  # in memory
CODE = ("corpus/annotated.py", "text/annotate.py", "text/mentions.py", "text/noun_phrases.py", "text/quantities.py")
COLUMNS = ("start", "end", "lower", "lemma", "tag", "dep", "head")

log = logging.getLogger(__name__)
_memory: OrderedDict[str, Annotated] = OrderedDict()

Annotated = tuple[list[Mentions], str]
"""The mentions of each text, and the pipeline's name and version as `Annotator.version` has it."""


def annotate(
    texts: Sequence[str],
    *,
    pipeline: str = "auto",
    batch_size: int = 128,
    folder: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Annotated:
    """Annotate the texts and find their mentions, or read both from memory or from the folder.

    folder: where the files are, made if need be; None computes everything anew and keeps nothing. progress: told of the
    number of texts done. A file that cannot be read or written costs a warning and the time to compute its contents.

    Raises ConfigError where the pipeline is not installed.
    """
    name = find_pipeline(pipeline)
    if folder is None:
        return compute(texts, name, batch_size, progress)
    key = key_of(texts, name, batch_size)
    path = Path(folder) / f"{key}.npz"
    found = _memory.get(key) or read(path, texts)
    if found is None:
        found = compute(texts, name, batch_size, progress)
        write(path, *found)
    _memory[key] = found
    _memory.move_to_end(key)
    while len(_memory) > MAX_LISTS:
        _memory.popitem(last=False)
    return found


def compute(
    texts: Sequence[str], pipeline: str, batch_size: int, progress: Callable[[int], None] | None = None
) -> Annotated:
    """Annotate the texts, one after the other."""
    annotator = Annotator(pipeline=pipeline, batch_size=batch_size)
    mentions: list[Mentions] = []
    for sentence in annotator.stream(texts):
        mentions.append(find_mentions(sentence))
        if progress is not None:
            progress(len(mentions))
    return mentions, annotator.version


def key_of(texts: Sequence[str], pipeline: str, batch_size: int) -> str:
    """The hash of all that the annotation of these texts depends on."""
    digest = hashlib.sha256()
    for name in CODE:
        digest.update((Path(__file__).parents[1] / name).read_bytes())
    versions = [installed(package) for package in ("spacy", "numpy", pipeline)]
    digest.update(json.dumps([pipeline, versions, batch_size, list(texts)]).encode())
    return digest.hexdigest()[:40]


def installed(package: str) -> str:
    """The version of an installed package, "" for one that is installed otherwise."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def read(path: Path, texts: Sequence[str]) -> Annotated | None:
    """What the file holds; None where there is none, and, with a warning, where it cannot be read."""
    try:
        data = path.read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            found = unpack({name: arrays[name] for name in arrays.files}, texts)
        os.utime(path)  # the least recently used go first
    except FileNotFoundError:
        return None
    except Exception as error:  # zipfile, zlib, tokenize and numpy raise what they like at damaged bytes
        log.warning("%s cannot be read (%s); annotating again", path, error)
        return None
    return found


def write(path: Path, mentions: list[Mentions], annotator: str) -> None:
    """Write the file whole or not at all, then remove the oldest files of a folder that has grown too large."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, **pack(mentions, annotator))
            os.replace(aside, path)
        finally:
            Path(aside).unlink(missing_ok=True)
        prune(path.parent, keep=path)
    except OSError as error:
        log.warning("%s cannot be written (%s); the next job annotates again", path, error)


def prune(folder: Path, *, keep: Path) -> None:
    """Remove the files not read for longest until all take at most `MAX_BYTES`, and what killed writers left."""
    files = []
    for path in folder.iterdir():
        try:
            facts = path.stat()
        except FileNotFoundError:  # another job was faster
            continue
        if path.name.startswith(".writing-"):
            if time.time() - facts.st_mtime > 3600:
                path.unlink(missing_ok=True)
        elif path.suffix == ".npz":
            files.append((facts.st_mtime, facts.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files, key=lambda entry: entry[0]):
        if total > MAX_BYTES and path != keep:
            path.unlink(missing_ok=True)
            total -= size


def pack(mentions: Sequence[Mentions], annotator: str) -> dict[str, np.ndarray]:
    """Mentions as arrays: tokens, quantities and candidates of all sentences, one after the other, and their counts."""
    quantities = [(q, t) for m in mentions for q, t in zip(m.quantities, m.quantity_tokens, strict=True)]
    candidates = [c for m in mentions for c in m.candidates]
    counts = [(len(m.sentence), len(m.quantities), len(m.candidates)) for m in mentions]
    arrays = {
        name: np.concatenate([np.empty(0, np.int64 if name in ("start", "end", "head") else np.uint64)]
                             + [getattr(m.sentence, name) for m in mentions])
        for name in COLUMNS
    }
    return arrays | {
        "annotator": np.array(annotator),
        "counts": np.array(counts, dtype=np.int64).reshape(-1, 3),
        "quantity_value": np.array([q.value for q, _ in quantities], dtype=np.float64),
        "quantity_place": np.array([(q.start, q.end, *t) for q, t in quantities], dtype=np.int64).reshape(-1, 4),
        "quantity_kind": np.array([(q.kind, q.unit) for q, _ in quantities], dtype=np.str_).reshape(-1, 2),
        "candidate_place": np.array([c[:4] for c in candidates], dtype=np.int64).reshape(-1, 4),
        "candidate_source": np.array([c.source for c in candidates], dtype=np.str_),
    }


def unpack(arrays: dict[str, np.ndarray], texts: Sequence[str]) -> Annotated:
    """What `pack` packed. Raises an exception of whatever kind for anything else."""
    counts = arrays["counts"]
    if len(counts) != len(texts):
        raise ValueError(f"expected {len(texts)} sentences, found {len(counts)}")
    ends = np.cumsum(counts, axis=0)
    sizes = [len(arrays[name]) for name in ("start", "quantity_value", "candidate_source")]
    if len(ends) and ends[-1].tolist() != sizes:
        raise ValueError(f"expected {ends[-1].tolist()} tokens, quantities and candidates, found {sizes}")
    places, kinds = arrays["quantity_place"].tolist(), arrays["quantity_kind"].tolist()
    values, sources = arrays["quantity_value"].tolist(), arrays["candidate_source"].tolist()
    quantities = [Quantity(v, p[0], p[1], *k) for v, p, k in zip(values, places, kinds, strict=True)]
    candidates = [Candidate(*p, s) for p, s in zip(arrays["candidate_place"].tolist(), sources, strict=True)]
    for name in COLUMNS:
        arrays[name].flags.writeable = False
    mentions = []
    for text, begin, end in zip(texts, (ends - counts).tolist(), ends.tolist(), strict=True):
        tokens, some, phrases = (slice(a, b) for a, b in zip(begin, end, strict=True))
        sentence = Sentence(text, *(arrays[name][tokens] for name in COLUMNS))
        spans = tuple((p[2], p[3]) for p in places[some])
        mentions.append(Mentions(sentence, tuple(quantities[some]), spans, tuple(candidates[phrases])))
    return mentions, str(arrays["annotator"])
