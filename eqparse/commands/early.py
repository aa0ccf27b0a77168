"""The first seconds of a command, in which its libraries are imported: a signal then is one line as later.

So are a folder to work in that is there no more, and want of memory, which these libraries do not survive.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from contextlib import suppress
from typing import Any, NoReturn

USUAL = {
    getattr(signal, name): handler for name, handler in (
        ("SIGINT", signal.default_int_handler), ("SIGTERM", signal.SIG_DFL), ("SIGHUP", signal.SIG_DFL)
    ) if hasattr(signal, name)
}
"""The signals that stop a command, and what Python does at each."""
NO_MEMORY = re.compile("failed to map segment|can(no|')t allocate memory|out of memory", re.IGNORECASE)
"""What libraries say that could not be loaded, or not go on, for want of memory."""


def begin() -> None:
    """Let a signal that stops a command end the process at once, until `ready`.

    Nothing has been done so far. An exception in the midst of an import may be turned into another one, or get lost.
    Ends with status 1 where the current folder is gone.
    """
    try:
        os.getcwd()
    except FileNotFoundError:
        end_with("error: the current folder: expected one that is there, found it deleted; change to another one", 1)
    if os.environ.get("COLUMNS") == "0":  # of terminals that do not know their width; rich would show nothing
        del os.environ["COLUMNS"]
    sys.excepthook = uncaught
    for number, handler in USUAL.items():
        if signal.getsignal(number) == handler:
            signal.signal(number, end)


def ready() -> None:
    """Let the signals and errors do again what is usual."""
    sys.excepthook = sys.__excepthook__
    for number, handler in USUAL.items():
        if signal.getsignal(number) is end:
            signal.signal(number, handler)


def end(number: int, _: object) -> None:
    """Say by what the command was stopped, and end."""
    end_with(stopped_by(number), 128 + number)


def uncaught(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """In place of a traceback: say what the matter is where it is memory."""
    end_if_memory_is_short(error)
    sys.__excepthook__(kind, error, trace)


def end_if_memory_is_short(error: BaseException) -> None:
    """Say so, and end at once, without what Python does at the end and has no memory for."""
    of_system = isinstance(error, (ImportError, OSError, RuntimeError)) and not getattr(error, "filename", None)
    if isinstance(error, MemoryError) or (of_system and NO_MEMORY.search(str(error))):  # not "out of memory.txt"
        end_with("error: memory was short; free some, raise its limit (ulimit -v), or lower the batch size", 1)


def stopped_by(number: int) -> str:
    """What a command says that a signal stops."""
    return "interrupted" if number == signal.SIGINT else f"stopped by {signal.Signals(number).name}"


def program() -> str:
    """The name under which a command speaks."""
    name = os.path.basename(sys.argv[0])
    return name if name.endswith(".py") and name != "__main__.py" else "eqparse"


def end_with(message: str, status: int) -> NoReturn:
    """Say so, and end at once."""
    with suppress(OSError):  # standard error may be closed
        os.write(2, f"{program()}: {message}\n".encode())
    os._exit(status)
