"""`python -m eqparse` is the command `eqparse`."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Run the command and return its exit status."""
    catches = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if catches:  # an exception in the midst of an import may be turned into another, or get lost
        signal.signal(signal.SIGINT, end)
    from eqparse.commands.main import main as command

    if catches:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return command()


def end(*_: object) -> None:
    """End at once, as long as nothing has been done."""
    os.write(2, b"eqparse: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
