"""`parse_frame`: the texts in a column of a pandas or polars frame, parsed into further columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from eqparse.errors import ConfigError, kind_of
from eqparse.integrations.fields import COLUMNS, fields, typed
from eqparse.parser.texts import BATCH_SIZE, Parser
from eqparse.systems.folder import DEFAULT
from eqparse.systems.load import load

Frame = TypeVar("Frame")


def parse_frame(
    frame: Frame, column: str = "text", *, parser: Parser | str | Path | None = None,
    prefix: str = "", alternatives: int = 0, min_confidence: float | None = None, batch_size: int = BATCH_SIZE,
) -> Frame:
    """A copy of the frame with the parses of a column's texts in the columns of `fields.COLUMNS`; rows and index stay.

    frame: a DataFrame of pandas or polars.
    parser: also what `load` takes, a model's name or a checkpoint's folder; by default that of `load`.
    prefix: of the names of the new columns. The others are those of `Parser.parse_batch`.

    Raises ConfigError for anything but a frame, if the column is missing or several have its name, and if the frame has
    a column with a name that a new one would have, and for another kind of parser; CheckpointError and ConfigError as
    `load` and `parse_batch` do.
    """
    library = library_of(frame)
    if not isinstance(prefix, str):
        raise ConfigError(f"prefix: expected a str, found {kind_of(prefix)}")
    names = list(frame.columns)  # type: ignore[attr-defined]
    if names.count(column) != 1:
        raise ConfigError(
            f"column {column!r}: expected one such column of texts in the frame, found {names.count(column)}; it has "
            f"{', '.join(map(str, names))[:200] or 'no columns'}"
        )
    taken = [prefix + name for name in COLUMNS if prefix + name in names]
    if taken:
        raise ConfigError(
            f"the frame has a column {taken[0]!r} already; name the new ones otherwise, as by prefix=\"parsed_\""
        )
    texts = frame[column]  # type: ignore[index]
    if parser is None or isinstance(parser, (str, Path)):
        parser = load(DEFAULT if parser is None else parser)
    if not hasattr(parser, "parse_batch"):
        raise ConfigError(
            f"parser: expected a parser, a model's name or a checkpoint's folder, found {kind_of(parser)}"
        )
    parses = parser.parse_batch(
        texts, alternatives=alternatives, min_confidence=min_confidence, batch_size=batch_size
    )
    rows = [fields(parse) for parse in parses]
    columns = {prefix + name: [row[name] for row in rows] for name in COLUMNS}
    return with_polars(frame, columns) if library == "polars" else with_pandas(frame, columns)


def library_of(frame: object) -> str:
    """ "pandas" or "polars", without importing either. Raises ConfigError for anything but a frame of theirs."""
    made = [f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(frame).__mro__]
    library = next((name for name in ("pandas", "polars") if f"{name}.DataFrame" in made), None)
    if library is None:
        raise ConfigError(
            f"frame: expected a DataFrame of pandas or polars, found {kind_of(frame)}; texts in a list are for "
            "parser.parse_batch, a lazy frame is to be collected first"
        )
    return library


def with_pandas(frame: Any, columns: dict[str, list[Any]]) -> Any:
    """The frame with more columns, whose types do not depend on what was found."""
    import pandas

    return frame.assign(**{
        name: pandas.Series(values, frame.index, dtype=float if kind is float else object)
        for (name, values), kind in zip(columns.items(), COLUMNS.values(), strict=True)
    })


def with_polars(frame: Any, columns: dict[str, list[Any]]) -> Any:
    """The frame with more columns, whose types do not depend on what was found."""
    import polars

    def dtype(kind: Any) -> Any:
        if isinstance(kind, dict):
            return polars.Struct({name: dtype(inner) for name, inner in kind.items()})
        if isinstance(kind, list):
            return polars.List(dtype(kind[0]))
        return {str: polars.String, int: polars.Int64, float: polars.Float64}[kind]

    return frame.with_columns(
        polars.Series(name, [typed(value, kind) for value in values], dtype=dtype(kind))
        for (name, values), kind in zip(columns.items(), COLUMNS.values(), strict=True)
    )
