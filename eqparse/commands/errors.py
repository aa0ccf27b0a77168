"""`eqparse errors`: writes a page for reading a run's errors."""

from __future__ import annotations

from typing import Annotated

from eqparse.commands import paths
from eqparse.commands.output_file import check_not_read, write_text

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
    from eqparse.analysis.errors_page import errors_page, files_read

    check_not_read("--output", output, files_read(run, data=data))
    write_text(errors_page(run, data=data), output)
