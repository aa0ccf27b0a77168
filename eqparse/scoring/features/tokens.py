"""A batch of sentences as one table of tokens, so that feature templates are lookups in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from eqparse.scoring.features.hashing import expand
from eqparse.text.annotate import string_id
from eqparse.text.mentions import Mentions
from eqparse.text.quantities import Quantity

BEGIN, END = string_id("<s>"), string_id("</s>")
MULTIPLIERS = frozenset("twice double triple thrice quadruple half times doubled tripled halved".split())


@lru_cache(maxsize=65536)
def number_class(word: str, value: float, kind: str) -> int:
    """The class that represents a number in the features, since its digits say little about how it is used."""
    if kind == "multiplier" or word in MULTIPLIERS:
        return string_id(word)
    if value == 1:
        return string_id("<one>")
    if value == 2:
        return string_id("<two>")
    return string_id("<fraction>" if kind == "fraction" else "<number>")


class TokenTable:
    """The tokens of a batch of sentences in flat arrays, with a sentinel before and after each sentence.

    base: int64 [sentences], index of each sentence's token 0.
    low, high: int64 [sentences], the indices of each sentence's sentinels.
    word, lemma: uint64 [tokens], numbers replaced by their class.
    tag, dep: uint64 [tokens].
    head: int64 [tokens], index of each token's head in this table.
    number: int64 [tokens], the quantity that covers each token, or -1.
    sentence: int64 [tokens], the sentence of each token.
    """

    def __init__(self, mentions: Sequence[Mentions]) -> None:
        lengths = np.array([len(m.sentence) for m in mentions], dtype=np.int64)
        self.size = int((lengths + 2).sum())
        self.base = np.cumsum(lengths + 2) - lengths - 1
        self.low, self.high = self.base - 1, self.base + lengths
        self.sentence = np.repeat(np.arange(len(mentions)), lengths + 2)
        inner = np.ones(self.size, dtype=bool)
        inner[self.low] = inner[self.high] = False

        def flat(name: str) -> np.ndarray:
            column = np.zeros(self.size, dtype=np.uint64)
            if len(mentions):
                column[inner] = np.concatenate([getattr(m.sentence, name) for m in mentions])
            column[self.low], column[self.high] = BEGIN, END
            return column

        self.word, self.lemma, self.tag, self.dep = (flat(name) for name in ("lower", "lemma", "tag", "dep"))
        self.head = np.arange(self.size)
        if len(mentions):
            heads = np.concatenate([m.sentence.head for m in mentions])
            self.head[inner] = heads + self.base[self.sentence[inner]]
        self.number = np.full(self.size, -1)
        self._mask_numbers(mentions)

    def _mask_numbers(self, mentions: Sequence[Mentions]) -> None:
        index, cls, number = [], [], []
        counter = 0
        for m, base in zip(mentions, self.base.tolist(), strict=True):
            for quantity, (first, last) in zip(m.quantities, m.quantity_tokens, strict=True):
                value = number_class(surface(m, quantity), quantity.value, quantity.kind)
                for token in range(first, last + 1):
                    index.append(base + token)
                    cls.append(value)
                    number.append(counter)
                counter += 1
        if index:
            self.word[index] = self.lemma[index] = np.array(cls, dtype=np.uint64)
            self.number[index] = number

    def at(self, position: np.ndarray, sentence: np.ndarray) -> np.ndarray:
        """Positions clipped to the sentence, so that a window that runs over its edge gets the sentinel."""
        return np.clip(position, self.low[sentence], self.high[sentence])

    def last_head(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """The last token of each span first..last whose head lies outside it: int64 [spans] -> int64 [spans].

        This is a phrase's syntactic head unless a clause follows it; `Sentence.first_head` takes the first instead.
        """
        row, token = expand(first, last + 1)
        outside = (self.head[token] < first[row]) | (self.head[token] > last[row]) | (self.head[token] == token)
        result = last.copy()
        result[row[outside]] = token[outside]
        return result


def surface(mentions: Mentions, quantity: Quantity) -> str:
    """The text of a quantity, lower-cased."""
    return mentions.sentence.text[quantity.start : quantity.end].lower()
