"""Options, runs, sweeps over runs, and tracking: what `train.py` and `evaluate.py` wrap."""
