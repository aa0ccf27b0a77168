"""The tables of a report: for each row the paper's figure, ours, and the difference to the full system, tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from eqparse.analysis.report.grid import Block, Row, Score
from eqparse.analysis.report.layout import FULL, TableLayout, read_layout, rows_of
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
    """One figure of the rows of a block. notes: what is missing, said in sentences."""

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
    """Every table that the rows give something for, block by block. Raises what `sentence_verdicts` does."""
    layout = read_layout()
    tables = []
    for block, members in rows.items():
        whole = [row for row in members if row.fraction in (None, 1)]
        seeds = sorted({seed for row in whole for seed in row.seeds})
        for table in layout:
            for figure in table.figures:
                found = build_table(block, whole, seeds, table, layout, figure)
                if len(found.lines) > 1 or (found.lines and found.lines[0].score is not None):
                    tables.append(found)
    return tables


def build_table(
    block: Block,
    rows: Sequence[Row],
    seeds: Sequence[int],
    table: TableLayout,
    layout: tuple[TableLayout, ...],
    figure: str,
) -> Table:
    """One table. seeds: those that a row has somewhere in the block."""
    by_name: dict[str, list[Row]] = {}
    for row in rows:
        if any(figure in run.metrics for run in row.runs.values()):
            by_name.setdefault(row.experiment, []).append(row)
    full = by_name.get(FULL, [])
    full = [row for row in full if not row.variant] or full
    notes = []
    if len(full) > 1:
        variants = "; ".join(row.variant for row in full)
        notes.append(f"Several full systems ({variants}): no row is compared with one. Report on them apart.")
    elif not full:
        notes.append("No runs of the full system: no row is compared with it.")
    base = full[0] if len(full) == 1 else None
    lines = []
    for place in rows_of(table, layout, sorted(by_name)):
        for row in by_name[place.experiment]:
            label = f"{place.label} [{row.variant}]" if row.variant else place.label
            line = Line(row.experiment, label, place.paper.get(figure), row.score(figure))
            notes += gaps(row, label, seeds)
            line, said = compared(replace(line, interval=interval(row, figure)), row, base, figure)
            lines.append(line)
            notes += said
    shown = [run for line in lines for row in by_name[line.experiment] for run in row.runs.values()]
    if len({run.made_from for run in shown}) > 1:
        notes.append("Not all rows were made from the same code, libraries and data; train the older ones again.")
    tested = [at for at, line in enumerate(lines) if line.p is not None]
    for at, p in zip(tested, holm([lines[at].p for at in tested]), strict=True):
        lines[at] = replace(lines[at], p_holm=p)
    title = table.title if len(table.figures) == 1 else f"{table.title}: {figure.replace('_', ' ')}"
    return Table(table.name, title, figure, block, tuple(lines), tuple(notes))


def gaps(row: Row, label: str, seeds: Sequence[int]) -> list[str]:
    """What the row lacks of a full grid."""
    said = []
    for seed, folds in row.gaps.items():
        plural = "s" if len(folds) > 1 else ""
        lacking = ", ".join(map(str, folds))
        said.append(f"{label}: seed {seed} lacks fold{plural} {lacking} and is left out.")
    for seed, count in row.repeated.items():
        several = f"{count} sentence{'s' if count > 1 else ''} in several folds"
        said.append(f"{label}: seed {seed} was tested on {several}, so its data changed between runs, and is left out.")
    if without := [seed for seed in seeds if seed not in {s for s, _ in row.runs}]:
        plural = "s" if len(without) > 1 else ""
        said.append(f"{label}: no runs of seed{plural} {', '.join(map(str, without))}, which other rows have.")
    return said


def interval(row: Row, figure: str) -> tuple[float, float] | None:
    """The 95 % interval of a row's figure over sentences, None where single sentences are not known."""
    right = row.times_right(figure, row.seeds) if row.seeds else None
    if not right:
        return None
    low, high = bootstrap_interval([100 * count / len(row.seeds) for count in right.values()])
    return low, high


def compared(line: Line, row: Row, base: Row | None, figure: str) -> tuple[Line, list[str]]:
    """The line with its difference to the full system and the test of it, and what is to be said about them."""
    if base is None or row is base:
        return line, []
    seeds = [seed for seed in row.seeds if seed in base.seeds]
    ours, full = (r.score(figure, seeds) if seeds else None for r in (row, base))
    if ours is None or full is None:
        return line, [f"{line.label}: no complete seed in common with the full system, so not compared."]
    line = replace(line, difference=ours.mean - full.mean)
    said = []
    if len(seeds) < len(row.seeds) or len(seeds) < len(base.seeds):
        which = f"seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"
        said.append(f"{line.label}: compared with the full system on {which} alone.")
    right, base_right = row.times_right(figure, seeds), base.times_right(figure, seeds)
    if right is None or base_right is None:
        said.append(f"{line.label}: not tested, since not all runs say which sentences were right (verdicts.jsonl).")
        return line, said
    if right.keys() != base_right.keys():
        raise DataError(
            f"{line.experiment}, {figure}: expected verdicts on the sentences of the full system, found "
            f"{len(right.keys() ^ base_right.keys())} that only one of them has; train both on the same data"
        )
    p = sign_flip_p([right[sentence] - base_right[sentence] for sentence in right])
    return replace(line, p=p), said
