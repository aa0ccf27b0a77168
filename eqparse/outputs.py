"""Files that are written whole or not at all, and the places where a command's output may go."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from eqparse.errors import ConfigError


class Output(NamedTuple):
    """Where bytes go; `encoding` is that of text for people."""

    file: BinaryIO
    encoding: str


def format_of(path: str, known: Mapping[str, str], *, plain: str) -> str:
    """The format that an output's suffix names: known[".csv"], or `plain` for .txt, no suffix and standard output.

    Raises ConfigError for any other suffix.
    """
    suffix = Path(path).suffix.lower() if path != "-" else ""
    if suffix in ("", ".txt") or (Path(path).exists() and not Path(path).is_file()):
        return plain
    if suffix not in known:
        names = ", ".join([*known, ".txt"])
        raise ConfigError(f"--output {path}: expected a name that ends in {names}, found {suffix}; or give --format")
    return known[suffix]


@contextmanager
def open_output(path: str) -> Iterator[Output]:
    """Somewhere to write: "-" for standard output, or a file that takes the path's place when all went well.

    A link stays one, and a pipe or device is written to as it is. Raises OSError at once where nothing can be written.
    """
    if path == "-":
        sys.stdout.flush()
        yield Output(sys.stdout.buffer, sys.stdout.encoding or "utf-8")
        sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(21, "is a directory; expected a file", path)
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        with open(target, "wb") as file:
            yield Output(file, "utf-8")
        return
    with open_aside(target) as file:
        yield Output(file, "utf-8")


@contextmanager
def open_aside(path: Path) -> Iterator[BinaryIO]:
    """A file to write, beside `path`, whose place and permissions it takes when all went well; makes its folder.

    Raises OSError where the system refuses; then what was there is there still.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
    try:
        with open(aside, "wb") as file:
            if path.exists():
                shutil.copymode(path, aside)
            yield file
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
