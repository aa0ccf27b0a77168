"""`eqparse report`: tables and plots of finished runs, made by `eqparse.analysis.report`."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, Literal

import typer

from eqparse.commands import paths
from eqparse.commands.output_file import check_not_read, format_of, is_standard_output, open_output
from eqparse.files import naming
from eqparse.plain import printable

FORMATS = {".md": "markdown", ".tex": "latex", ".csv": "csv"}
TERMINAL_WIDTH = 120  # of tables written to a file

Folders = Annotated[list[str], paths.argument("folders with runs, searched recursively", "DIR")]
Format = Annotated[
    Literal["terminal", "markdown", "latex", "csv"] | None,
    typer.Option(show_default=False, help="default: by the suffix of the output (.md, .tex, .csv), else terminal"),
]
Plots = Annotated[str | None, paths.option("write plots there, PNG and PDF; needs the extra eqparse[plots]", "DIR")]


def report(
    folders: Folders,
    format: Format = None,
    output: Annotated[str, paths.option("where to write, whole or not at all; - for standard output")] = "-",
    plots: Plots = None,
) -> None:
    """Make tables and plots of finished runs."""
    from rich.console import Console

    from eqparse.analysis.report import agreeing, find_runs, make_report, rendering
    from eqparse.analysis.report.csv_file import as_csv
    from eqparse.analysis.report.plots import plot
    from eqparse.analysis.report.run_files import FILES, VERDICTS

    format = format or format_of(output, FORMATS, plain="terminal")
    with open_output(output) as to:
        runs, left_out = find_runs(folders)
        places = [found.folder for found in (*runs, *left_out)]
        check_not_read("--output", output, [place / name for place in places for name in (*FILES, VERDICTS)])
        runs, doubtful = agreeing(runs)
        for run in doubtful:
            warnings.warn(str(run), stacklevel=1)
        made = make_report(runs, [*left_out, *doubtful])
        if format == "terminal":
            terminal = is_standard_output(output) and sys.stdout.isatty()
            width = None if terminal else TERMINAL_WIDTH
            console = Console(force_terminal=terminal, markup=False, highlight=False, emoji=False, width=width)
            with console.capture() as captured:
                rendering.terminal(made, console)
            text = captured.get()
        elif format == "csv":
            text = as_csv(made)
            said = {printable(str(run)) for run in doubtful}
            for note in (note for note in made.notes if note not in said):
                warnings.warn(note, stacklevel=1)  # CSV has no place for them
        else:
            text = {"markdown": rendering.markdown, "latex": rendering.latex}[format](made)
        to.write(text)
    if plots is not None:
        with naming(plots):
            plot(made, plots)  # last, since it needs an extra that may not be installed
