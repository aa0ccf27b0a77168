"""Training in several processes, each of which takes its share of every batch; they average their gradients."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import nn

from eqparse.errors import ConfigError

T = TypeVar("T")
PATIENCE = timedelta(minutes=10)  # how long a process waits for the gradients of the others


class Deserted(Exception):
    """Another process of the training is gone."""


@dataclass(frozen=True)
class Team:
    """The processes of a training. rank: of this one, 0 in the one that was there first. size: how many there are."""

    rank: int = 0
    size: int = 1

    def share(self, batch: Sequence[T]) -> tuple[list[T], float]:
        """This process's share of a batch, and what to multiply its mean loss by.

        Multiplied so, the mean over processes of the gradients is the gradient of the mean loss of the whole batch. A
        share is never empty: a process for which nothing is left takes the first item, times 0.
        """
        mine = list(batch[self.rank :: self.size])
        return mine or list(batch[:1]), len(mine) * self.size / len(batch)

    def average(self, parameters: Sequence[nn.Parameter]) -> None:
        """Set each gradient to its mean over the processes; one that a process lacks counts as 0.

        Raises Deserted if another process is gone.
        """
        if self.size == 1:
            return
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
        flat = torch.cat([grad.flatten() for grad in grads])
        try:
            dist.all_reduce(flat)
        except RuntimeError as error:
            raise Deserted from error
        flat /= self.size
        for p, part in zip(parameters, flat.split([grad.numel() for grad in grads]), strict=True):
            p.grad = part.view_as(p)


def check_processes(size: int, device: torch.device) -> None:
    """Raise ConfigError for several processes where none can be forked, as from one that uses a GPU."""
    forks = "fork" in get_all_start_methods()
    if size > 1 and not (forks and device.type == "cpu"):
        where = f"device={device}" if forks else "a system that has no fork"
        raise ConfigError(f"system.processes: expected 1 on {where}, found {size}; set it to 1")


def work_in_team(work: Callable[[Team], T], *, size: int, seed: int) -> T:
    """Run `work` in `size` processes side by side, and return what it returns in this one.

    The others are copies of this process (fork): what it has read and computed is theirs as well. With more than one,
    each draws random numbers of its own, from `seed`.

    Raises ConfigError if one of them ends too early; `check_processes` says where there can be several.
    """
    if size == 1:
        return work(Team())
    with TemporaryDirectory() as folder:

        def take_part(rank: int) -> T:
            store = dist.FileStore(str(Path(folder) / "store"), size)
            dist.init_process_group("gloo", store=store, rank=rank, world_size=size, timeout=PATIENCE)
            try:
                torch.manual_seed(1000 * seed + rank)
                return work(Team(rank, size))
            finally:
                dist.destroy_process_group()

        def help_out(rank: int) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # sent to all by a terminal; the first process ends the others
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            with suppress(Deserted):
                take_part(rank)

        others = [get_context("fork").Process(target=help_out, args=(rank,), daemon=True) for rank in range(1, size)]
        try:
            for process in others:
                process.start()
            return take_part(0)
        except Deserted:
            raise ConfigError(
                f"system.processes: expected {size} processes to train side by side, and one of them ended; run it "
                "again, with fewer if memory is short"
            ) from None
        finally:
            for process in others:
                if process.pid is not None:
                    process.terminate()
                    process.join()
