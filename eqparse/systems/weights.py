"""model.safetensors: for each stage its nonzero weights in half precision, and which ones they are."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open

from eqparse.errors import CheckpointError
from eqparse.stages.base import Stage

MODEL = "model.safetensors"


def pack(name: str, weight: np.ndarray, where: str) -> dict[str, np.ndarray]:
    """A stage's weights [buckets, labels] as one bit a weight (is it nonzero?) and the nonzero ones as float16.

    Most are 0, so this is several times smaller than either all weights or the rows with a nonzero one.
    """
    with np.errstate(over="ignore"):
        half = weight.astype(np.float16)
    if not np.isfinite(half).all():
        raise CheckpointError(f"{where}, stage {name}: expected weights that half precision holds, found larger ones")
    nonzero = half.ravel() != 0
    return {f"{name}.nonzero": np.packbits(nonzero), f"{name}.values": half.ravel()[nonzero]}


def unpack(name: str, stage: Stage, tensors: dict[str, np.ndarray], where: str) -> None:
    """Take a stage's tensors out of `tensors` and put the weights into the stage. Raises CheckpointError."""
    where = f"{where}, stage {name}"
    bits, values = tensors.pop(f"{name}.nonzero", None), tensors.pop(f"{name}.values", None)
    if bits is None or values is None:
        raise damaged(where, f"the tensors {name}.nonzero and {name}.values", "not both")
    shape = tuple(stage.scorer.weight.shape)
    size = math.prod(shape)
    if bits.dtype != np.uint8 or bits.shape != ((size + 7) // 8,):
        raise damaged(where, f"{(size + 7) // 8} bytes for weights of shape {shape}", f"{bits.dtype} {bits.shape}")
    nonzero = np.unpackbits(bits, count=size).astype(bool)
    if values.dtype != np.float16 or values.shape != (int(nonzero.sum()),):
        raise damaged(where, f"{int(nonzero.sum())} float16 values", f"{values.dtype} {values.shape}")
    if not np.isfinite(values).all():
        raise damaged(where, "finite weights", "some that are not")
    weight = np.zeros(size, dtype=np.float32)
    weight[nonzero] = values
    with torch.no_grad():
        stage.scorer.weight.copy_(torch.from_numpy(weight.reshape(shape)))


def read_tensors(path: Path, where: str) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All tensors and the header's text fields."""
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
    """The error for a file that is not what was written."""
    return CheckpointError(f"{where}: expected {expected}, found {found}; it is damaged: copy or train it again")
