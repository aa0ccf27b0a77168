"""A class of one's own in the place of a stage's, named by its import path."""

from __future__ import annotations

import sys
from importlib import import_module

from eqparse.errors import ConfigError
from eqparse.stages.base import Stage


def class_path(kind: type) -> str:
    """MODULE.CLASS."""
    return f"{kind.__module__}.{kind.__qualname__}"


def find_class(path: str, stage: str, *, anywhere: bool) -> type[Stage]:
    """The class at MODULE.CLASS for a stage ("quantity").

    anywhere: import the module wherever it is from; else only one of eqparse, and take others that have been imported,
    since whoever wrote a checkpoint must not choose what code its reader runs.
    Raises ConfigError where there is no such class, or it is no `Stage` of that name.
    """
    module, _, name = path.rpartition(".")
    if not anywhere and module.partition(".")[0] != "eqparse" and module not in sys.modules:
        raise ConfigError(
            f"{stage} stage: expected {path}, which is not part of eqparse, to be imported "
            f"already, found that it is not; import {module} first"
        )
    try:
        found = getattr(import_module(module), name, None)
    except (ImportError, ValueError, TypeError) as error:
        raise ConfigError(f"{stage} stage: expected a class MODULE.CLASS, found {path!r}: {error}") from error
    if not isinstance(found, type) or not issubclass(found, Stage) or found.name != stage:
        raise ConfigError(
            f"{stage} stage: expected a subclass of eqparse.stages.base.Stage with the name {stage!r} at {path}, "
            f"found {found!r}"
        )
    return found
