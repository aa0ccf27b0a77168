"""A service to test: a parser with ready answers, and what speaks to an application without a server between."""

from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace

from parses import answered

from eqparse.equation.equation import Equation
from eqparse.integrations.service.app import create_app
from eqparse.integrations.service.options import ServiceOptions
from eqparse.integrations.service.schema import TEXT
from eqparse.parser.parse import Alternative, Parse
from eqparse.parser.reasons import Reason

EQUATION, SPANS = Equation.parse("V1 = 30 + (2 * V2)"), {"V1": ((0, 9),), "V2": ((41, 65),)}


class Canned:
    """A parser that knows one text. It notes its batches, waits at its gate, and fails where it is told to."""

    annotator = SimpleNamespace(version="canned-1")
    equation_parser = SimpleNamespace(calibration=object())

    def __init__(self) -> None:
        self.batches: list[list] = []
        self.gate = threading.Event()
        self.gate.set()

    def parse_batch(self, texts, *, batch_size, alternatives, min_confidence):
        self.batches.append(list(texts))
        self.gate.wait(20)
        if "bug" in texts:
            raise RuntimeError("it holds a bug")
        return [self.parse(text, alternatives) for text in texts]

    def parse(self, text, alternatives) -> Parse:
        if isinstance(text, Reason):
            return Parse("", reason=text.text, reason_code=text.code)
        if text != TEXT:
            return Parse(text, reason="the text has no number", reason_code="no_number")
        known = answered(TEXT, EQUATION, SPANS, confidence=0.75, score=float("nan"))
        others = [Alternative(EQUATION, SPANS, 0.75), Alternative(Equation.parse("V1 = 30 + V2"), SPANS, 0.2)]
        return Parse(**{**vars(known), "alternatives": tuple(others[:alternatives])})


def service(**options):
    """A parser with ready answers, and its service."""
    parser = Canned()
    app = create_app(parser, options=ServiceOptions(**options), model="canned")
    parser.batches.clear()  # of the example in the description
    return parser, app


class Exchange:
    """A request that is sent to an application piece by piece, and what has come back."""

    def __init__(self, app, path, *, headers=()) -> None:
        self.sent: asyncio.Queue[dict] = asyncio.Queue()
        self.status, self.body, self.ended = 0, b"", False
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": "POST",
            "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
            "headers": [(b"content-type", b"application/json"), *headers], "server": None, "client": None, "state": {},
        }
        self.task = asyncio.create_task(app(scope, self.sent.get, self._answer))

    def send(self, data: bytes, *, more: bool = True) -> None:
        self.sent.put_nowait({"type": "http.request", "body": data, "more_body": more})

    def leave(self) -> None:
        self.sent.put_nowait({"type": "http.disconnect"})

    async def _answer(self, message) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")
        self.ended = message["type"] == "http.response.body" and not message.get("more_body", False)

    async def end(self) -> Exchange:
        """Wait for the whole answer."""
        await asyncio.wait_for(self.task, 20)
        return self

    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.body.splitlines()]


def with_running(app, body) -> None:
    """Run an asynchronous function while the application runs."""

    async def run() -> None:
        async with app.router.lifespan_context(app):
            await asyncio.wait_for(body(), 30)

    asyncio.run(run())


async def until(condition) -> None:
    """Wait until it holds."""
    while not condition():
        await asyncio.sleep(0.005)
