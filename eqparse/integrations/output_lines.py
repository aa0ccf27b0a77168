"""Rows as lines of JSON and of CSV, whatever the values are."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from eqparse.integrations.rows import Row, free_names
from eqparse.plain import write_json


def json_line(record: Mapping[str, Any]) -> bytes:
    """A record as one line of JSON, UTF-8.

    What UTF-8 cannot hold is written in ASCII escapes; NaN and the infinities, which JSON cannot hold, and what only
    Arrow has (dates, decimals, bytes) as text.
    """
    try:
        data = write_json(record, not_finite=as_text, default=as_text, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        data = write_json(record, not_finite=as_text, default=as_text).encode("ascii")
    return data + b"\n"


def answer_line(row: Row, answer: Mapping[str, Any]) -> bytes:
    """The answer to a row as one line of JSON with its id and its fields, UTF-8.

    A field whose name is one of the answer's comes after "input_".
    """
    found = {"id": row.id, **answer}
    names = free_names(row.fields, found)
    return json_line({"id": row.id} | {names[field]: value for field, value in row.fields.items()} | found)


def as_cell(value: Any) -> str:
    """A value as text: a str as it is, nothing for None, JSON for plain data, and text for anything else."""
    if isinstance(value, (bool, int, dict, list, tuple)):
        return write_json(value, not_finite=as_text, default=as_text, ensure_ascii=False)
    return "" if value is None else as_text(value)


def as_text(value: object) -> str:
    """A value that JSON has not; bytes that are not UTF-8 as escapes, numbers as JSON readers spell them."""
    if isinstance(value, float):
        return json.dumps(value)
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def csv_line(values: Iterable[object]) -> bytes:
    """A row of RFC 4180, which ends lines with CR LF."""
    buffer = io.StringIO()
    csv.writer(buffer).writerow(values)
    return buffer.getvalue().encode("utf-8", "backslashreplace")
