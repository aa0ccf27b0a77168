"""Worker processes, each with a parser of its own, that make shards; what a killed one had is made again."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from eqparse.errors import DataError
from eqparse.integrations.bulk.columns import Columns
from eqparse.integrations.bulk.shard import Shard

STOPPING = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}
ATTEMPTS = 3  # at a shard, before its rows are held to be what ends the workers


class Task(NamedTuple):
    """A shard to make. path: where to. how: what `Parser.stream` is told. The others are those of `write_shard`."""

    shard: Shard
    path: Path
    form: str
    columns: Columns | None
    how: Mapping[str, int]


class Made(NamedTuple):
    """A shard that is written. reasons: how many of its rows have each reason's code. warnings: those of loading."""

    number: int
    rows: int
    bytes: int
    sha256: str
    reasons: dict[str, int]
    warnings: list[str]


_parser: Any = None  # of this worker; or the error that loading it raised
_warnings: list[str] = []


def load_parser(
    checkpoint: str | Path, *, device: str, precision: str, min_confidence: float | None, prevalence: float | None
) -> Any:
    """The parser of a worker, with one thread: the workers are as many as there are cores to use."""
    import torch

    from eqparse.systems.load import load

    torch.set_num_threads(1)
    return load(
        checkpoint, device=device, precision=precision, min_confidence=min_confidence, prevalence=prevalence
    )


def start(load: Callable[[], Any]) -> None:
    """Get a worker ready."""
    global _parser
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and ends its workers
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)  # which it was started with
    threading.Thread(target=end_with_parent, daemon=True).start()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    with warnings.catch_warnings(record=True) as told:
        try:
            _parser = load()
        except Exception as error:
            _parser = error
    _warnings.extend(str(warning.message) for warning in told)


def end_with_parent() -> None:
    """End this process when its parent has been killed, rather than wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def make(task: Task) -> Made:
    """Parse and write a shard, in a worker. Raises what loading the parser did; OSError if the system refuses."""
    from eqparse.integrations.bulk.writing import write_shard

    if isinstance(_parser, Exception):
        raise _parser
    shard, path, *_ = task
    parses = list(_parser.stream(shard.texts, **task.how))
    write_shard(path, shard, parses, form=task.form, columns=task.columns)
    reasons = dict(sorted(Counter(parse.reason_code for parse in parses).items()))
    with open(path, "rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return Made(shard.number, len(shard.texts), path.stat().st_size, sha256, reasons, _warnings)


def make_all(tasks: Iterable[Task], *, workers: int, load: Callable[[], Any]) -> Iterator[Made]:
    """Make shards in worker processes -> what was made, as it is done. At most twice as many wait as are made.

    When a worker is killed, all are started again, and the shards that they had are made one at a time first.

    load: gives a worker its parser; can be pickled.

    Raises DataError for a shard on which workers end again and again; what `make` raises.
    """
    coming, again = iter(tasks), deque[Task]()
    attempts: Counter[int] = Counter()
    broken = True
    while broken:
        broken = False
        pending: dict[Future[Made], Task] = {}
        with pool_of(workers, load) as pool:
            try:
                while True:
                    most = 1 if again else 2 * workers
                    while len(pending) < most and (task := again[0] if again else next(coming, None)) is not None:
                        if not again:
                            again.append(task)  # not lost if the pool breaks here
                        with signals_held():  # by the workers as well, which are started here
                            future = pool.submit(make, task)
                        pending[future] = again.popleft()
                    if not pending:
                        return
                    for future in wait(pending, return_when=FIRST_COMPLETED).done:
                        made = future.result()
                        del pending[future]
                        yield made
            except BrokenProcessPool:
                broken = True
        for future, task in pending.items():
            if not future.cancelled() and future.exception() is None:
                yield future.result()
                continue
            again.append(task)
            attempts[task.shard.number] += 1
            if attempts[task.shard.number] == ATTEMPTS:
                raise DataError(
                    f"{task.shard.rows}: expected a worker to parse them, found it killed {ATTEMPTS} times, perhaps by "
                    "the system for want of memory; the same command goes on, with fewer --workers or --shard-rows"
                )
        again = deque(sorted(again, key=lambda task: task.shard.number))


@contextmanager
def pool_of(workers: int, load: Callable[[], Any]) -> Iterator[ProcessPoolExecutor]:
    """Worker processes, which are killed at once if the block fails."""
    others = set(multiprocessing.active_children())
    with signals_held():  # by Python's tracker of shared resources as well, which is started here and must see the end
        pool = ProcessPoolExecutor(
            workers, mp_context=multiprocessing.get_context("spawn"), initializer=start, initargs=(load,)
        )
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def signals_held() -> Iterator[None]:
    """Let signals that end a program wait until the block is over, as do processes that are started in it.

    One that is half started would say so in a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held: list[int] = []
    handlers: dict[int, Any] = {}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        if threading.current_thread() is threading.main_thread():  # in which those run that other threads catch for it
            for number in STOPPING:
                if callable(handler := signal.getsignal(number)):
                    handlers[number] = handler
                    signal.signal(number, lambda caught, _: held.append(caught))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number in held:
            signal.raise_signal(number)
