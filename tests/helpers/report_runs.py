"""Small run folders made by hand: what `train_run` writes, without training anything."""

from __future__ import annotations

import json
from pathlib import Path

import yaml
from parses import answered

from eqparse.corpus import read_examples
from eqparse.corpus.example import Example
from eqparse.corpus.jsonl import write_jsonl
from eqparse.equation.equation import Equation
from eqparse.parser.parse import Parse
from eqparse.training.metrics import summarize
from eqparse.training.predictions import write_predictions

FOLDS = 5


def example(number: int) -> Example:
    """A sentence of our own with the equation that it states."""
    text = f"The kite flew {number + 3} yards above the shed."
    kite, shed = (0, 8), (text.index("the shed"), len(text) - 1)
    return Example(f"s{number}", text, Equation.parse(f"V1 = {number + 3} + V2"), {"V1": (kite,), "V2": (shed,)})


def corpus(folder: Path, *, count: int = 20) -> Path:
    """A file of sentences."""
    path = folder / "sentences.jsonl"
    write_jsonl([example(n) for n in range(count)], path)
    return path


def answer(e: Example, *, right: bool) -> Parse:
    """A prediction that is the gold answer, or that has the operation wrong."""
    equation = e.equation if right else Equation.parse(str(e.equation).replace("+", "*"))
    spans = {name: found[:1] for name, found in e.variables.items()}
    return answered(e.text, equation, spans, candidates=tuple(s for v in spans.values() for s in v), score=1.5)


def make_run(
    outputs: Path,
    data: Path,
    *,
    wrong: set[str] = frozenset(),
    experiment: str = "pipeline",
    features: str = "paper",
    seed: int = 0,
    fold: int = 0,
    verdicts: dict[str, set[str]] | None = None,
    options: dict | None = None,
    name: str = "kites",
    run_hash: str | None = None,
    named: str | None = None,
    **top: object,
) -> Path:
    """A run's folder. wrong: ids that it got wrong. verdicts: stage -> ids wrong there, for verdicts.jsonl.
    options: of data; named: the option `name`, None for its default; top: others.

    A sentence's fold is its number modulo 5, whatever the seed.
    """
    tested = [e for at, e in enumerate(read_examples(data)) if at % FOLDS == fold]
    predictions = {e.id: answer(e, right=e.id not in wrong) for e in tested}
    metrics = summarize(tested, predictions) | {"train_sentences": 16, "run_hash": run_hash}
    folder = outputs / (named or f"{experiment}-{features}") / f"random-seed{seed}-fold{fold}"
    folder = folder.with_name(folder.name + "".join(f"-{v}" for v in (options or {}).values()))
    folder.mkdir(parents=True)
    for stage, missed in (verdicts or {}).items():
        metrics[stage] = round(100 * sum(e.id not in missed for e in tested) / len(tested), 2)
    if verdicts is not None:
        lines = [{"id": e.id} | {stage: e.id not in missed for stage, missed in verdicts.items()} for e in tested]
        (folder / "verdicts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    config = {
        "data": {"name": name, "root": str(data), "folds": "random", "limit": None} | (options or {}),
        "features": {"name": features, "tree": ["number", "connecting"]},
        "stage": {"bits": 10}, "annotator": {"pipeline": "auto"}, "experiment": f"{name}-{experiment}",
        "name": named or f"{name}-{features}/{name}-{experiment}", "fold": fold, "seed": seed, "inner_folds": 0, **top,
        "outputs": str(outputs), "run": "x", "checkpoint": "x/checkpoint", "threads": 1,
    }
    write_predictions(predictions, folder / "predictions.jsonl")
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    (folder / "metrics.json").write_text(json.dumps(metrics))
    return folder


def make_grid(outputs: Path, data: Path, *, seeds=(0, 1), **options) -> None:
    """The runs of every fold and these seeds."""
    for seed in seeds:
        for fold in range(FOLDS):
            make_run(outputs, data, seed=seed, fold=fold, **options)
