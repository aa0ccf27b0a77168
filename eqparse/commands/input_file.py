"""What `eqparse parse` reads: files by their suffix, compressed or not, and standard input."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from eqparse.commands.table_rows import table_rows
from eqparse.errors import ConfigError, DataError
from eqparse.integrations.sentence_lines import Row, json_lines, json_list, text_lines

FORMATS = {".txt": "text", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".json": "json"}
DELIMITERS = {"csv": ",", "tsv": "\t"}


class Input(NamedTuple):
    """Sentences, and the columns of the table that they come from; None where each row has its own."""

    rows: Iterator[Row]
    columns: Sequence[str] | None = ()


def input_format(path: str) -> str:
    """The format that an input's suffix names, before .gz if it has that; text without one and for standard input.

    Raises ConfigError for any other suffix.
    """
    suffix = Path(Path(path).name.lower().removesuffix(".gz")).suffix
    if path == "-" or not suffix or (Path(path).exists() and not Path(path).is_file()):
        return "text"
    if suffix not in FORMATS:
        raise ConfigError(
            f"--input {path}: expected a name that ends in {', '.join(FORMATS)}, or in one of these and .gz, "
            f"found {suffix}; or give --input-format"
        )
    return FORMATS[suffix]


def open_input(path: str, *, form: str, text_column: str) -> Input:
    """The sentences of a file, - for standard input; the beginning is read at once, the rest as it is asked for.

    form: one of `FORMATS`. text_column: the column or the field of the sentences.

    Raises:
        DataError: a damaged file, a JSON file that is not a list, or a table without that column.
        OSError: the system refuses.
    """
    name = "standard input" if path == "-" else path
    with undamaged(name):
        file = open_file(path)
        if form in DELIMITERS:
            columns, rows = table_rows(file, delimiter=DELIMITERS[form], text_column=text_column, name=name)
            return Input(guarded(rows, name), columns)
        if form == "json":
            with file:
                return Input(json_list(file, text_column=text_column, name=name), None)
        if form == "jsonl":
            return Input(guarded(json_lines(file, text_column=text_column), name), None)
        return Input(guarded(text_lines(file), name))


def open_file(path: str) -> BinaryIO:
    """A file's bytes, decompressed where its name ends in .gz."""
    if path == "-":
        return sys.stdin.buffer
    if not path.lower().endswith(".gz"):
        return open(path, "rb")
    file = gzip.open(path, "rb")
    file.peek(1)  # fails at once where it is not compressed
    return file


@contextmanager
def undamaged(name: str) -> Iterator[None]:
    """Let what gzip says of a damaged file name it."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{name}: expected a whole gzip file, found another or a damaged one: {error}") from error


def guarded(rows: Iterator[Row], name: str) -> Iterator[Row]:
    """The rows, in `undamaged`."""
    with undamaged(name):
        yield from rows
