"""Reads and checks tables.toml: the tables of a report, and the row of each experiment."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

PIPELINE = "pipeline"
"""The experiment that changes nothing; all rows are compared with it."""


@dataclass(frozen=True)
class RowLayout:
    """A row: the experiment, its label, and the paper's figures, in percent."""

    experiment: str
    label: str
    paper: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class TableLayout:
    """A table, its rows in order, and the figures of metrics.json that it shows."""

    name: str
    title: str
    figures: tuple[str, ...]
    rows: tuple[RowLayout, ...]


def read_layout() -> tuple[TableLayout, ...]:
    """The tables in order."""
    document = tomllib.loads((Path(__file__).parent / "tables.toml").read_text(encoding="utf-8"))
    return tuple(
        TableLayout(t["name"], t["title"], tuple(t["figures"]), tuple(RowLayout(**row) for row in t["row"]))
        for t in document["table"]
    )


def rows_of(table: TableLayout, layout: tuple[TableLayout, ...], experiments: list[str]) -> list[RowLayout]:
    """The rows of a table for the experiments that there are: the known ones in its order, then new ones by name.

    A new experiment belongs to the table that its name begins with ("tree-..."), else to the last.
    """
    known = {row.experiment for t in layout for row in t.rows}
    own = [row for row in table.rows if row.experiment in experiments]
    for name in experiments:
        if name not in known and home(name, layout) is table:
            own.append(RowLayout(name, name.removeprefix(f"{table.name}-").replace("-", " ")))
    return own


def home(experiment: str, layout: tuple[TableLayout, ...]) -> TableLayout:
    """The table that a new experiment belongs to."""
    return next((t for t in layout if experiment.startswith(f"{t.name}-")), layout[-1])
