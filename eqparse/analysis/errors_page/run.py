"""A finished run's folder -> the entries of its page: each sentence diagnosed, and explained where that can be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eqparse.analysis.corpus_statistics import NOT_PROJECTIVE, gold_tree, lexicon_decides
from eqparse.analysis.errors_page.diagnosis import KINDS, diagnose
from eqparse.analysis.errors_page.entry import Entry
from eqparse.analysis.errors_page.explanation import explain
from eqparse.analysis.report.run_files import (
    CONFIG,
    FILES,
    NOTHING,
    PREDICTIONS,
    TEXT,
    check_finished,
    field,
    read_config,
)
from eqparse.corpus import read_examples
from eqparse.corpus.example import Example
from eqparse.errors import CheckpointError, DataError
from eqparse.experiments.config import data_path
from eqparse.files import files_in
from eqparse.parser.parse import Parse
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.rearranged import trees_that_say
from eqparse.systems.checkpoint import load_checkpoint
from eqparse.systems.folder import find_checkpoint
from eqparse.systems.system import LoadedModel
from eqparse.text.annotate import Annotator
from eqparse.text.mentions import Mentions, find_mentions
from eqparse.training.gold import Says, gold_choices, gold_sets
from eqparse.training.predictions import read_predictions


def files_read(run: str | Path, *, data: str | Path | None = None) -> list[Path]:
    """The files that a run's page is made from; raises DataError as `errors_page` does."""
    run = Path(run)
    return [*(run / name for name in FILES), *files_in(sentences_of(run, finished_config(run), data))]


def finished_config(run: Path) -> dict[str, Any]:
    """The options of a finished run; raises DataError where one of its files is missing."""
    check_finished(run)
    return read_config(run)


def read_entries(
    run: Path, config: dict[str, Any], *, tested: int, data: str | Path | None = None
) -> tuple[list[Entry], list[str]]:
    """The entries of a run with these options, and notices: what the reader should know about all of them.

    tested: on how many sentences with an equation, by the run's metrics.
    data: the file or folder with the run's sentences, by default what its config names.
    Raises DataError where they are missing or have changed, or predictions are missing.
    """
    predictions = read_predictions(run / PREDICTIONS)
    if not predictions and not tested:
        raise DataError(f"{run}: expected a run that was tested, found one that was tested on no sentence (fold=all)")
    pairs = match(run, predictions, sentences_of(run, config, data))
    if (found := sum(example.equation is not None for example, _ in pairs)) != tested:
        raise DataError(
            f"{run / PREDICTIONS}: expected {tested} sentences that state an equation, as metrics.json says, found "
            f"{found}; the file is cut short, or the data has changed since; train again"
        )
    annotator = Annotator(pipeline=field(config, "annotator.pipeline", TEXT, path=run / CONFIG))
    mentions = [find_mentions(s) for s in annotator([example.text for example, _ in pairs])]
    lexicon = Lexicon.load(rule_set="paper")
    try:
        checkpoint, missing = read_checkpoint(run, config), ""
    except CheckpointError as error:
        checkpoint, missing = None, f"Scores and features are not available: {error}"
    says = trees_that_say if checkpoint is None else checkpoint.parser.tree.gold
    entries = [entry(e, p, m, lexicon=lexicon, says=says) for (e, p), m in zip(pairs, mentions, strict=True)]
    if checkpoint is None:
        return entries, [missing]
    strings = annotator.nlp.vocab.strings
    entries = with_scores(checkpoint.parser, entries, mentions, lambda v: strings[v] if v in strings else None)
    notices = []
    if checkpoint.annotator != annotator.version:
        notices.append(f"The run's annotator was {checkpoint.annotator}, this one is {annotator.version}.")
    if differ := sum(bool(entry.no_scores) for entry in entries):
        notices.append(f"{differ} sentences are parsed differently now than in the run; they have no scores.")
    return entries, notices


def sentences_of(run: Path, config: dict[str, Any], data: str | Path | None) -> Path:
    """The file or folder with the run's sentences."""
    if data is not None:
        return Path(data)
    return data_path(field(config, "data.root", TEXT + NOTHING, path=run / CONFIG))


def match(run: Path, predictions: Mapping[str, Parse], place: Path) -> list[tuple[Example, Parse]]:
    """Each prediction with its annotation, by id."""
    if not place.exists():
        raise DataError(f"{run}: expected its sentences at {place}, found nothing; say where they are with --data PATH")
    examples = {example.id: example for example in read_examples(place)}
    for id_, prediction in predictions.items():
        if id_ not in examples or examples[id_].text != prediction.text:
            raise DataError(
                f"{run}: expected sentence {id_!r} ({prediction.text[:60]!r}) in {place}, found another or "
                "none; give the sentences that the run was tested on with --data PATH"
            )
    return [(examples[id_], prediction) for id_, prediction in predictions.items()]


def read_checkpoint(run: Path, config: dict[str, Any]) -> LoadedModel:
    """The run's checkpoint, or the one that it tested. Raises CheckpointError without one whose stages have scores."""
    places = [run / "checkpoint", find_checkpoint(config.get("checkpoint") or run)]
    place = next((place for place in places if (place / "model.safetensors").is_file()), None)
    if place is None:
        kept = (run / "checkpoint").is_dir()
        raise CheckpointError("the run's parser has no stages." if kept else "the run's checkpoint is not there.")
    return load_checkpoint(place)


def entry(
    example: Example, prediction: Parse, mentions: Mentions, *, lexicon: Lexicon, says: Says = trees_that_say
) -> Entry:
    """A diagnosed sentence, with two kinds of error that depend on its annotation: no-lexicon, unreachable.

    says: the trees that the run's parser can find for an equation.
    """
    diagnosis = diagnose(example, prediction)
    if example.equation is None:
        return Entry(example, prediction, diagnosis)
    tree, reason = gold_tree(example, mentions)
    if reason == NOT_PROJECTIVE and any(gold_choices(example, mentions, gold_sets(example, mentions), says=says)):
        reason = ""
    kinds = set(diagnosis.kinds)
    if diagnosis.stage != "right":
        if reason:
            kinds.add("unreachable")
        elif tree is not None and diagnosis.stage == "tree" and not any(lexicon_decides(lexicon, [tree])):
            kinds.add("no-lexicon")
    diagnosis = replace(diagnosis, kinds=tuple(kind for kind in KINDS if kind in kinds))
    return Entry(example, prediction, diagnosis, unreachable=reason)


def with_scores(
    parser: EquationParser, entries: Sequence[Entry], mentions: Sequence[Mentions],
    strings: Callable[[int], str | None],
) -> list[Entry]:
    """The entries explained by the parser, except those that it now parses differently."""
    explained = []
    for entry, m, parse in zip(entries, mentions, parser.parse_mentions(mentions), strict=True):
        prediction = entry.prediction
        if (parse.equation, dict(parse.variables)) != (prediction.equation, dict(prediction.variables)):
            explained.append(replace(entry, no_scores="the checkpoint parses it differently than the run did."))
        else:
            explanation = explain(parser, entry.example, m, parse, strings=strings)
            explained.append(replace(entry, explanation=explanation))
    return explained
