"""The page at `/`, where a person can try the parser: static files, and the headers that keep it to itself."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.staticfiles import StaticFiles

router = APIRouter(include_in_schema=False)

_FILES = StaticFiles(packages=[("eqparse.integrations.service", "assets")])
_HEADERS = {
    # nothing from elsewhere, nothing inline, and no text that is read as markup
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",  # ask whether the file has changed: an old script does not fit a new service
}


@router.api_route("/", methods=["GET", "HEAD"])
async def page(request: Request) -> Response:
    return await asset("index.html", request)


@router.api_route("/assets/{name}", methods=["GET", "HEAD"])
async def asset(name: str, request: Request) -> Response:
    """A file of the page. 404 where there is none of that name."""
    response = await _FILES.get_response(name, request.scope)
    response.headers.update(_HEADERS)
    return response
