"""JSON lines in and out, both streamed: a line is answered while later ones are still on their way."""

from __future__ import annotations

import asyncio
import codecs
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from eqparse.integrations.json_rows import json_row
from eqparse.integrations.output_lines import answer_line
from eqparse.integrations.rows import Row
from eqparse.integrations.service.arrival import left
from eqparse.integrations.service.options import ServiceOptions
from eqparse.integrations.text_rows import MAX_LINE, is_written
from eqparse.parser.reasons import Reason, reason
from eqparse.plain import write_json

log = logging.getLogger("eqparse.service")
Future = asyncio.Future[dict[str, Any]]
Pending = asyncio.Queue[tuple[Row, Future] | None]


class LinesResponse(Response):
    """The answers to the lines of the request's body, each with the line's id and fields.

    ask: puts a text of one who asks into the queue as soon as there is room, and gives its answer to come.

    Two batches of lines at most wait for their answers, and `max_body` bytes for their turn; meanwhile no more is read
    from the client. Where the rest cannot be answered, the last line is {"detail": the reason}.
    """

    media_type = "application/x-ndjson"

    def __init__(self, ask: Callable[[str | Reason, Hashable], Awaitable[Future]], *, options: ServiceOptions) -> None:
        super().__init__()
        del self.headers["content-length"]
        self.ask = ask
        self.options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = Body(self.options)
        pending: Pending = asyncio.Queue(2 * self.options.batch_size)
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        try:
            async with asyncio.TaskGroup() as tasks:
                work = [tasks.create_task(body.arrive(receive)), tasks.create_task(self.ask_all(body, pending))]
                await self.answer_all(body, pending, send)
                for task in work:
                    task.cancel()
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            while not pending.empty():
                if item := pending.get_nowait():
                    item[1].cancel()

    async def ask_all(self, body: Body, pending: Pending) -> None:
        """Ask for the answers to the lines, in their order."""
        async for row in body.rows():
            future = await self.ask(row.text, self)
            try:
                await pending.put((row, future))
            except asyncio.CancelledError:
                future.cancel()  # nobody else has it yet
                raise
        await pending.put(None)

    async def answer_all(self, body: Body, pending: Pending, send: Send) -> None:
        """Write the answers as they come."""

        async def write(data: bytes, *, more: bool = True) -> None:
            try:
                async with asyncio.timeout(self.options.timeout):
                    await send({"type": "http.response.body", "body": data, "more_body": more})
            except TimeoutError:
                raise ClientDisconnect from None  # it reads nothing

        while item := await pending.get():
            row, future = item
            try:
                async with asyncio.timeout(self.options.timeout):
                    found = await future
            except TimeoutError:
                body.cut = f"the answer to line {row.id} took more than {self.options.timeout:g} seconds"
                break
            except Exception as error:
                log.error("a line could not be answered: %s (a bug in eqparse)", type(error).__name__)
                found = {"detail": f"answering this line failed ({type(error).__name__}); this is a bug in eqparse"}
            await write(answer_line(row, found))
        await write(write_json({"detail": body.cut}).encode() + b"\n" if body.cut else b"", more=False)


class Body:
    """A request's body as it arrives.

    cut: why the rest of it is not read; "" if it is.
    """

    def __init__(self, options: ServiceOptions) -> None:
        self.options = options
        self.cut = ""
        self._max_line = min(MAX_LINE, options.max_body)
        self._reader = asyncio.StreamReader(self._max_line)
        self._held = 0
        self._taken = asyncio.Event()

    async def arrive(self, receive: Receive) -> None:
        """Take in what the client sends. Raises ClientDisconnect when it leaves."""
        more = True
        while more:
            try:
                async with asyncio.timeout(self.options.timeout):
                    message = await receive()
            except TimeoutError:
                self.cut = f"nothing more of the request arrived in {self.options.timeout:g} seconds"
                break
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            data, more = message.get("body", b""), message.get("more_body", False)
            self._held += len(data)
            self._reader.feed_data(data)
            while more and self._held > self.options.max_body:
                self._taken.clear()
                await self._taken.wait()
        self._reader.feed_eof()
        await left(receive)

    async def rows(self) -> AsyncIterator[Row]:
        """A row for each line that is not blank; one that cannot be read has a reason in place of its text."""
        number = 0
        while (line := await self._line()) != b"":
            number += 1
            if number == 1 and isinstance(line, bytes):
                line = line.removeprefix(codecs.BOM_UTF8)
            if not is_written(line):
                continue
            row = json_row(str(number), line)
            most = self.options.max_characters
            if isinstance(row.text, str) and len(row.text) > most:
                row = row._replace(text=reason("too_long", f"{len(row.text)} characters, and the limit is {most}"))
            yield row

    async def _line(self) -> bytes | Reason:
        """The next line with its end; b"" after the last one."""
        too_long = False
        while True:
            try:
                data = await self._reader.readuntil()
            except asyncio.IncompleteReadError as end:
                data = end.partial
            except asyncio.LimitOverrunError as over:
                too_long = True
                self._take(len(await self._reader.readexactly(over.consumed)))
                continue
            self._take(len(data))
            return reason("too_long", f"a line of more than {self._max_line} bytes") if too_long else data

    def _take(self, size: int) -> None:
        self._held -= size
        self._taken.set()
