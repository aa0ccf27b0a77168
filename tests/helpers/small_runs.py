"""Options of runs on a few sentences."""

from __future__ import annotations

from pathlib import Path

from eqparse.experiments.config import BcfwConfig, DataConfig, TrainConfig
from eqparse.text.markup import strip_markup
from eqparse.training.predictions import read_predictions


def small(outputs: Path, **options) -> TrainConfig:
    options = {"data": DataConfig(limit=40), "solver": BcfwConfig(max_epochs=6), "fold": 1} | options
    return TrainConfig(outputs=str(outputs), **options)


def unmarked(path: Path) -> tuple[dict[str, str], list[str]]:
    """The texts in a file of predictions, by id, and their lines, but for those that a parser reads without marks."""
    texts = {id_: p.text for id_, p in read_predictions(path).items()}
    kept = {id_: text for id_, text in texts.items() if strip_markup(text).text == text}
    return kept, [line for id_, line in zip(texts, path.read_text().splitlines(), strict=True) if id_ in kept]
