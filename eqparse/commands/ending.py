"""How a command ends: with an exit status, and with one line on standard error if something went wrong."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from eqparse.files import naming

INTERRUPTED, READER_GONE, TERMINATED = (128 + number for number in (2, 13, 15))
"""The exit statuses of programs ended by SIGINT, SIGPIPE and SIGTERM; not every system has these signals."""


def exit_status(command: Callable[[], int | None], *, refused: Callable[[BaseException], int]) -> int:
    """Run a command and return its exit status.

    command: returns the exit status, or None for 0.
    refused: reports an error and returns the exit status for it.
    """
    if sys.stdout is None:  # closed by the caller (`>&-`), who wants no output
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    try:
        with stopped_by_sigterm():
            status = command() or 0
            with naming("standard output"):
                sys.stdout.flush()
        return status
    except BrokenPipeError:
        write_or_drop_output()
        return READER_GONE
    except SystemExit as stop:
        write_or_drop_output()
        return int(stop.code or 0)
    except (Exception, KeyboardInterrupt) as error:
        write_or_drop_output()
        return refused(error)


@contextmanager
def stopped_by_sigterm() -> Iterator[None]:
    """Make SIGTERM raise an exception within the block, so that temporary files are removed."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def write_or_drop_output() -> None:
    """Write what is left in the buffer of standard output, or discard it, or else Python would fail again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(AttributeError, OSError, ValueError):  # there is none, or it is not a file
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def system_error(error: OSError) -> str:
    """The system's error message, with the file if it names one."""
    place = f"{error.filename}: " if error.filename is not None else ""
    return place + (error.strerror or str(error))


def say(message: str) -> None:
    """Write one line to standard error, in its encoding."""
    if sys.stderr is None:
        return
    line = " ".join(message.split())
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stderr.flush()
