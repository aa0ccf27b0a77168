"""Which sentences a run got right, by each of its figures; checked against its metrics."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from eqparse.analysis.report.finished_runs import LeftOut, Run
from eqparse.analysis.report.run_files import FIGURES, PREDICTIONS, VERDICTS
from eqparse.corpus import read_examples
from eqparse.corpus.example import Example
from eqparse.errors import DataError
from eqparse.training.metrics import judge
from eqparse.training.predictions import read_predictions

OWN_SENTENCES = Path(__file__).resolve().parents[3] / "data" / "sentences.jsonl"

Verdicts = Mapping[str, Mapping[str, bool]]
"""figure -> id -> was the sentence right; ids of sentences that state an equation."""


@lru_cache(maxsize=4096)
def sentence_verdicts(run: Run) -> Verdicts:
    """What is known about single sentences.

    All figures from the run's verdicts.jsonl, a line {"id": ..., "tree": true, ...} for each sentence. A run without
    that file gives only the criteria of `judge`, by judging its predictions again against the sentences that its config
    names; the stages' figures are then unknown, and so is everything if those sentences are not to be found.

    Raises DataError where verdicts and metrics disagree: they are of two runs, or the data has changed.
    """
    stored = run.verdicts
    verdicts = judged_again(run) if stored is None else by_figure(stored)
    path = run.folder / (PREDICTIONS if stored is None else VERDICTS)
    if strange := sorted({sentence for by in verdicts.values() for sentence in by} - run.texts.keys()):
        raise DataError(
            f"{path}: expected the sentences of {PREDICTIONS}, found {strange[0]!r:.80}, which is not there; the files "
            "are from two runs; train again"
        )
    for name in (name for name in FIGURES if name in verdicts):
        right, sentences = sum(verdicts[name].values()), len(verdicts[name])
        if (right, sentences) != counts(run, name):
            raise DataError(
                f"{path}: expected {counts(run, name)} (right, of how many) by {name} as in metrics.json, found "
                f"{(right, sentences)}; the data has changed since, or the files are from two runs; train again"
            )
    return verdicts


def agreeing(runs: Sequence[Run]) -> tuple[list[Run], list[LeftOut]]:
    """The runs whose verdicts agree with their metrics, and the others. Raises DataError if no run is left of some."""
    kept: list[Run] = []
    doubts: dict[Run, DataError] = {}
    for run in runs:
        try:
            sentence_verdicts(run)
            kept.append(run)
        except DataError as error:
            doubts[run] = error
    if doubts and not kept:
        raise next(iter(doubts.values()))
    return kept, [
        LeftOut(run.folder, f"in doubt: {str(error).removeprefix(f'{run.folder}{os.sep}')}")
        for run, error in doubts.items()
    ]


def by_figure(verdicts: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, bool]]:
    """From id -> figure -> was the sentence right? to figure -> id -> was it?"""
    turned: dict[str, dict[str, bool]] = {}
    for sentence, figures in verdicts.items():
        for name, right in figures.items():
            turned.setdefault(name, {})[sentence] = bool(right)
    return turned


def judged_again(run: Run) -> dict[str, dict[str, bool]]:
    """The criteria of `judge`, for a run that kept only its predictions."""
    examples = gold(run.config["data"]["name"], run.config["data"]["root"])
    if examples is None:
        return {}
    path, found = run.folder / PREDICTIONS, {}
    for id_, prediction in read_predictions(path).items():
        example = examples.get(id_)
        if example is None or example.text != prediction.text:
            place, what = run.config["data"]["root"] or "data/", f"{id_!r} ({prediction.text[:60]!r})"
            raise DataError(
                f"{path}: expected the sentences of {place}, found {what}, which is not there; the data has changed "
                "since; train again"
            )
        if example.equation is not None:
            found[id_] = judge(example, prediction)
    return by_figure(found)


def counts(run: Run, figure: str) -> tuple[int, int] | None:
    """(sentences right, of how many) by a figure of metrics.json; None if the run does not have it."""
    share, sentences = run.metrics.get(figure), run.metrics["sentences"]
    return None if share is None else (round(share * sentences / 100), sentences)


@lru_cache(maxsize=8)
def gold(name: str, root: str | None) -> Mapping[str, Example] | None:
    """id -> example of a corpus; None if the corpus cannot be found."""
    path = Path(root) if root is not None else OWN_SENTENCES
    return {example.id: example for example in read_examples(path)} if path.exists() else None
