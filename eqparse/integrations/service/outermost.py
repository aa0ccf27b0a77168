"""The outermost layer of the service: a line in the log for each request, and no error that goes further."""

from __future__ import annotations

import asyncio
import logging
import traceback
from time import perf_counter

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from eqparse.integrations.service.refusals import Refusal, refusal_response

log = logging.getLogger("eqparse.service")
GONE = 499  # nginx's word for a client that left before it was answered; nobody is sent it


class Outermost:
    """ASGI middleware. Neither paths that are no route's nor messages of errors are logged: they may hold text.

    max_requests: how many POST requests are answered at the same time.
    """

    def __init__(self, app: ASGIApp, *, max_requests: int) -> None:
        self.app = app
        self.max_requests = max_requests
        self.in_flight = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        start, status = perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        post = scope["method"] == "POST"
        refusal: Refusal | None = None
        self.in_flight += post
        try:
            if post and self.in_flight > self.max_requests:
                refusal = Refusal(503, f"{self.max_requests} requests are being answered, and no more are taken")
            else:
                await self.app(scope, receive, sending)
        except ClientDisconnect:
            status = GONE
        except asyncio.CancelledError:
            refusal = Refusal(503, "the service is ending")
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            kind = type(error).__name__
            log.error("%s in %s, line %s (a bug in eqparse)", kind, place.filename, place.lineno)
            refusal = Refusal(500, f"answering this request failed ({kind}); this is a bug in eqparse")
        finally:
            self.in_flight -= post
        if refusal and not status:
            await refusal_response(refusal)(scope, receive, sending)
        path = getattr(scope.get("route"), "path", "(no such path)")
        log.info("%s %s %d %.0f ms", scope["method"], path, status, 1000 * (perf_counter() - start))
