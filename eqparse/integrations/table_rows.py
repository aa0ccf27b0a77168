"""Sentences from a table, separated by commas, semicolons or tabs, whose first row names the columns."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import BinaryIO

from eqparse.errors import DataError
from eqparse.integrations.rows import Row, free_name, free_names
from eqparse.integrations.text_rows import split
from eqparse.parser.reasons import Reason, reason

_CALLED = {",": "comma", ";": "semicolon", "\t": "tab"}
MAX_ADDED = 1_000_000  # characters that make names differ: enough for 500 columns without a name, as of Excel
_SEPARATOR = re.compile(r"sep=[,;\t]\s*")  # Excel's, above the names of the columns
_BYTES = re.compile("[\udc80-\udcff]")  # that are not UTF-8, as "surrogateescape" reads them


class Lines:
    """Lines for csv.reader, which fails at one that could not be read; those of the row at hand are kept."""

    def __init__(self, file: BinaryIO) -> None:
        self.source = (
            piece if isinstance(piece, Reason) else piece.decode("utf-8", "surrogateescape")
            for line in split(file, at_returns=True)
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

    def first(self) -> str:
        """The first line that is not blank nor Excel's `sep=;`, which will come again; "" if it cannot be read."""
        for line in self.source:
            if isinstance(line, Reason) or (line.strip() and not _SEPARATOR.fullmatch(line)):
                self.again.append(line)
                return "" if isinstance(line, Reason) else line
        return ""

    def go_back(self) -> str | Reason:
        """The first line of the row at hand; the others will come again."""
        first, *others = self.row
        self.again.extendleft(reversed(others))
        self.row.clear()
        return first

    def taken(self) -> str:
        """The lines of the row that was read."""
        lines, self.row = "".join(self.row), []
        return lines


def table_rows(file: BinaryIO, *, delimiters: str, text_column: str, name: str) -> tuple[list[str], Iterator[Row]]:
    """The names of the columns, each once, and a `Row` for each record (see `table_records`).

    The column id gives the ids; where there is none, or an empty cell, the number of the row.
    """
    given, records = table_records(file, delimiters=delimiters, text_column=text_column, name=name)
    # a column of one of these names stands for itself, unless the sentence is in another one
    apart = ["text"] if "text" in given and text_column != "text" else []
    renamed = free_names(apart, given)
    columns = [renamed.get(column, column) for column in given]

    def row(number: int, text: str | Reason, record: Mapping[str, str]) -> Row:
        own = record.get("id", "").strip()
        beside = {
            renamed.get(column, column): cell for column, cell in record.items()
            if column != "id" and (column != "text" or apart)
        }
        return Row(own or str(number), text, beside)

    return columns, (row(number, *record) for number, record in enumerate(records, start=1))


def table_records(
    file: BinaryIO, *, delimiters: str, text_column: str, name: str
) -> tuple[list[str], Iterator[tuple[str | Reason, dict[str, str]]]]:
    """The names of the columns, each once, and for each row below them that is not blank its text and all its cells.

    Of the delimiters the first counts under which the first line has that column. A row that cannot be read, because of
    a quote that is not closed say, gives a `Reason`, and its cell for the text is the whole row as it stands; the lines
    below are read nevertheless.

    Raises DataError, which names the file, where there is no such column.
    """
    lines = Lines(file)
    delimiter = _delimiter(lines.first(), delimiters, text_column)
    rows = _cells(lines, delimiter)
    header, _ = next(rows, (None, ""))
    if header is None or isinstance(header, Reason):
        raise DataError(f"{name}, line 1: expected the names of columns, found {header.text if header else 'nothing'}")
    header = [_readable(column.strip()) for column in header]
    if text_column not in header:
        shown = ", ".join(f"{column!r:.40}" for column in header[:8]) + (", ..." if len(header) > 8 else "")
        apart = " or ".join(_CALLED[delimiter] for delimiter in delimiters)
        raise DataError(
            f"{name}: expected a column {text_column!r} in the first line, whose columns a {apart} separates, found "
            f"{shown}; name one with --text-column"
        )
    columns = _each_once(header, name)
    at = columns.index(text_column)
    return columns, (_record(cells, columns, at, delimiter, lines) for cells, lines in rows)


def _each_once(header: Sequence[str], name: str) -> list[str]:
    """The names of the columns, with `input_` before those that came already. Raises DataError for far too many."""
    columns: dict[str, None] = {}
    added = 0
    for column in header:
        free = free_name(column, columns)
        columns[free] = None
        added += len(free) - len(column)
        if added > MAX_ADDED:
            raise DataError(
                f"{name}, line 1: expected columns with names of their own, found {header.count(column)} with the name "
                f"{column!r:.40}; name them, or remove those that are empty"
            )
    return list(columns)


def _delimiter(line: str, delimiters: str, column: str) -> str:
    """The first delimiter under which the line has such a cell; else the first under which it has the most."""
    cells: dict[str, list[str]] = {delimiter: [] for delimiter in delimiters}
    for delimiter in delimiters:
        with suppress(csv.Error):  # a cell of more than csv.field_size_limit()
            cells[delimiter] = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), ())]
    most = max(delimiters, key=lambda delimiter: len(cells[delimiter]))
    return next((delimiter for delimiter in delimiters if column in cells[delimiter]), most)


def _cells(lines: Lines, delimiter: str) -> Iterator[tuple[list[str] | Reason, str]]:
    """The cells of each row, and its lines. Strictly read, a quote that is not closed is seen where the next stands."""
    while True:
        try:
            for row in csv.reader(lines, delimiter=delimiter, strict=True):
                read = lines.taken()
                if len(row) > 1 or not read.isspace():
                    yield row, read
            return
        except csv.Error as error:
            line = lines.go_back()
            if isinstance(line, Reason):
                yield line, ""
            elif delimiter == "\t":  # quotes may mean themselves
                yield line.rstrip("\r\n").split(delimiter), line
            else:
                yield reason("not_csv", f"{error}; are its quotes in pairs?"), line


def _record(
    cells: list[str] | Reason, columns: Sequence[str], at: int, delimiter: str, lines: str
) -> tuple[str | Reason, dict[str, str]]:
    """The text of a row, and the row. lines: those that it was read from."""
    if isinstance(cells, Reason):
        why, record = cells, {}
    else:
        record = dict(zip(columns, map(_readable, cells), strict=False))
        if len(cells) > at and not any(cell.strip() for cell in cells[len(columns) :]):
            return _text(cells[at]), record
        sizes = f"{len(cells)} cells under {len(columns)} columns"
        why = reason("not_csv", f"{sizes}; a cell with the delimiter {delimiter!r} wants quotes, no space before them")
    read = _readable(lines).rstrip("\r\n")
    return why._replace(read=read), record | {columns[at]: read}


def _text(cell: str) -> str | Reason:
    if found := _BYTES.search(cell):
        return reason("not_utf8", f"byte 0x{ord(found[0]) - 0xDC00:02x} at {found.start()}", read=_readable(cell))
    return cell


def _readable(cell: str) -> str:
    """A cell with an escape for each byte that is not UTF-8."""
    return _BYTES.sub(lambda byte: f"\\x{ord(byte[0]) - 0xDC00:02x}", cell)
