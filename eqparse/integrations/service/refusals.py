"""What a request that cannot be answered gets: a status, and one line of JSON that says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from eqparse.errors import EqparseError, first_line
from eqparse.integrations.service.schema import ParseRequest
from eqparse.plain import TOO_DEEP, shown, write_json

RETRY = {"Retry-After": "1"}  # seconds; a queue of the usual length is parsed in a few


class Refusal(HTTPException):
    """The status and the reason of a request that is not answered; 429 and 503 say when to come again."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(status, reason, RETRY if status in (429, 503) else None)


def add_refusals(app: FastAPI) -> None:
    """Let the application answer its errors in this form."""
    app.add_exception_handler(RequestValidationError, not_valid)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(EqparseError, not_usable)


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Plain data as JSON in ASCII, which no text can keep from being written."""
    return Response(write_json(value), status, headers, media_type="application/json")


def refusal_response(refusal: HTTPException) -> Response:
    """Its status, and its reason as {"detail": ...}."""
    return json_response({"detail": " ".join(refusal.detail.split())}, refusal.status_code, refusal.headers)


async def refused(request: Request, error: Exception) -> Response:
    """For an error of this module, of FastAPI, or of its router."""
    assert isinstance(error, HTTPException)
    if error.status_code == 400:  # FastAPI's word for a body that JSON's decoder failed on
        cause = error.__cause__
        why = TOO_DEEP if isinstance(cause, RecursionError) else first_line(cause) if cause else error.detail
        error = Refusal(422, f"expected a body of JSON in UTF-8, found {why}"[:300])
    elif allowed := (error.headers or {}).get("Allow"):
        error.detail = f"expected {allowed} here, found {request.method}"
    return refusal_response(error)


async def not_usable(request: Request, error: Exception) -> Response:
    """For what the parser says of options."""
    return refusal_response(Refusal(422, str(error)))


async def not_valid(request: Request, error: Exception) -> Response:
    """For the first thing that is wrong with a request."""
    assert isinstance(error, RequestValidationError)
    if isinstance(error.body, bytes):
        wrong = Refusal(415, "expected a body of JSON with the header Content-Type: application/json")
    else:
        wrong = Refusal(422, first_fault(error.errors()[0]))
    return refusal_response(wrong)


def first_fault(fault: dict[str, Any]) -> str:
    """One of pydantic's errors in words. Of what was sent it repeats names of fields alone."""
    if fault["type"] == "json_invalid":
        return f"expected a body of JSON, found {fault['ctx']['error'].removesuffix(' at')} at {fault['loc'][-1]}"
    place, *inner = fault["loc"][1:] or ("the body",)
    if fault["type"] == "model_attributes_type":
        return f"{place}: expected a JSON object"
    if fault["type"] == "extra_forbidden":
        return f"the body: expected {', '.join(ParseRequest.model_fields)}, found {shown(place)}"
    return str(place) + "".join(f"[{at}]" for at in inner) + ": " + fault["msg"].removeprefix("Value error, ")
