"""How a request arrives: in a form that is read, within limits of size and time, from a client that is still there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from email.message import Message as Headers
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive

from eqparse.errors import DataError
from eqparse.integrations.service.options import ServiceOptions
from eqparse.integrations.service.refusals import Refusal
from eqparse.plain import each_once, shown

UTF8 = ("utf-8", "utf8", "us-ascii")


class LimitedRoute(APIRoute):
    """A route whose requests have limits of size and time, which hold before FastAPI reads them."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def limited(request: Request) -> Response:
            check_encoding(request)
            return await handle(CheckedRequest(request.scope, limited_receive(request, request.app.state.options)))

        return limited


class CheckedRequest(Request):
    """A request whose JSON has each key of an object once."""

    async def json(self) -> Any:
        """Raises Refusal for a key that is there twice."""
        try:
            return json.loads(await self.body(), object_pairs_hook=each_once)
        except DataError as error:
            raise Refusal(422, str(error)) from error


def check_encoding(request: Request) -> None:
    """Raise Refusal for a compressed body, which could be of any size, for a form, and for another encoding."""
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise Refusal(415, "expected a body without Content-Encoding; compressed ones are not read")
    said = Headers()
    said["content-type"] = request.headers.get("content-type", "")
    if said.get_content_maintype() == "multipart":
        raise Refusal(415, "Content-Type: expected the JSON itself as the body, found a form; send it as the body")
    charset = said.get_param("charset", "utf-8")
    if str(charset).lower() not in UTF8:
        raise Refusal(415, f"Content-Type: expected charset=utf-8 or none, found {shown(charset)}; send UTF-8")


def check_query(request: Request) -> None:
    """Raise Refusal for a name in the query that the path does not know, and for one that is there twice."""
    known = [field.alias for field in request.scope["route"].dependant.query_params]
    given = [name for name, _ in request.query_params.multi_items()]
    for name in given:
        if name not in known:
            expected = ", ".join(known) or "nothing"
            raise Refusal(422, f"the query: expected {expected}, found {shown(name)}")
        if given.count(name) > 1:
            raise Refusal(422, f"{name}: expected once in the query, found {given.count(name)} times")


def limited_receive(request: Request, options: ServiceOptions) -> Receive:
    """What gives a request's messages, and raises Refusal if its body is too large or too slow."""
    too_large = Refusal(413, f"expected a body of at most {options.max_body} bytes, found more")
    length = request.headers.get("content-length", "")
    end = asyncio.get_running_loop().time() + options.timeout
    size, whole = 0, False

    async def receive() -> Message:
        nonlocal size, whole
        if whole:
            return await request.receive()  # which waits for the client to leave
        if length.isdecimal() and int(length) > options.max_body:
            raise too_large
        try:
            async with asyncio.timeout_at(end):
                message = await request.receive()
        except TimeoutError:
            raise Refusal(408, f"the request took more than {options.timeout:g} seconds to arrive") from None
        size += len(message.get("body", b""))
        if size > options.max_body:
            raise too_large
        whole = not message.get("more_body", False)
        return message

    return receive


async def left(receive: Receive) -> None:
    """Wait until the client leaves; raises ClientDisconnect then."""
    while (await receive())["type"] != "http.disconnect":
        pass
    raise ClientDisconnect


async def while_there(receive: Receive, futures: list[asyncio.Future[Any]], *, timeout: float) -> list[Any]:
    """The results of futures, which are cancelled if the client leaves or they take too long.

    Raises TimeoutError after that many seconds, ClientDisconnect when the client leaves.
    """
    leaving, waiting = asyncio.create_task(left(receive)), asyncio.create_task(all_of(futures))
    try:
        done, _ = await asyncio.wait([leaving, waiting], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            raise TimeoutError
        return await (waiting if waiting in done else leaving)
    finally:
        for one in (leaving, waiting, *futures):
            one.cancel()


async def all_of(futures: list[asyncio.Future[Any]]) -> list[Any]:
    """Their results, without the warning that `asyncio.gather` gives of futures that are cancelled."""
    return [await future for future in futures]
