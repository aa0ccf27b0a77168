"""Sentence -> a state for each word piece and each token, from a pretrained transformer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn

from eqparse.scoring.encoder.base_model import BaseModel
from eqparse.scoring.encoder.low_rank import add_adapters, merge_adapters
from eqparse.text.annotate import Sentence

MAX_PIECES = 1024  # word pieces in a batch when there is nothing to learn; more are no faster

MAX_LENGTH = 512  # word pieces of a sentence; what is beyond is not read

Marks = tuple[tuple[int, int, int], ...]
"""What is marked in a sentence: (first token, last token, which mark), the last token included."""

MARKS = 3  # there are marks 1 to 3; 0 is none

_memory: ContextVar[dict[tuple[int, Marks], Tensor] | None] = ContextVar("states", default=None)


class Tuned(StrEnum):
    """What of the base model is trained: nothing, low-rank adapters, its top layers, or everything but embeddings."""

    frozen = "frozen"
    low_rank = "low_rank"
    top = "top"
    whole = "whole"


@contextmanager
def remembering() -> Iterator[None]:
    """Within this context, a sentence is encoded once under the same marks, however often its states are asked for."""
    token = _memory.set({})
    try:
        yield
    finally:
        _memory.reset(token)


@dataclass(frozen=True)
class States:
    """The states of a batch of sentences, of which one may occur several times.

    pieces: [pieces, width], the states of all word pieces, sentence after sentence.
    first, last: int64 [tokens], the first and last piece of each token, for the tokens of a `TokenTable` of the same
        sentences; its sentinels are the pieces with which the transformer begins and ends a sentence.
    start, stop: int64 [sentences], the pieces of each sentence, end exclusive.
    """

    pieces: Tensor
    first: Tensor
    last: Tensor
    start: Tensor
    stop: Tensor

    def mean(self, start: Tensor, stop: Tensor, states: Tensor | None = None) -> Tensor:
        """[spans, width]: the mean state of the pieces start..stop-1; 0 for an empty span.

        states: [pieces, width], other vectors to take the mean of.
        """
        states = self.pieces if states is None else states
        # in double precision, so that a mean does not depend on the sentences before it
        total = torch.cat([states.new_zeros(1, states.shape[1]), states]).cumsum(0, dtype=torch.float64)
        stop = torch.maximum(start, stop)
        return ((total[stop] - total[start]) / (stop - start).clamp(min=1).unsqueeze(1)).to(states.dtype)


class Encoder(nn.Module):
    """A base model, and what is trained of it.

    base: the model, which becomes a part of this module.
    tuned: what is trained of it.
    rank: of the adapters.
    layers: how many layers, from the top, `Tuned.top` trains.
    marked: whether words can be marked before they are read: an embedding of the mark is added to that of a word piece.
    """

    def __init__(
        self, base: BaseModel, *, tuned: Tuned = Tuned.low_rank, rank: int = 64, layers: int = 3, marked: bool = False
    ) -> None:
        super().__init__()
        self.name, self.sha256, self.depth = base.name, base.sha256, base.depth
        self.model, self.tokenizer = base.model, base.tokenizer
        self.tuned, self.rank, self.layers = Tuned(tuned), rank, layers
        self.padding = base.padding
        self.marks = nn.Embedding(MARKS + 1, self.width, padding_idx=0) if marked else None
        self.in_bfloat16 = False  # whether it multiplies so while it is trained
        # set once: threads that share a tokenizer must not set it while another reads
        self.tokenizer.enable_truncation(min(self.model.config.max_position_embeddings, MAX_LENGTH))
        self.tokenizer.no_padding()
        self._kept: dict[str, Tensor] | None = None
        self._read: WeakKeyDictionary[Sentence, tuple[list[int], np.ndarray]] = WeakKeyDictionary()
        self.model.requires_grad_(self.tuned is Tuned.whole)
        if self.tuned is Tuned.low_rank:
            add_adapters(self.model, rank=rank)
        elif self.tuned is Tuned.top:
            for layer in list(self.model.encoder.layer)[-layers:]:
                layer.requires_grad_(True)
        self.model.embeddings.requires_grad_(False)
        if self.marks is not None:
            nn.init.normal_(self.marks.weight[1:], std=self.model.config.initializer_range)

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_read": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        super().__setstate__(state)
        self._read = WeakKeyDictionary()

    @property
    def width(self) -> int:
        """The width of a state."""
        return self.model.config.hidden_size

    @property
    def device(self) -> torch.device:
        return next(self.model.parameters()).device

    def trained(self) -> dict[str, Tensor]:
        """What is trained, by name: what a checkpoint keeps of the encoder."""
        if self._kept:
            return self._kept
        marks = {} if self.marks is None else {"marks": self.marks.weight}
        return {name: p for name, p in self.model.named_parameters() if p.requires_grad} | marks

    def finish(self) -> None:
        """End training, for speed: adapters become a part of their layers. What was trained is kept in half precision.
        """
        self._kept = {name: p.detach().half() for name, p in self.trained().items()}
        merge_adapters(self.model)
        self.requires_grad_(False)
        self.in_bfloat16 = False

    def forward(self, sentences: Sequence[Sentence], marks: Sequence[Marks] | None = None) -> States:
        """The states of sentences, encoded in batches of similar length.

        marks: what is marked in each sentence, for an encoder that is `marked`; nothing by default.
        """
        memory = _memory.get()
        known: dict[tuple[int, Marks], Tensor] = {} if memory is None else memory
        asked = list(zip(sentences, marks or [()] * len(sentences), strict=True))
        keys = [(id(s), mark) for s, mark in asked]
        once = dict(zip(keys, asked, strict=True))  # a sentence that occurs several times has its pieces once
        new = [one for key, one in once.items() if key not in known]
        for some in self._batches(new) if new else ():
            for (sentence, mark), states in zip(some, self._run(some), strict=True):
                known[id(sentence), mark] = states
        lengths = np.array([len(self.read(s)[0]) for s, _ in once.values()])
        ends = dict(zip(once, np.cumsum(lengths).tolist(), strict=True))
        stop = np.array([ends[key] for key in keys])
        start = stop - [len(self.read(s)[0]) for s in sentences]
        spans = [self.read(s)[1] + at for s, at in zip(sentences, start.tolist(), strict=True)]
        first, last = torch.from_numpy(np.concatenate(spans)).to(self.device).T
        bounds = torch.from_numpy(np.stack([start, stop])).to(self.device)
        return States(torch.cat([known[key] for key in once]), first, last, *bounds)

    def read(self, sentence: Sentence) -> tuple[list[int], np.ndarray]:
        """The ids of a sentence's word pieces, and int64 [tokens + 2, 2], the first and last piece of each token.

        The first and last row are those of the pieces with which the transformer begins and ends a sentence. Tokens
        beyond the longest sentence that the transformer takes have its last piece.
        """
        found = self._read.get(sentence)
        if found is None:
            found = self._read[sentence] = self._pieces(sentence)
        return found

    def _pieces(self, sentence: Sentence) -> tuple[list[int], np.ndarray]:
        read = self.tokenizer.encode(sentence.text)
        offsets = np.array(read.offsets[1:-1], dtype=np.int64).reshape(-1, 2)
        end = len(read.ids) - 1
        # a token's pieces: from the first that ends behind its start to the last that begins before its end
        first = np.searchsorted(offsets[:, 1], sentence.start, side="right") + 1
        last = np.searchsorted(offsets[:, 0], sentence.end, side="left")
        first = np.minimum(first, max(end - 1, 0))
        last = np.clip(last, first, max(end - 1, 0))
        return read.ids, np.stack([np.r_[0, first, end], np.r_[0, last, end]], axis=1)

    def _batches(self, asked: list[tuple[Sentence, Marks]]) -> Iterator[list[tuple[Sentence, Marks]]]:
        """All sentences at once in training, else in batches of one length and at most `MAX_PIECES`.

        Without padding, the states of a sentence are the same to the last bit whatever else is in its batch.
        """
        if self.training:
            yield asked
            return

        def length(one: tuple[Sentence, Marks]) -> int:
            return len(self.read(one[0])[0])

        for pieces, some in groupby(sorted(asked, key=length), key=length):
            alike, size = list(some), max(1, MAX_PIECES // pieces)
            yield from (alike[at : at + size] for at in range(0, len(alike), size))

    def _run(self, asked: Sequence[tuple[Sentence, Marks]]) -> list[Tensor]:
        count = len(asked)
        if count == 1 and not self.training:
            asked = [*asked, *asked]  # one alone is multiplied in another order without copies, and bfloat16 shows it
        pieces = [self.read(s)[0] for s, _ in asked]
        longest = max(map(len, pieces))
        ids = torch.tensor([p + [self.padding] * (longest - len(p)) for p in pieces]).to(self.device)
        mask = torch.arange(longest) < torch.tensor([len(p) for p in pieces]).unsqueeze(1)
        given = {"input_ids": ids}
        if self.marks is not None:
            marks = self.marks(self._marked(asked, longest).to(self.device))
            given = {"inputs_embeds": self.model.get_input_embeddings()(ids) + marks}
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.in_bfloat16):
            states = self.model(**given, attention_mask=None if mask.all() else mask.long().to(self.device))
        rows = states.last_hidden_state[:count]
        return [row[: len(p)].float() for row, p in zip(rows, pieces, strict=False)]

    def _marked(self, asked: Sequence[tuple[Sentence, Marks]], longest: int) -> Tensor:
        """int64 [sentences, longest]: the mark of each word piece."""
        found = torch.zeros(len(asked), longest, dtype=torch.long)
        for row, (sentence, marks) in zip(found, asked, strict=True):
            spans = self.read(sentence)[1][1:-1]
            for first, last, mark in marks:
                row[spans[first, 0] : spans[last, 1] + 1] = mark
        return found
