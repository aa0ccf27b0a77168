"""Libraries that only an extra brings."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from eqparse.errors import ConfigError


def need(library: str, *, extra: str, what: str) -> ModuleType:
    """The imported library. Raises ConfigError, which says for what it is needed, if it is not installed."""
    try:
        return import_module(library)
    except ImportError as error:
        raise ConfigError(
            f"{what}: expected the package {library.partition('.')[0]}, which is not installed; install eqparse with "
            f"the extra `{extra}` (pip install -e '.[{extra}]')"
        ) from error
