"""The identity of a run: a hash of its sentences, of the rules and code that learn from them, of the libraries, and of
the weights that training begins with.

Two runs with the same options and the same hash have the same results, so the second one can be skipped. The metrics
store this hash as `run_hash`. They also store `trained_on`, a hash of the training sentences alone, which does not
depend on code or libraries; it shows whether the sentences that a checkpoint was trained on are still available.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from hydra.utils import get_object

from eqparse.corpus import Example, folds_file
from eqparse.corpus.annotated import installed
from eqparse.experiments.config import Folds, TrainConfig
from eqparse.systems.code import code_hash, hash_of
from eqparse.systems.folder import MODEL, find_checkpoint
from eqparse.text.annotate import find_pipeline

LIBRARIES = ("torch", "torch-struct", "numpy", "spacy", "transformers", "tokenizers")


def run_hash(config: TrainConfig, examples: Sequence[Example]) -> str:
    """A hash of a run's sentences and annotations, fixed folds, rules, code, libraries and what training begins with.

    It has 16 hexadecimal digits. Raises ConfigError if the pipeline or a user-defined class cannot be found,
    CheckpointError if there is no such model to go on from.
    """
    pipeline = find_pipeline(config.annotator.pipeline)
    sentences = [(e.id, e.text, None if e.equation is None else str(e.equation), e.variables) for e in examples]
    versions = [(name, installed(name)) for name in (*LIBRARIES, pipeline)]
    parts = [sentences, versions, config.annotator.batch_size, code_hash(), user_hashes(config)]
    folds = folds_file(config.data.path)
    if config.data.folds is Folds.fixed and folds.is_file():
        parts.append(folds.read_text(encoding="utf-8", errors="replace"))
    return hash_of(json.dumps(parts).encode())


def hash_of_texts(texts: Iterable[str]) -> str:
    """A hash of texts that does not depend on their order, as 16 hexadecimal digits."""
    return hash_of(json.dumps(sorted(texts)).encode())


def user_hashes(config: TrainConfig) -> list[str]:
    """Hashes of the files and modules that the options name, but not of what these modules import.

    The files are the lexicon's, and the weights of the base model, if it is a folder, and of the checkpoint that
    training goes on from.
    """
    base, start = (getattr(config.system, name, None) for name in ("base", "start"))
    files = [config.stage.lexicon_file, base and Path(base) / MODEL, start and find_checkpoint(start) / MODEL]
    paths = [Path(file) for file in files if file is not None]
    hashes = [hash_of(path.read_bytes() if path.is_file() else b"") for path in paths]  # what is missing is told later
    classes = config.stage.find_classes()
    named = {getattr(config.stage.classes, stage): found for stage, found in classes.items()}
    named |= {path: get_object(path) for path in (config.solver._target_, config.system._target_)}
    for path, found in named.items():
        modules = {path.rpartition(".")[0], *(kind.__module__ for kind in getattr(found, "__mro__", ()))}
        hashes += [source_hash(name) for name in sorted(modules) if name.partition(".")[0] != "eqparse"]
    return hashes


@cache
def source_hash(module: str) -> str:
    """A hash of an imported module's file, as it is at the first call; "" if the module has no file."""
    path = getattr(sys.modules.get(module), "__file__", None)
    return hash_of(Path(path).read_bytes()) if path is not None else ""
