"""Atomic writes: files and folders are written whole or not at all."""

from __future__ import annotations

import errno
import itertools
import os
import re
import shutil
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from eqparse.errors import BusyError, CheckpointError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)  # errors that writing causes
LOCK = ".lock"  # the file in a folder that `locked` holds
DATA_SUFFIXES = (".jsonl", ".txt", ".ann", ".safetensors", ".yaml", ".json")
_HOST = re.sub(r"[^\w-]", "-", socket.gethostname())
_counter = itertools.count()
_writing: set[str] = set()  # the temporary files of this process, without .new and .old


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A hidden path beside `path`: the file or folder made there replaces `path` if the block ends without an error.

    An old folder is renamed first and removed last, so that at every moment one of the two is whole. Temporary files
    and folders that killed processes left behind are removed. The parent folder is created if necessary.

    Raises:
        OSError: the system refuses; whatever was at `path` before is still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(path)
    writer = f".{_beginning(path)}.{_HOST}.{os.getpid()}.{next(_counter)}"
    new, old = path.with_name(f"{writer}.new"), path.with_name(f"{writer}.old")
    _writing.add(writer)
    try:
        with naming(path, aside=new):
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
        _writing.discard(writer)


@contextmanager
def replacing_files(folder: Path, names: Sequence[str]) -> Iterator[dict[str, Path]]:
    """A hidden path for each of these names in a folder, which may hold other files as well (see `replacing`).

    The last file is removed before the others are replaced, and is itself written last: if it is there, so are they.
    """
    with ExitStack() as stack:  # exits the contexts in reverse order
        aside = {name: stack.enter_context(replacing(folder / name)) for name in reversed(names)}
        yield aside
        (folder / names[-1]).unlink(missing_ok=True)


@contextmanager
def open_aside(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; it replaces `path` and keeps its permissions if all goes well (see `replacing`)."""
    with replacing(path) as aside, open(aside, "wb") as file:
        if path.exists():
            shutil.copymode(path, aside)
        yield file


@contextmanager
def locked(folder: Path, *, instead: str) -> Iterator[None]:
    """Keep other processes out of such blocks for a folder, which is created if necessary, and removed if left empty.

    A process that is killed keeps nobody out: what it leaves, LOCK, the next one takes over and removes.
    instead: what one can do but wait. Raises BusyError if another process is in such a block, OSError as mkdir does.
    """
    from filelock import FileLock, Timeout  # of no use to most commands

    made = [place for place in (folder, *folder.parents) if not place.exists()]
    lock, attempts = FileLock(folder / LOCK), itertools.count(1)
    try:
        while not lock.is_locked:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                lock.acquire(timeout=0)
            except (FileNotFoundError, FileExistsError):  # another process has just removed the folder, left empty
                if next(attempts) == 1000 or (os.path.lexists(folder) and not folder.is_dir()):  # the system refuses
                    raise
            except Timeout as error:
                found = "expected no other run that writes there, found one at work"
                raise BusyError(f"{folder}: {found}; wait for it, or {instead}") from error
        yield
    finally:
        if lock.is_locked and os.name == "posix":
            (folder / LOCK).unlink(missing_ok=True)  # elsewhere the release removes it
        lock.release(force=True)
        for place in made:
            with suppress(OSError):  # it holds something
                place.rmdir()


def write_folder(folder: str | Path, files: Mapping[str, bytes]) -> None:
    """Write a folder that holds exactly these files; it may replace a folder that holds no others (see `replacing`).

    Raises:
        CheckpointError: there is a file at that path, or a folder with other files.
        OSError: the system refuses.
    """
    with replacing(check_replaceable(folder, files)) as aside:
        aside.mkdir()
        for name, data in files.items():
            (aside / name).write_bytes(data)


def check_replaceable(folder: str | Path, names: Iterable[str]) -> Path:
    """The real path of a folder that `write_folder` may write with these names; before long work, say.

    Raises as that does, as far as it can be known beforehand.
    """
    folder, names = Path(os.path.realpath(folder)), list(names)
    if _is_there(folder):
        others = sorted({path.name for path in folder.iterdir()}.difference(names)) if folder.is_dir() else ["a file"]
        if others:
            raise CheckpointError(
                f"{folder}: expected nothing there, or a folder with {', '.join(names)} alone, which is replaced; "
                f"found {', '.join(others[:3])}; choose another path"
            )
    check_folder_can_be(folder.parent)
    return folder


def check_folder_can_be(folder: str | Path) -> None:
    """Raise OSError, naming the place, where a folder neither is nor can be made, or nothing can be written into it."""
    place = Path(os.path.realpath(folder))
    while not _is_there(place):
        place = place.parent
    if not place.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "is not a folder; choose another path", str(place))
    if not os.access(place, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "nothing can be written there; choose another path", str(place))


def _is_there(path: Path) -> bool:
    """Whether a path exists. Raises OSError where none could: with too long a name, a link to itself."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


@contextmanager
def naming(output: str | Path, *, aside: Path | None = None) -> Iterator[None]:
    """Let errors name the output: a "disk full" one without a name, and one that names the file written in its place.

    Nothing else may be written in the block.
    """
    try:
        yield
    except OSError as error:
        if error.filename is None:
            ours = error.errno in FULL
        else:
            ours = aside is not None and os.path.realpath(str(error.filename)) == os.path.realpath(aside)
        if ours:
            error.filename = str(output)
        raise


def is_temporary(name: str) -> bool:
    """Whether `replacing` gives such names to what it writes; a process that was killed leaves it behind."""
    return re.fullmatch(r"\..+\.[\w-]+\.\d+\.\d+\.(new|old)", name) is not None


def files_in(path: str | Path) -> list[str | Path | int]:
    """The data files at a path: the file itself, or the data files of a corpus or checkpoint folder."""
    path = Path(path)
    return [file for file in path.iterdir() if file.suffix in DATA_SUFFIXES] if path.is_dir() else [path]


def _remove_stale(path: Path) -> None:
    """Remove the temporary files of processes that were killed while writing to `path`.

    An old folder is put back if it is the only copy left.
    """
    name = re.escape(_beginning(path))
    aside = rf"\.{name}\.[\w-]+\.\d+\.\d+\.new"  # which may have been written aside itself
    pattern = re.compile(rf"\.(?:{name}|{aside}(?=.*new$))\.([\w-]+)\.(\d+)\.\d+\.(new|old)")
    with suppress(PermissionError):  # a folder that may be written to but not listed
        for stale in sorted(path.parent.iterdir()):
            match = pattern.fullmatch(stale.name)
            with suppress(FileNotFoundError):  # another job was faster
                if match and not _at_work(match[1], int(match[2]), stale):
                    if match[3] == "old" and not path.exists():
                        stale.rename(path)
                    else:
                        _remove(stale)


def _beginning(path: Path) -> str:
    """What a temporary file has of a file's name: 100 bytes, since a name may have 255."""
    return os.fsencode(path.name)[:100].decode("utf-8", "ignore")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _at_work(host: str, process: int, temporary: Path) -> bool:
    """Is the process that writes a temporary file still running? On another machine, it is assumed to run for a day."""
    if host != _HOST or os.name != "posix":  # elsewhere, signal 0 would end the process
        return time.time() - temporary.stat().st_mtime < 86_400
    if process == os.getpid():  # or of one before it, as in a container that is started again
        return temporary.stem in _writing
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _sync(path: Path) -> None:
    """Flush a file, or a folder's list of files, to disk; does nothing on a system that has no such call."""
    if os.name == "posix":
        with suppress(PermissionError):  # a folder that may not be listed
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
