"""`create_app`: the service as an ASGI application."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from eqparse import __version__
from eqparse.integrations.service import page
from eqparse.integrations.service.answers import answer
from eqparse.integrations.service.options import ServiceOptions
from eqparse.parser.texts import Parser


class ParseRequest(BaseModel):
    """Exactly one of `text` and `texts`; the answer to the second is {"parses": [...]}.

    explain: adds "explanation" to each parse, a list with an item for each stage of the parser that decided:
        {"stage": "variable", "score": 1.5, "features": [{"name": ..., "weight": ...}, ...]}, the weightiest first.
    """

    text: str | None = None
    texts: list[str] | None = None
    alternatives: int | None = None
    min_confidence: float | None = None
    explain: bool = False


def create_app(parser: Parser, *, options: ServiceOptions | None = None) -> FastAPI:
    """The service of a loaded parser. `app.state.options` are its options."""
    app = FastAPI(title="eqparse", version=__version__, docs_url=None, redoc_url=None)
    app.state.options = options or ServiceOptions()
    app.include_router(page.router)

    @app.post("/parse")
    def parse(request: ParseRequest) -> dict[str, Any]:
        texts = request.texts if request.text is None else [request.text]
        parses = parser.parse_batch(
            texts or [], alternatives=request.alternatives or 0, min_confidence=request.min_confidence
        )
        answers = [answer(one) for one in parses]
        if request.explain:
            answers = [{**one, "explanation": []} for one in answers]
        return {"parses": answers} if request.text is None else answers[0]

    return app
