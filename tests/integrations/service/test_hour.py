"""An hour of good and hostile requests in small: a server, eight clients at once, and every kind again and again."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn
from hostile_requests import BAD_LINES, KINDS, LIMITS, exchange
from service import service

EQUATION = "V1 = 30 + (2 * V2)"


@pytest.fixture
def server():
    """A server in a thread: its parser, its application, its loop and its port."""
    parser, app = service(**LIMITS, queue=64, timeout=2)
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    running = uvicorn.Server(uvicorn.Config(app, http="h11", ws="none", log_config=None, access_log=False))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: loop.run_until_complete(running.serve(sockets=[listener])))
    thread.start()
    yield parser, app, loop, listener.getsockname()[1]
    running.should_exit = True
    thread.join(20)
    loop.close()
    assert not thread.is_alive()


def equations_of(lines: bytes) -> list[str | None]:
    """The equations in a stream of lines in chunks, each of which is one."""
    return [json.loads(line)["equation"] for line in lines.splitlines() if line.startswith(b"{")]


def test_every_good_request_has_its_answer_and_nothing_is_left_behind(server, caplog, monkeypatch):
    parser, app, loop, port = server
    monkeypatch.setattr(logging.getLogger("eqparse.service"), "disabled", False)
    caplog.set_level("INFO", "eqparse.service")
    good = [name for name in KINDS if name.startswith("good")]
    deck = [*KINDS, *good * 4] * 6
    random.Random(0).shuffle(deck)
    exchange(port, KINDS["good"])
    before = len(asyncio.all_tasks(loop))
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda name: exchange(port, KINDS[name]), deck))
    statuses: dict[str, Counter[int]] = {name: Counter() for name in KINDS}
    for name, (status, body) in zip(deck, answers, strict=True):
        statuses[name][status] += 1
        if status not in (0, 200):
            assert status < 500 or status == 503, (name, body)
        if status == 400:  # of the server, which found no request in it
            assert body == b"Invalid HTTP request received."
        elif status not in (0, 200):
            assert list(json.loads(body)) == ["detail"] and body.count(b"\n") == 0
        elif status and name in ("good", "good, explained", "good, in pieces", "good, chunked", "good, in UTF-16"):
            assert json.loads(body)["equation"] == EQUATION
    for name, found in statuses.items():
        wanted = KINDS[name].statuses or (0,)
        busy = (408, 429, 503) if 200 in wanted else ()  # on a machine with other work
        # what is too large is refused before it is read, and the refusal may get lost with the rest of it
        lost = (0,) if wanted == (413,) or name == "huge headers" else ()
        assert set(found) <= {*wanted, *busy, *lost}, (name, found)
        assert 200 not in wanted or found[200], name
    assert all(any(found[status] for found in statuses.values()) for status in (200, 400, 404, 405, 413, 422))
    lines = dict((name, answer) for name, answer in zip(deck, answers, strict=True) if answer[0] == 200)
    assert equations_of(lines["good, lines"][1]) == [EQUATION] * 20
    mixed = equations_of(lines["lines, good and bad"][1])
    assert mixed[0] == mixed[-1] == EQUATION and mixed.count(None) == len(mixed) - 2 >= len(BAD_LINES)
    assert any(len(batch) > 1 for batch in parser.batches)

    end = time.monotonic() + 30
    while (app.state.batcher.waiting or len(asyncio.all_tasks(loop)) > before) and time.monotonic() < end:
        time.sleep(0.05)
    assert app.state.batcher.waiting == 0 and len(asyncio.all_tasks(loop)) <= before
    assert exchange(port, KINDS["good"])[0] == 200
    assert "bug" not in caplog.text and " 499 " in caplog.text
