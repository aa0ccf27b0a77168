"""What a run needs from a system: training a parser, writing it to a folder, and reading it back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eqparse.parser.batch import SentenceParser

if TYPE_CHECKING:
    from eqparse.training.train import Training


@dataclass(frozen=True)
class LoadedModel:
    """The contents of a checkpoint, in memory.

    parser: the trained parser, in evaluation mode.
    config: the options of the run that trained the parser.
    metrics: what that run measured.
    annotator: name and version of the spaCy pipeline that annotated its sentences.
    versions: `format_version`, and under `eqparse` the version of the package that wrote the checkpoint.
    """

    parser: SentenceParser
    config: dict[str, Any]
    metrics: dict[str, Any]
    annotator: str
    versions: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class System:
    """One way of getting from annotated sentences to a parser; `eqparse.systems.registry.SYSTEMS` lists them all.

    train: (examples, mentions, *, the options of its configuration, and the keywords of
        `eqparse.training.train.train_parser`) -> Training. A function that does not need all of these keywords can
        take the rest as `**others`.
    save: (folder, parser, *, config, metrics, annotator_version); writes all files or none.
    load: (folder, *, device) -> LoadedModel.
    files: all that `save` writes, by name; the first identifies the system's checkpoints.
    """

    train: Callable[..., Training]
    save: Callable[..., None]
    load: Callable[..., LoadedModel]
    files: tuple[str, ...]
