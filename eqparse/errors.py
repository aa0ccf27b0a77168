"""The errors that eqparse raises on purpose; each message says what was expected, what was found, what to do."""

from __future__ import annotations


class EqparseError(ValueError):
    """Base class: something the user gave cannot be used, and the message says what to do about it."""


class DataError(EqparseError):
    """A data file or folder is missing or malformed; the message names file and line."""


class CheckpointError(EqparseError):
    """A checkpoint is damaged, foreign, or of another format or other features."""


class ConfigError(EqparseError):
    """An option is unknown, out of range, or does not fit another one."""


def first_line(error: Exception) -> str:
    """An error's message up to its first line break, its type's name where it has none."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
