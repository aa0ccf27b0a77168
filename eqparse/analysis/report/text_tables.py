"""Tables and learning curves with their figures as text, for all formats that people read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from eqparse.analysis.report.answered import Answered
from eqparse.analysis.report.curves import Curve
from eqparse.analysis.report.grid import Score
from eqparse.analysis.report.make_report import Report
from eqparse.analysis.report.tables import Line, Table
from eqparse.plain import printable

HEADER = ("row", "paper", "ours", "difference", "p (Holm)")
HOW = (
    "Ours: percent, mean ± standard deviation over seeds; a seed counts all its folds' sentences together. Difference: "
    "to the full system, in points. p: exact two-sided sign-flip test over sentences (McNemar's with one seed), "
    "corrected for the rows of the table after Holm; * below 0.05."
)


@dataclass(frozen=True)
class TextTable:
    """A table of text. labelled: its first column says what a row is; all others hold figures."""

    caption: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]
    notes: tuple[str, ...] = ()
    labelled: bool = True


def text_tables(report: Report) -> list[TextTable]:
    """The tables, then the learning curves, then what may be answered at a given precision."""
    blocks = dict.fromkeys(item.block for item in report.answered)
    shares = [of_answered([item for item in report.answered if item.block == block]) for block in blocks]
    return [printed(table) for table in [*map(of_table, report.tables), *map(of_curve, report.curves), *shares]]


def printed(table: TextTable) -> TextTable:
    """The table with control characters escaped, which names of runs may hold."""
    rows = [tuple(map(printable, row)) for row in table.rows]
    return replace(table, caption=printable(table.caption), rows=rows, notes=tuple(map(printable, table.notes)))


def of_table(table: Table) -> TextTable:
    """A row for each line."""
    return TextTable(table.caption, HEADER, [cells(line) for line in table.lines], table.notes)


def of_curve(curve: Curve) -> TextTable:
    """A row for each point."""
    caption = f"Learning curve of {curve.experiment}, {curve.figure} ({curve.block})"
    rows = [(f"{p.fraction:g}", f"{p.train_sentences:.0f}", score_text(p.score)) for p in curve.points]
    return TextTable(caption, ("part", "training sentences", curve.figure), rows, labelled=False)


def of_answered(items: Sequence[Answered]) -> TextTable:
    """A row for each row of one block."""
    rows = [(item.experiment, *(mean_text(*share) for share in item.shares.values())) for item in items]
    header = ("row", *(f"{precision} % right" for precision in items[0].shares))
    return TextTable(f"Percent of all sentences that can be answered ({items[0].block})", header, rows)


def cells(line: Line) -> tuple[str, ...]:
    """A line as text; "" where there is nothing to say."""
    paper = "" if line.paper is None else f"{line.paper:.1f}"
    ours = "incomplete" if line.score is None else score_text(line.score)
    difference = "" if line.difference is None else f"{line.difference:+.1f}"
    return line.label, paper, ours, difference, p_text(line.p_holm)


def score_text(score: Score) -> str:
    """A figure as `mean_text`."""
    return mean_text(score.mean, score.spread)


def mean_text(mean: float, spread: float | None) -> str:
    """Mean and standard deviation, the latter where there are several seeds."""
    return f"{mean:.1f}" + ("" if spread is None else f" ± {spread:.1f}")


def p_text(p: float | None) -> str:
    """A p value to three places, with a star below 0.05."""
    if p is None:
        return ""
    return ("<0.001" if p < 0.001 else f"{p:.3f}") + ("*" if p < 0.05 else "")
