"""A trained parser as a folder, written completely or not at all, and read without Hydra, pickle or training data.

    model.safetensors  each stage's nonzero weights in half precision, and which ones they are; of an encoder's
                       parser also what was trained of the encoder, and the heads
    config.yaml        the parser's parts (stages, limits, lexicon rules), versions, and the run's config
    metrics.json       what the run measured

The header of model.safetensors holds checksums of all three files, so a folder with a changed byte is refused.
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
from eqparse.systems.encoder.attach import attach_encoder, finish, pack_encoder, read_encoder, unpack_encoder
from eqparse.systems.folder import CONFIG, FILES, METRICS, MODEL, check_folder
from eqparse.systems.system import LoadedModel
from eqparse.systems.weights import damaged, pack, read_tensors, tensor_checksum, unpack

FORMAT, FORMAT_VERSION = "eqparse checkpoint", 1


def save_checkpoint(
    folder: str | Path,
    parser: EquationParser,
    *,
    config: Mapping[str, Any],
    metrics: Mapping[str, Any],
    annotator_version: str,
) -> None:
    """Write the parser to a folder, replacing a checkpoint that is already there.

    Weights are stored in half precision, to which training has already rounded them. Raises CheckpointError if the
    folder holds other files, if config or metrics are not plain data, or if half precision cannot hold the weights;
    OSError if the files cannot be written.

    folder: where to write; created if it does not exist.
    parser: the trained parser.
    config: the options of the run that trained it.
    metrics: what that run measured.
    annotator_version: name and version of the spaCy pipeline that annotated the training sentences.
    """
    where = f"checkpoint {folder}"
    tensors: dict[str, np.ndarray] = {}
    for name, stage in parser.stages.items():
        tensors |= pack(name, stage, where)
    if parser.encoder is not None:
        tensors |= pack_encoder(parser)
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

    Raises CheckpointError, with an explanation, if the folder is not a checkpoint, is damaged, or has another format or
    other features; ConfigError if the device is not available.
    """
    device = find_device(device)
    folder = Path(folder)
    where = f"checkpoint {folder}"
    texts = read_texts(folder, where)
    tensors, sums = read_tensors(folder / MODEL, where)
    for name, found in {**{n: checksum(t) for n, t in texts.items()}, MODEL: tensor_checksum(tensors)}.items():
        if sums.get(name) != found:
            raise damaged(f"{where}, {name}", "the contents that were written", "other contents (the checksum differs)")
    document = read_document(texts[CONFIG], where)
    metrics = read_metrics(texts[METRICS], where)
    try:
        parser = build(document, where)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise damaged(where, "a parser's description", f"{type(error).__name__}: {error}") from error
    for name, stage in parser.stages.items():
        unpack(name, stage, tensors, where)
    if "encoder" in document:
        options, sha256 = read_encoder(document["encoder"], where)
        attach_encoder(parser, options, sha256=sha256)
        unpack_encoder(parser, tensors, where)
        finish(parser)
    if tensors:
        raise damaged(f"{where}, {MODEL}", f"the stages {list(document['stages'])}", f"{sorted(tensors)} beside them")
    versions = {name: document[name] for name in ("format_version", "eqparse")}
    parser = parser.to(device).eval()
    return LoadedModel(parser, document["config"], metrics, document["annotator"], versions)


def trained_with(folder: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the run that trained a checkpoint, and what it measured; its weights are not looked at.

    Raises CheckpointError if the folder is not a checkpoint, or these files are damaged.
    """
    where = f"checkpoint {folder}"
    texts = read_texts(Path(folder), where)
    return read_document(texts[CONFIG], where)["config"], read_metrics(texts[METRICS], where)


def read_texts(folder: Path, where: str) -> dict[str, bytes]:
    """The files of a checkpoint that are text."""
    check_folder(folder)
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise CheckpointError(f"{where}: expected {', '.join(FILES)}; {', '.join(missing)} missing")
    return {name: (folder / name).read_bytes() for name in (CONFIG, METRICS)}


def read_metrics(data: bytes, where: str) -> dict[str, Any]:
    """Read metrics.json."""
    try:
        metrics = read_json(data)
    except ValueError as error:
        raise damaged(f"{where}, {METRICS}", "JSON", str(error)) from error
    if not isinstance(metrics, dict):
        raise damaged(f"{where}, {METRICS}", "an object", shown(metrics))
    return metrics


def read_document(data: bytes, where: str) -> dict[str, Any]:
    """Read config.yaml and check that it belongs to an eqparse checkpoint in the current format."""
    where = f"{where}, {CONFIG}"
    try:
        document = read_yaml(data)
    except ValueError as error:
        raise damaged(where, "YAML", str(error)) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CheckpointError(f"{where}: expected `format: {FORMAT}`, found none; this is not an eqparse checkpoint")
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
    """SHA-256 of a text file, independent of its line endings, which version control may change."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()
