"""A complete run: `train_run` trains and tests a parser, `evaluate_run` tests a trained one. Both return the metrics.

`train.py` and `evaluate.py` wrap them for Hydra; from Python, call `train_run(TrainConfig(fold=3))`. The files
metrics.json, predictions.jsonl, verdicts.jsonl, config.yaml and, by default, the checkpoint are written to the run's
folder, all of them or none.
"""

from eqparse.experiments.runs.evaluation import evaluate_run
from eqparse.experiments.runs.training import train_run

__all__ = ["evaluate_run", "train_run"]
