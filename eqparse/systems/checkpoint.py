"""A trained parser as a folder, written whole or not at all, and read without Hydra, pickle or the training data.

    model.safetensors  for each stage its nonzero weights in half precision, and which ones they are
    config.yaml        what the parser is made of (stages, limits, lexicon rules), versions, and the run's config
    metrics.json       what the run measured

Checksums of all three stand in the header of model.safetensors, so a folder with a changed byte is refused.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from eqparse import __version__
from eqparse.errors import CheckpointError, ConfigError, DataError
from eqparse.files import write_folder
from eqparse.parser.beam import BeamDecoder
from eqparse.parser.decode import Greedy
from eqparse.parser.limits import Limits
from eqparse.parser.pipeline import EquationParser
from eqparse.scoring.devices import find_device
from eqparse.scoring.features import VERSION as FEATURE_VERSION
from eqparse.stages.base import Stage
from eqparse.stages.custom import class_path, find_class
from eqparse.stages.lexicon import Lexicon, Rule, _read_rule
from eqparse.stages.registry import STAGES, stage_class
from eqparse.systems.signature import signature

FORMAT, FORMAT_VERSION = "eqparse checkpoint", 1
MODEL, CONFIG, METRICS = FILES = ("model.safetensors", "config.yaml", "metrics.json")
MAX_BITS = 24


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint in memory: the parser in evaluation mode, and what the files say beside it.

    config: the run's config. annotator: name and version of the spaCy pipeline that the parser was trained with.
    versions: of the format, the features and the package that wrote it.
    """

    parser: EquationParser
    config: dict[str, Any]
    metrics: dict[str, Any]
    annotator: str
    versions: dict[str, Any]


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
    stages = {name: stage for name, stage in parser.named_children() if isinstance(stage, Stage)}
    unknown = sorted(stages.keys() - STAGES.keys())
    if unknown:
        raise CheckpointError(f"{where}: expected the stages {sorted(STAGES)}, found {unknown}")
    tensors: dict[str, np.ndarray] = {}
    for name, stage in stages.items():
        tensors |= pack(name, stage.scorer.weight.detach().cpu().numpy(), where)
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "eqparse": __version__,
        "annotator": annotator_version,
        "features": FEATURE_VERSION,
        "stages": {
            name: {
                "groups": list(stage.groups), "bits": stage.bits, "signature": signature(stage),
                **({"options": stage.options} if stage.options else {}),
                **({} if type(stage) is usual(stage) else {"class": class_path(type(stage))}),
            }
            for name, stage in stages.items()
        },
        "limits": asdict(parser.limits),
        "lexicon": rules_to_data(parser.tree.lexicon),
        "config": dict(config),
    }
    if isinstance(parser.decoder, BeamDecoder):
        document["joint_beam"] = parser.decoder.beam
    try:
        texts = {
            CONFIG: yaml.safe_dump(document, sort_keys=False, allow_unicode=True).encode(),
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


def usual(stage: Stage) -> type[Stage]:
    """The project's class in whose place a stage stands."""
    return stage_class(stage.name, projective=stage.options.get("projective", True))


def load_checkpoint(folder: str | Path, *, device: torch.device | str = "cpu") -> Checkpoint:
    """Read the checkpoint in a folder.

    Raises CheckpointError, with what is wrong, where the folder is none, is damaged, or is of another format or
    feature version; ConfigError for a device that is not there.
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
    document = read_document(texts[CONFIG], where)
    tensors, sums = read_tensors(folder / MODEL, where)
    for name, found in {**{n: checksum(t) for n, t in texts.items()}, MODEL: tensor_checksum(tensors)}.items():
        if sums.get(name) != found:
            raise damaged(f"{where}, {name}", "the contents that were written", "others (the checksum differs)")
    try:
        metrics = json.loads(texts[METRICS])
        parser = build(document, where)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise damaged(where, "a parser's description", f"{type(error).__name__}: {error}") from error
    for name, stage in parser.named_children():
        unpack(name, stage, tensors, where)
    if tensors:
        raise damaged(f"{where}, {MODEL}", f"the stages {list(document['stages'])}", f"{sorted(tensors)} beside them")
    versions = {name: document[name] for name in ("format_version", "features", "eqparse")}
    parser = parser.to(device).eval()
    return Checkpoint(parser, document["config"], metrics, document["annotator"], versions)


def build(document: Mapping[str, Any], where: str) -> EquationParser:
    """The parser that config.yaml describes, its weights 0. Raises CheckpointError where the features differ."""
    stages = document["stages"]
    unknown = sorted(stages.keys() - STAGES.keys())
    required = [name for name, kind in STAGES.items() if kind.required]
    missing = sorted(set(required) - stages.keys())
    if unknown or missing:
        raise CheckpointError(
            f"{where}: expected the stages {', '.join(required)} and perhaps others of {', '.join(STAGES)}; "
            f"missing {missing}, unknown {unknown}"
        )
    parts: dict[str, Stage] = {}
    for name, options in stages.items():
        bits = options["bits"]
        if type(bits) is not int or not 1 <= bits <= MAX_BITS:
            raise damaged(f"{where}, stage {name}", f"bits from 1 to {MAX_BITS}", repr(bits))
        extra = dict(options.get("options", {}))
        make = stage_class(name, projective=extra.pop("projective", True))
        if "class" in options:
            try:
                make = find_class(options["class"], name, anywhere=False)
            except ConfigError as error:
                raise CheckpointError(f"{where}: {error}") from error
        if name == "tree":
            extra["lexicon"] = rules_from_data(document["lexicon"], where)
        parts[name] = make(groups=tuple(options["groups"]), bits=bits, **extra)
        found = signature(parts[name])
        if found != options["signature"]:
            raise CheckpointError(
                f"{where}, stage {name}: expected features with the signature {options['signature']}, with which it "
                f"was trained; this eqparse ({__version__}) has {found}; train it again, or use eqparse "
                f"{document['eqparse']}"
            )
    known = {f.name for f in fields(Limits)}
    try:
        limits = Limits(**{name: value for name, value in document["limits"].items() if name in known})
    except ConfigError as error:
        raise damaged(where, "limits", str(error)) from error
    beam, decoder = document.get("joint_beam"), Greedy()
    if beam is not None:
        if type(beam) is not int or beam < 1:
            raise damaged(where, "a joint_beam of at least 1", repr(beam))
        decoder = BeamDecoder(beam=beam)
    return EquationParser(**parts, decoder=decoder, limits=limits)


def read_document(data: bytes, where: str) -> dict[str, Any]:
    """config.yaml, checked as far as to know that it is ours and of these versions."""
    where = f"{where}, {CONFIG}"
    try:
        document = yaml.safe_load(data.decode("utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise damaged(where, "YAML", str(error).splitlines()[0]) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CheckpointError(f"{where}: expected `format: {FORMAT}`, found none; this is no eqparse checkpoint")
    for name, ours in (("format_version", FORMAT_VERSION), ("features", FEATURE_VERSION)):
        if document.get(name) != ours:
            raise CheckpointError(
                f"{where}: expected {name} {ours}, found {document.get(name)!r} (written by eqparse "
                f"{document.get('eqparse')}); train it again, or use that version"
            )
    kinds = {"eqparse": str, "annotator": str, "stages": dict, "limits": dict, "config": dict}
    for name, kind in kinds.items():
        if not isinstance(document.get(name), kind):
            raise damaged(where, f"{name}, a {kind.__name__}", repr(document.get(name))[:60])
    return document


def read_tensors(path: Path, where: str) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All tensors and the header's text fields."""
    try:
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}
    except PermissionError:
        raise
    except (SafetensorError, OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise damaged(f"{where}, {MODEL}", "a whole safetensors file", str(error)) from error


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


def rules_to_data(rules: Lexicon | None) -> dict[str, list[dict[str, Any]]] | None:
    """A lexicon's rules in the form of its rule file."""
    if rules is None:
        return None

    def table(rule: Rule) -> dict[str, Any]:
        data: dict[str, Any] = {"name": rule.name}
        if rule.operation is not None:
            data["operation"] = rule.operation
        if rule.same_phrase:
            data["same_phrase"] = True
        return data | {field: list(phrases) for field, phrases in rule.conditions}

    return {"rule": [table(r) for r in rules.rules], "guard": [table(r) for r in rules.guards]}


def rules_from_data(data: Any, where: str) -> Lexicon | None:
    """The lexicon that `rules_to_data` wrote."""
    if data is None:
        return None
    try:
        return Lexicon([
            _read_rule(table, kind=kind, where=f"{kind} {n}")
            for kind in ("rule", "guard")
            for n, table in enumerate(data[kind], start=1)
        ])
    except DataError as error:
        raise damaged(f"{where}, lexicon", "rules", str(error)) from error


def checksum(data: bytes) -> str:
    """SHA-256 of a text file, whatever its line ends, which version control may change."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


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
