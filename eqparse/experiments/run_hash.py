"""What a run was made from, as one hash: its sentences, the rules and code that learn from them, the libraries beneath.

Two runs of the same options and the same fingerprint have the same results, so that the second need not be made.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from hydra.utils import get_object

from eqparse.corpus import Example, folds_file
from eqparse.corpus.annotated import installed, key_of
from eqparse.experiments.config import Folds, RunConfig, TrainConfig, data_root
from eqparse.stages.custom import find_class
from eqparse.text.annotate import find_pipeline

APART = ("__main__.py", "analysis", "commands")
"""What shows results or starts commands, and so changes no result."""


@cache
def code_digest() -> str:
    """A hash of the package's code and rules as they are when first asked, 16 hexadecimal digits."""
    root = Path(__file__).parents[1]
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
        name = path.relative_to(root)
        if name.parts[0] not in APART:
            digest.update(f"{name.as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def own_digests(config: RunConfig) -> list[str]:
    """Hashes of the user's lexicon file and of the modules that options name; what these import is not looked at."""
    if not isinstance(config, TrainConfig):
        return []
    digests = []
    if config.stage.lexicon_file is not None:
        rules = Path(config.stage.lexicon_file)
        digests.append(digest_of(rules.read_bytes() if rules.is_file() else b""))  # whoever reads them complains
    named = {path: find_class(path, stage, anywhere=True) for stage, path in vars(config.stage.classes).items() if path}
    named |= {path: get_object(path) for path in (config.solver._target_, config.system._target_)}
    for path, found in named.items():
        modules = {path.rpartition(".")[0], *(kind.__module__ for kind in getattr(found, "__mro__", ()))}
        digests += [source_digest(name) for name in sorted(modules) if name.partition(".")[0] != "eqparse"]
    return digests


@cache
def source_digest(module: str) -> str:
    """A hash of an imported module's file as it is when first asked, "" where it has none."""
    path = getattr(sys.modules.get(module), "__file__", None)
    return digest_of(Path(path).read_bytes()) if path is not None else ""


def digest_of(data: bytes) -> str:
    """A hash of some bytes, 16 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def digest_of_texts(texts: Iterable[str]) -> str:
    """A hash of some texts in whatever order, 16 hexadecimal digits."""
    return digest_of(json.dumps(sorted(texts)).encode())


def fingerprint(config: RunConfig, examples: Sequence[Example]) -> str:
    """The hash of a run's sentences with their annotation, fixed folds, rules, code and libraries, 16 hex digits.

    Raises ConfigError for a stage's class of one's own that is not there.
    """
    pipeline = find_pipeline(config.annotator.pipeline)
    texts = key_of([e.text for e in examples], pipeline, config.annotator.batch_size)
    gold = [(e.id, None if e.equation is None else str(e.equation), e.variables) for e in examples]
    versions = [installed(name) for name in ("torch", "torch-struct", "numpy")]
    described = json.dumps([texts, gold, code_digest(), own_digests(config), versions])
    path = folds_file(data_root(config.data))
    if config.data.folds is Folds.fixed and path.is_file():
        described += path.read_text(encoding="utf-8", errors="replace")
    return digest_of(described.encode())
