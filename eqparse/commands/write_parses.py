"""Parses to a file, a line for each as text, JSON or CSV, and a bar on standard error while it takes long."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import nullcontext

from eqparse.commands.output_file import Output
from eqparse.commands.run_display import progress_bars
from eqparse.commands.sentence_lines import Line
from eqparse.parser.parse import Parse, quoted
from eqparse.parser.texts import Parser

CSV_COLUMNS = ("id", "text", "equation", "V1", "V2", "score", "reason_code", "reason")


def write_parses(
    parser: Parser, lines: Iterable[Line], output: Output, *, form: str, batch_size: int, brief: bool = False
) -> None:
    """Parse all lines and write one piece of output for each, in order.

    form: "jsonl" (an object a line), "csv", or "text" for people. brief: text without the sentence itself.
    """
    ids: list[str] = []

    def texts() -> Iterator[object]:
        for name, text in lines:
            ids.append(name)
            yield text

    if form == "csv":
        output.file.write(csv_line(CSV_COLUMNS))
    with nullcontext() if brief or output.file.isatty() else progress_bars() as show:
        for count, parse in enumerate(parser.stream(texts(), batch_size=batch_size), start=1):
            name = ids.pop(0)
            if form == "jsonl":
                data = json_line(name, parse)
            elif form == "csv":
                data = csv_line(csv_row(name, parse))
            else:
                text = f"{parse}\n" if brief else f"{name}  {quoted(parse.text[:1000])[1:-1]}\n    {parse}\n"
                data = text.encode(output.encoding, "backslashreplace")
            output.file.write(data)
            if show is not None:
                show("parse", {"done": count})


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
