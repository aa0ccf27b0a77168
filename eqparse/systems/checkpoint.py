"""A trained parser as a folder, written whole or not at all, and read without Hydra, pickle or the training data.

    model.safetensors  for each stage its nonzero weights in half precision, and which ones they are
    config.yaml        what the parser is made of (stages, limits, lexicon rules), versions, and the run's config
    metrics.json       what the run measured

Checksums of all three stand in the header of model.safetensors, so a folder with a changed byte is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from safetensors.numpy import save

from eqparse import __version__
from eqparse.errors import CheckpointError
from eqparse.files import write_folder
from eqparse.parser.pipeline import EquationParser
from eqparse.plain import read_json, read_yaml, shown, write_yaml
from eqparse.scoring.devices import find_device
from eqparse.systems.description import build, describe
from eqparse.systems.system import LoadedModel
from eqparse.systems.weights import MODEL, damaged, pack, read_tensors, tensor_checksum, unpack

FORMAT, FORMAT_VERSION = "eqparse checkpoint", 1
CONFIG, METRICS = "config.yaml", "metrics.json"
FILES = (MODEL, CONFIG, METRICS)


def save_checkpoint(
    folder: str | Path,
    parser: EquationParser,
    *,
    config: Mapping[str, Any],
    metrics: Mapping[str, Any],
    annotator_version: str,
) -> None:
    """Write the parser to a folder, in the place of a checkpoint that is there.

    Weights are rounded to half precision, which training has done already. Raises CheckpointError where the folder
    holds other files, for config or metrics that are no plain data, and for weights that half precision does not hold;
    OSError where the disk refuses.
    """
    where = f"checkpoint {folder}"
    tensors: dict[str, np.ndarray] = {}
    for name, stage in parser.named_children():
        tensors |= pack(name, stage, where)
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "eqparse": __version__,
        "annotator": annotator_version,
        **describe(parser),
        "config": dict(config),
    }
    try:
        texts = {
            CONFIG: write_yaml(document).encode(),
            METRICS: (json.dumps(dict(metrics), indent=2, allow_nan=False) + "\n").encode(),
        }
    except (yaml.YAMLError, TypeError, ValueError, RecursionError) as error:
        raise CheckpointError(
            f"{where}: expected config and metrics of plain data (dict, list, str, finite numbers, bool, None), found "
            f"something else: {str(error).splitlines()[0]}"
        ) from error
    sums = {name: checksum(data) for name, data in texts.items()} | {MODEL: tensor_checksum(tensors)}
    model = save(tensors, metadata={"format": FORMAT, **sums})
    write_folder(folder, {MODEL: model, **texts})


def load_checkpoint(folder: str | Path, *, device: torch.device | str = "cpu") -> LoadedModel:
    """Read the checkpoint in a folder.

    Raises CheckpointError, with what is wrong, where the folder is none, is damaged, or is of another format or other
    features; ConfigError for a device that is not there.
    """
    device = find_device(device)
    folder = Path(folder)
    where = f"checkpoint {folder}"
    if not folder.is_dir():
        found = "a file" if folder.exists() else "nothing there"
        raise CheckpointError(f"{where}: expected a folder with {', '.join(FILES)}; found {found}")
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise CheckpointError(f"{where}: expected {', '.join(FILES)}; {', '.join(missing)} missing")
    texts = {name: (folder / name).read_bytes() for name in (CONFIG, METRICS)}
    tensors, sums = read_tensors(folder / MODEL, where)
    for name, found in {**{n: checksum(t) for n, t in texts.items()}, MODEL: tensor_checksum(tensors)}.items():
        if sums.get(name) != found:
            raise damaged(f"{where}, {name}", "the contents that were written", "others (the checksum differs)")
    document = read_document(texts[CONFIG], where)
    try:
        metrics = read_json(texts[METRICS])
        parser = build(document, where)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise damaged(where, "a parser's description", f"{type(error).__name__}: {error}") from error
    for name, stage in parser.named_children():
        unpack(name, stage, tensors, where)
    if tensors:
        raise damaged(f"{where}, {MODEL}", f"the stages {list(document['stages'])}", f"{sorted(tensors)} beside them")
    versions = {name: document[name] for name in ("format_version", "eqparse")}
    parser = parser.to(device).eval()
    return LoadedModel(parser, document["config"], metrics, document["annotator"], versions)


def read_document(data: bytes, where: str) -> dict[str, Any]:
    """config.yaml, checked as far as to know that it is ours and of these versions."""
    where = f"{where}, {CONFIG}"
    try:
        document = read_yaml(data)
    except ValueError as error:
        raise damaged(where, "YAML", str(error)) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CheckpointError(f"{where}: expected `format: {FORMAT}`, found none; this is no eqparse checkpoint")
    if document.get("format_version") != FORMAT_VERSION:
        raise CheckpointError(
            f"{where}: expected format_version {FORMAT_VERSION}, found {shown(document.get('format_version'))} "
            f"(written by eqparse {shown(document.get('eqparse'))}); train it again, or use that version"
        )
    kinds = {"eqparse": str, "annotator": str, "stages": dict, "limits": dict, "config": dict}
    for name, kind in kinds.items():
        if not isinstance(document.get(name), kind):
            raise damaged(where, f"{name}, a {kind.__name__}", shown(document.get(name)))
    return document


def checksum(data: bytes) -> str:
    """SHA-256 of a text file, whatever its line ends, which version control may change."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()
