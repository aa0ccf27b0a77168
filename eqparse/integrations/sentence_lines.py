"""Sentences from a file, whatever the bytes are: one a line, a JSON object a line, or the items of a JSON list.

And a line of JSON for each answer.
"""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, BinaryIO, NamedTuple

from eqparse.errors import DataError
from eqparse.integrations.output_lines import json_line
from eqparse.parser.reasons import Reason, reason
from eqparse.plain import write_json

MAX_LINE = 1_000_000  # bytes of a line that are read; more would be refused in any case
MAX_DEPTH = 100  # levels of a JSON object: what can hardly be read could not be written at all
ENCODINGS = {  # -> their byte order marks; that of UTF-32 begins like that of UTF-16
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


class Row(NamedTuple):
    """A sentence of a file, or the `Reason` why it could not be read.

    id: its own, or else its number as text. fields: what stands beside the two, by name; none is called id or text.
    """

    id: str | int
    text: str | Reason
    fields: Mapping[str, Any] = MappingProxyType({})


def text_lines(file: BinaryIO) -> Iterator[Row]:
    """A row for each line, blank ones included, whose id is its number."""
    for number, line in enumerate(split(file), start=1):
        yield Row(str(number), line if isinstance(line, Reason) else decoded(line.rstrip(b"\r\n")))


def json_lines(file: BinaryIO, *, text_column: str) -> Iterator[Row]:
    """A row for each line that is not blank, which should be an object with a text and perhaps an id."""
    for number, line in enumerate(filter(is_written, split(file)), start=1):
        yield json_row(str(number), line, text_column=text_column)


def is_written(line: bytes | Reason) -> bool:
    """Has a line anything in it? Where a row has a form, a blank line is none."""
    return isinstance(line, Reason) or bool(line.strip())


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
    """The value of a JSON document. NaN, Infinity and 1e999, which could not be written again, are texts."""

    def number(written: str) -> float | str:
        value = float(written)
        return value if math.isfinite(value) else written

    return json.loads(text, parse_constant=str, parse_float=number)


def text_of(data: Mapping[str, Any], text_column: str) -> str | Reason:
    """The text in that field of an object."""
    if text_column not in data:
        wanted = "" if text_column == "text" else f"expected the field {text_column!r}, "
        return reason("not_json", f"{wanted}found {_shown(data)}"[:200])
    text = data[text_column]
    return text if isinstance(text, str) else reason("not_text", f"expected a str, found a {type(text).__name__}")


def answer_line(row: Row, answer: Mapping[str, Any]) -> bytes:
    """The answer to a row as one line of JSON with its id and its fields, UTF-8.

    A field whose name is one of the answer's comes after "input_".
    """
    found = {"id": row.id, **answer}
    names = free_names(row.fields, found)
    return json_line({"id": row.id} | {names[field]: value for field, value in row.fields.items()} | found)


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


def split(file: BinaryIO) -> Iterator[bytes | Reason]:
    """Lines with their ends, after a byte order mark; closes the file.

    A line that is too long is passed over in pieces and gives a reason. Raises WrongEncoding (see `check_encoding`).
    """
    with file:
        first = True
        while line := file.readline(MAX_LINE):
            if first:
                check_encoding(line)
            if len(line) == MAX_LINE and not line.endswith(b"\n"):
                while (piece := file.readline(MAX_LINE)) and not piece.endswith(b"\n"):
                    pass
                yield reason("too_long", f"a line of more than {MAX_LINE} bytes")
            elif line := line.removeprefix(codecs.BOM_UTF8) if first else line:
                yield line
            first = False


class WrongEncoding(Exception):
    """A file is in another encoding than UTF-8, which the message names."""


def check_encoding(beginning: bytes) -> None:
    """Raise WrongEncoding where a file begins with the byte order mark of another encoding than UTF-8."""
    for encoding, marks in ENCODINGS.items():
        if mark := next(filter(beginning.startswith, marks), b""):
            raise WrongEncoding(
                f"expected UTF-8, found {encoding} by its byte order mark {mark.hex(' ').upper()}; convert it, as by "
                f"`iconv -f {encoding} -t UTF-8 OLD > NEW`, or save it as UTF-8"
            )


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, after as many "input_" as it takes not to be one of those taken."""
    while name in taken:
        name = f"input_{name}"
    return name


def free_names(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Each name -> a name that is neither taken nor another's (see `free_name`)."""
    taken, found = set(taken), {}
    for name in names:
        found[name] = free_name(name, taken)
        taken.add(found[name])
    return found


def decoded(line: bytes) -> str | Reason:
    """A line as text."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        read = line.decode("utf-8", "backslashreplace")
        return reason("not_utf8", f"byte 0x{line[error.start]:02x} at {error.start}", read=read)


def _from_json(data: Any, number: str, text_column: str) -> Row:
    found = _as_object(data)
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
    if isinstance(name, (str, int)) and not isinstance(name, bool):
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
    return f"an object with {sorted(data)[:5]}" if isinstance(data, Mapping) else f"a {type(data).__name__}"
