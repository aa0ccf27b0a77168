"""A base model that installed packages carry in parts of one archive, for machines that reach no hub."""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
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

    What lies beside the weights in the archive lies in the folder.

    Raises CheckpointError for parts that make no archive of a model, ConfigError where the folder cannot be written or
    a file is in its place.
    """
    if os.path.isfile(folder / WEIGHTS):  # False as well in a folder that may not be entered
        return folder
    parts = [find_part(package) for package in packages]
    if None in parts:
        return None
    for place in (folder, *folder.parents):
        if os.path.lexists(place) and not os.path.isdir(place):
            raise ConfigError(
                f"{place}: expected a folder to unpack a base model of {packages[0]} into, found a file; remove it, or "
                "set HF_HOME to another folder"
            )
    try:
        with replacing(folder) as aside:
            aside.mkdir()
            whole = aside / "whole.zip"
            with whole.open("wb") as joined:
                for part in parts:
                    with part.open("rb") as source:
                        shutil.copyfileobj(source, joined)
            with ZipFile(whole) as archive:
                at = next((name[: -len(WEIGHTS)] for name in archive.namelist() if name.endswith(f"/{WEIGHTS}")), None)
                if at is None:
                    raise BadZipFile(f"one without {WEIGHTS}")
                for name in archive.namelist():
                    if name.startswith(at) and name.endswith(KEPT) and "/" not in name[len(at) :]:
                        with archive.open(name) as source, (aside / name[len(at) :]).open("wb") as target:
                            shutil.copyfileobj(source, target)
            whole.unlink()
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
