"""What a run asks of a system: train a parser, keep it in a folder, read it back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from eqparse.parser.texts import SentenceParser
from eqparse.training.train import Training


@dataclass(frozen=True)
class LoadedModel:
    """What a checkpoint's folder holds, in memory; the parser is in evaluation mode.

    config: of the run that trained the parser.
    metrics: what that run measured.
    annotator: name and version of the spaCy pipeline that annotated its sentences.
    versions: of the format, and of the package that wrote it.
    """

    parser: SentenceParser
    config: dict[str, Any]
    metrics: dict[str, Any]
    annotator: str
    versions: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class System:
    """One way of getting from annotated sentences to a parser; `eqparse.systems.registry.SYSTEMS` has them all.

    train: (examples, mentions, *, the options of its configuration, and the keywords of
    `eqparse.training.train.train_parser`) -> Training. A function that needs few of the latter takes the rest as
    `**others`.
    save: (folder, parser, *, config, metrics, annotator_version), all files or none.
    load: (folder, *, device) -> LoadedModel.
    file: one of the files that `save` writes, by which a folder is known.
    """

    train: Callable[..., Training]
    save: Callable[..., None]
    load: Callable[..., LoadedModel]
    file: str
