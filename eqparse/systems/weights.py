"""model.safetensors: the tensors of each stage's scorer."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from eqparse.errors import CheckpointError
from eqparse.stages.base import Stage
from eqparse.systems.folder import MODEL

DAMAGED = "it is damaged: copy or train it again"


def pack(name: str, stage: Stage, where: str) -> dict[str, np.ndarray]:
    """The tensors of a stage's scorer, under the stage's name. Raises CheckpointError for weights too large."""
    try:
        return {f"{name}.{part}": tensor for part, tensor in stage.scorer.to_tensors().items()}
    except CheckpointError as error:
        raise CheckpointError(f"{where}, stage {name}: {error}") from error


def unpack(name: str, stage: Stage, tensors: dict[str, np.ndarray], where: str) -> None:
    """Move a stage's tensors out of `tensors` into its scorer. Raises CheckpointError if they do not fit."""
    own = {key: tensors.pop(key) for key in list(tensors) if key.startswith(f"{name}.")}
    try:
        stage.scorer.from_tensors({key.removeprefix(f"{name}."): tensor for key, tensor in own.items()})
    except CheckpointError as error:
        raise CheckpointError(f"{where}, stage {name}: {error}; {DAMAGED}") from error


def read_tensors(path: Path, where: str) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All tensors, and the text fields of the header. Raises CheckpointError if the file is damaged."""
    try:
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}
    except PermissionError:
        raise
    except (SafetensorError, OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise damaged(f"{where}, {MODEL}", "a whole safetensors file", str(error)) from error


def tensor_checksum(tensors: Mapping[str, np.ndarray]) -> str:
    """SHA-256 of names, types, shapes and values."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        digest.update(f"{name} {tensors[name].dtype} {tensors[name].shape}\n".encode())
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def damaged(where: str, expected: str, found: str) -> CheckpointError:
    """The error for a file whose contents are not as they were written."""
    return CheckpointError(f"{where}: expected {expected}, found {found}; {DAMAGED}")
