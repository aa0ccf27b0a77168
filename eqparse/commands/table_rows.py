"""Sentences from a table, CSV or tab-separated, whose first row names the columns."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from eqparse.errors import DataError
from eqparse.integrations.sentence_lines import Row, free_name, split
from eqparse.parser.reasons import Reason, reason

_BYTES = re.compile("[\udc80-\udcff]")  # that are not UTF-8, as "surrogateescape" reads them


class Lines:
    """Lines for csv.reader, which fails at one that could not be read; those of the row at hand are kept."""

    def __init__(self, file: BinaryIO) -> None:
        self.source = (
            piece if isinstance(piece, Reason) else piece.decode("utf-8", "surrogateescape")
            for line in split(file)
            for piece in ([line] if isinstance(line, Reason) else line.splitlines(keepends=True))
        )
        self.again: deque[str | Reason] = deque()
        self.row: list[str | Reason] = []

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        line = self.again.popleft() if self.again else next(self.source)
        self.row.append(line)
        if isinstance(line, Reason):
            raise csv.Error(line.text)
        return line

    def go_back(self) -> str | Reason:
        """The first line of the row at hand; the others will come again."""
        first, *others = self.row
        self.again.extendleft(reversed(others))
        self.row.clear()
        return first


def table_rows(file: BinaryIO, *, delimiter: str, text_column: str, name: str) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns, each once, and a row for each row below them that is not blank.

    A row that cannot be read, because of a quote that is not closed say, gives a `Reason`; the lines below are read
    nevertheless. The column id gives the ids; where there is none, or an empty cell, the number of the row.

    Raises DataError, which names the file, where there is no such column.
    """
    rows = _cells(Lines(file), delimiter)
    header = next(rows, None)
    if header is None or isinstance(header, Reason):
        raise DataError(f"{name}, line 1: expected the names of columns, found {header.text if header else 'nothing'}")
    header = [_readable(column.strip()) for column in header]
    if text_column not in header:
        shown = ", ".join(f"{column!r:.40}" for column in header[:8]) + (", ..." if len(header) > 8 else "")
        raise DataError(f"{name}: expected a column {text_column!r}, found {shown}; name one with --text-column")
    at, id_at = header.index(text_column), header.index("id") if "id" in header else None
    columns: list[str] = []
    for place, column in enumerate(header):
        own = place == id_at or (place == at and column == "text")  # stands for itself; any other is beside it
        columns.append(column if own else free_name(column, ["id", "text", *columns]))
    return columns, (_row(row, str(n), columns, at, id_at) for n, row in enumerate(rows, start=1))


def _cells(lines: Lines, delimiter: str) -> Iterator[list[str] | Reason]:
    """The cells of each row. Strictly read, a quote that is not closed is seen where the next one stands."""
    while True:
        try:
            for row in csv.reader(lines, delimiter=delimiter, strict=True):
                lines.row.clear()
                if row:
                    yield row
            return
        except csv.Error as error:
            line = lines.go_back()
            if isinstance(line, Reason):
                yield line
            elif delimiter == "\t":  # quotes may mean themselves
                yield line.rstrip("\r\n").split(delimiter)
            else:
                yield reason("not_csv", f"{error}; are its quotes in pairs?")


def _row(cells: list[str] | Reason, number: str, columns: Sequence[str], at: int, id_at: int | None) -> Row:
    if isinstance(cells, Reason):
        return Row(number, cells)
    values = dict(zip(columns, map(_readable, cells), strict=False))
    name = values.pop("id", "").strip() if id_at is not None else ""
    values.pop("text", None)
    if len(cells) <= at or any(cell.strip() for cell in cells[len(columns) :]):
        text = reason("not_csv", f"{len(cells)} cells under {len(columns)} columns; a cell with a comma wants quotes")
    elif found := _BYTES.search(cells[at]):
        text = reason("not_utf8", f"byte 0x{ord(found[0]) - 0xDC00:02x} at {found.start()}")
    else:
        text = cells[at]
    return Row(name or number, text, values)


def _readable(cell: str) -> str:
    """A cell with a replacement character for each byte that is not UTF-8."""
    return _BYTES.sub("\ufffd", cell)
