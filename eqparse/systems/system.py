"""What a run asks of a system: train a parser, keep it in a folder, read it back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Trained(Protocol):
    """What training gives. report: of metrics.json under `solver`, plain data by part.

    parser: has `parse_mentions(mentions) -> list[Parse]`, and `batch_size`, the number of sentences it likes at once.
    """

    parser: Any
    report: dict[str, dict[str, Any]]


class LoadedModel(Protocol):
    """What a folder gives. config: of the run that trained the parser. annotator: what annotated its sentences."""

    parser: Any
    config: dict[str, Any]
    annotator: str


@dataclass(frozen=True, kw_only=True)
class System:
    """One way of getting from annotated sentences to a parser; `eqparse.experiments.config.SYSTEMS` names them all.

    train: (examples, mentions, *, the options of its configuration, and the keywords of
    `eqparse.training.train.train_parser`) -> Trained. A function that needs few of the latter takes the
    rest as `**others`.
    save: (folder, parser, *, config, metrics, annotator_version), all files or none.
    load: (folder, *, device) -> LoadedModel.
    file: one of the files that `save` writes, by which a folder is known.
    """

    train: Callable[..., Trained]
    save: Callable[..., None]
    load: Callable[..., LoadedModel]
    file: str
