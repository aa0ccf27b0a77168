"""Loading the libraries and a model in less time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Import torch and spaCy and load a model within the block without looking for garbage.

    They make a million objects that stay, and Python's collector would go over them again and again, for a third of the
    time. It leaves them alone afterwards, too. A process that has torch already is not changed.
    """
    if "torch" in sys.modules or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
