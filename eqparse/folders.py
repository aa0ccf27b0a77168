"""A folder of files written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from eqparse.errors import CheckpointError
from eqparse.outputs import naming


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
