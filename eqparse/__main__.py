"""`python -m eqparse` is the command `eqparse`."""

from __future__ import annotations

import sys

from eqparse.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
