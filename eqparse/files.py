"""Files and folders that are written whole or not at all."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from eqparse.errors import CheckpointError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # what only writing meets
DATA_SUFFIXES = (".jsonl", ".txt", ".ann", ".safetensors", ".yaml", ".json")
_HOST = re.sub(r"[^\w-]", "-", socket.gethostname())
_counter = itertools.count()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A hidden path beside `path`: the file or folder made there takes the place of `path` when all went well.

    An old folder is renamed first and removed last, so that at each moment one of the two is whole. Stale temporary
    files and folders, of writers that were killed, are removed. Makes the parent folder.

    Raises:
        OSError: the system refuses; what was there before is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(path)
    writer = f".{path.name[:100]}.{_HOST}.{os.getpid()}.{next(_counter)}"
    new, old = path.with_name(f"{writer}.new"), path.with_name(f"{writer}.old")
    try:
        with naming(path):
            yield new
            for made in (*(new.iterdir() if new.is_dir() else ()), new):
                _sync(made)
        if path.is_dir() and new.is_dir():
            path.rename(old)
        try:
            os.replace(new, path)
        except BaseException:
            if old.exists():
                old.rename(path)
            raise
        _sync(path.parent)
    finally:
        _remove(new)
        if path.exists():
            _remove(old)


@contextmanager
def replacing_files(folder: Path, names: Sequence[str]) -> Iterator[dict[str, Path]]:
    """A hidden path for each of these names in a folder, which may hold other files as well (see `replacing`).

    The last file vanishes before the others are replaced and comes last, so that its presence says that they are whole.
    """
    with ExitStack() as stack:  # which leaves the context entered last first
        aside = {name: stack.enter_context(replacing(folder / name)) for name in reversed(names)}
        yield aside
        (folder / names[-1]).unlink(missing_ok=True)


@contextmanager
def open_aside(path: Path) -> Iterator[BinaryIO]:
    """A file to write, which takes the place and the permissions of `path` when all went well (see `replacing`)."""
    with replacing(path) as aside, open(aside, "wb") as file:
        if path.exists():
            shutil.copymode(path, aside)
        yield file


def write_folder(folder: str | Path, files: Mapping[str, bytes]) -> None:
    """Write a folder that holds exactly these files, in the place of one that holds no others (see `replacing`).

    Raises:
        CheckpointError: something else is in the way.
        OSError: the system refuses.
    """
    folder = Path(os.path.realpath(folder))
    if folder.exists():
        others = sorted({path.name for path in folder.iterdir()} - files.keys()) if folder.is_dir() else ["a file"]
        if others:
            raise CheckpointError(
                f"{folder}: expected nothing there, or a folder with {', '.join(files)} alone, which is replaced; "
                f"found {', '.join(others[:3])}; choose another path"
            )
    with replacing(folder) as aside:
        aside.mkdir()
        for name, data in files.items():
            (aside / name).write_bytes(data)


@contextmanager
def naming(output: str | Path) -> Iterator[None]:
    """Let the system's error for a full disk, raised while only this is written, name it."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = str(output)
        raise


def files_in(path: str | Path) -> list[str | Path | int]:
    """The data files that a path stands for: the path itself for a file, those of a corpus or a checkpoint folder."""
    path = Path(path)
    return [file for file in path.iterdir() if file.suffix in DATA_SUFFIXES] if path.is_dir() else [path]


def _remove_stale(path: Path) -> None:
    """Remove what writers to `path` left when they were killed.

    An old folder is put back where it is the only one left.
    """
    pattern = re.compile(rf"\.{re.escape(path.name[:100])}\.([\w-]+)\.(\d+)\.\d+\.(new|old)")
    with suppress(PermissionError):  # a folder that may be written to and not listed
        for stale in sorted(path.parent.iterdir()):
            match = pattern.fullmatch(stale.name)
            with suppress(FileNotFoundError):  # another job was faster
                if match and not _at_work(match[1], int(match[2]), stale):
                    if match[3] == "old" and not path.exists():
                        stale.rename(path)
                    else:
                        _remove(stale)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _at_work(host: str, process: int, temporary: Path) -> bool:
    """Is the writer of a temporary file at work? One on another machine is taken to be for a day."""
    if host != _HOST or os.name != "posix":  # elsewhere, signal 0 would end the process
        return time.time() - temporary.stat().st_mtime < 86_400
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _sync(path: Path) -> None:
    """Put a file, or a folder's list of files, on the disk, where the system has that."""
    if os.name == "posix":
        with suppress(PermissionError):  # a folder that may not be listed
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
