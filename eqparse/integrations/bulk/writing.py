"""Writes a shard with its parses: whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from eqparse.files import open_aside
from eqparse.integrations.bulk.columns import Columns
from eqparse.integrations.bulk.shard import Shard
from eqparse.integrations.bulk.tables import as_records, as_table, with_parses
from eqparse.integrations.fields import COLUMNS, fields
from eqparse.integrations.output_lines import as_cell, csv_line, json_line
from eqparse.integrations.rows import free_names
from eqparse.parser.parse import Parse


def write_shard(path: Path, shard: Shard, parses: Sequence[Parse], *, form: str, columns: Columns | None) -> None:
    """Write the rows of a shard, with the parse of each in the columns of `fields.COLUMNS`.

    form: one of `WRITERS`. columns: of records that are to be a table; None for tables, and for JSON.

    Raises OSError, which names the path, if the system refuses.
    """
    with open_aside(path) as file:
        WRITERS[form](file, shard, parses, columns)


def write_parquet(file: BinaryIO, shard: Shard, parses: Sequence[Parse], columns: Columns | None) -> None:
    """A file of parquet with one row group."""
    from pyarrow import parquet

    parquet.write_table(with_parses(as_table(shard.beside, columns), parses), file, compression="zstd")


def write_jsonl(file: BinaryIO, shard: Shard, parses: Sequence[Parse], columns: Columns | None) -> None:
    """An object a line."""
    for record, parse in zip(as_records(shard.beside), parses, strict=True):
        names = free_names(record, COLUMNS)
        file.write(json_line({names[name]: value for name, value in record.items()} | fields(parse)))


def write_csv(file: BinaryIO, shard: Shard, parses: Sequence[Parse], columns: Columns | None) -> None:
    """A table with commas below the names of its columns; what is no text is JSON."""
    given = shard.beside.column_names if columns is None else columns.names
    file.write(csv_line([*free_names(given, COLUMNS).values(), *COLUMNS]))
    for record, parse in zip(as_records(shard.beside), parses, strict=True):
        fitted = record if columns is None else columns.fit(record)
        file.write(csv_line(map(as_cell, [*map(fitted.get, given), *fields(parse).values()])))


WRITERS: dict[str, Callable[[BinaryIO, Shard, Sequence[Parse], Columns | None], None]] = {
    "parquet": write_parquet, "jsonl": write_jsonl, "csv": write_csv,
}
