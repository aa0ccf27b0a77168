"""Dynamic micro-batching: questions that come together, from whichever requests, are answered as one batch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


class Full(Exception):
    """There is no room in the queue."""


class Batcher(Generic[Q, A]):
    """A queue of questions, and one thread that answers them in batches, in the order in which they came.

    answer: the answers to a batch. While it works on one, questions gather for the next.
    batch_size: the weight of a batch, at which it is full. wait: seconds that a question waits for company.
    queue: how many questions may wait. weight: of a question, by default 1.

    Every question has a future; one that is cancelled before its turn is passed over.
    """

    def __init__(
        self, answer: Callable[[Sequence[Q]], list[A]], *, batch_size: int, wait: float, queue: int,
        weight: Callable[[Q], int] = lambda _: 1,
    ) -> None:
        self._answer = answer
        self._weight = weight
        self._batch_size = batch_size
        self._wait = wait
        self._queue: asyncio.Queue[tuple[Q, asyncio.Future[A]]] = asyncio.Queue(queue)

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return self._queue.qsize()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer questions within the block."""
        with ThreadPoolExecutor(1, "eqparse") as thread:
            work = asyncio.create_task(self._work(thread))
            try:
                yield
            finally:
                work.cancel()

    def ask(self, questions: Sequence[Q]) -> list[asyncio.Future[A]]:
        """Put questions into the queue, all or none. Raises Full."""
        if self._queue.maxsize - self._queue.qsize() < len(questions):
            raise Full
        items = [(question, asyncio.get_running_loop().create_future()) for question in questions]
        for item in items:
            self._queue.put_nowait(item)
        return [future for _, future in items]

    async def ask_in_turn(self, question: Q) -> asyncio.Future[A]:
        """Put a question into the queue as soon as there is room."""
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        await self._queue.put((question, future))
        return future

    async def _work(self, thread: ThreadPoolExecutor) -> None:
        while True:
            batch = [item for item in await self._next() if not item[1].cancelled()]
            if not batch:
                continue
            asked = [question for question, _ in batch]
            results = await asyncio.get_running_loop().run_in_executor(thread, attempt, self._answer, asked)
            for (_, future), result in zip(batch, results, strict=True):
                if future.cancelled():
                    continue
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)

    async def _next(self) -> list[tuple[Q, asyncio.Future[A]]]:
        batch = [await self._queue.get()]
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait):
                while sum(self._weight(question) for question, _ in batch) < self._batch_size:
                    batch.append(await self._queue.get())
        return batch


def attempt(answer: Callable[[Sequence[Q]], list[A]], questions: Sequence[Q]) -> list[A | Exception]:
    """The answers to a batch; if it fails as a whole, one by one, so that only the questions at fault get an error."""
    try:
        return [*answer(questions)]
    except Exception as error:
        return [error] if len(questions) == 1 else [one for q in questions for one in attempt(answer, [q])]
