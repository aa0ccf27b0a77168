"""The page at `/`: a text in, its marked phrases, equation and tree out."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)


@router.get("/", response_class=HTMLResponse)
def page() -> str:
    return "<!doctype html><title>eqparse</title>"
