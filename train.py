"""Train a parser and test it: python train.py [KEY=VALUE ...]; see docs/configuration.md for the keys."""
# ruff: noqa: E402

from __future__ import annotations

from eqparse.commands import early

early.begin()  # the imports below take seconds

import hydra
from omegaconf import DictConfig

from eqparse.commands.hydra_command import run_and_show, run_command
from eqparse.experiments.runs import train_run
from eqparse.experiments.sweeps import resumable


@hydra.main(version_base="1.3", config_path="conf", config_name="train")
def train(config: DictConfig) -> float | None:
    """The figure `optimized_metric`, which a sweeper maximises."""
    return run_and_show(resumable(train_run), config).get(config.optimized_metric)


if __name__ == "__main__":
    run_command(train)
