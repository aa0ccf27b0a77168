"""Sentences from a file, one a line, whatever the bytes are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from eqparse.parser.limits import Reason, reason

MAX_LINE = 1_000_000  # bytes of a line that are read; more would be refused in any case

Line = tuple[str, object]
"""(id, the text or the `Reason` why it could not be read)."""


def read_lines(file: BinaryIO, *, form: str) -> Iterator[Line]:
    """The sentences of a file, one for each line, blank ones included; closes the file.

    form: "text", or "jsonl" for objects with a text and perhaps an id. A line that cannot be read gives a `Reason`; the
    id of a line that names none is its number.
    """
    with file:
        for number, line in enumerate(_split(file), start=1):
            read = _decode(line) if isinstance(line, bytes) else line
            if form == "jsonl" and isinstance(read, str):
                yield _from_json(read, str(number))
            else:
                yield str(number), read


def _split(file: BinaryIO) -> Iterator[bytes | Reason]:
    """Lines without their ends; one that is too long is passed over in pieces and gives a reason."""
    first = True
    while line := file.readline(MAX_LINE):
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            while (piece := file.readline(MAX_LINE)) and not piece.endswith(b"\n"):
                pass
            yield reason("too_long", f"a line of more than {MAX_LINE} bytes")
        else:
            yield (line.removeprefix(b"\xef\xbb\xbf") if first else line).rstrip(b"\r\n")
        first = False


def _decode(line: bytes) -> str | Reason:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        return reason("not_utf8", f"byte 0x{line[error.start]:02x} at {error.start}")


def _from_json(line: str, number: str) -> Line:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return number, reason("not_json", str(error)[:100] if isinstance(error, ValueError) else "nested too deeply")
    if not isinstance(data, dict) or "text" not in data:
        found = f"an object with {sorted(data)[:5]}" if isinstance(data, dict) else f"a {type(data).__name__}"
        return number, reason("not_json", f"found {found}"[:200])
    name = data.get("id", number)
    return str(name) if isinstance(name, (str, int)) else number, data["text"]
