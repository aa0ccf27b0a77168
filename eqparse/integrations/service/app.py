"""`create_app`: the service as an ASGI application."""

from __future__ import annotations

import json
import platform
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import torch
from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from eqparse import __version__
from eqparse.integrations.service import page, routes
from eqparse.integrations.service.answers import Wish, answers, check_wish, weight
from eqparse.integrations.service.batcher import Batcher
from eqparse.integrations.service.options import ServiceOptions
from eqparse.integrations.service.outermost import Outermost
from eqparse.integrations.service.refusals import add_refusals
from eqparse.integrations.service.schema import TEXT
from eqparse.parser.texts import Parser
from eqparse.plain import write_json

DESCRIPTION = (
    "From an English sentence to the equation it states. A request that is not answered gets a status and "
    '`{"detail": the reason}`; 429 and 503 come with `Retry-After`.'
)


def create_app(parser: Parser, *, options: ServiceOptions | None = None, model: str = "") -> FastAPI:
    """The service of a loaded parser, for any ASGI server; it parses in one thread of its own.

    options: by default `ServiceOptions()`; `app.state.options` is what holds. model: what /version calls the parser.

    Raises ConfigError for alternatives or a least confidence if the parser has no calibration.
    """
    options = options or ServiceOptions()
    check_wish(parser, Wish(alternatives=options.alternatives, min_confidence=options.min_confidence))
    answer = partial(answers, parser)
    batcher = Batcher(
        answer, batch_size=options.batch_size, wait=options.wait_ms / 1000, queue=options.queue, weight=weight
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with batcher.running():
            yield

    # without FastAPI's pages for the description, which load their programs from another host
    app = FastAPI(
        title="eqparse", version=__version__, description=DESCRIPTION, openapi_url=None, lifespan=lifespan
    )
    app.state.options, app.state.parser, app.state.batcher = options, parser, batcher
    app.state.version = version(parser, model)
    add_refusals(app)
    for router in (routes.limited, routes.router, page.router):
        app.include_router(router)
    if options.cors_origins:
        app.add_middleware(
            CORSMiddleware, allow_origins=options.cors_origins, allow_methods=["GET", "POST"],
            allow_headers=["Content-Type"],
        )
    app.add_middleware(Outermost, max_requests=options.max_requests)
    [found] = answer([(TEXT, Wish())])  # which also loads what the first parse loads
    example = json.loads(write_json(found))
    answered = app.openapi()["paths"]["/parse"]["post"]["responses"]["200"]["content"]["application/json"]
    answered["examples"] = {"text": {"value": example}, "texts": {"value": {"parses": [example]}}}
    return app


def version(parser: Parser, model: str) -> dict[str, Any]:
    """What the answers depend on."""
    return {
        "eqparse": __version__, "model": model, "pipeline": parser.annotator.version, "torch": torch.__version__,
        "python": platform.python_version(),
    }
