"""Whole systems: the pipeline, joint learning, a CCG parser; their checkpoints, and `load`."""
