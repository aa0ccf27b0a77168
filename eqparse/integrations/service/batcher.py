"""Dynamic micro-batching: questions that come together, from whichever requests, are answered as one batch."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


class Full(Exception):
    """There is no room in the queue."""


class Batcher(Generic[Q, A]):
    """A queue of questions, and one thread that answers them in batches.

    answer: the answers to a batch. While it works on one, questions gather for the next.
    batch_size: the weight of a batch at most; a question that weighs more is answered alone.
    wait: seconds that a question waits for company. queue: how many questions may wait.
    weight: of a question, by default 1.

    Those who ask take turns, a question each, so that many questions of one do not keep the others waiting. Every
    question has a future; one that is cancelled before its turn leaves the queue at once.
    """

    def __init__(
        self, answer: Callable[[Sequence[Q]], list[A]], *, batch_size: int, wait: float, queue: int,
        weight: Callable[[Q], int] = lambda _: 1,
    ) -> None:
        self._answer = answer
        self._weight = weight
        self._batch_size = batch_size
        self._wait = wait
        self._most = queue
        # who asks -> the questions that wait; the first to ask is the next whose turn it is
        self._asked: dict[Hashable, deque[tuple[Q, asyncio.Future[A]]]] = {}
        self._came, self._went = asyncio.Event(), asyncio.Event()
        self.busy = False  # is a batch being answered?

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        return sum(map(len, self._asked.values()))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer questions within the block; its end does not wait for a batch that is being answered (`busy`)."""
        thread = ThreadPoolExecutor(1, "eqparse")
        work = asyncio.create_task(self._work(thread))
        try:
            yield
        finally:
            work.cancel()
            thread.shutdown(wait=False, cancel_futures=True)

    def ask(self, questions: Sequence[Q]) -> list[asyncio.Future[A]]:
        """Put questions into the queue, all or none. Raises Full."""
        if self.waiting + len(questions) > self._most:
            raise Full
        asker = object()
        return [self._put(question, asker) for question in questions]

    async def ask_in_turn(self, question: Q, asker: Hashable) -> asyncio.Future[A]:
        """Put a question into the queue as soon as there is room. asker: who takes turns with the others."""
        while self.waiting >= self._most:
            self._went.clear()
            await self._went.wait()
        return self._put(question, asker)

    def _put(self, question: Q, asker: Hashable) -> asyncio.Future[A]:
        future: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(asker, deque()).append((question, future))
        future.add_done_callback(partial(self._drop, question, asker))
        self._came.set()
        return future

    def _drop(self, question: Q, asker: Hashable, future: asyncio.Future[A]) -> None:
        """Let a question leave the queue if it was cancelled before its turn."""
        items = self._asked.get(asker)
        if items is None or not future.cancelled():
            return
        with suppress(ValueError):
            items.remove((question, future))
            self._went.set()
        if not items:
            del self._asked[asker]

    async def _work(self, thread: ThreadPoolExecutor) -> None:
        while True:
            if not (batch := await self._next()):
                continue
            asked = [question for question, _ in batch]
            results = await asyncio.get_running_loop().run_in_executor(thread, self._answers, asked)
            for (_, future), result in zip(batch, results, strict=True):
                if future.cancelled():
                    continue
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)

    async def _next(self) -> list[tuple[Q, asyncio.Future[A]]]:
        while not self._asked:
            await self._arrival()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait):
                while self.waiting < self._batch_size:
                    await self._arrival()
        batch, room = [], self._batch_size
        while self._asked:
            asker, items = next(iter(self._asked.items()))
            weight = self._weight(items[0][0])
            if batch and weight > room:
                break
            item = items.popleft()
            del self._asked[asker]
            if items:
                self._asked[asker] = items  # behind the others
            if not item[1].cancelled():
                batch.append(item)
                room -= weight
        self._went.set()
        return batch

    async def _arrival(self) -> None:
        self._came.clear()
        await self._came.wait()

    def _answers(self, questions: list[Q]) -> list[A | Exception]:
        self.busy = True
        try:
            return attempt(self._answer, questions)
        finally:
            self.busy = False


def attempt(answer: Callable[[Sequence[Q]], list[A]], questions: Sequence[Q]) -> list[A | Exception]:
    """The answers to a batch; if it fails as a whole, one by one, so that only the questions at fault get an error."""
    try:
        return [*answer(questions)]
    except Exception as error:
        return [error] if len(questions) == 1 else [one for q in questions for one in attempt(answer, [q])]
