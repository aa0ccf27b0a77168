"""The command `eqparse`, one file a subcommand, and what `train.py` and `evaluate.py` show."""
