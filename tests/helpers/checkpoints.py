"""Checkpoints for tests: written, and changed as if by someone who knows their checksums."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import numpy as np
import yaml
from safetensors import safe_open
from safetensors.numpy import save_file
from tiny import random_parser

from eqparse.systems.checkpoint import save_checkpoint
from eqparse.systems.weights import tensor_checksum

CONFIG = {"seed": 3, "data": {"root": "data", "folds": "random"}, "text": "naïve: – yes", "nothing": None}
METRICS = {"equation": 71.25, "by_stage": {"tree": None}}


def save(folder, parser=None, **changes):
    save_checkpoint(
        folder, parser or random_parser(),
        **{"config": CONFIG, "metrics": METRICS, "annotator_version": "en_core_web_sm-3.8.0", **changes},
    )
    return folder


def rewrite(folder, change):
    """Change config.yaml's document and make the checksum right again."""
    document = yaml.safe_load((folder / "config.yaml").read_text(encoding="utf-8"))
    change(document)
    replace_file(folder, "config.yaml", yaml.safe_dump(document))


def replace_file(folder, name, text):
    """Put another text in the place of a file's and make the checksum right again."""
    (folder / name).write_text(text, encoding="utf-8")
    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        tensors, sums = {key: file.get_tensor(key) for key in file.keys()}, file.metadata()
    save_file(
        tensors, folder / "model.safetensors",
        metadata={**sums, name: sha256((folder / name).read_bytes()).hexdigest()},
    )


def replace_tensor(folder, name, value):
    """Put another tensor in the place of one, or none, and make the checksum right again."""
    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        tensors, sums = {key: file.get_tensor(key) for key in file.keys()}, file.metadata()
    tensors.pop(name, None)
    if value is not None:
        tensors[name] = value
    metadata = {**sums, "model.safetensors": tensor_checksum(tensors)}
    save_file(tensors, folder / "model.safetensors", metadata=metadata)


def stored(folder: Path) -> dict[str, np.ndarray]:
    """The tensors of a checkpoint."""
    with safe_open(folder / "model.safetensors", framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}
