"""A command's output: to a file that is written completely or not at all, to a device, or to standard output."""

from __future__ import annotations

import errno
import gzip
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from eqparse.errors import ConfigError
from eqparse.files import naming, open_aside
from eqparse.integrations.extras import need
from eqparse.integrations.input_file import uncompressed

MAX_LINKS = 40  # followed in a row, as on Linux


class Output(NamedTuple):
    """An open output. file: takes bytes. encoding: for text meant for people."""

    file: BinaryIO
    encoding: str

    def write(self, text: str) -> None:
        """Write text, escaping what the encoding lacks."""
        self.file.write(text.encode(self.encoding, "backslashreplace"))


def format_of(path: str, known: Mapping[str, str], *, plain: str) -> str:
    """The format that an output's suffix, before .gz or .zst, names: known[".csv"], or `plain` for .txt, no suffix and
    standard output.

    Raises ConfigError for any other suffix.
    """
    suffix = Path(uncompressed(path)).suffix.lower() if path != "-" else ""
    if suffix in ("", ".txt") or (Path(path).exists() and not Path(path).is_file()):
        return plain
    if suffix not in known:
        names = ", ".join([*known, ".txt"])
        raise ConfigError(
            f"--output {path}: expected a name that ends in {names}, or in one of these and .gz or .zst, found "
            f"{suffix}; or give --format"
        )
    return known[suffix]


def leads_to(path: str) -> Path | int:
    """Where an output goes when all links are followed: a path, or the descriptor of a file that is already open.

    The descriptor is 1 for "-", /dev/stdout and /dev/fd/1. Opening such a file again would overwrite its contents.
    Raises OSError for a link that leads back to itself, and for a descriptor that no file can have.
    """
    if path == "-":
        return 1
    place = path
    for _ in range(MAX_LINKS):
        folder, name = os.path.split(place)
        folder = os.path.realpath(folder)
        if folder in ("/dev/fd", f"/proc/{os.getpid()}/fd") and name.isdecimal():
            if len(name) > 9:  # more than the system can count
                raise OSError(errno.EBADF, os.strerror(errno.EBADF), path)
            return int(name)
        place = os.path.join(folder, name)
        if not os.path.islink(place):
            return Path(place)
        place = os.path.join(folder, os.readlink(place))
    raise OSError(errno.ELOOP, "a link that leads to itself; expected a file", path)


def is_folder(path: str) -> bool:
    """Does an output's name say that it is a folder, or is one there?"""
    return path.endswith(("/", os.sep)) or (path != "-" and os.path.isdir(path))


def is_standard_output(path: str) -> bool:
    """Does an output go to standard output, whatever its name?"""
    return leads_to(path) == 1


def check_not_read(option: str, path: str, read: Iterable[str | Path | int]) -> None:
    """Raise ConfigError for an output that would replace one of the files that are read.

    option: the name of the option that gave the output.
    path: the output.
    read: paths, or descriptors of open files, 0 for standard input.
    """
    place = leads_to(path)
    for given in read:
        try:
            same = os.path.samefile(place, given) and stat.S_ISREG(os.stat(place).st_mode)
        except OSError:  # one of the two does not exist
            continue
        if same:
            name = "standard input" if given == 0 else given
            raise ConfigError(f"{option} {path}: expected a file other than {name}, which is read; choose another one")


@contextmanager
def open_output(path: str) -> Iterator[Output]:
    """Open an output: "-" for standard output, or a file that replaces the path's only if the block succeeds.

    A link stays a link. Pipes, devices and files that are already open (/dev/stdout, /dev/fd/3) are written to
    directly. A file whose name ends in .gz or .zst is compressed.

    Raises:
        OSError: it cannot be written, or its folder is not there; said at once, naming the output.
        ConfigError: the library that compresses is not installed.
    """
    target = leads_to(path)
    if target == 1:
        sys.stdout.flush()
        with naming("standard output"):
            yield Output(sys.stdout.buffer, sys.stdout.encoding or "utf-8")
            sys.stdout.buffer.flush()
        return
    if os.path.basename(path) in ("", ".", "..") or (isinstance(target, Path) and target.is_dir()):
        raise IsADirectoryError(errno.EISDIR, "is a directory; expected a file", path)
    if isinstance(target, int) or (target.exists() and not target.is_file()):
        with naming(path), open(target, "wb", closefd=isinstance(target, Path)) as file:
            with compressed(file, path) as to:
                yield Output(to, "utf-8")
        return
    if not target.parent.is_dir():  # a folder is made for shards, but not for a file, whose path is rather mistyped
        raise FileNotFoundError(errno.ENOENT, f"no folder {target.parent}; create it first", path)
    with open_aside(target) as file, compressed(file, path) as to:
        yield Output(to, "utf-8")


def compressed(file: BinaryIO, path: str) -> AbstractContextManager[Any]:
    """What to write to in place of an open file so that it holds the same compressed, if its path says so.

    The same bytes give the same file, whenever it is written.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile("", "wb", fileobj=file, mtime=0)
    if suffix == ".zst":
        return need("pyarrow", extra="bulk", what=f"--output {path}").CompressedOutputStream(file, "zstd")
    return nullcontext(file)


def write_text(text: str, path: str) -> None:
    """Write text to a file, completely or not at all, or to standard output (see `Output.write`)."""
    with open_output(path) as to:
        to.write(text)
