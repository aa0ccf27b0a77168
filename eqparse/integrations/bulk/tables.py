"""Tables of Arrow with the parses of their texts in further columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from eqparse.integrations.bulk.columns import JSON, KINDS, Columns
from eqparse.integrations.fields import COLUMNS, fields, typed
from eqparse.integrations.rows import free_names
from eqparse.parser.parse import Parse

if TYPE_CHECKING:
    import pyarrow


def with_parses(table: pyarrow.Table, parses: Iterable[Parse]) -> pyarrow.Table:
    """A table with the parse of each of its rows in the columns of `fields.COLUMNS`, the same types whatever was found.

    A column of the table with such a name comes after "input_".
    """
    import pyarrow

    names = free_names(table.column_names, COLUMNS)
    table = table.rename_columns([names[name] for name in table.column_names])
    rows = [fields(parse) for parse in parses]
    for name, kind in COLUMNS.items():
        values = array([typed(row[name], kind) for row in rows], arrow_type(kind))
        table = table.append_column(pyarrow.field(name, values.type), values)
    return table


def arrow_type(kind: Any) -> pyarrow.DataType:
    """Arrow's type for one of those in `fields.COLUMNS`."""
    import pyarrow

    if isinstance(kind, dict):
        return pyarrow.struct([(name, arrow_type(inner)) for name, inner in kind.items()])
    if isinstance(kind, list):
        return pyarrow.list_(arrow_type(kind[0]))
    return pyarrow.type_for_alias(KINDS[kind])


def as_table(beside: Any, columns: Columns) -> pyarrow.Table:
    """All columns of a shard's rows as a table."""
    import pyarrow

    if isinstance(beside, pyarrow.Table):
        return beside
    rows = [columns.fit(record) for record in beside]
    return pyarrow.table({
        name: array([row.get(name) for row in rows], columns.kinds.get(name, JSON)) for name in columns.names
    })


def as_records(beside: Any) -> Sequence[Mapping[str, Any]]:
    """A record for each row of a shard."""
    if isinstance(beside, list):
        return beside
    try:
        return beside.to_pylist()
    except (ValueError, OverflowError):
        columns = [map(as_python, column) for column in beside.columns]
        return [dict(zip(beside.column_names, row, strict=True)) for row in zip(*columns, strict=True)]


def as_python(value: pyarrow.Scalar) -> Any:
    """A value of Arrow's; as text what Python cannot hold: a date after the year 9999, bytes that are not UTF-8."""
    import pyarrow

    try:
        return value.as_py()
    except (ValueError, OverflowError):
        if isinstance(value, pyarrow.StructScalar):
            return {name: as_python(inner) for name, inner in value.items()}
        if isinstance(value, pyarrow.ListScalar):
            return [as_python(inner) for inner in value.values]
        text = value.cast(pyarrow.large_string()).cast(pyarrow.large_binary())
        return text.as_py().decode("utf-8", "backslashreplace")


def array(values: list[Any], kind: Any) -> pyarrow.Array:
    """Values as an array of one of Arrow's types, or of texts; what UTF-8 cannot hold is escaped."""
    import pyarrow

    kind = pyarrow.string() if kind == JSON else kind
    try:
        return pyarrow.array(values, kind)
    except UnicodeEncodeError:
        return pyarrow.array(
            [v.encode("utf-8", "backslashreplace").decode() if isinstance(v, str) else v for v in values], kind
        )
