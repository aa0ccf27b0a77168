"""`Parser`: parses any texts, including ones that cannot be parsed."""

from __future__ import annotations

import os
from collections import UserString
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any, Literal, TypeVar, overload

import torch

from eqparse.errors import ConfigError
from eqparse.parser.batch import Batch, SentenceParser, attempt
from eqparse.parser.confidence import check_asked, is_integer, withheld
from eqparse.parser.limits import Reason, check_length
from eqparse.parser.parse import Parse
from eqparse.text.annotate import Annotator, Sentence

BATCH_SIZE, MAX_BATCH_SIZE = 128, 1_000_000
NO_TEXTS = (str, bytes, bytearray, memoryview, UserString, Mapping)
"""What yields characters, numbers or names where texts are expected; a table, which has columns, yields their names."""
Context = TypeVar("Context")

if hasattr(os, "register_at_fork"):
    # A forked child inherits the state of torch's thread pool but not its threads, and would wait for them forever.
    # PyTorch's DataLoader sets its workers to one thread too. The parent keeps its threads.
    os.register_at_fork(after_in_child=lambda: torch.set_num_threads(1))


class Parser:
    """Parses texts with an annotator and a trained parser.

    No text raises an error: one that cannot be parsed, or a value that is not a str, gets a `Parse` with a reason
    instead of an equation. The texts in a batch do not affect each other. A caller that reads texts from a file may
    pass a `Reason` in place of a text that could not be read; its parse then has that reason, and what was read as its
    text.

    min_confidence: answers with less confidence are withheld, unless a call says otherwise; by default none are.

    Raises ConfigError for a min_confidence that is no probability, or with a parser that has no calibration.
    """

    def __init__(
        self, annotator: Annotator, equation_parser: SentenceParser, *, min_confidence: float | None = None
    ) -> None:
        check_asked(equation_parser.calibration, min_confidence=min_confidence)
        self.annotator = annotator
        self.equation_parser = equation_parser
        self.min_confidence = min_confidence

    def __call__(self, text: str | None, *, alternatives: int = 0, min_confidence: float | None = None) -> Parse:
        """The parse of one text. Raises ConfigError as `stream` does."""
        return self.parse_batch([text], alternatives=alternatives, min_confidence=min_confidence)[0]

    def parse_batch(
        self, texts: Iterable[str | None], *, batch_size: int = BATCH_SIZE, alternatives: int = 0,
        min_confidence: float | None = None,
    ) -> list[Parse]:
        """The parses of several texts, in their order. Raises ConfigError as `stream` does."""
        return list(
            self.stream(texts, batch_size=batch_size, alternatives=alternatives, min_confidence=min_confidence)
        )

    @overload
    def stream(
        self, texts: Iterable[str | None], *, as_tuples: Literal[False] = ..., batch_size: int = ...,
        alternatives: int = ..., min_confidence: float | None = ...,
    ) -> Iterator[Parse]: ...

    @overload
    def stream(
        self, texts: Iterable[tuple[str | None, Context]], *, as_tuples: Literal[True], batch_size: int = ...,
        alternatives: int = ..., min_confidence: float | None = ...,
    ) -> Iterator[tuple[Parse, Context]]: ...

    def stream(
        self, texts: Iterable[Any], *, as_tuples: bool = False, batch_size: int = BATCH_SIZE, alternatives: int = 0,
        min_confidence: float | None = None,
    ) -> Iterator[Any]:
        """Yield the parses of texts, in their order.

        Only `batch_size` texts are read at a time, so memory does not grow with the number of texts.

        as_tuples: `texts` are pairs of a text and whatever belongs to it, and pairs of a parse and the same come back,
            as from spaCy's `nlp.pipe`.
        alternatives: how many relations to name in `Parse.alternatives`, at most, the answer among them.
        min_confidence: answers with less confidence are withheld, for the reason `low_confidence`; by default what the
            parser was made with.

        What `texts` itself raises comes after the parses of the texts before.

        Raises ConfigError at once if `texts` is a single string, a table or a mapping, or not iterable, for an option
        out of range, and for alternatives or a confidence of a parser that has no calibration; with `as_tuples`, for
        what is no pair when its turn comes.
        """
        try:
            source = None if isinstance(texts, NO_TEXTS) or hasattr(texts, "columns") else iter(texts)
        except TypeError:
            source = None
        if source is None:
            raise ConfigError(
                f"texts: expected several (a list, an iterator, a column of a table), found one {type(texts).__name__}"
            )
        if not is_integer(batch_size) or not 1 <= batch_size <= MAX_BATCH_SIZE:
            raise ConfigError(f"batch_size: expected an integer from 1 to {MAX_BATCH_SIZE}, found {batch_size!r}")
        least = self.min_confidence if min_confidence is None else min_confidence
        check_asked(self.equation_parser.calibration, alternatives=alternatives, min_confidence=least)
        items = pairs(source) if as_tuples else zip(source, repeat(None))
        parses = self._stream(items, batch_size, alternatives, least)
        return parses if as_tuples else (parse for parse, _ in parses)

    def _stream(
        self, items: Iterator[tuple[Any, Any]], batch_size: int, alternatives: int, least: float | None
    ) -> Iterator[tuple[Parse, Any]]:
        for chunk in chunks(items, batch_size):
            parses = self._parse_chunk([text for text, _ in chunk])
            for parse, (_, context) in zip(parses, chunk, strict=True):
                yield withheld(replace(parse, alternatives=parse.alternatives[:alternatives]), least), context

    def _parse_chunk(self, texts: list[Any]) -> list[Parse]:
        texts = [text.as_py() if hasattr(text, "as_py") else text for text in texts]  # of a column of pyarrow
        # spaCy refuses subclasses of str (numpy.str_, enumerations, markup strings), so make them plain strings
        texts = [str.__str__(text) if isinstance(text, str) else text for text in texts]
        batch = Batch(texts, self.equation_parser)
        edited = batch.strip()
        short = batch.keep([(at, edit.text) for at, edit in edited.items()], self._too_long)
        return batch.parse(edited, attempt(self._annotate, short))

    def _too_long(self, text: str) -> Reason | None:
        """Why a text is not annotated, which takes a hundred times as long as counting its tokens."""
        limits = self.equation_parser.limits
        return check_length(self.annotator.tokens(text), limits) if len(text) > limits.tokens else None

    def _annotate(self, texts: Sequence[str]) -> list[Sentence]:
        return self.annotator.forgetting(texts)


def chunks(items: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """The items in lists of that size; where one raises an error, those before it come first."""
    chunk: list[Any] = []
    try:
        for item in items:
            chunk.append(item)
            if len(chunk) == size:
                yield chunk
                chunk = []
    except Exception:
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk


def pairs(items: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
    """The items, which must be pairs."""
    for at, item in enumerate(items):
        if not isinstance(item, (tuple, list)) or len(item) != 2:
            raise ConfigError(
                f"texts[{at}]: with as_tuples=True, expected a pair of a text and what belongs to it, found "
                f"{repr(item)[:60]}"
            )
        yield item[0], item[1]
