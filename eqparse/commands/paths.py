"""The paths that commands are given."""

from __future__ import annotations

from typing import TypeVar

import typer

Given = TypeVar("Given", str, list[str], None)


def check_not_empty(given: Given) -> Given:
    """Refuse an empty path, of an unset shell variable say, which pathlib would take for the current folder."""
    if given == "" or (isinstance(given, list) and "" in given):
        raise typer.BadParameter("expected a path, found an empty one")
    return given


def argument(help: str, metavar: str = "PATH"):
    """A path without an option's name."""
    return typer.Argument(callback=check_not_empty, metavar=metavar, help=help, show_default=False)


def option(help: str, metavar: str = "FILE"):
    """A path after an option's name."""
    return typer.Option(callback=check_not_empty, metavar=metavar, help=help, show_default=False)
