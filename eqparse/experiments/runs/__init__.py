"""One run, whole: `train_run` trains and tests a parser, `evaluate_run` tests a trained one. Each returns its metrics.

`train.py` and `evaluate.py` wrap them for Hydra; from Python, `train_run(TrainConfig(fold=3))` does as well. A run's
folder gets metrics.json, predictions.jsonl, verdicts.jsonl, config.yaml and, by default, the checkpoint; all of them or
none.
"""

from eqparse.experiments.runs.evaluation import evaluate_run
from eqparse.experiments.runs.training import train_run

__all__ = ["evaluate_run", "train_run"]
