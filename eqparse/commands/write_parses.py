"""Parses to a file, a line for each as text, JSON or CSV, with a progress bar where there is a terminal."""

from __future__ import annotations

import csv
import io
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from eqparse.commands.output_file import Output
from eqparse.commands.sentence_lines import Line
from eqparse.parser.parse import Parse, quoted
from eqparse.parser.texts import Parser

PATIENCE = 2.0  # seconds before a progress bar appears
CSV_COLUMNS = ("id", "text", "equation", "V1", "V2", "score", "reason_code", "reason")


def write_parses(
    parser: Parser, lines: Iterable[Line], output: Output, *, form: str, batch_size: int, brief: bool = False
) -> int:
    """Parse all lines and write one piece of output for each, in order -> how many.

    form: "jsonl" (an object a line), "csv", or "text" for people. brief: text without the sentence itself.
    """
    ids: list[str] = []

    def texts() -> Iterator[object]:
        for name, text in lines:
            ids.append(name)
            yield text

    if form == "csv":
        output.file.write(csv_line(CSV_COLUMNS))
    count = 0
    with progress() as show:
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
            show(count)
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

    def show(done: int) -> None:
        nonlocal shown
        if not shown and time.monotonic() - start > PATIENCE:
            bar.start()
            shown = True
        if shown:
            bar.update(task, completed=done)

    try:
        yield show
    finally:
        if shown:
            bar.stop()
