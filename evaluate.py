"""Test a checkpoint: python evaluate.py checkpoint=FOLDER [KEY=VALUE ...]; see docs/configuration.md for the keys."""
# ruff: noqa: E402

from __future__ import annotations

from eqparse.commands import early

early.begin()  # the imports below take seconds

import hydra
from omegaconf import DictConfig

from eqparse.commands.hydra_command import run_and_show, run_command
from eqparse.experiments.runs import evaluate_run


@hydra.main(version_base="1.3", config_path="conf", config_name="evaluate")
def evaluate(config: DictConfig) -> None:
    run_and_show(evaluate_run, config)


if __name__ == "__main__":
    run_command(evaluate)
