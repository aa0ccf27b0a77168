"""A run's folder -> one HTML page, self-contained, on which a person reads what went wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from eqparse.analysis.errors_page.article import Reading, article
from eqparse.analysis.errors_page.diagnosis import KINDS, STAGES, diagnose
from eqparse.analysis.report.run_files import (
    CONFIG,
    FILES,
    NOTHING,
    PREDICTIONS,
    TEXT,
    field,
    read_config,
    read_metrics,
)
from eqparse.corpus import read_examples
from eqparse.corpus.example import Example
from eqparse.errors import CheckpointError, DataError
from eqparse.files import files_in
from eqparse.stages.lexicon import Lexicon
from eqparse.training.metrics import Prediction, read_predictions

HERE = Path(__file__).parent
ORDER = list(STAGES)
ANY = "any of them"


def errors_page(run: str | Path, *, data: str | Path | None = None) -> str:
    """The page of one run.

    data: the file or folder with the run's sentences, by default what its config names. Scores and features need the
    run's checkpoint; without one the page says why it has none.

    Raises DataError where the folder is no finished run, and where its sentences are missing or have changed.
    """
    run = Path(run)
    check_finished(run)
    config, metrics = read_config(run), read_metrics(run)
    pairs = match(run, config, read_predictions(run / PREDICTIONS), data)
    readings, notices = read_errors(run, config, pairs)
    return render(title_of(run, config), readings, notices=notices, metrics=metrics)


def files_read(run: str | Path, *, data: str | Path | None = None) -> list[Path]:
    """The files that `errors_page` reads; raises DataError as it does."""
    run = Path(run)
    check_finished(run)
    place = sentences_of(run, read_config(run), data)
    return [*(run / name for name in FILES), *files_in(place)]


def check_finished(run: Path) -> None:
    """Raises DataError where a run's files are not there."""
    for name in FILES:
        if not (run / name).is_file():
            raise DataError(f"{run}: expected the folder of a finished run, found no {name}; see `eqparse report DIR`")


def sentences_of(run: Path, config: dict[str, Any], data: str | Path | None) -> Path:
    """Where the run's sentences are."""
    from eqparse.experiments.config import data_root

    if data is not None:
        return Path(data)
    field(config, "data.root", TEXT + NOTHING, path=run / CONFIG)
    return data_root(config["data"])


def match(
    run: Path, config: dict[str, Any], predictions: Sequence[Prediction], data: str | Path | None
) -> list[tuple[Example, Prediction]]:
    """Each prediction with its annotation, by id."""
    place = sentences_of(run, config, data)
    if not place.exists():
        raise DataError(f"{run}: expected its sentences at {place}, found nothing; say where they are with --data PATH")
    examples = {example.id: example for example in read_examples(place)}
    for prediction in predictions:
        if prediction.id not in examples or examples[prediction.id].text != prediction.text:
            raise DataError(
                f"{run}: expected sentence {prediction.id!r} ({prediction.text[:60]!r}) in {place}, found another or "
                "none; give the sentences that it was tested on with --data PATH"
            )
    return [(examples[prediction.id], prediction) for prediction in predictions]


def read_errors(
    run: Path, config: dict[str, Any], pairs: Sequence[tuple[Example, Prediction]]
) -> tuple[list[Reading], list[str]]:
    """Diagnose every sentence, and explain it where there is a checkpoint -> readings, and what is to be said."""
    from eqparse.systems.checkpoint import load_checkpoint
    from eqparse.text.annotate import Annotator
    from eqparse.text.mentions import find_mentions

    annotator = Annotator(pipeline=field(config, "annotator.pipeline", TEXT, path=run / CONFIG))
    mentions = [find_mentions(s) for s in annotator([example.text for example, _ in pairs])]
    lexicon = Lexicon.load(rule_set="paper")
    readings = [annotated(e, p, m, lexicon=lexicon) for (e, p), m in zip(pairs, mentions, strict=True)]
    places = [run / "checkpoint", Path(config.get("checkpoint") or run)]
    place = next((place for place in places if (place / "model.safetensors").is_file()), None)
    if place is None:
        kept = (run / "checkpoint").is_dir()
        why = "the run's parser has no stages" if kept else "the run's checkpoint is not there"
        return readings, [f"Scores and features are not available: {why}."]
    try:
        checkpoint = load_checkpoint(place)
    except CheckpointError as error:
        return readings, [f"Scores and features are not available: {error}"]
    strings = annotator.nlp.vocab.strings
    readings = with_scores(checkpoint.parser, readings, mentions, lambda v: strings[v] if v in strings else None)
    differ = sum(bool(reading.no_scores) for reading in readings)
    notices = []
    if checkpoint.annotator != annotator.version:
        notices.append(f"The run's annotator was {checkpoint.annotator}, this one is {annotator.version}.")
    if differ:
        notices.append(f"{differ} sentences parse otherwise than in the run; they have no scores.")
    return readings, notices


def annotated(example: Example, prediction: Prediction, mentions: Any, *, lexicon: Lexicon) -> Reading:
    """A sentence's diagnosis, with what only its annotation tells: no phrase of the lexicon, and gold out of reach."""
    from eqparse.analysis.corpus_statistics import gold_tree, lexicon_decides

    diagnosis = diagnose(example, prediction)
    if example.equation is None:
        return Reading(example, prediction, diagnosis)
    tree, reason = gold_tree(example, mentions)
    kinds = set(diagnosis.kinds)
    if diagnosis.stage != "right":
        if tree is None:
            kinds.add("unreachable")
        elif diagnosis.stage == "tree" and not any(lexicon_decides(lexicon, [tree])):
            kinds.add("no-lexicon")
    diagnosis = replace(diagnosis, kinds=tuple(kind for kind in KINDS if kind in kinds))
    return Reading(example, prediction, diagnosis, unreachable=reason)


def with_scores(
    parser: Any, readings: Sequence[Reading], mentions: Sequence[Any], strings: Callable[[int], str | None]
) -> list[Reading]:
    """The readings explained by the parser; those that it parses otherwise now are not."""
    from eqparse.analysis.errors_page.explanation import explain

    explained = []
    for reading, m, parse in zip(readings, mentions, parser.parse_mentions(mentions), strict=True):
        prediction = reading.prediction
        if (parse.equation, dict(parse.variables)) != (prediction.equation, dict(prediction.variables)):
            explained.append(replace(reading, no_scores="the checkpoint parses it otherwise than the run did."))
        else:
            explanation = explain(parser, reading.example, m, parse, strings=strings)
            explained.append(replace(reading, explanation=explanation))
    return explained


def render(
    title: str, readings: Sequence[Reading], *, notices: Sequence[str] = (), metrics: dict[str, Any] | None = None
) -> str:
    """The page of some readings: wrong ones first, by stage, then the right ones."""
    order = sorted(readings, key=lambda reading: ORDER.index(reading.diagnosis.stage))
    stages = Counter(reading.diagnosis.stage for reading in readings)
    kinds = Counter(kind for reading in readings for kind in reading.diagnosis.kinds)
    wrong = len(readings) - stages["right"]
    chips = [chip("stage", "wrong", ANY, wrong)] + [
        chip("stage", stage, name, stages[stage]) for stage, name in STAGES.items() if stages[stage]
    ]
    figures = [
        f"{name.replace('_', ' ')} {metrics[name]:.1f} %"
        for name in ("quantity_list", "variable_list", "tree", "equation", "grounded")
        if metrics is not None and metrics.get(name) is not None
    ]
    summary = f"{len(readings)} sentences, {wrong} wrong in equation, grounding or coreference."
    fields = {
        "title": escape(title),
        "summary": escape(" ".join([summary, ", ".join(figures)])),
        "notices": "\n".join(f'<p class="notice">{escape(notice)}</p>' for notice in notices),
        "stages": "\n".join(chips),
        "kinds": "\n".join(chip("kind", kind, name, kinds[kind]) for kind, name in KINDS.items() if kinds[kind]),
        "names": escape(json.dumps({"stage": {"wrong": ANY, **STAGES}, "kind": KINDS}), quote=True),
        "total": str(len(readings)),
        "sentences": "\n".join(map(article, order)),
        "style": (HERE / "page.css").read_text(encoding="utf-8"),
        "script": (HERE / "page.js").read_text(encoding="utf-8"),
    }
    return Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(fields)


def chip(kind: str, value: str, name: str, count: int) -> str:
    """A filter's button."""
    return (
        f'<button type="button" data-filter="{kind}" data-value="{value}" aria-pressed="false">{escape(name)} '
        f"<b>{count}</b></button>"
    )


def title_of(run: Path, config: dict[str, Any]) -> str:
    """What tells the run from others: experiment, data, features, its name where it was given one, seed and fold."""
    experiment = config.get("experiment") or config.get("run") or run.name
    data, features = config["data"], (config.get("features") or {}).get("name")
    name = config.get("name")
    said = {
        "data": data.get("name"),
        "folds": data.get("folds"),
        "features": features,
        "name": None if name == f"{data.get('name')}-{features}/{experiment}" else name,
        "seed": config.get("seed"),
        "fold": config.get("fold"),
    }
    return ", ".join([f"Errors of {experiment}", *(f"{what} {v}" for what, v in said.items() if v is not None)])
