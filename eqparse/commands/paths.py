"""Options and arguments of commands that are paths."""

from __future__ import annotations

from typing import TypeVar

import typer

CHECKPOINT = "a folder, or fast, accurate or best, which ship with eqparse"
Given = TypeVar("Given", str, list[str], None)


def check_not_empty(given: Given) -> Given:
    """Refuse an empty path, for example from an unset shell variable; pathlib would take it for the current folder.

    One of spaces alone, which a message would not show, and one that no system has are refused as well.
    """
    for path in [given] if isinstance(given, str) else given or ():
        if not path.strip() or "\0" in path:
            raise typer.BadParameter(f"expected a path, found {repr(path) if path else 'an empty one'}")
    return given


def argument(help: str, metavar: str = "PATH"):
    """A path as a positional argument."""
    return typer.Argument(callback=check_not_empty, metavar=metavar, help=help, show_default=False)


def option(help: str, metavar: str = "FILE"):
    """A path as the value of an option."""
    return typer.Option(callback=check_not_empty, metavar=metavar, help=help, show_default=False)
