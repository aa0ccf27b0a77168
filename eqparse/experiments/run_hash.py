"""The identity of a run: a hash of its sentences, of the rules and code that learn from them, and of the libraries.

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
from eqparse.text.annotate import find_pipeline

LIBRARIES = ("torch", "torch-struct", "numpy", "spacy")


def run_hash(config: TrainConfig, examples: Sequence[Example]) -> str:
    """A hash of a run's sentences and annotations, fixed folds, rules, code and libraries, as 16 hexadecimal digits.

    Raises ConfigError if the pipeline or a user-defined class cannot be found.
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
    """Hashes of the user's lexicon file and of the modules that the options name, but not of what these import."""
    hashes = []
    if config.stage.lexicon_file is not None:
        rules = Path(config.stage.lexicon_file)
        hashes.append(hash_of(rules.read_bytes() if rules.is_file() else b""))  # a missing one is reported elsewhere
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
