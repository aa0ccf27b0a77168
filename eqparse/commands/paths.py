"""Options and arguments of commands that are paths."""

from __future__ import annotations

from typing import TypeVar

import typer

CHECKPOINT = "a folder, or fast (the default) or accurate, which ship with eqparse"
Given = TypeVar("Given", str, list[str], None)


def check_not_empty(given: Given) -> Given:
    """Refuse an empty path, for example from an unset shell variable; pathlib would take it for the current folder."""
    if given == "" or (isinstance(given, list) and "" in given):
        raise typer.BadParameter("expected a path, found an empty one")
    return given


def argument(help: str, metavar: str = "PATH"):
    """A path as a positional argument."""
    return typer.Argument(callback=check_not_empty, metavar=metavar, help=help, show_default=False)


def option(help: str, metavar: str = "FILE"):
    """A path as the value of an option."""
    return typer.Option(callback=check_not_empty, metavar=metavar, help=help, show_default=False)
