"""The learning curves of a report: an experiment's figure by how many sentences it was trained on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eqparse.analysis.report.grid import Block, Row, Score, variant
from eqparse.analysis.report.layout import read_layout


@dataclass(frozen=True)
class CurvePoint:
    """A learning curve's point: the part of the training sentences, how many those are on average, the figure."""

    fraction: float
    train_sentences: float
    score: Score


@dataclass(frozen=True)
class Curve:
    """A learning curve of one experiment."""

    block: Block
    experiment: str
    figure: str
    points: tuple[CurvePoint, ...]


def build_curves(rows: Mapping[Block, Sequence[Row]]) -> list[Curve]:
    """The learning curves: experiments with runs on several parts of the training sentences.

    Where runs on some part go by several names, each name has a curve, and the runs on other parts are points of all.
    """
    curves = []
    figures = list(dict.fromkeys(figure for table in read_layout() for figure in table.figures))
    for block, members in rows.items():
        series: dict[tuple[str, str], list[Row]] = {}
        for row in members:
            series.setdefault((row.experiment, row.options), []).append(row)
        for (experiment, options), own in series.items():
            for name in sorted({row.name for row in own} - {""}) or [""]:
                several = [row for row in own if row.name in ("", name)]
                told = variant(options, name)
                label = f"{experiment} [{told}]" if told else experiment
                for figure in figures if len(several) > 1 else ():
                    found = [curve_point(row, figure) for row in several]
                    points = sorted(filter(None, found), key=lambda point: point.fraction)
                    if len(points) > 1:
                        curves.append(Curve(block, label, figure, tuple(points)))
    return curves


def curve_point(row: Row, figure: str) -> CurvePoint | None:
    """A row as a point of a learning curve; None without a complete seed."""
    score = row.score(figure)
    if score is None:
        return None
    said = [row.runs[seed, fold].metrics.get("train_sentences") for seed, fold in row.runs if seed in score.seeds]
    used = [n if isinstance(n, int) else 0 for n in said]
    return CurvePoint(1.0 if row.fraction is None else float(row.fraction), sum(used) / len(used), score)
