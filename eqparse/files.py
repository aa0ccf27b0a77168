"""Files and folders that are written whole or not at all, and the places where a command's output may go."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from eqparse.errors import CheckpointError, ConfigError

MAX_LINKS = 40  # in a row, as Linux has it
READER_GONE = 128 + 13  # the exit status of a program that SIGPIPE ends, which not every system has
READ = (".jsonl", ".txt", ".ann", ".safetensors", ".yaml", ".json")
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # what only writing meets


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


def leads_to(path: str) -> Path | int:
    """Where an output goes when all links are followed: a path, or the number of a file that this process has open.

    1 for "-", /dev/stdout and /dev/fd/1. To open such a name's file anew would write over what stands there already.
    Raises OSError for links that lead to themselves.
    """
    if path == "-":
        return 1
    place = path
    for _ in range(MAX_LINKS):
        folder, name = os.path.split(place)
        folder = os.path.realpath(folder)
        if folder in ("/dev/fd", f"/proc/{os.getpid()}/fd") and name.isdecimal():
            return int(name)
        place = os.path.join(folder, name)
        if not os.path.islink(place):
            return Path(place)
        place = os.path.join(folder, os.readlink(place))
    raise OSError(errno.ELOOP, "a link that leads to itself; expected a file", path)


def is_standard_output(path: str) -> bool:
    """Does an output go to standard output, by whichever name?"""
    return leads_to(path) == 1


def check_not_read(option: str, path: str, read: Iterable[str | Path | int]) -> None:
    """Refuse an output that is one of the files that are read, which it would replace.

    read: paths, or numbers of open files, 0 for standard input. Raises ConfigError.
    """
    place = leads_to(path)
    for given in read:
        try:
            same = os.path.samefile(place, given) and stat.S_ISREG(os.stat(place).st_mode)
        except OSError:  # one of the two is not there
            continue
        if same:
            name = "standard input" if given == 0 else given
            raise ConfigError(f"{option} {path}: expected another file than {name}, which is read; name another one")


def files_in(path: str | Path) -> list[str | Path | int]:
    """What may be read of a path: it alone where it is a file, of a folder the files of a corpus or a checkpoint."""
    path = Path(path)
    return [file for file in path.iterdir() if file.suffix in READ] if path.is_dir() else [path]


@contextmanager
def open_output(path: str) -> Iterator[Output]:
    """Somewhere to write: "-" for standard output, or a file that takes the path's place when all went well.

    A link stays one; a pipe, a device, and what the process has open (/dev/stdout, /dev/fd/3) are written to as they
    are. Raises OSError, which names the output, at once where nothing can be written.
    """
    target = leads_to(path)
    if target == 1:
        sys.stdout.flush()
        with naming("standard output"):
            yield Output(sys.stdout.buffer, sys.stdout.encoding or "utf-8")
            sys.stdout.buffer.flush()
        return
    if isinstance(target, Path) and target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a directory; expected a file", path)
    if isinstance(target, int) or (target.exists() and not target.is_file()):
        with naming(path), open(target, "wb", closefd=isinstance(target, Path)) as file:
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
        with naming(path), open(aside, "wb") as file:
            if path.exists():
                shutil.copymode(path, aside)
            yield file
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


@contextmanager
def naming(output: str | Path) -> Iterator[None]:
    """Let the system's error for a full disk, raised while only this is written, name it."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = str(output)
        raise


def give_up_standard_output() -> None:
    """Let what is in the buffer go nowhere: at the exit Python would write it, and fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # there is none, or it is no file
        pass


def write_folder(folder: str | Path, files: Mapping[str, bytes]) -> None:
    """Write a folder that holds exactly these files, in the place of one that holds no others.

    The files go to a hidden folder beside it, which is renamed when all are on the disk. A folder that is there is
    renamed first and removed last, so that at each moment one of the two is whole. Leftovers of writers that were
    killed are removed.

    Raises CheckpointError where something else is in the way, OSError where the disk refuses.
    """
    folder = Path(os.path.realpath(folder))
    if folder.exists():
        others = sorted({path.name for path in folder.iterdir()} - files.keys()) if folder.is_dir() else ["a file"]
        if others:
            raise CheckpointError(
                f"{folder}: expected nothing there, or a folder with {', '.join(files)} alone, which is replaced; "
                f"found {', '.join(others[:3])}; choose another path"
            )
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(folder)
    new, old = (folder.with_name(f".{folder.name}.{os.getpid()}.{kind}") for kind in ("new", "old"))
    try:
        new.mkdir()
        for name, data in files.items():
            with naming(new / name), open(new / name, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        _sync(new)
        if folder.exists():
            folder.rename(old)
        try:
            new.rename(folder)
        except OSError:
            if old.exists():
                old.rename(folder)
            raise
        _sync(folder.parent)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)


def _remove_leftovers(folder: Path) -> None:
    """Remove what killed writers left beside `folder`; put their old folder back where that is the only one."""
    pattern = re.compile(rf"\.{re.escape(folder.name)}\.(\d+)\.(new|old)")
    for path in sorted(folder.parent.iterdir()):
        match = pattern.fullmatch(path.name)
        if match and not _runs(int(match[1])):
            if match[2] == "old" and not folder.exists():
                path.rename(folder)
            else:
                shutil.rmtree(path, ignore_errors=True)


def _runs(process: int) -> bool:
    if os.name != "posix":  # there, signal 0 would end the process
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return process != os.getpid()


def _sync(folder: Path) -> None:
    """Put the folder's list of files on the disk, where the system has that."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
