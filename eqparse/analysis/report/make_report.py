"""From finished runs to a report: tables, learning curves, and what is in neither."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from eqparse.analysis.report.answered import Answered, build_answered
from eqparse.analysis.report.curves import Curve, build_curves
from eqparse.analysis.report.finished_runs import LeftOut, Run
from eqparse.analysis.report.grid import Block, Row, grid
from eqparse.analysis.report.tables import Table, build_tables, gaps
from eqparse.plain import printable


@dataclass(frozen=True)
class Report:
    """A report on some runs. left_out: what is in no table, each with the reason."""

    tables: list[Table]
    curves: list[Curve]
    left_out: list[str]
    answered: list[Answered] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """All notes that accompany the figures."""
        return [*(note for table in self.tables for note in table.notes), *self.left_out]


def make_report(runs: Iterable[Run], left_out: Sequence[LeftOut]) -> Report:
    """A report on the runs, as `find_runs` gives them. Raises what `grid` and `sentence_verdicts` do."""
    rows = grid(runs)
    tables, curves, answered = build_tables(rows), build_curves(rows), build_answered(rows)
    shown = {item.block for item in (*tables, *curves, *answered)}
    return Report(tables, curves, [*map(printable, map(str, left_out)), *gaps_elsewhere(rows, shown)], answered)


def gaps_elsewhere(rows: Mapping[Block, Sequence[Row]], shown: set[Block]) -> list[str]:
    """What is missing from the rows of blocks that have nothing to show, each with its block."""
    return [
        printable(f"{block}: {note}")
        for block, members in rows.items() if block not in shown
        for row in members for note in gaps(row, row.experiment, ())
    ]
