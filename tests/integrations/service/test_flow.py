"""Batches, queue, time, clients that leave, and lines that are answered while others are on their way."""

from __future__ import annotations

import asyncio
import json

import pytest
from service import Exchange, service, until, with_running

from eqparse.integrations.service.batcher import Batcher, Full
from eqparse.integrations.service.schema import TEXT

GOOD = json.dumps({"text": TEXT}).encode()
LINE = GOOD + b"\n"


def ask(app, body=GOOD, *, path="/parse"):
    """A request that has been sent as a whole."""
    exchange = Exchange(app, path)
    exchange.send(body, more=False)
    return exchange


def test_requests_that_come_together_are_parsed_together():
    parser, app = service(batch_size=4)

    async def body():
        parser.gate.clear()
        first = ask(app)
        await until(lambda: parser.batches)
        others = [ask(app, json.dumps({"texts": ["a", "b"]}).encode()) for _ in range(3)]
        await until(lambda: app.state.batcher.waiting == 6)
        parser.gate.set()
        assert [(await one.end()).status for one in (first, *others)] == [200] * 4

    with_running(app, body)
    assert parser.batches == [[TEXT], ["a", "a", "a", "b"], ["b", "b"]]  # they take turns


@pytest.mark.parametrize(("texts", "explain", "batches"), [
    ("abc", True, ["ab", "c"]), (["a" * 3000, "b", "c"], False, [["a" * 3000], ["b", "c"]]),
    (["a" * 400, "b" * 400, "c" * 400, "d" * 400], False, [["a" * 400, "b" * 400, "c" * 400], ["d" * 400]]),
    (["a" * 400, "b"], True, [["a" * 400], ["b"]]),
])
def test_long_texts_and_explanations_make_small_batches(texts, explain, batches):
    parser, app = service(batch_size=16)

    async def body():
        parser.gate.clear()
        first = ask(app)
        await until(lambda: parser.batches)
        others = ask(app, json.dumps({"texts": [*texts], "explain": explain}).encode())
        await until(lambda: app.state.batcher.waiting == len(texts))
        parser.gate.set()
        assert [(await one.end()).status for one in (first, others)] == [200, 200]

    with_running(app, body)
    assert parser.batches == [[TEXT], *map(list, batches)]


def test_one_with_many_texts_does_not_keep_the_others_waiting_and_what_is_late_leaves_the_queue():
    parser, app = service(batch_size=2, max_texts=64, queue=64, timeout=3)

    async def body():
        parser.gate.clear()
        many = ask(app, json.dumps({"texts": ["x" * 3999] * 63}).encode())
        await until(lambda: parser.batches)
        await asyncio.sleep(1)
        one = ask(app)
        await until(lambda: app.state.batcher.waiting == 63)
        assert (await many.end()).status == 503
        assert app.state.batcher.waiting == 1  # the others make room at once
        parser.gate.set()
        assert (await one.end()).status == 200

    with_running(app, body)
    assert parser.batches == [["x" * 3999], [TEXT]]


def test_a_full_queue_says_so_and_a_late_answer_too():
    parser, app = service(max_texts=2, queue=2, timeout=0.4, wait_ms=0)

    async def body():
        parser.gate.clear()
        late = ask(app)
        await until(lambda: parser.batches)
        waiting = ask(app, b'{"texts":["a","b"]}')
        await until(lambda: app.state.batcher.waiting == 2)
        refused = await ask(app).end()
        assert refused.status == 429 and b"2 at most may wait" in refused.body
        assert (await late.end()).status == (await waiting.end()).status == 503 and b"within 0.4 s" in late.body
        parser.gate.set()
        await until(lambda: app.state.batcher.waiting == 0)
        assert (await ask(app).end()).status == 200

    with_running(app, body)
    assert parser.batches == [[TEXT], [TEXT]]  # what nobody waited for any longer was not parsed


def test_more_requests_than_may_be_in_flight_are_refused():
    parser, app = service(max_requests=1)

    async def body():
        first = Exchange(app, "/parse")
        await asyncio.sleep(0.05)
        refused = await ask(app).end()
        assert refused.status == 503 and b"1 requests are being answered" in refused.body
        first.send(GOOD, more=False)
        assert (await first.end()).status == 200
        assert (await ask(app).end()).status == 200

    with_running(app, body)


@pytest.mark.parametrize("path", ["/parse", "/parse/batch"])
def test_a_client_that_leaves_is_not_parsed_for(path):
    parser, app = service(batch_size=1, wait_ms=0)

    async def body():
        parser.gate.clear()
        first, second = ask(app, LINE, path=path), ask(app, LINE, path=path)
        await until(lambda: app.state.batcher.waiting == 1)
        unfinished = Exchange(app, path)
        unfinished.send(b'{"te')
        for one in first, second, unfinished:
            one.leave()
            await one.end()
        parser.gate.set()
        assert (await ask(app).end()).status == 200

    with_running(app, body)
    assert parser.batches == [[TEXT], [TEXT]]


def test_no_line_of_a_stream_that_is_left_stays_in_the_queue():
    parser, app = service(batch_size=1, wait_ms=0)

    async def body():
        parser.gate.clear()
        stream = ask(app, LINE * 9, path="/parse/batch")
        await until(lambda: app.state.batcher.waiting == 3)  # of which two fit into the stream's own
        await asyncio.sleep(0.05)
        stream.leave()
        await stream.end()
        assert app.state.batcher.waiting == 0
        parser.gate.set()

    with_running(app, body)
    assert parser.batches == [[TEXT]]


def test_a_request_that_does_not_arrive_is_cut():
    _, app = service(timeout=1.5)

    async def body():
        slow, stream = Exchange(app, "/parse"), Exchange(app, "/parse/batch")
        stream.send(LINE)
        for _ in range(5):
            slow.send(b" ")
            await asyncio.sleep(0.1)
        assert (await slow.end()).status == 408 and b"more than 1.5 seconds" in slow.body
        await stream.end()
        first, last = stream.lines()
        assert first["equation"] and last == {"detail": "nothing more of the request arrived in 1.5 seconds"}

    with_running(app, body)


def test_a_line_is_answered_while_others_are_on_their_way():
    _, app = service()

    async def body():
        exchange = Exchange(app, "/parse/batch")
        for count in range(1, 4):
            exchange.send(LINE[:9])
            exchange.send(LINE[9:])
            await until(lambda count=count: exchange.body.count(b"\n") == count)
            assert not exchange.ended
        exchange.send(GOOD, more=False)
        await exchange.end()
        assert exchange.ended and [one["id"] for one in exchange.lines()] == ["1", "2", "3", "4"]

    with_running(app, body)


def test_a_stream_holds_little_however_long_it_is():
    parser, app = service(max_body=1000, batch_size=2, max_texts=2, queue=2)

    async def body():
        parser.gate.clear()
        exchange = Exchange(app, "/parse/batch")
        for _ in range(300):
            exchange.send(LINE)
        await asyncio.sleep(0.2)
        assert exchange.sent.qsize() > 250  # it waits at the server's door
        parser.gate.set()
        exchange.send(b"x" * 5000)
        exchange.send(b"x" * 5000 + b"\n" + LINE, more=False)
        await exchange.end()
        *lines, long, last = exchange.lines()
        assert len(lines) == 300 and all(one["equation"] for one in lines) and last["id"] == "302"
        assert long["reason"] == "the text is too long: a line of more than 1000 bytes"

    with_running(app, body)


def test_a_stream_waits_where_others_are_refused_and_ends_if_no_answer_comes():
    parser, app = service(max_texts=1, queue=1, batch_size=1, timeout=2)

    async def body():
        parser.gate.clear()
        exchange = ask(app, LINE * 9, path="/parse/batch")
        await exchange.end()
        assert exchange.lines() == [{"detail": "the answer to line 1 took more than 2 seconds"}]
        parser.gate.set()
        assert len((await ask(app, LINE * 9, path="/parse/batch").end()).lines()) == 9

    with_running(app, body)


def test_a_batcher_keeps_the_order_and_gives_an_error_to_its_question_alone():
    def answer(questions):
        return [1 // question for question in questions]

    async def body():
        batcher = Batcher(answer, batch_size=8, wait=0.01, queue=3)
        async with batcher.running():
            one, none, other = batcher.ask([1, 0, 1])
            with pytest.raises(Full):
                batcher.ask([1])
            assert await one == await other == 1
            with pytest.raises(ZeroDivisionError):
                await none
            assert await (await batcher.ask_in_turn(1, "me")) == 1

    asyncio.run(body())
