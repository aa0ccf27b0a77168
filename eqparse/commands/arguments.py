"""Types of the command line's arguments; what they raise becomes argparse's message, under the usage."""

from __future__ import annotations

from argparse import ArgumentTypeError


def at_least_one(text: str) -> int:
    """A positive integer."""
    if not text.isascii() or not text.isdigit() or int(text[:10]) < 1:
        raise ArgumentTypeError(f"expected an integer of at least 1, found {text!r}")
    return int(text[:10])


def some_path(text: str) -> str:
    """A path. The empty one, of an unset shell variable say, pathlib would take for the current folder."""
    if not text:
        raise ArgumentTypeError("expected a path, found an empty one")
    return text
