"""The spaCy component `eqparse`: parses the sentences of Docs from the annotation that their pipeline gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import srsly
from spacy.pipeline import Pipe
from spacy.tokens import Doc, Span
from spacy.util import minibatch

from eqparse.errors import ConfigError
from eqparse.integrations import spacy_results
from eqparse.parser.batch import parse_annotated
from eqparse.parser.confidence import check_asked
from eqparse.plain import shown
from eqparse.systems.load import ready_checkpoint
from eqparse.text.annotate import Sentence

NEEDED = {"TAG": "tags (a tagger)", "DEP": "a parse (a parser)", "LEMMA": "lemmas (a lemmatizer)"}
"""What the tokens of a Doc must have -> in words, with the component that gives it."""

spacy_results.register()


class EquationPipe(Pipe):
    """Parses each sentence of a Doc and leaves what `eqparse.integrations.spacy_results` describes.

    model: "fast", "accurate", "best" or a checkpoint's folder. min_confidence, prevalence: as for `eqparse.load`.
    batch_size: how many sentences are parsed at once.

    Raises CheckpointError and ConfigError as `eqparse.load` does.
    """

    def __init__(
        self, name: str, *, model: str, min_confidence: float | None, prevalence: float | None, batch_size: int
    ) -> None:
        self.name = name
        self._use({
            "model": model, "min_confidence": min_confidence, "prevalence": prevalence, "batch_size": batch_size
        })

    def _use(self, config: dict[str, Any]) -> None:
        if type(config["batch_size"]) is not int or config["batch_size"] < 1:
            raise ConfigError(f"batch_size: expected an integer of at least 1, found {config['batch_size']!r}")
        self.checkpoint = ready_checkpoint(config["model"], prevalence=config["prevalence"])
        check_asked(self.checkpoint.parser.calibration, min_confidence=config["min_confidence"])
        self.config = config

    def __call__(self, doc: Doc) -> Doc:
        """Parse the sentences of one Doc. Raises ConfigError if it lacks sentences, tags, a parse or lemmas."""
        self._parse([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse the sentences of Docs, those of `batch_size` Docs together; one that fails keeps no other back."""
        failed = self.get_error_handler()
        for docs in minibatch(stream, size=batch_size):
            try:
                self._parse(docs)
            except Exception:
                for doc in docs:
                    try:
                        self._parse([doc])
                    except Exception as error:
                        failed(self.name, self, [doc], error)
                    else:
                        yield doc
            else:
                yield from docs

    def _parse(self, docs: list[Doc]) -> None:
        for doc in docs:
            self._check(doc)
        sentences = [sentence for doc in docs for sentence in doc.sents]
        for some in minibatch(sentences, size=self.config["batch_size"]):
            inner = [without_blanks(sentence) for sentence in some]
            parses = parse_annotated(
                self.checkpoint.parser, [Sentence.from_doc(span) for span in inner],
                min_confidence=self.config["min_confidence"],
            )
            for sentence, span, parse in zip(some, inner, parses, strict=True):
                spacy_results.store(sentence, parse, span.start_char - sentence.start_char)
        for doc in docs:
            spacy_results.draw(doc)

    def _check(self, doc: Doc) -> None:
        # a few tags and lemmas come from other components as well
        lacking = [what for attribute, what in NEEDED.items() if 2 * (doc.to_array([attribute]) == 0).sum() > len(doc)]
        if not doc.has_annotation("SENT_START"):
            lacking.append("sentences (a parser)")
        if lacking:
            raise ConfigError(
                f"component {self.name}: expected a pipeline that gives a Doc tags, a parse and lemmas before it; this "
                f"one lacks {', '.join(lacking)}; add it after those of a trained English pipeline such as "
                "en_core_web_sm, and don't disable them"
            )

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The configuration: the model stays where it is."""
        return srsly.json_dumps(self.config).encode("utf-8")

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> EquationPipe:
        """Take over a configuration. Raises ConfigError for other data."""
        try:
            config: Any = srsly.json_loads(data.decode("utf-8"))
        except ValueError as error:
            config = error
        if isinstance(config, dict):
            config = {"prevalence": None, **config}  # those saved before there was such an option
        if not isinstance(config, dict) or config.keys() != self.config.keys():
            raise ConfigError(
                f"component {self.name}: expected JSON with its options {', '.join(self.config)}, found "
                f"{shown(config)}; save the pipeline again"
            )
        if config != self.config:
            self._use(config)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """The configuration as a file."""
        Path(path).write_bytes(self.to_bytes())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> EquationPipe:
        """Take over a configuration from a file."""
        return self.from_bytes(Path(path).read_bytes())


def without_blanks(sentence: Span) -> Span:
    """A sentence without white space at its ends, unless it is nothing else."""
    words = [token.i for token in sentence if not token.is_space]
    return sentence.doc[words[0] : words[-1] + 1] if words else sentence
