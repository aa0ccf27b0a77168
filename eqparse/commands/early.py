"""The first seconds of a command, in which its libraries are imported: an interrupt then is one line as later."""

from __future__ import annotations

import os
import signal
import sys


def begin() -> None:
    """Let an interrupt end the process at once, until `ready`.

    Nothing has been done so far. An exception in the midst of an import may be turned into another one, or get lost.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)


def ready() -> None:
    """Let an interrupt raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end(*_: object) -> None:
    """Say so, and end."""
    name = os.path.basename(sys.argv[0])
    os.write(2, f"{'eqparse' if name == '__main__.py' else name}: interrupted\n".encode())
    os._exit(128 + signal.SIGINT)
