"""The share of sentences that may be answered at a given precision, of runs whose answers have a confidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from eqparse.analysis.report.grid import Block, Row, spread
from eqparse.analysis.report.run_files import ANSWERED, CURVE


@dataclass(frozen=True)
class Answered:
    """What a row's runs answer with 90 or 95 % of it right, in percent of all sentences, those without one included.

    shares: percent right -> the mean over seeds (each a mean over folds), and its standard deviation; None of one seed.
    curves: of each run, points of share answered, precision and least confidence.
    """

    block: Block
    experiment: str
    shares: dict[int, tuple[float, float | None]]
    curves: tuple[tuple[tuple[float, float, float], ...], ...]


def build_answered(rows: Mapping[Block, Sequence[Row]]) -> list[Answered]:
    """What there is to say of the rows of all blocks."""
    return [found for block, members in rows.items() for row in members if (found := answered(block, row)) is not None]


def answered(block: Block, row: Row) -> Answered | None:
    """What there is to say of a row; None if a run of a complete seed has no confidence."""
    runs = {cell: run for cell, run in row.runs.items() if cell[0] in row.seeds}
    if not runs or any(run.metrics.get(name) is None for run in runs.values() for name in ANSWERED.values()):
        return None
    shares = {}
    for precision, name in ANSWERED.items():
        means = [mean(run.metrics[name] for (s, _), run in runs.items() if s == seed) for seed in row.seeds]
        shares[precision] = mean(means), spread(means)
    name = f"{row.experiment} [{row.variant}]" if row.variant else row.experiment
    curves = tuple(tuple(map(tuple, run.metrics[CURVE])) for run in runs.values())
    return Answered(block, name, shares, curves)
