"""The command `eqparse`: a subcommand for each use, and one line on standard error for each error.

Exit status: 0 if the command succeeded, even if a sentence has no equation; 1 if the system refuses an operation, such
as reading a file; 2 for an option, file or checkpoint that cannot be used; 130 if interrupted; 141 if the reader of the
output closed it (`| head -1`), as for programs ended by SIGPIPE; 143 if ended by SIGTERM, 129 by SIGHUP.
"""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer

from eqparse import __version__
from eqparse.commands import corpus, early
from eqparse.commands.calibrate import calibrate
from eqparse.commands.ending import INTERRUPTED, exit_status, say, system_error, with_notes
from eqparse.commands.errors import errors
from eqparse.commands.info import info
from eqparse.commands.parse import parse
from eqparse.commands.report import report
from eqparse.commands.serve import serve
from eqparse.errors import EqparseError
from eqparse.files import naming

OPTIONS = "alternatives|min_confidence|prevalence|batch_size|device"  # as the library calls them
ARGUMENT = re.compile(f"^({OPTIONS})(?=: )")

app = typer.Typer(add_completion=False, rich_markup_mode=None)
for command in (parse, serve, info, calibrate, report, errors):
    app.command()(command)
app.add_typer(corpus.app, name="corpus")


def show_version(wanted: bool) -> None:
    if wanted:
        print(f"eqparse {__version__}")
        raise typer.Exit


@app.callback()
def eqparse(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=show_version, help="show it")] = False,
) -> None:
    """From an English sentence to the equation it states."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status. Errors show no traceback unless EQPARSE_TRACEBACK=1 is set."""

    def command() -> int | None:
        try:
            with naming("standard output"):
                status = typer.main.get_command(app).main(argv, prog_name="eqparse", standalone_mode=False)
        except SystemExit as stop:
            if stop.code == 1:  # typer and rich turn a broken pipe into it
                raise BrokenPipeError from None
            raise
        if status == INTERRUPTED:
            raise KeyboardInterrupt
        return status

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # ids and texts can hold any characters
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: say(f"eqparse: warning: {message}")
        return exit_status(command, refused=report_error)


def report_error(error: BaseException) -> int:
    """Report an error in one line on standard error, and return the exit status."""
    if isinstance(error, KeyboardInterrupt):
        say(f"eqparse: {with_notes(error)}")
        return INTERRUPTED
    if isinstance(error, typer.TyperException):  # of options and arguments
        command = getattr(getattr(error, "ctx", None), "command_path", "eqparse")
        say(f"eqparse: error: {error.format_message().rstrip('.')}; `{command} --help` lists the options")
        return 2
    if os.environ.get("EQPARSE_TRACEBACK"):
        raise error
    early.end_if_memory_is_short(error)
    if isinstance(error, EqparseError):
        say(f"eqparse: error: {ARGUMENT.sub(lambda name: '--' + name[0].replace('_', '-'), str(error))}")
        return 2
    if isinstance(error, OSError):
        say(f"eqparse: error: {system_error(error)}")
        return 1
    name = type(error).__name__
    say(f"eqparse: error: {name}: {error} (a bug in eqparse; EQPARSE_TRACEBACK=1 shows where it happened)")
    return 1


if __name__ == "__main__":
    sys.exit(main())
