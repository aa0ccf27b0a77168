"""Parsers for worker processes that need no model: each is given to `parse_file` as `load`."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from eqparse.equation.equation import Equation
from eqparse.errors import CheckpointError
from eqparse.integrations.bulk import run, workers
from eqparse.parser.limits import Limits, check_text
from eqparse.parser.parse import Alternative, GroundedEquation, Parse
from eqparse.parser.reasons import Reason, reason

EQUATION = GroundedEquation(Equation.parse("V1 = 4 + V2"), {"V1": ((0, 1),), "V2": ((2, 4),)})


class Canned:
    """Finds one equation in each text that has a digit; a text "kill" ends the process, "wait" takes ten seconds.

    once: a file that is made before the process is killed; where it is there, no other is.
    """

    def __init__(self, once: Path | None = None) -> None:
        self.once = once

    def stream(self, texts, *, batch_size=128, alternatives=0):
        texts = iter(texts)
        while some := list(islice(texts, batch_size)):
            for parse in map(self.parse, some):
                others = (Alternative(parse.equation, parse.variables, 0.75),) if parse.equation else ()
                yield replace(parse, alternatives=others[:alternatives])

    def parse(self, text) -> Parse:
        if text == "kill" and not (self.once and self.once.exists()):
            if self.once:
                self.once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if text == "wait":
            time.sleep(10)
        if isinstance(text, str) and any(map(str.isdigit, text)):
            return Parse(text, (EQUATION,), confidence=0.75)
        why = text if isinstance(text, Reason) else check_text(text, Limits()) or reason("no_number")
        return Parse(text if isinstance(text, str) else why.read, reason=why.text, reason_code=why.code)


def killed_once(folder: Path):
    return partial(Canned, folder / "killed")


def no_model():
    raise CheckpointError("no model")


def without_processes(monkeypatch) -> None:
    """Let `parse_file` make its shards in this process."""

    def make_all(tasks, *, workers: int, load):
        monkeypatch.setattr("eqparse.integrations.bulk.workers._parser", load())
        return map(workers_make, tasks)

    workers_make = workers.make
    monkeypatch.setattr(run, "make_all", lambda *given, **options: (made for made in make_all(*given, **options)))


def contents(folder: Path) -> dict[str, bytes]:
    """A folder's files but its lock."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != ".lock"}
