"""The tables of a report: for each row the paper's figure, ours, and the difference to the full system, tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eqparse.analysis.report.grid import Block, Row, Score
from eqparse.analysis.report.layout import PIPELINE, TableLayout, read_layout, rows_of
from eqparse.analysis.report.significance import bootstrap_interval, holm, sign_flip_p
from eqparse.errors import DataError


@dataclass(frozen=True)
class Line:
    """A row of a table. Figures and differences in percent and percentage points; None where there is none.

    difference: to the full system, over the seeds that both have. p: of the paired test, p_holm: corrected for the
    rows of the table. interval: 95 %, of the figure, over sentences.
    """

    experiment: str
    label: str
    paper: float | None
    score: Score | None
    interval: tuple[float, float] | None = None
    difference: float | None = None
    p: float | None = None
    p_holm: float | None = None


@dataclass(frozen=True)
class Table:
    """One figure of the rows of a block. notes: sentences about what is missing."""

    name: str
    title: str
    figure: str
    block: Block
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        """The title, and on what: data, sentences and seeds."""
        scores = [line.score for line in self.lines if line.score is not None]
        seeds = sorted({seed for score in scores for seed in score.seeds})
        plural = "s" if len(seeds) > 1 else ""
        on = f"; {scores[0].sentences} sentences, seed{plural} {', '.join(map(str, seeds))}" if scores else ""
        return f"{self.title} ({self.block}{on})"


def build_tables(rows: Mapping[Block, Sequence[Row]]) -> list[Table]:
    """Every table for which there are rows, block by block. Raises what `sentence_verdicts` does."""
    layout = read_layout()
    tables = []
    for block, members in rows.items():
        whole = [row for row in members if row.fraction in (None, 1)]
        for table in layout:
            for figure in table.figures:
                found = build_table(block, whole, table, layout, figure)
                if len(found.lines) > 1 or (found.lines and found.lines[0].score is not None):
                    tables.append(found)
    return tables


def build_table(
    block: Block, rows: Sequence[Row], table: TableLayout, layout: Sequence[TableLayout], figure: str
) -> Table:
    """One table of the block's rows that have this figure and a place in it."""
    seeds = sorted({seed for row in rows for seed in row.seeds})
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        if any(figure in run.metrics for run in row.runs.values()):
            by_name.setdefault(row.experiment, []).append(row)
    base, notes = full_system(by_name.get(PIPELINE, []))
    lines, shown = [], []
    for place in rows_of(table, layout, sorted(by_name)):
        for row in by_name[place.experiment]:
            label = f"{place.label} [{row.variant}]" if row.variant else place.label
            line = Line(row.experiment, label, place.paper.get(figure), row.score(figure), interval(row, figure))
            line, remarks = compared(line, row, base, figure)
            notes += gaps(row, label, seeds) + remarks
            lines.append(line)
            shown += row.runs.values()
    if len({run.run_hash for run in shown}) > 1:
        notes.append("Not all rows were made from the same code, libraries and data; train the older ones again.")
    title = table.title if len(table.figures) == 1 else f"{table.title}: {figure.replace('_', ' ')}"
    return Table(table.name, title, figure, block, tuple(corrected(lines)), tuple(notes))


def full_system(rows: Sequence[Row]) -> tuple[Row | None, list[str]]:
    """The row of the full system, with which others are compared, or None and a note that says why there is none."""
    rows = [row for row in rows if not row.variant] or rows
    if not rows:
        return None, ["No runs of the full system: no row is compared with it."]
    if len(rows) > 1:
        variants = "; ".join(row.variant for row in rows)
        return None, [f"Several full systems ({variants}): no row is compared with one. Report on them separately."]
    return rows[0], []


def corrected(lines: Sequence[Line]) -> list[Line]:
    """The lines with p values corrected for how many there are."""
    p_holm = iter(holm([line.p for line in lines if line.p is not None]))
    return [line if line.p is None else replace(line, p_holm=next(p_holm)) for line in lines]


def gaps(row: Row, label: str, seeds: Sequence[int]) -> list[str]:
    """Sentences about what the row lacks of a full grid. seeds: those that other rows have."""
    notes = []
    for seed, folds in row.gaps.items():
        plural = "s" if len(folds) > 1 else ""
        lacking = ", ".join(map(str, folds))
        notes.append(f"{label}: seed {seed} lacks fold{plural} {lacking} and is left out.")
    for seed, count in row.repeated.items():
        several = f"{count} sentence{'s' if count > 1 else ''} in several folds"
        why = f"seed {seed} was tested on {several}, so its data changed between runs, and is left out."
        notes.append(f"{label}: {why}")
    if without := [seed for seed in seeds if seed not in {s for s, _ in row.runs}]:
        plural = "s" if len(without) > 1 else ""
        notes.append(f"{label}: no runs of seed{plural} {', '.join(map(str, without))}, which other rows have.")
    return notes


def interval(row: Row, figure: str) -> tuple[float, float] | None:
    """The 95 % interval of a row's figure over sentences; None if single sentences are not known."""
    right = row.times_right(figure, row.seeds) if row.seeds else None
    if not right:
        return None
    low, high = bootstrap_interval([100 * count / len(row.seeds) for count in right.values()])
    return low, high


def compared(line: Line, row: Row, base: Row | None, figure: str) -> tuple[Line, list[str]]:
    """The line with its difference to the full system and the test of it, and notes on them."""
    if base is None or row is base:
        return line, []
    seeds = [seed for seed in row.seeds if seed in base.seeds]
    ours, full = (r.score(figure, seeds) if seeds else None for r in (row, base))
    if ours is None or full is None:
        return line, [f"{line.label}: no complete seed in common with the full system, so not compared."]
    line = replace(line, difference=ours.mean - full.mean)
    notes = []
    if len(seeds) < len(row.seeds) or len(seeds) < len(base.seeds):
        which = f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"
        notes.append(f"{line.label}: compared with the full system on {which} alone.")
    right, base_right = row.times_right(figure, seeds), base.times_right(figure, seeds)
    if right is None or base_right is None:
        notes.append(f"{line.label}: not tested, since not all runs say which sentences were right (verdicts.jsonl).")
        return line, notes
    if right.keys() != base_right.keys():
        raise DataError(
            f"{line.experiment}, {figure}: expected verdicts on the sentences of the full system, found "
            f"{len(right.keys() ^ base_right.keys())} that only one of them has; train both on the same data"
        )
    p = sign_flip_p([right[sentence] - base_right[sentence] for sentence in right])
    return replace(line, p=p), notes
