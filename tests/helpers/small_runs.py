"""Options of runs on a few sentences."""

from __future__ import annotations

from pathlib import Path

from eqparse.experiments.config import BcfwConfig, DataConfig, TrainConfig


def small(outputs: Path, **options) -> TrainConfig:
    options = {"data": DataConfig(limit=40), "solver": BcfwConfig(max_epochs=6), "fold": 1} | options
    return TrainConfig(outputs=str(outputs), **options)
