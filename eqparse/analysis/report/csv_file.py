"""Tables and learning curves as CSV, with every number unrounded."""

from __future__ import annotations

import csv
import io
import re

from eqparse.analysis.report.curves import Curve
from eqparse.analysis.report.grid import Block, Score
from eqparse.analysis.report.make_report import Report
from eqparse.analysis.report.run_files import ANSWERED
from eqparse.analysis.report.tables import Table
from eqparse.plain import printable

COLUMNS = (
    "data", "limit", "extra", "folds", "tested", "features", "table", "figure", "experiment", "row", "fraction",
    "train_sentences", "paper", "mean", "sd_over_seeds", "sd_over_folds", "low", "high", "seeds", "sentences",
    "difference", "p", "p_holm",
)
FORMULA = re.compile(r"^[=+\-@\t\r]")


def as_csv(report: Report) -> str:
    """One line for each row of each table and each point of each curve."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", restval="")
    writer.writeheader()
    for table in report.tables:
        for line in table.lines:
            writer.writerow({
                **common_cells(table), "table": table.name, "experiment": plain(line.experiment),
                "row": plain(line.label), "paper": line.paper, **score_cells(line.score),
                "difference": line.difference, "p": line.p, "p_holm": line.p_holm,
                **dict(zip(("low", "high"), line.interval or ("", ""), strict=True)),
            })
    for curve in report.curves:
        for point in curve.points:
            writer.writerow({
                **common_cells(curve), "table": "learning curve", "experiment": plain(curve.experiment),
                "row": plain(curve.experiment), "fraction": point.fraction, "train_sentences": point.train_sentences,
                **score_cells(point.score),
            })
    for item in report.answered:
        for precision, (mean, spread) in item.shares.items():
            writer.writerow({
                **block_cells(item.block), "table": "answered at precision", "figure": ANSWERED[precision],
                "experiment": plain(item.experiment), "row": plain(item.experiment), "mean": mean,
                "sd_over_seeds": spread,
            })
    return file.getvalue()


def common_cells(item: Table | Curve) -> dict[str, object]:
    """The columns that identify what a figure refers to."""
    return {**block_cells(item.block), "figure": item.figure}


def block_cells(block: Block) -> dict[str, object]:
    """The columns that say which sentences a figure is of."""
    return {"data": plain(block.name), "limit": block.limit, "extra": plain(block.auxiliary or ""),
            "folds": plain(block.folds), "tested": " ".join(map(str, block.tested)), "features": plain(block.features)}


def score_cells(score: Score | None) -> dict[str, object]:
    """The columns of a figure; all blank where no seed is complete."""
    if score is None:
        return {}
    return {"mean": score.mean, "sd_over_seeds": score.spread, "sd_over_folds": score.fold_spread,
            "seeds": " ".join(map(str, score.seeds)), "sentences": score.sentences}


def plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula, and that leaves a terminal alone."""
    text = printable(text)
    return f"'{text}" if FORMULA.match(text) else text
