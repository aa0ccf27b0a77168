"""Which sentences a run got right, by each of its figures; held against what its metrics say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from eqparse.analysis.report.finished_runs import Run
from eqparse.analysis.report.run_files import PREDICTIONS, STAGES, VERDICTS
from eqparse.corpus import read_examples
from eqparse.corpus.example import Example
from eqparse.errors import DataError
from eqparse.training.metrics import CRITERIA, judge, read_predictions

OWN_SENTENCES = Path(__file__).resolve().parents[3] / "data" / "sentences.jsonl"

Verdicts = Mapping[str, Mapping[str, bool]]
"""figure -> id -> was the sentence right; ids of sentences that state an equation."""


def sentence_verdicts(run: Run) -> Verdicts:
    """What is known of single sentences.

    All figures from the run's verdicts.jsonl, a line {"id": ..., "tree": true, ...} for each sentence. A run without
    that file gives the criteria of `judge` alone, its predictions judged anew against the sentences that its config
    names; the stages' figures are then unknown, and so is everything where those sentences are not to be found.

    Raises DataError where verdicts and metrics disagree: they are not of one run, or the data changed since.
    """
    path = run.folder / (PREDICTIONS if run.verdicts is None else VERDICTS)
    verdicts: dict[str, dict[str, bool]] = {}
    if run.verdicts is not None:
        for record in run.verdicts:
            for name in record.keys() - {"id"}:
                verdicts.setdefault(name, {})[record["id"]] = bool(record[name])
    else:
        examples = gold(run.config["data"]["name"], run.config["data"]["root"])
        for prediction in read_predictions(path) if examples is not None else ():
            example = examples.get(prediction.id)
            if example is None or example.text != prediction.text:
                place, what = run.config["data"]["root"] or "data/", f"{prediction.id!r} ({prediction.text[:60]!r})"
                raise DataError(
                    f"{path}: expected the sentences of {place}, found {what}, which is not there; the data changed "
                    "since: train again"
                )
            for name, right in judge(example, prediction).items() if example.equation is not None else ():
                verdicts.setdefault(name, {})[prediction.id] = right
    for name in (name for name in (*STAGES, *CRITERIA) if name in verdicts):
        right, sentences = sum(verdicts[name].values()), len(verdicts[name])
        if (right, sentences) != counts(run, name):
            raise DataError(
                f"{path}: expected {counts(run, name)} (right, of how many) by {name} as in metrics.json, found "
                f"{(right, sentences)}; the data changed since, or the files are of two runs: train again"
            )
    return verdicts


def counts(run: Run, figure: str) -> tuple[int, int] | None:
    """(sentences right, of how many) by a figure of metrics.json, None where the run does not have it."""
    share, sentences = run.metrics.get(figure), run.metrics["sentences"]
    return None if share is None else (round(share * sentences / 100), sentences)


@lru_cache(maxsize=8)
def gold(name: str, root: str | None) -> Mapping[str, Example] | None:
    """id -> example of a corpus, None where it is not there."""
    path = Path(root) if root is not None else OWN_SENTENCES
    return {example.id: example for example in read_examples(path)} if path.exists() else None
