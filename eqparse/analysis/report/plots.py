"""Plots of a report as PNG and PDF: bars for the rows of each table, learning curves. Needs the extra `plots`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eqparse.analysis.report.answered import Answered
from eqparse.analysis.report.curves import Curve
from eqparse.analysis.report.grid import Block
from eqparse.analysis.report.make_report import Report
from eqparse.analysis.report.run_files import ANSWERED
from eqparse.analysis.report.tables import Table
from eqparse.errors import ConfigError
from eqparse.files import open_aside

OURS, PAPER = "#4477aa", "#cc3311"  # distinguishable with all common forms of colour blindness, and in grey


def plot(report: Report, folder: str | Path) -> list[Path]:
    """Write the plots to a folder and return the files. Raises ConfigError if matplotlib is not installed."""
    Figure = figure_class()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for table in report.tables:
        if any(line.score is not None for line in table.lines):
            stem = file_stem(*block_parts(table.block), table.block.features, table.name, table.figure)
            written += save(bars(Figure, table), folder / stem)
    for *parts, figure in dict.fromkeys((*block_parts(curve.block), curve.figure) for curve in report.curves):
        own = [c for c in report.curves if (*block_parts(c.block), c.figure) == (*parts, figure)]
        written += save(lines(Figure, own), folder / file_stem(*parts, "learning-curve", figure))
    for block in dict.fromkeys(item.block for item in report.answered):
        own = [item for item in report.answered if item.block == block]
        stem = file_stem(*block_parts(block), block.features, "precision-by-answered")
        written += save(precisions(Figure, own), folder / stem)
    return written


def block_parts(block: Block) -> tuple[str, ...]:
    """The parts of a file name that tell sets of sentences apart."""
    limit = () if block.limit is None else (f"first{block.limit}",)
    auxiliary = () if block.auxiliary is None else (f"with_{block.auxiliary}",)
    return (block.name, *limit, *auxiliary, block.folds)


def figure_class() -> Any:
    """matplotlib's Figure, which draws to files without a display."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError(
            '--plots: expected matplotlib, which is not installed; install it with `pip install -e ".[plots]"`'
        ) from error
    return Figure


def bars(Figure: Any, table: Table) -> Any:
    """A bar for each row with its 95 % interval over sentences, and a diamond if the paper has a figure."""
    shown = [line for line in table.lines if line.score is not None]
    figure = Figure(figsize=(7, 1.2 + 0.42 * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    for place, line in enumerate(shown):
        mean = line.score.mean
        known = ", 95 % interval" if any(other.interval for other in shown) else ""
        axes.barh(place, mean, color=OURS, height=0.62, label=f"ours{known}" if place == 0 else None)
        if line.interval is not None:
            low, high = line.interval
            error = [[max(0.0, mean - low)], [max(0.0, high - mean)]]
            axes.errorbar(mean, place, xerr=error, color="black", capsize=3, linewidth=1)
        inside = mean > 15
        x = 1 if inside else (line.interval or (0, mean))[1] + 2
        axes.text(x, place, f"{mean:.1f}", va="center", color="white" if inside else "black", fontsize="small")
    papers = [(line.paper, place) for place, line in enumerate(shown) if line.paper is not None]
    if papers:
        x, y = zip(*papers, strict=True)
        axes.scatter(x, y, marker="D", color=PAPER, edgecolors="white", zorder=3, label="paper")
    axes.set_yticks(range(len(shown)), [literal(line.label) for line in shown])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{literal(table.figure.replace('_', ' '))}, percent of sentences")
    axes.set_title(literal(f"{table.title}\n{table.block}"), fontsize="medium", loc="left")
    figure.legend(loc="outside lower right", ncols=2, frameon=False, fontsize="small")
    return finished(figure, axes)


def lines(Figure: Any, curves: Sequence[Curve]) -> Any:
    """Learning curves of one figure over one data set; bars are one standard deviation over seeds."""
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for curve in curves:
        x = [point.train_sentences for point in curve.points]
        y = [point.score.mean for point in curve.points]
        spread = [point.score.spread or 0.0 for point in curve.points]
        label = literal(f"{curve.experiment}, features {curve.block.features}")
        axes.errorbar(x, y, yerr=spread, marker="o", capsize=3, label=label)
    axes.set_xlabel("training sentences")
    axes.set_ylabel(f"{literal(curves[0].figure.replace('_', ' '))}, percent")
    axes.set_title(literal(f"{curves[0].block.name}, {curves[0].block.folds} folds"), fontsize="medium", loc="left")
    axes.legend(frameon=False)
    return finished(figure, axes)


def precisions(Figure: Any, items: Sequence[Answered]) -> Any:
    """Precision against the share answered, a line for each run, a colour for each row."""
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for number, item in enumerate(items):
        for place, curve in enumerate(item.curves):
            x, y = [point[0] for point in curve], [point[1] for point in curve]
            label = literal(item.experiment) if place == 0 else None
            axes.plot(x, y, color=f"C{number % 10}", linewidth=1, label=label)
    for precision in ANSWERED:
        axes.axhline(precision, color="black", linewidth=0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("sentences answered, percent")
    axes.set_ylabel("of these right, percent")
    axes.set_title(literal(str(items[0].block)), fontsize="medium", loc="left")
    axes.legend(frameon=False)
    return finished(figure, axes)


def finished(figure: Any, axes: Any) -> Any:
    """A figure without the upper and right lines of its frame."""
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def save(figure: Any, stem: Path) -> list[Path]:
    """Write PNG and PDF, each whole or not at all, and without a date, so that the same runs give the same files."""
    paths = [stem.with_name(f"{stem.name}.png"), stem.with_name(f"{stem.name}.pdf")]
    for path, options in zip(paths, ({"dpi": 150}, {"metadata": {"CreationDate": None}}), strict=True):
        with open_aside(path) as file:
            figure.savefig(file, format=path.suffix[1:], **options)
    return paths


def literal(text: str) -> str:
    """Text escaped so that matplotlib does not read it as a formula."""
    return text.replace("$", r"\$")


def file_stem(*parts: str) -> str:
    """A file name of safe characters."""
    return "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", part) for part in parts)
