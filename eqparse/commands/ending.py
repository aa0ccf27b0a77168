"""How a command ends: with an exit status, and with one line on standard error if something went wrong."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TextIO

from eqparse.commands import early
from eqparse.files import naming
from eqparse.plain import printable

INTERRUPTED, READER_GONE = (128 + number for number in (2, 13))
"""The exit statuses of programs ended by SIGINT and SIGPIPE; not every system has these signals."""
AGAIN = 1  # second within which another signal means the same: Ctrl-C pressed twice, or sent by a parent as well


class Stopped(SystemExit):
    """SIGTERM or SIGHUP has stopped the command; its code is the exit status."""

    def __str__(self) -> str:
        return early.stopped_by(self.code - 128)


def exit_status(command: Callable[[], int | None], *, refused: Callable[[BaseException], int]) -> int:
    """Run a command and return its exit status.

    command: returns the exit status, or None for 0.
    refused: reports an error and returns the exit status for it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller (`>&-`), who wants no output
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
    stops: list[KeyboardInterrupt | Stopped] = []
    try:
        with stopped_by_signals(stops):
            status = command() or 0
            with naming("standard output"):
                sys.stdout.flush()
        return status
    except BrokenPipeError:
        write_or_drop(sys.stdout)
        return READER_GONE
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        write_or_drop(sys.stdout)
        why = stops[0] if stops else error  # the import that a signal comes into may turn it into another error
        if isinstance(why, Stopped):
            say(f"{early.program()}: {with_notes(why)}")
        return int(why.code or 0) if isinstance(why, SystemExit) else refused(why)
    finally:
        write_or_drop(sys.stderr)


@contextmanager
def stopped_by_signals(stops: list[KeyboardInterrupt | Stopped]) -> Iterator[None]:
    """Make SIGTERM and SIGHUP raise an exception within the block as SIGINT does, so that temporary files are removed.

    One that follows within a second changes nothing: it would break off the removing. Where the exception gets lost,
    as in a library that catches all while it is imported, it is raised again. After the block they end the process at
    once, or an impatient one would show where in Python's own ending it came.

    stops: where the exceptions are kept that signals have raised.
    """
    in_main = threading.current_thread() is threading.main_thread()
    ours = [number for number, handler in early.USUAL.items() if in_main and signal.getsignal(number) == handler]
    stopped: float | None = None

    def stop(number: int, _: object) -> None:
        nonlocal stopped
        if stopped is not None and monotonic() - stopped < AGAIN:
            return
        stopped = monotonic()
        stops.append(KeyboardInterrupt() if number == signal.SIGINT else Stopped(128 + number))
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, again)
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise stops[-1]

    def again(*_: object) -> None:
        handled = sys.exception()  # in the removing, which it would break off
        while handled is not None and handled is not stops[-1]:
            handled = handled.__context__
        if handled is None:
            raise stops[-1]

    for number in ours:
        signal.signal(number, stop)
    try:
        yield
    finally:
        if stopped is not None and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number in ours:
            signal.signal(number, early.USUAL[number] if stopped is None else signal.SIG_DFL)


def write_or_drop(stream: TextIO | None) -> None:
    """Write what is left in the buffer of a stream, or discard it, or else Python would fail again at exit."""
    try:
        if stream is not None:
            stream.flush()
    except OSError:
        with suppress(AttributeError, OSError, ValueError):  # it is not a file
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def with_notes(stop: BaseException) -> str:
    """By what a command was stopped, and what it has to say about that."""
    return "; ".join([str(stop) or early.stopped_by(signal.SIGINT), *getattr(stop, "__notes__", ())])


def system_error(error: OSError) -> str:
    """The system's error message, with the file if it names one."""
    place = f"{error.filename}: " if error.filename is not None else ""
    return place + (error.strerror or str(error))


class Said(logging.Handler):
    """Says what is logged: a line each."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


def say(message: str) -> None:
    """Write one line to standard error, in its encoding, with control characters escaped.

    Where it cannot be written, nobody can be told so.
    """
    if sys.stderr is None:
        return
    line = printable(" ".join(message.split()))
    encoding = sys.stderr.encoding or "utf-8"
    with suppress(OSError):
        sys.stderr.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        sys.stderr.flush()
