"""What `eqparse parse` reads: files by their suffix, compressed or not, and standard input."""

from __future__ import annotations

import errno
import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from eqparse.errors import ConfigError, DataError, first_line
from eqparse.integrations.extras import need
from eqparse.integrations.json_rows import json_lines, json_list
from eqparse.integrations.rows import Row
from eqparse.integrations.table_rows import table_rows
from eqparse.integrations.text_rows import WrongEncoding, text_lines

FORMATS = {
    ".txt": "text", ".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".json": "json", ".parquet": "parquet",
}
DELIMITERS = {"csv": ",;\t", "tsv": "\t"}
COMPRESSED = (".gz", ".zst")


class Input(NamedTuple):
    """Sentences, and the columns of the table that they come from; None where each row has its own.

    several: are they from several files, whose rows may have the same ids?
    """

    rows: Iterator[Row]
    columns: Sequence[str] | None = ()
    several: bool = False


def input_format(path: str) -> str:
    """The format that an input's suffix names, before .gz or .zst; text without one and for standard input.

    Raises ConfigError for any other suffix.
    """
    suffix = suffix_of(path)
    if path == "-" or not suffix or (Path(path).exists() and not Path(path).is_file()):
        return "text"
    if suffix not in FORMATS:
        raise ConfigError(
            f"--input {path}: expected a name that ends in {', '.join(FORMATS)}, or in one of these and .gz or .zst, "
            f"found {suffix}; or give --input-format"
        )
    return FORMATS[suffix]


def suffix_of(path: str) -> str:
    """The suffix of a path's name before .gz or .zst, in lower case."""
    return Path(uncompressed(Path(path).name.lower())).suffix


def uncompressed(name: str) -> str:
    """A file's name without the suffix of a compression."""
    suffix = Path(name).suffix
    return name.removesuffix(suffix) if suffix.lower() in COMPRESSED else name


def open_input(path: str, *, form: str, text_column: str) -> Input:
    """The sentences of a file, - for standard input; the beginning is read at once, the rest as it is asked for.

    form: one of `FORMATS`, but parquet. text_column: the column or the field of the sentences.

    Raises:
        ConfigError: a file that needs a library that is not installed.
        DataError: a damaged file, a JSON file that is not a list, or a table without that column.
        OSError: the system refuses.
    """
    name = "standard input" if path == "-" else path
    with undamaged(name):
        return read_input(open_file(path), name, form=form, text_column=text_column)


def read_input(file: BinaryIO, name: str, *, form: str, text_column: str) -> Input:
    """The sentences of an open file (see `open_input`). name: of the file, for messages."""
    with undamaged(name):
        if form in DELIMITERS:
            columns, rows = table_rows(file, delimiters=DELIMITERS[form], text_column=text_column, name=name)
            return Input(guarded(rows, name), columns)
        if form == "json":
            with file:
                return Input(json_list(file, text_column=text_column, name=name), None)
        if form == "jsonl":
            return Input(guarded(json_lines(file, text_column=text_column), name), None)
        return Input(guarded(text_lines(file), name))


def open_file(path: str) -> BinaryIO:
    """A file's bytes, decompressed where its name says so."""
    if path != "-":
        return decompressed(open(path, "rb"), path)
    if sys.stdin is None:  # closed by the caller (`<&-`)
        raise OSError(errno.EBADF, "is closed; expected a file or a pipe to read", "standard input")
    return sys.stdin.buffer


def decompressed(file: io.BufferedReader, path: str) -> BinaryIO:
    """The bytes of an open file, decompressed where the path ends in .gz or .zst; it fails at once if that is wrong."""
    suffix = Path(path).suffix.lower()
    if suffix not in COMPRESSED:
        return file
    if not file.peek(1):
        file.close()
        raise DataError(f"{path}: expected a compressed file, found an empty one; was it written to the end?")
    if suffix == ".gz":
        inner: Any = gzip.GzipFile(fileobj=file, mode="rb")
    else:
        pyarrow = need("pyarrow", extra="bulk", what=f"--input {path}")
        inner = io.BufferedReader(pyarrow.CompressedInputStream(file, "zstd"))
    inner.peek(1)
    return inner


@contextmanager
def undamaged(name: str) -> Iterator[None]:
    """Let what is said of a file that cannot be read, because of its compression or its encoding, name it."""
    try:
        yield
    except WrongEncoding as error:
        raise DataError(f"{name}: {error}") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"{name}: expected a whole gzip file, found another or a damaged one: {error}") from error
    except OSError as error:
        if error.errno is not None:  # of the system
            error.filename = error.filename or name
            raise
        raise DataError(f"{name}: expected a whole zstd file, found a damaged one: {first_line(error)}") from error


def guarded(rows: Iterator[Row], name: str) -> Iterator[Row]:
    """The rows, in `undamaged`."""
    with undamaged(name):
        yield from rows
