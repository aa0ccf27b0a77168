"""`eqparse calibrate`: fits a checkpoint's calibration to annotated sentences that it was not trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eqparse.commands import paths
from eqparse.commands.ending import say
from eqparse.errors import ConfigError
from eqparse.files import check_replaceable
from eqparse.parser.calibration import LEAST_CONFIDENCE
from eqparse.scoring.devices import check_device_name
from eqparse.systems.folder import FILES, check_folder, find_checkpoint

Checkpoint = Annotated[str, paths.argument(paths.CHECKPOINT, "FOLDER")]
Sentences = Annotated[
    list[str], paths.argument("annotated sentences: .jsonl files, or folders of .jsonl or brat files")
]
Output = Annotated[str, paths.option("the folder of the calibrated checkpoint, written whole or not at all", "FOLDER")]
Relation = Annotated[str | None, paths.option("take the relation stage from this checkpoint", "FOLDER")]
Least = Annotated[float, typer.Option(min=0, max=0.99, help="the confidence with which an answer is given")]
Device = Annotated[str, typer.Option(help="cpu, cuda, cuda:N, or auto for a GPU where there is one")]


def calibrate(
    checkpoint: Checkpoint, sentences: Sentences, output: Output, relation_of: Relation = None,
    least: Least = LEAST_CONFIDENCE, device: Device = "cpu",
) -> None:
    """Fit the calibration of a checkpoint, which makes probabilities of its scores.

    Sentences that it was trained on are left out. The metrics stay those of the run that trained it.
    """
    folder = find_checkpoint(checkpoint)
    check_folder(folder)
    relations = None if relation_of is None else find_checkpoint(relation_of)
    if relations is not None:
        check_folder(relations)
    check_device_name(device)
    check_replaceable(output, FILES)
    from eqparse.corpus import read_examples

    given = [e for path in sentences for e in read_examples(Path(path))]
    examples = list({e.text: e for e in given}.values())
    if len(examples) < len(given):
        say(f"eqparse: {len(given) - len(examples)} of {len(given)} sentences left out, which are there twice")
    import torch  # takes seconds

    from eqparse.corpus.annotated import annotate
    from eqparse.experiments.config import DataConfig
    from eqparse.experiments.runs.evaluation import seen_texts
    from eqparse.parser.nbest import NBest
    from eqparse.parser.pipeline import EquationParser
    from eqparse.systems.load import read_checkpoint
    from eqparse.systems.registry import system_of
    from eqparse.training.calibrate import calibrate as fit
    from eqparse.training.temperatures import HeldOut

    torch.set_num_threads(1)
    found = read_checkpoint(folder, device=device)
    if not isinstance(found.parser, EquationParser):
        raise ConfigError(f"checkpoint {folder}: expected stages, whose scores can stand for probabilities; found none")
    seen, unknown = seen_texts(found.config, found.metrics, DataConfig())
    if relations is not None:
        other = read_checkpoint(relations, device=device)
        found.parser.relation = getattr(other.parser, "relation", None)
        if found.parser.relation is None:
            raise ConfigError(f"checkpoint {relations}: expected a relation stage, found none; use relation.folds=5")
        of_other, unknown_too = seen_texts(other.config, other.metrics, DataConfig())
        seen, unknown = seen | of_other, unknown or unknown_too
    if unknown:
        say(f"eqparse: warning: it is not known which of these sentences it was trained on: {unknown}")
    unseen = [e for e in examples if e.text not in seen]
    if len(unseen) < len(examples):
        say(f"eqparse: {len(examples) - len(unseen)} of {len(examples)} sentences left out, which it was trained on")
    mentions, _ = annotate([e.text for e in unseen], pipeline="auto", batch_size=128, folder=None)
    calibration = fit([HeldOut(found.parser, unseen, mentions)], least=least)
    found.parser.decoder = NBest(calibration)
    system_of(folder).save(
        output, found.parser, config=found.config, metrics=found.metrics, annotator_version=found.annotator
    )
    print(f"{output}: calibrated on {calibration.sentences} answers")
    if calibration.prevalence is None:
        say("eqparse: no prevalence: too few wrong answers to sentences with an equation, or to sentences without")
