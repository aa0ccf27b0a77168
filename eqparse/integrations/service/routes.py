"""The paths of the service."""

from __future__ import annotations

import logging
from collections.abc import Hashable
from typing import Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from eqparse.integrations.service import schema
from eqparse.integrations.service.answers import Wish, check_wish
from eqparse.integrations.service.arrival import LimitedRoute, check_encoding, check_query, while_there
from eqparse.integrations.service.batcher import Full
from eqparse.integrations.service.lines import LinesResponse
from eqparse.integrations.service.options import ServiceOptions
from eqparse.integrations.service.refusals import Refusal, json_response
from eqparse.parser.parse import quoted
from eqparse.parser.reasons import Reason

log = logging.getLogger("eqparse.service")
router = APIRouter(dependencies=[Depends(check_query)])
limited = APIRouter(route_class=LimitedRoute, dependencies=[Depends(check_query)])
WHY = {
    408: "the request arrives too slowly",
    413: "the body, a text or the list of texts is too large, or too many texts are to be explained",
    415: "the body is compressed, a form, in another charset than UTF-8, or not said to be JSON",
    422: "the body is not JSON, or the body or the query is not what is expected",
    429: "too many texts wait to be parsed",
    503: "too many requests, no answer in time, or the service is ending",
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": schema.Refused, "description": why} for status, why in WHY.items()
}


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """That the service answers, and how many texts wait to be parsed."""
    return {"status": "ok", "waiting": request.app.state.batcher.waiting}


@router.get("/openapi.json", include_in_schema=False)
async def description(request: Request) -> Response:
    return json_response(request.app.openapi())


@router.get("/version")
async def version(request: Request) -> dict[str, Any]:
    """What the answers depend on: the versions of eqparse, of its model and of the libraries."""
    return request.app.state.version


@limited.post(
    "/parse", response_class=Response,
    responses={200: {"model": schema.Answer | schema.Answers, "description": "of a text, or of several"}} | REFUSALS,
)
async def parse(request: Request, asked: schema.ParseRequest) -> Response:
    """Parse a text, or several."""
    options: ServiceOptions = request.app.state.options
    texts = [asked.text] if asked.texts is None else asked.texts
    check_sizes(asked, options)
    wish = wish_of(request, asked.alternatives, asked.min_confidence, asked.explain)
    for text in texts:
        log_text(text, options)
    try:
        futures = request.app.state.batcher.ask([(text, wish) for text in texts])
    except Full:
        raise Refusal(429, f"no room for {len(texts)} more texts: {options.queue} at most may wait") from None
    try:
        found = await while_there(request.receive, futures, timeout=options.timeout)
    except TimeoutError:
        raise Refusal(503, f"no answer within {options.timeout:g} seconds") from None
    return json_response(found[0] if asked.texts is None else {"parses": found})


@router.post("/parse/batch", response_class=Response, openapi_extra=schema.LINES, responses=REFUSALS)
async def parse_batch(
    request: Request, alternatives: schema.Alternatives = None, min_confidence: schema.MinConfidence = None,
    explain: schema.Explain = False,
) -> Response:
    """Parse JSON lines, each {"text": ...} and perhaps an "id" and other fields, which come out again.

    Both directions are streamed. A line that cannot be read gets an answer with a reason, as a text without an equation
    does.
    """
    options: ServiceOptions = request.app.state.options
    check_encoding(request)
    wish = wish_of(request, alternatives, min_confidence, explain)

    async def ask(text: str | Reason, asker: Hashable) -> Any:
        log_text(text, options)
        return await request.app.state.batcher.ask_in_turn((text, wish), asker)

    return LinesResponse(ask, options=options)


def wish_of(request: Request, alternatives: int | None, min_confidence: float | None, explain: bool) -> Wish:
    """What a request asks for, or else the service's own. Raises Refusal and ConfigError for what it cannot have."""
    state = request.app.state
    options: ServiceOptions = state.options
    wish = Wish(
        alternatives=options.alternatives if alternatives is None else alternatives,
        min_confidence=options.min_confidence if min_confidence is None else min_confidence,
        explain=explain,
    )
    if wish.alternatives > options.max_alternatives:
        raise Refusal(422, f"alternatives: expected at most {options.max_alternatives}, found {wish.alternatives}")
    check_wish(state.parser, wish)
    return wish


def check_sizes(asked: schema.ParseRequest, options: ServiceOptions) -> None:
    """Raise Refusal for too many texts, or one that is too long."""
    count = 1 if asked.texts is None else len(asked.texts)
    if count > options.max_texts:
        raise Refusal(413, f"texts: expected at most {options.max_texts}, found {count}")
    if asked.explain and count > options.max_explained:
        raise Refusal(
            413, f"texts: expected at most {options.max_explained} with \"explain\", found {count}; ask for fewer at a "
            "time, or for no explanation"
        )
    named = {"text": asked.text} if asked.texts is None else {f"texts[{n}]": t for n, t in enumerate(asked.texts)}
    for name, text in named.items():
        if len(text) > options.max_characters:
            raise Refusal(413, f"{name}: expected at most {options.max_characters} characters, found {len(text)}")


def log_text(text: str | Reason, options: ServiceOptions) -> None:
    if options.log_texts and isinstance(text, str):
        log.info("text %s", quoted(text))
