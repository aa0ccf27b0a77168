"""Parquet: files read in shards, and tables with the columns of parses beside what is there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from eqparse.errors import DataError, first_line
from eqparse.integrations.bulk.shard import Shard
from eqparse.integrations.extras import need
from eqparse.integrations.text_rows import decoded

if TYPE_CHECKING:
    import pyarrow

BATCH_ROWS, BUFFER = 1024, 1 << 20  # rows and bytes that are read at once


class ParquetFile:
    """A parquet file whose texts are in one of its columns.

    rows: how many it has. read: how many of them have been read.

    Raises DataError if it is none or a damaged one, if the column is missing or holds no strings, and if two columns
    have one name; OSError if the system refuses.
    """

    def __init__(self, path: str, text_column: str) -> None:
        parquet = need("pyarrow.parquet", extra="bulk", what=f"--input {path}")
        self.path, self.text_column, self.read = path, text_column, 0
        with self._undamaged():
            self.file = parquet.ParquetFile(
                open(path, "rb"), buffer_size=BUFFER, pre_buffer=False, page_checksum_verification=True
            )
            schema = self.file.schema_arrow
        self.columns, self.rows = list(schema.names), self.file.metadata.num_rows
        if twice := sorted({name for name in self.columns if self.columns.count(name) > 1}):
            raise DataError(f"{path}: expected columns of different names, found several {twice[0]!r}; rename them")
        check_texts(schema, text_column, where=path)

    @contextmanager
    def _undamaged(self) -> Iterator[None]:
        import pyarrow

        try:
            yield
        except (pyarrow.ArrowException, OSError) as error:
            if getattr(error, "errno", None) is not None:  # of the system
                raise
            found = f"another or a damaged one: {first_line(error)}"
            raise DataError(f"{self.path}: expected a whole parquet file, found {found}") from error

    def shards(self, most_rows: int, most_bytes: int) -> Iterator[Shard]:
        """The shards of the file, at least one."""
        import pyarrow

        schema = self.file.schema_arrow
        number, first = 0, 1
        batches: list[Any] = []
        with self._undamaged():
            for batch in self.file.iter_batches(batch_size=min(BATCH_ROWS, most_rows)):
                self.read += batch.num_rows
                while batch.num_rows:
                    free = most_rows - sum(part.num_rows for part in batches)
                    batches.append(batch.slice(0, free))
                    batch = batch.slice(free)
                    full = sum(part.num_rows for part in batches) == most_rows
                    if full or sum(part.nbytes for part in batches) >= most_bytes:
                        shard = self._shard(number, first, pyarrow.Table.from_batches(batches, schema))
                        yield shard
                        number, first, batches = number + 1, first + len(shard.texts), []
        if batches or not number:
            yield self._shard(number, first, pyarrow.Table.from_batches(batches, schema))

    def _shard(self, number: int, first: int, table: pyarrow.Table) -> Shard:
        return Shard(number, first, texts_of(table, self.text_column), table)


def check_texts(schema: pyarrow.Schema, column: str, *, where: str) -> None:
    """Raise DataError for a schema without that column, or where it holds no strings."""
    import pyarrow.types as kinds

    if column not in schema.names:
        shown = ", ".join(map(repr, schema.names))[:200]
        raise DataError(f"{where}: expected a column {column!r}, found {shown or 'none'}; name one with --text-column")
    kind = found = schema.field(column).type
    if kinds.is_dictionary(kind):
        kind = kind.value_type
    if not (kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_string_view(kind) or kinds.is_null(kind)):
        raise DataError(
            f"{where}: expected strings in the column {column!r}, found {found}; name another one with --text-column"
        )


def texts_of(table: pyarrow.Table, column: str) -> list[object]:
    """The texts in a column; None for a null, a `Reason` for one that is not UTF-8."""
    import pyarrow

    values = table.column(column)
    try:
        return values.to_pylist()
    except UnicodeDecodeError:
        data = values.cast(pyarrow.large_string()).cast(pyarrow.large_binary()).to_pylist()
        return [None if text is None else decoded(text) for text in data]
