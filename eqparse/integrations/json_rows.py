"""Sentences from JSON: an object a line, or the items of a list."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from eqparse.errors import DataError, kind_of
from eqparse.integrations.rows import Row, free_names
from eqparse.integrations.text_rows import check_encoding, decoded, is_written, split
from eqparse.parser.reasons import Reason, reason
from eqparse.plain import each_once, write_json

CALLED = {bool: "true or false", str: "a string", list: "a list", (int, float): "a number"}
MAX_DEPTH = 100  # levels of a JSON object: what can hardly be read could not be written at all


def json_lines(file: BinaryIO, *, text_column: str) -> Iterator[Row]:
    """A row for each line that is not blank, which should be an object with a text; its id, or else its line's number.
    """
    for number, line in enumerate(split(file), start=1):
        if is_written(line):
            yield json_row(str(number), line, text_column=text_column)


def json_row(number: str, line: bytes | Reason, *, text_column: str = "text") -> Row:
    """The row of a line, or of what stands in place of one."""
    found = json_object(line)
    return Row(number, found) if isinstance(found, Reason) else _from_object(found, number, text_column)


def json_object(line: bytes | Reason) -> dict[str, Any] | Reason:
    """The object that a line holds."""
    text = line if isinstance(line, Reason) else decoded(line.rstrip(b"\r\n"))
    if isinstance(text, Reason):
        return text
    try:
        found = _as_object(read_plain_json(text))
    except (ValueError, RecursionError) as error:
        found = reason("not_json", str(error)[:100] if isinstance(error, ValueError) else "nested too deeply")
    return found._replace(read=text) if isinstance(found, Reason) else found


def read_plain_json(text: str) -> Any:
    """The value of a JSON document. Numbers that could not be written again are texts: NaN, 1e999, 5000 digits.

    Raises DataError for a key that is twice in an object, ValueError and RecursionError for what else is no such value.
    """

    def number(written: str) -> float | str:
        value = float(written)
        return value if math.isfinite(value) else written

    def integer(written: str) -> int | str:
        try:
            return int(written)
        except ValueError:  # more digits than Python reads
            return written

    return json.loads(
        text, parse_constant=str, parse_float=number, parse_int=integer, object_pairs_hook=each_once
    )


def text_of(data: Mapping[str, Any], text_column: str) -> str | Reason:
    """The text in that field of an object."""
    if text_column not in data:
        return reason("no_text", f"expected the field {text_column!r}, found {_shown(data)}"[:200])
    text = data[text_column]
    if text is None:
        return reason("empty", "found null")
    return text if isinstance(text, str) else reason("not_text", f"expected a str, found {kind_of(text)}")


def json_list(file: BinaryIO, *, text_column: str, name: str) -> Iterator[Row]:
    """A row for each item of a list, a text or an object as in `json_lines`; the whole is read at once.

    Raises DataError, which names the file, where it is not a list.
    """
    expected = f"{name}: expected one JSON list of texts or of objects"
    try:
        content = file.read()
        check_encoding(content)
        data = read_plain_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        byte = f"0x{error.object[error.start]:02x} at {error.start}"
        raise DataError(f"{name}: expected UTF-8, found the byte {byte}; convert the file") from error
    except DataError as error:
        raise DataError(f"{name}: {error} in an object of the list") from error
    except RecursionError as error:
        raise DataError(f"{expected}, found one nested too deeply to read") from error
    except ValueError as error:
        raise DataError(f"{expected}, found none ({error}); objects one a line belong in a .jsonl file") from error
    if not isinstance(data, list):
        raise DataError(f"{expected}, found {_shown(data)}")
    return (
        Row(str(number), item) if isinstance(item, str) else _from_json(item, str(number), text_column)
        for number, item in enumerate(data, start=1)
    )


def _from_json(data: Any, number: str, text_column: str) -> Row:
    found = reason("empty", "found null") if data is None else _as_object(data)
    return Row(number, found) if isinstance(found, Reason) else _from_object(found, number, text_column)


def _as_object(data: Any) -> dict[str, Any] | Reason:
    if _too_deep(data):
        return reason("not_json", f"nested more than {MAX_DEPTH} levels deep")
    if not isinstance(data, dict):
        return reason("not_json", f"found {_shown(data)}"[:200], read=write_json(data, ensure_ascii=False))
    return data


def _from_object(data: dict[str, Any], number: str, text_column: str) -> Row:
    """The row of a JSON object; its id and its text stay among the fields where they cannot be used as such."""
    fields = dict(data)
    name, text = fields.get("id"), text_of(data, text_column)
    if isinstance(name, (str, int)) and not isinstance(name, bool) and str(name).strip():
        del fields["id"]
    else:
        name = number
    if text_column == "text" and isinstance(text, str):
        del fields["text"]
    apart = [field for field in fields if field in ("id", "text")]
    renamed = free_names(apart, ["id", "text", *fields])
    return Row(name, text, {renamed.get(field, field): value for field, value in fields.items()})


def _too_deep(data: Any) -> bool:
    level = [data]
    for _ in range(MAX_DEPTH):
        inner = (x.values() if isinstance(x, dict) else x if isinstance(x, list) else () for x in level)
        level = [value for values in inner for value in values]
    return bool(level)


def _shown(data: Any) -> str:
    if isinstance(data, Mapping):
        return f"an object with {sorted(data)[:5]}"
    return next((words for kind, words in CALLED.items() if isinstance(data, kind)), "null")
