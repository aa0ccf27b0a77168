"""The first seconds of a command, in which its libraries are imported: an interrupt then is one line as later.

So is a folder to work in that is there no more, which these libraries do not survive.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn


def begin() -> None:
    """Let an interrupt end the process at once, until `ready`.

    Nothing has been done so far. An exception in the midst of an import may be turned into another one, or get lost.
    Ends with status 1 where the current folder is gone.
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        end_with("error: the current folder: expected one that is there, found it deleted; change to another one", 1)
    if os.environ.get("COLUMNS") == "0":  # of terminals that do not know their width; rich would show nothing
        del os.environ["COLUMNS"]
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)


def ready() -> None:
    """Let an interrupt raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end(*_: object) -> None:
    """Say that it was interrupted, and end."""
    end_with("interrupted", 128 + signal.SIGINT)


def end_with(message: str, status: int) -> NoReturn:
    """Say so, and end at once."""
    name = os.path.basename(sys.argv[0])
    with suppress(OSError):  # standard error may be closed
        os.write(2, f"{name if name.endswith('.py') and name != '__main__.py' else 'eqparse'}: {message}\n".encode())
    os._exit(status)
