"""Reads a file in shards; never more than one of them is in memory here."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from eqparse.errors import ConfigError
from eqparse.integrations.bulk.parquet import ParquetFile
from eqparse.integrations.bulk.shard import Shard
from eqparse.integrations.input_file import DELIMITERS, decompressed, uncompressed, undamaged
from eqparse.integrations.json_rows import json_object, text_of
from eqparse.integrations.table_rows import table_records
from eqparse.integrations.text_rows import is_written, split, text_lines
from eqparse.parser.reasons import Reason

SHARD_BYTES = 32_000_000
"""A shard of long rows ends after so many bytes of the input."""

Records = Iterator[tuple[object, dict[str, Any]]]


@dataclass(frozen=True)
class Source:
    """An input that is open.

    columns: the names of a table's columns; None for JSON, where each row has its own.
    shards: those of the file, in order; at least one.
    share: how much of the file has been read so far, from 0 to 1.
    """

    columns: list[str] | None
    shards: Iterator[Shard]
    share: Callable[[], float]


class Counting(io.BufferedIOBase):
    """A file's lines; `size` is the number of bytes read so far."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.size = 0

    def readline(self, limit: int | None = -1, /) -> bytes:
        line = self.file.readline(-1 if limit is None else limit)
        self.size += len(line)
        return line

    def close(self) -> None:
        self.file.close()
        super().close()


def open_source(path: str, *, form: str, text_column: str, shard_rows: int) -> Source:
    """Open a file, and read its first line or its schema.

    Raises:
        ConfigError: a format that is not read in shards, or one that needs a library that is not installed.
        DataError: a damaged file, or one without that column; later, while shards are read, a damaged one.
        OSError: the system refuses.
    """
    if form == "json":
        raise ConfigError(f"--input {path}: expected objects one a line (.jsonl), found a JSON list")
    if form == "parquet":
        if uncompressed(path) != path:
            raise ConfigError(f"--input {path}: expected parquet, which compresses itself; decompress it first")
        table = ParquetFile(path, text_column)
        batches = table.shards(shard_rows, SHARD_BYTES)
        return Source(table.columns, batches, lambda: table.read / table.rows if table.rows else 1.0)
    raw = open(path, "rb")
    size = Path(path).stat().st_size
    with undamaged(path):
        file: Any = Counting(decompressed(raw, path))
        columns: list[str] | None = ["text"] if form == "text" else None
        if form in DELIMITERS:
            columns, records = table_records(file, delimiters=DELIMITERS[form], text_column=text_column, name=path)
        else:
            records = (plain_records if form == "text" else partial(json_records, text_column=text_column))(file)
    share = lambda: 1.0 if raw.closed else raw.tell() / max(size, 1)  # noqa: E731
    return Source(columns, record_shards(records, file, shard_rows, path), share)


def plain_records(file: BinaryIO) -> Records:
    """A record for each line."""
    for row in text_lines(file):
        yield row.text, {"text": row.text.read if isinstance(row.text, Reason) else row.text}


def json_records(file: BinaryIO, *, text_column: str) -> Records:
    """The text and all fields of the object in each line that is not blank."""
    for line in filter(is_written, split(file)):
        found = json_object(line)
        yield (found, {text_column: found.read}) if isinstance(found, Reason) else (text_of(found, text_column), found)


def record_shards(records: Records, file: Counting, shard_rows: int, path: str) -> Iterator[Shard]:
    """The shards of a file's records."""
    number, first, begun = 0, 1, 0
    texts: list[object] = []
    beside: list[dict[str, Any]] = []
    with undamaged(path):
        for text, record in records:
            texts.append(text)
            beside.append(record)
            if len(texts) == shard_rows or file.size - begun >= SHARD_BYTES:
                yield Shard(number, first, texts, beside)
                number, first, begun, texts, beside = number + 1, first + len(texts), file.size, [], []
    if texts or not number:
        yield Shard(number, first, texts, beside)
