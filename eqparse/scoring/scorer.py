"""What a scorer is: a torch module that scores the parts of a batch, explains itself, and says what it stores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn


class Scorer(nn.Module, ABC):
    """Inputs of B problems -> scores [B, *P] of their parts.

    linear: whether the scores are linear in `weight`, which is then its one parameter. Solvers of `structured/svm` need
    that, and refuse a scorer that is not.
    """

    linear: bool = False

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    @property
    @abstractmethod
    def size(self) -> int:
        """How many weights are not 0."""

    @abstractmethod
    def forward(self, inputs: Any) -> Tensor:
        """Scores of all parts, [B, *P]."""

    @abstractmethod
    def explain(self, inputs: Any, parts: Sequence[int]) -> Iterator[tuple[int, int, float]]:
        """What the score of these parts is made of: (feature, label, contribution), whose contributions sum to it.

        parts: numbers of parts in a batch of one problem, flat within *P.
        """

    @abstractmethod
    def for_training(self, inputs: Sequence[Any], auxiliary: Sequence[bool]) -> tuple[Self, list[Any]]:
        """A scorer to train on these inputs, its weights 0, and the inputs in the form that it takes.

        auxiliary: which of the inputs follow another convention in part, and get weights besides, used in training
            only.
        """

    @abstractmethod
    def take(self, trained: Self) -> None:
        """Replace all weights by those of a scorer from `for_training`, rounded to what `to_tensors` keeps.

        Since they are rounded here, saving a scorer changes no prediction.
        """

    @abstractmethod
    def to_tensors(self) -> dict[str, np.ndarray]:
        """What a checkpoint keeps. Raises `CheckpointError` for weights that the form of storage does not hold."""

    @abstractmethod
    def from_tensors(self, tensors: Mapping[str, np.ndarray]) -> None:
        """Replace all weights by those that `to_tensors` gave. Raises `CheckpointError` for other tensors."""
