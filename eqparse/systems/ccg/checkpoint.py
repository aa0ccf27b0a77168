"""A CCG parser as a folder with one JSON file: lexicon, weights, config and metrics, with a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from eqparse import __version__
from eqparse.errors import CheckpointError
from eqparse.files import write_folder
from eqparse.parser.limits import Limits
from eqparse.plain import read_json, shown
from eqparse.systems.ccg.category import read_category, show
from eqparse.systems.ccg.lexicon import Lexicon, Template
from eqparse.systems.ccg.parser import CcgParser
from eqparse.systems.system import LoadedModel

FILE, FORMAT, FORMAT_VERSION = "ccg.json", "eqparse ccg", 1


def save_ccg(
    folder: str | Path,
    parser: CcgParser,
    *,
    config: Mapping[str, Any],
    metrics: Mapping[str, Any],
    annotator_version: str,
) -> None:
    """Write the lexicon, the nonzero weights, config and metrics as JSON."""
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "eqparse": __version__,
        "annotator": annotator_version,
        "beam": parser.beam,
        "limits": asdict(parser.limits),
        "entries": [
            [phrase, show(t.category), t.meaning] for phrase, ts in sorted(parser.lexicon.entries.items()) for t in ts
        ],
        "weights": [[*feature, value] for feature, value in sorted(parser.weights.items()) if value],
        "config": dict(config),
        "metrics": dict(metrics),
    }
    body = json.dumps(document, ensure_ascii=False, allow_nan=False)
    digest = hashlib.sha256(body.encode()).hexdigest()
    write_folder(folder, {FILE: (json.dumps({"sha256": digest, "body": body}) + "\n").encode()})


def load_ccg(folder: str | Path, *, device: object = "cpu") -> LoadedModel:
    """Read what `save_ccg` wrote. Raises CheckpointError for anything else.

    device: ignored, since this parser uses no tensors.
    """
    where = f"checkpoint {folder}, {FILE}"
    try:
        outer = read_json((Path(folder) / FILE).read_bytes())
        body = outer["body"]
        if hashlib.sha256(body.encode()).hexdigest() != outer["sha256"]:
            raise CheckpointError(f"{where}: expected the contents as written, found other contents; train it again")
        document = read_json(body)
        if (document["format"], document["format_version"]) != (FORMAT, FORMAT_VERSION):
            raise CheckpointError(f"{where}: expected {FORMAT} {FORMAT_VERSION}, found another; train it again")
        entries: dict[str, tuple[Template, ...]] = {}
        for phrase, category, meaning in document["entries"]:
            template = Template(read_category(category), tupled(meaning))
            entries[phrase] = (*entries.get(phrase, ()), template)
        weights = {tuple(feature): value for *feature, value in document["weights"]}
        limits = Limits(**document["limits"])
        for name, kind in (("beam", int), ("config", dict), ("metrics", dict), ("annotator", str)):
            if type(document[name]) is not kind:
                raise TypeError(f"{shown(document[name])} for {name}")
        if document["beam"] < 1 or not all(type(weight) in (int, float) for weight in weights.values()):
            raise ValueError("a beam below 1, or a weight that is not a number")
        versions = {name: document[name] for name in ("format_version", "eqparse")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, CheckpointError):
            raise
        found = f"{type(error).__name__}: {error}"
        raise CheckpointError(f"{where}: expected a CCG lexicon with weights, found {found}; train it again") from error
    parser = CcgParser(Lexicon(entries), weights, beam=document["beam"], limits=limits)
    return LoadedModel(parser, document["config"], document["metrics"], document["annotator"], versions)


def tupled(node: Any) -> Any:
    """Nested lists as nested tuples."""
    return tuple(map(tupled, node)) if isinstance(node, list) else node
