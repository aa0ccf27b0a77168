"""Train a parser and test it: python train.py [KEY=VALUE ...]; see docs/configuration.md for the keys."""

from __future__ import annotations

import hydra
from omegaconf import DictConfig

from eqparse.display import command, run_and_show
from eqparse.runs import train_run


@hydra.main(version_base="1.3", config_path="conf", config_name="train")
def train(config: DictConfig) -> None:
    run_and_show(train_run, config)


if __name__ == "__main__":
    command(train)
