"""The errors that eqparse raises on purpose; each message says what was expected, what was found, what to do."""

from __future__ import annotations


class EqparseError(ValueError):
    """Base class: something that the user supplied cannot be used, and the message says what to do about it."""


class DataError(EqparseError):
    """A data file or folder is missing or malformed; the message names file and line."""


class CheckpointError(EqparseError):
    """A checkpoint is damaged, is not eqparse's, or was made with another format or other features."""


class ConfigError(EqparseError):
    """An option is unknown, out of range, or inconsistent with another one."""


class BusyError(ConfigError):
    """Another process is at work in a folder."""


class UndeterminedError(EqparseError):
    """A parse or an equation does not give its unknown one value; the message says why."""


def first_line(error: Exception) -> str:
    """The first line of an error's message, or the name of its type if the message is empty."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)

def describe(error: object) -> str:
    """An error's kind and message, on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def kind_of(value: object) -> str:
    """The kind of a value, with its article, for messages: "an int"."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"
