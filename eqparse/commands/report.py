"""`eqparse report` and `eqparse errors`: options, and where the result goes; the packages do the work."""

from __future__ import annotations

import argparse
import io
import sys
import warnings

from eqparse.commands.arguments import some_path
from eqparse.files import check_not_read, format_of, is_standard_output, naming, open_output

FORMATS = {".md": "markdown", ".tex": "latex", ".csv": "csv"}
TERMINAL_WIDTH = 120  # of tables written to a file


def add_report_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folders", type=some_path, nargs="+", metavar="DIR", help="folders with runs, searched to the bottom")
    add("--format", choices=("terminal", *FORMATS.values()), help="default: by the output's suffix (.md, .tex, .csv), "
        "else terminal")
    add("--output", type=some_path, metavar="FILE", default="-", help="where to write, whole or not at all; - for "
        "standard output")
    add("--plots", type=some_path, metavar="DIR", help="write plots there, PNG and PDF; needs the extra eqparse[plots]")


def run_report(arguments: argparse.Namespace) -> None:
    """Write the tables of all finished runs."""
    from rich.console import Console

    from eqparse.analysis.report import build_curves, build_tables, find_runs, grid, plots, rendering, without_table
    from eqparse.analysis.report.run_files import FILES, VERDICTS

    form = arguments.format or format_of(arguments.output, FORMATS, plain="terminal")
    if arguments.plots is not None:
        plots.figure_class()  # says that it is missing before minutes are spent
    runs, left_out = find_runs(arguments.folders)
    places = [found.folder for found in (*runs, *left_out)]
    check_not_read("--output", arguments.output, [place / name for place in places for name in (*FILES, VERDICTS)])
    rows = grid(runs)
    tables, curves, reasons = build_tables(rows), build_curves(rows), list(map(str, left_out))
    reasons += without_table(rows, [*tables, *curves])
    if form == "terminal":
        to_file = not is_standard_output(arguments.output)
        file = io.StringIO() if to_file else encodable(sys.stdout)
        width = TERMINAL_WIDTH if to_file or not sys.stdout.isatty() else None
        console = Console(file=file, markup=False, highlight=False, emoji=False, width=width)
        rendering.terminal(tables, curves, reasons, console)
        text = file.getvalue() if to_file else ""
    elif form == "csv":
        text = rendering.as_csv(tables, curves)
        for note in (*(note for table in tables for note in table.notes), *reasons):
            warnings.warn(note, stacklevel=1)  # CSV has no room for them
    else:
        text = {"markdown": rendering.markdown, "latex": rendering.latex}[form](tables, curves, reasons)
    write(text, arguments.output)
    if arguments.plots is not None:
        with naming(arguments.plots):
            plots.plot(tables, curves, arguments.plots)


def add_errors_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folder", type=some_path, metavar="RUN", help="the folder of a finished run, with its checkpoint where scores "
        "are wanted")
    add("--output", type=some_path, metavar="FILE", default="errors.html", help="default: errors.html; - for standard "
        "output")
    add("--data", type=some_path, metavar="PATH", help="the run's sentences, where they are not at the place that its "
        "config names")


def run_errors(arguments: argparse.Namespace) -> None:
    """Write the page of a run's errors."""
    from eqparse.analysis.errors_page import errors_page, files_read

    check_not_read("--output", arguments.output, files_read(arguments.folder, data=arguments.data))
    write(errors_page(arguments.folder, data=arguments.data), arguments.output)


def write(text: str, output: str) -> None:
    """Write text to a file, whole or not at all, or to standard output."""
    with open_output(output) as (file, encoding):
        file.write(text.encode(encoding, "backslashreplace"))


def encodable(stream):
    """Standard output, told to escape what its encoding lacks."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream
