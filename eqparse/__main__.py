"""`python -m eqparse` is the command `eqparse`."""

from __future__ import annotations

import sys

from eqparse.commands import early


def main() -> int:
    """Run the command and return its exit status."""
    early.begin()
    from eqparse.commands.main import main as command

    early.ready()
    return command()


if __name__ == "__main__":
    sys.exit(main())
