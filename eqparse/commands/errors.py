"""`eqparse errors`: writes a page for reading a run's errors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from eqparse.commands import paths
from eqparse.commands.output_file import check_not_read, open_output
from eqparse.errors import DataError
from eqparse.plain import printable

Run = Annotated[
    str, paths.argument("the folder of a finished run, with its checkpoint if scores are wanted", "RUN")
]
Data = Annotated[
    str | None, paths.option("the run's sentences, if they are not where its config says", "PATH")
]


def errors(
    run: Run,
    output: Annotated[str, paths.option("default: errors.html; - for standard output")] = "errors.html",
    data: Data = None,
) -> None:
    """Write a page for reading a run's errors."""
    from eqparse.analysis.report.run_files import check_finished

    check_finished(Path(run))
    if data is not None and not Path(data).exists():
        raise DataError(f"--data {data}: expected the run's sentences, a .jsonl file or a folder; found nothing there")
    with open_output(output) as to:
        from eqparse.analysis.errors_page import errors_page, files_read  # takes seconds

        check_not_read("--output", output, files_read(run, data=data))
        to.write(printable(errors_page(run, data=data), keep="\n\t"))  # in HTML, too, control characters are no text
