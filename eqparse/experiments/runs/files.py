"""The files of a run, written whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import yaml

from eqparse.corpus.jsonl import dumps, write_lines
from eqparse.experiments.config import RunConfig, plain
from eqparse.experiments.runs.figures import Figures
from eqparse.training.metrics import write_predictions


def write_run(config: RunConfig, found: Figures, *, save: Callable[[], None] | None = None) -> None:
    """Write the files aside, call `save`, then move them into place; metrics.json, last, says that it is finished.

    A run that cannot be written leaves nothing, or the finished one that was there.
    """
    folder = config.folder
    folder.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        write_predictions(found.predictions, aside / "predictions.jsonl")
        write_lines((dumps(verdict) for verdict in found.verdicts), aside / "verdicts.jsonl")
        (aside / "config.yaml").write_text(yaml.safe_dump(plain(config), sort_keys=False), encoding="utf-8")
        (aside / "metrics.json").write_text(json.dumps(found.metrics, indent=2) + "\n", encoding="utf-8")
        if save is not None:
            save()
        (folder / "metrics.json").unlink(missing_ok=True)
        for name in ("predictions.jsonl", "verdicts.jsonl", "config.yaml", "metrics.json"):
            os.replace(aside / name, folder / name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        with suppress(OSError):
            folder.rmdir()  # where nothing was written
