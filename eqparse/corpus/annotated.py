"""A cache of annotations, which are computed once and read by every later job.

One file, a spaCy `DocBin`, holds the annotation of a list of texts. Its name is a hash of everything that it depends
on: the texts in order, the pipeline and its version, spaCy's version and the batch size. So no file can be out of date,
and the folder may be removed at any time. Jobs may share the folder, even over a network: a file is written whole or
not at all, and at worst two jobs compute the same one. Quantities and candidates are not stored, but found again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import spacy
from spacy.attrs import LOWER
from spacy.tokens import DocBin
from spacy.vocab import Vocab

from eqparse.files import open_aside
from eqparse.text.annotate import UNUSED, Annotator, Sentence, find_pipeline
from eqparse.text.mentions import Mentions, find_mentions

MAX_BYTES = 256 * 2**20  # of all files; the least recently used are removed first. 1000 sentences take about 0.15 MB
ATTRIBUTES = ("LEMMA", "TAG", "DEP", "HEAD")  # what `Sentence` keeps of a Doc, besides the words
SUFFIXES = (".spacy", ".npz")  # .npz files are from earlier versions

log = logging.getLogger(__name__)

Annotated = tuple[list[Mentions], str]
"""The mentions of each text, and the pipeline's name and version in the form of `Annotator.version`."""


def annotate(
    texts: Sequence[str],
    *,
    pipeline: str = "auto",
    batch_size: int = 128,
    folder: str | Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Annotated:
    """Annotate the texts, or read their annotation from the folder, and find their mentions.

    folder: where the files are kept, created if necessary; None always annotates and keeps nothing.
    progress: called with the number of texts annotated.

    If a file cannot be read or written, a warning is logged; a file that cannot be read is computed again.

    Raises:
        ConfigError: the pipeline is not installed.
    """
    name = find_pipeline(pipeline)
    if folder is None:
        return mentions_of(compute(texts, name, batch_size, progress), texts), pipeline_version(name)
    path = Path(folder) / f"{key_of(texts, name, batch_size)}.spacy"
    found = read(path, texts)
    if found is None:
        docs = compute(texts, name, batch_size, progress)
        write(path, docs)
        found = mentions_of(docs, texts)
    return found, pipeline_version(name)


def compute(
    texts: Sequence[str], pipeline: str, batch_size: int, progress: Callable[[int], None] | None = None
) -> DocBin:
    """Annotate the texts one after another."""
    docs = DocBin(attrs=ATTRIBUTES)
    for doc in Annotator(pipeline=pipeline).nlp.pipe(texts, batch_size=batch_size):
        docs.add(doc)
        if progress is not None:
            progress(len(docs))
    return docs


def mentions_of(docs: DocBin, texts: Sequence[str]) -> list[Mentions]:
    """The mentions of annotated texts. Raises ValueError if `docs` is not the annotation of `texts`."""
    sentences = [Sentence.from_doc(doc) for doc in docs.get_docs(Vocab(lex_attr_getters={LOWER: str.lower}))]
    if [sentence.text for sentence in sentences] != list(texts):
        raise ValueError(f"expected the annotation of {len(texts)} texts, found that of others")
    return [find_mentions(sentence) for sentence in sentences]


def key_of(texts: Sequence[str], pipeline: str, batch_size: int) -> str:
    """The hash of everything that the annotation of these texts depends on."""
    versions = [pipeline_version(pipeline), *(installed(package) for package in ("spacy", "numpy"))]
    described = json.dumps([pipeline, UNUSED, ATTRIBUTES, versions, batch_size, list(texts)])
    return hashlib.sha256(described.encode()).hexdigest()[:40]


def pipeline_version(pipeline: str) -> str:
    """The language, name and version of an installed pipeline, in the form of `Annotator.version`."""
    meta = spacy.util.get_model_meta(spacy.util.get_package_path(pipeline))
    return f"{meta['lang']}_{meta['name']}-{meta['version']}"


def installed(package: str) -> str:
    """The version of an installed package; "" if it has no metadata."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def read(path: Path, texts: Sequence[str]) -> list[Mentions] | None:
    """The mentions of the texts; None if there is no file or, with a warning, if it cannot be read."""
    try:
        found = mentions_of(DocBin().from_bytes(path.read_bytes()), texts)
        os.utime(path)  # marks the file as used, since the least recently used are removed first
    except FileNotFoundError:
        return None
    except Exception as error:  # zlib, msgpack and spaCy may raise anything for damaged bytes
        log.warning("%s cannot be read (%s); annotating again", path, error)
        return None
    return found


def write(path: Path, docs: DocBin) -> None:
    """Write the file, then remove the least recently used files if the folder has grown too large."""
    try:
        with open_aside(path) as file:
            file.write(docs.to_bytes())
        prune(path.parent, keep=path)
    except OSError as error:
        log.warning("%s cannot be written (%s); the next job annotates again", path, error)


def prune(folder: Path, *, keep: Path) -> None:
    """Remove the least recently used files until the rest take at most `MAX_BYTES`."""
    files = []
    for file in os.scandir(folder):
        with suppress(FileNotFoundError):  # another job was faster
            if file.name.endswith(SUFFIXES):
                files.append((file.stat().st_mtime, file.stat().st_size, Path(file)))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total > MAX_BYTES and path != keep:
            path.unlink(missing_ok=True)
            total -= size
