"""What a scorer is: a torch module that scores the parts of a batch, explains its scores, and can be stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn


class Scorer(nn.Module, ABC):
    """Inputs of B problems -> scores [B, *P] of their parts.

    linear: whether the scores are linear in `weight`, which is then the only parameter. The solvers of `structured/svm`
        require this and refuse any other scorer.
    """

    linear: bool = False

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of nonzero weights."""

    @abstractmethod
    def forward(self, inputs: Any) -> Tensor:
        """Scores of all parts, [B, *P]."""

    @abstractmethod
    def explain(self, inputs: Any, parts: Sequence[int]) -> Iterator[tuple[int, int, float]]:
        """The terms of the total score of these parts: (feature, label, contribution); the contributions sum to it.

        parts: flat indices of parts within *P, in a batch of one problem.
        """

    @abstractmethod
    def for_training(self, inputs: list[Any], auxiliary: Sequence[bool]) -> tuple[Self, list[Any]]:
        """A scorer to train on these inputs, with weights 0, and the inputs in the form that it takes.

        inputs: may be emptied, to save memory.
        auxiliary: for each input, whether it follows a partly different convention; such inputs get additional weights,
            which are used only in training.
        """

    @abstractmethod
    def take(self, trained: Self) -> None:
        """Replace all weights by those of a scorer from `for_training`, rounded to what `to_tensors` keeps.

        Since the rounding happens here, saving a scorer changes no prediction.
        """

    @abstractmethod
    def to_tensors(self) -> dict[str, np.ndarray]:
        """What a checkpoint stores. Raises `CheckpointError` for weights that the storage format cannot represent."""

    @abstractmethod
    def from_tensors(self, tensors: Mapping[str, np.ndarray]) -> None:
        """Replace all weights by those that `to_tensors` gave. Raises `CheckpointError` for other tensors."""
