"""`eqparse errors`: a page to read a run's errors on."""

from __future__ import annotations

from typing import Annotated

from eqparse.commands import paths
from eqparse.commands.output_file import check_not_read, write_text

Run = Annotated[
    str, paths.argument("the folder of a finished run, with its checkpoint where scores are wanted", "RUN")
]
Data = Annotated[
    str | None, paths.option("the run's sentences, where they are not at the place that its config names", "PATH")
]


def errors(
    run: Run,
    output: Annotated[str, paths.option("default: errors.html; - for standard output")] = "errors.html",
    data: Data = None,
) -> None:
    """Write a page to read a run's errors on."""
    from eqparse.analysis.errors_page import errors_page, files_read

    check_not_read("--output", output, files_read(run, data=data))
    write_text(errors_page(run, data=data), output)
