"""Several texts on their way to their parses: no text is lost to what is wrong with another."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from eqparse.parser.calibration import Calibration
from eqparse.parser.confidence import withheld
from eqparse.parser.given_text import in_given_text
from eqparse.parser.limits import Limits, Reason, check_length, check_text, reason
from eqparse.parser.parse import Parse
from eqparse.text.annotate import Sentence
from eqparse.text.edited import Edited
from eqparse.text.markup import strip_markup
from eqparse.text.mentions import Mentions, find_mentions

log = logging.getLogger(__name__)

Numbered = list[tuple[int, Any]]


class SentenceParser(Protocol):
    """What every system's parser must provide.

    limits: how large a sentence may be.
    batch_size: how many sentences to pass to `parse_mentions` at once.
    calibration: what makes probabilities of its scores, None without.
    parse_mentions: returns the parses of annotated sentences, in their order, with all their alternatives.
    """

    limits: Limits
    batch_size: int
    calibration: Calibration | None

    def parse_mentions(self, mentions: Sequence[Mentions]) -> list[Parse]: ...


class Batch:
    """Texts, of which those that a step refuses or fails on have their answer: a parse with a reason.

    texts: plain strings, or what stands in place of one; a `Reason` becomes the reason of its parse.
    """

    def __init__(self, texts: Sequence[Any], parser: SentenceParser) -> None:
        self.texts = texts
        self.parser = parser
        self.answers: list[Parse | None] = [None] * len(texts)

    def keep(self, items: Iterable[tuple[int, Any]], refusal: Callable[[Any], Reason | None] | None = None) -> Numbered:
        """The numbered items that can go on; the others get their answer."""
        kept = []
        for at, item in items:
            if why := item if isinstance(item, Reason) else refusal and refusal(item):
                text = self.texts[at] if isinstance(self.texts[at], str) else why.read
                self.answers[at] = Parse(text, reason=why.text, reason_code=why.code)
            else:
                kept.append((at, item))
        return kept

    def strip(self) -> dict[int, Edited]:
        """The texts without their markup, by number."""
        known = self.keep(enumerate(self.texts), lambda text: check_text(text, self.parser.limits))
        return dict(self.keep(attempt(strip_all, known)))

    def parse(self, edited: Mapping[int, Edited], sentences: Numbered) -> list[Parse]:
        """The answers to all texts. sentences: those without markup, annotated."""
        short = self.keep(sentences, lambda sentence: check_length(len(sentence), self.parser.limits))
        mentions = dict(self.keep(attempt(find_all, short)))
        for at, parse in self.keep(attempt(self.parser.parse_mentions, [*mentions.items()])):
            same = edited[at].text == self.texts[at]
            self.answers[at] = parse if same else in_given_text(parse, self.texts[at], edited[at], mentions[at])
        return self.answers


def parse_annotated(
    parser: SentenceParser, sentences: Sequence[Sentence], *, min_confidence: float | None = None
) -> list[Parse]:
    """The parses of sentences that something else has annotated, without alternatives; see `Parser`."""
    batch = Batch([sentence.text for sentence in sentences], parser)
    edited = batch.strip()
    plain = attempt(unmarked_all, [(at, (sentences[at], edit)) for at, edit in edited.items()])
    return [withheld(replace(parse, alternatives=()), min_confidence) for parse in batch.parse(edited, plain)]


def strip_all(texts: Sequence[str]) -> list[Edited]:
    """Each text without its markup."""
    return [strip_markup(text) for text in texts]


def unmarked_all(pairs: Sequence[tuple[Sentence, Edited]]) -> list[Sentence]:
    """Each annotated sentence without its markup."""
    return [sentence.edited(edit) for sentence, edit in pairs]


def find_all(sentences: Sequence[Sentence]) -> list[Mentions]:
    """The mentions of each sentence."""
    return [find_mentions(sentence) for sentence in sentences]


def attempt(step: Callable[[Sequence[Any]], list[Any]], items: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """Apply a step to the numbered items of a batch. The result for an item on which it fails is a `Reason`.

    If the step fails on the whole batch, it is repeated item by item, so that only the items at fault are lost.
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
