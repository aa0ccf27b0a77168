"""Scores: features of the parts of a problem, and scorers that turn them into numbers."""
