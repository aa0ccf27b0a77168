"""Writing the files of a run, all of them or none."""

from __future__ import annotations

from collections.abc import Callable

from eqparse.corpus.jsonl import dumps, write_lines
from eqparse.experiments.config import RunConfig, plain
from eqparse.experiments.runs.figures import Figures
from eqparse.files import replacing_files
from eqparse.plain import write_json, write_yaml
from eqparse.training.predictions import write_predictions


def write_run(config: RunConfig, found: Figures, *, save: Callable[[], None] | None = None) -> None:
    """Write temporary files, call `save`, then move the files into place.

    metrics.json is moved last and marks the run as finished. If writing fails, nothing is left behind, and an earlier
    finished run stays as it was.
    """
    names = ("predictions.jsonl", "verdicts.jsonl", "config.yaml", "metrics.json")
    with replacing_files(config.folder, names) as aside:
        write_predictions(found.predictions, aside["predictions.jsonl"])
        write_lines((dumps(verdict) for verdict in found.verdicts), aside["verdicts.jsonl"])
        options = write_yaml(plain(config))
        aside["config.yaml"].write_text(options, encoding="utf-8")
        aside["metrics.json"].write_text(write_json(found.metrics, indent=2) + "\n", encoding="utf-8")
        if save is not None:
            save()
