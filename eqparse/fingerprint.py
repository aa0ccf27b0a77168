"""What a run was made from, as one hash: its sentences, the code that learns from them, and the libraries beneath.

Two runs of the same options and the same fingerprint have the same results, so that the second need not be made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from eqparse.annotate import find_pipeline
from eqparse.cache import installed, key_of
from eqparse.config import Folds, RunConfig, data_root
from eqparse.corpus import Example, folds_file

APART = {
    "__main__.py", "arguments.py", "cli.py", "corpus_commands.py", "display.py", "errors_page", "outputs.py",
    "records.py", "rendering.py", "report_commands.py", "reporting", "sweeps.py", "tracking.py",
}
"""Modules and packages that show results or start runs, and so change none."""


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A hash of the package's code and rules as they are when first asked, 16 hexadecimal digits."""
    root = Path(__file__).parent
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")]):
        name = path.relative_to(root)
        if name.parts[0] not in APART:
            digest.update(f"{name.as_posix()}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def fingerprint(config: RunConfig, examples: Sequence[Example]) -> str:
    """The hash of a run's sentences with their annotation, fixed folds, code and libraries; 16 hexadecimal digits."""
    pipeline = find_pipeline(config.annotator.pipeline)
    texts = key_of([e.text for e in examples], pipeline, config.annotator.batch_size)
    gold = [(e.id, None if e.equation is None else str(e.equation), e.variables) for e in examples]
    versions = [installed(name) for name in ("torch", "torch-struct", "numpy")]
    described = json.dumps([texts, gold, code_digest(), versions])
    path = folds_file(data_root(config.data))
    if config.data.folds is Folds.fixed and path.is_file():
        described += path.read_text(encoding="utf-8", errors="replace")
    return hashlib.blake2b(described.encode(), digest_size=8).hexdigest()
