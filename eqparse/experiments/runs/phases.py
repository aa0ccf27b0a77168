"""Measures how long the phases of a run take, and sets the number of torch threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

import torch


class Clock:
    """Measures the seconds that each phase of a run takes."""

    def __init__(self) -> None:
        self.start = perf_counter()
        self.phases: dict[str, float] = {}

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.phases[phase] = round(perf_counter() - start, 3)

    @property
    def seconds(self) -> dict[str, float]:
        """The seconds of each phase so far, and in total."""
        return {**self.phases, "total": round(perf_counter() - self.start, 3)}


@contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """Let torch use that many threads within the block."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
