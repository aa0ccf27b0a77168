"""Sentences from a file and parses to a file, a line at a time, whatever the bytes are."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from eqparse.files import Output
from eqparse.parser.limits import Reason, reason
from eqparse.parser.parse import Parse, quoted
from eqparse.parser.texts import Parser

MAX_LINE = 1_000_000  # bytes of a line that are read; more would be refused in any case
PATIENCE = 2.0  # seconds before a progress bar appears
CSV_COLUMNS = ("id", "text", "equation", "V1", "V2", "score", "reason_code", "reason")

Record = tuple[str, object]
"""(id, the text or why it could not be read)."""


def read_records(source: str, *, form: str) -> Iterator[Record]:
    """The sentences of a file, "-" for standard input: one for each line, blank ones included.

    form: "text", or "jsonl" for objects with a text and perhaps an id. A line that cannot be read gives a `Reason`; the
    id of one that names none is its number. Raises OSError at once where there is no such file.
    """
    file = sys.stdin.buffer if source == "-" else open(source, "rb")
    return _records(file, form)


def _records(file: BinaryIO, form: str) -> Iterator[Record]:
    with file:
        for number, line in enumerate(_lines(file), start=1):
            read = _decode(line) if isinstance(line, bytes) else line
            if form == "jsonl" and isinstance(read, str):
                yield _from_json(read, str(number))
            else:
                yield str(number), read


def _lines(file: BinaryIO) -> Iterator[bytes | Reason]:
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


def _from_json(line: str, number: str) -> Record:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return number, reason("not_json", str(error)[:100] if isinstance(error, ValueError) else "nested too deeply")
    if not isinstance(data, dict) or "text" not in data:
        found = f"an object with {sorted(data)[:5]}" if isinstance(data, dict) else f"a {type(data).__name__}"
        return number, reason("not_json", f"found {found}"[:200])
    name = data.get("id", number)
    return str(name) if isinstance(name, (str, int)) else number, data["text"]


def write_parses(
    parser: Parser, records: Iterable[Record], output: Output, *, form: str, batch_size: int, brief: bool = False
) -> int:
    """Parse all records and write one piece of output for each, in order -> how many.

    form: "jsonl" (an object a line), "csv", or "text" for people. brief: text without the sentence itself.
    """
    ids: list[str] = []

    def texts() -> Iterator[object]:
        for name, text in records:
            ids.append(name)
            yield text

    if form == "csv":
        output.file.write(csv_line(CSV_COLUMNS))
    count = 0
    with progress() as tell:
        for parse in parser.stream(texts(), batch_size=batch_size):
            name = ids.pop(0)
            if form == "jsonl":
                data = json_line(name, parse)
            elif form == "csv":
                data = csv_line(csv_row(name, parse))
            else:
                text = f"{parse}\n" if brief else f"{name}  {quoted(parse.text[:1000])[1:-1]}\n    {parse}\n"
                data = text.encode(output.encoding, "backslashreplace")
            output.file.write(data)
            count += 1
            tell(count)
    return count


def json_line(name: str, parse: Parse) -> bytes:
    """A parse as one line of JSON with its id, UTF-8; a text that UTF-8 cannot hold in ASCII escapes."""
    record = {"id": name, **parse.to_dict()}
    try:
        data = json.dumps(record, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        data = json.dumps(record).encode("ascii")
    return data + b"\n"


def csv_row(name: str, parse: Parse) -> list[object]:
    """A parse in the columns of `CSV_COLUMNS`; several phrases of one variable are joined by " | "."""
    equation = "" if parse.equation is None else str(parse.equation)
    phrases = [" | ".join(parse.phrases.get(label, ())) for label in ("V1", "V2")]
    score = "" if parse.score is None else parse.score
    return [name, parse.text, equation, *phrases, score, parse.reason_code, parse.reason]


def csv_line(values: Iterable[object]) -> bytes:
    """A row of RFC 4180, which ends lines with CR LF."""
    buffer = io.StringIO()
    csv.writer(buffer).writerow(values)
    return buffer.getvalue().encode("utf-8", "backslashreplace")


@contextmanager
def progress() -> Iterator[Callable[[int], None]]:
    """A function to call with the number of sentences done; a bar appears on stderr's terminal if it takes long."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} sentences"), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task("parse", total=None)
    start, shown = time.monotonic(), False

    def tell(done: int) -> None:
        nonlocal shown
        if not shown and time.monotonic() - start > PATIENCE:
            bar.start()
            shown = True
        if shown:
            bar.update(task, completed=done)

    try:
        yield tell
    finally:
        if shown:
            bar.stop()
