"""Checks that several groups of options share; each group checks its own options."""

from __future__ import annotations

from eqparse.errors import ConfigError


def check_range(name: str, value: float, least: float, most: float) -> None:
    """Raise ConfigError for a value that is not between least and most, such as nan."""
    if not least <= value <= most:
        raise ConfigError(f"{name}: expected {least} to {most}, found {value}")


def check_path(name: str, path: str | None) -> None:
    """Raise ConfigError for an empty path, which would mean the current folder."""
    if path is not None and not path.strip():
        raise ConfigError(f"{name}: expected a path, found {path!r}; give {name}=PATH, or leave it out")
