"""The options of the group `data`: which sentences, and how they are split into folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from eqparse.errors import ConfigError, first_line
from eqparse.experiments.config.checks import check_path, check_range
from eqparse.training.options import Phrases

REPOSITORY = Path(__file__).resolve().parents[3]
OWN_SENTENCES = REPOSITORY / "data" / "sentences.jsonl"
OURS = "ours"
KEPT_BACK = {
    "blind": REPOSITORY / "data" / "blind" / "test.jsonl",
    "blind-dev": REPOSITORY / "data" / "blind" / "dev.jsonl",
    "blind-natural": REPOSITORY / "data" / "blind" / "natural.jsonl",
    "development": REPOSITORY / "data" / "development" / "sentences.jsonl",
}
"""Sentences that ship with the project and that no model learns from."""
FOLDS = 5


class Folds(StrEnum):
    """How sentences are split into folds: at random, with near-duplicates kept together, or as given in folds.json."""

    random = "random"
    grouped = "grouped"
    fixed = "fixed"


@dataclass
class DataConfig:
    """Which sentences a run reads.

    name: used in the names of runs on these sentences.
    root: a .jsonl file or a folder of .jsonl or brat files, relative to the current directory; None for the sentences
        that ship in data/.
    folds: how they are split into folds.
    limit: use only that many of the sentences, drawn at random but always the same, for a quick trial.
    phrases: which of a variable's annotated phrases to learn from; "first" suits data that lists the best one first.
    auxiliary: further sentences that are always trained on and never tested on: a path like root, or "ours".
    train_fraction: train on this share of the training sentences, drawn by seed, for learning curves.
    """

    name: str = OURS
    root: str | None = None
    folds: Folds = Folds.random
    limit: int | None = None
    phrases: Phrases = Phrases.first
    auxiliary: str | None = None
    train_fraction: float = 1.0

    def check(self) -> None:
        """Raise ConfigError for a missing or empty path, or a value out of range."""
        check_path("data.root", self.root)
        check_path("data.auxiliary", self.auxiliary)
        if self.root is None and self.name not in (OURS, *KEPT_BACK):
            raise ConfigError(f"data.root: expected the file or folder of {self.name}; give data.root=PATH")
        if self.limit is not None and self.limit < FOLDS:
            raise ConfigError(f"data.limit: expected at least {FOLDS}, one sentence a fold; found {self.limit}")
        check_range("data.train_fraction", self.train_fraction, 1e-9, 1)

    @property
    def path(self) -> Path:
        """The file or folder with the sentences."""
        return KEPT_BACK[self.name] if self.kept_back else data_path(self.root)

    @property
    def kept_back(self) -> bool:
        """Whether these are sentences that ship with the project for tests alone."""
        return self.root is None and self.name in KEPT_BACK

    @property
    def auxiliary_path(self) -> Path | None:
        """The file or folder with the auxiliary sentences, if any."""
        return None if self.auxiliary is None else data_path(None if self.auxiliary == OURS else self.auxiliary)


def data_path(root: str | None) -> Path:
    """The file or folder that the option `data.root` means."""
    return OWN_SENTENCES if root is None else Path(root)


def data_config(stored: Mapping[str, Any]) -> DataConfig:
    """The options that a checkpoint or a run stored as plain data. Raises ConfigError for a value of the wrong type."""
    known = {f.name: stored[f.name] for f in fields(DataConfig) if f.name in stored}
    known.setdefault("auxiliary", stored.get("extra"))  # its earlier name
    try:
        return OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(DataConfig), known))
    except OmegaConfBaseException as error:
        raise ConfigError(f"data: {first_line(error)}") from error
