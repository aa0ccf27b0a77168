"""A user-defined class in the place of a stage's, named by its import path."""

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
    Raises ConfigError where there is no such class, where importing its module raises, whatever it be, and where it is
    no `Stage` of that name.
    """
    module, _, name = path.rpartition(".")
    where = f"stage.classes.{stage}" if anywhere else f"{stage} stage"
    if not anywhere and module.partition(".")[0] != "eqparse" and module not in sys.modules:
        raise ConfigError(
            f"{where}: expected {path}, which is not part of eqparse, to be imported "
            f"already, found that it is not; import {module} first"
        )
    try:
        found = getattr(import_module(module), name, None)
    except (Exception, SystemExit) as error:  # a user's module may raise anything, and call sys.exit
        raise ConfigError(
            f"{where}: expected a class MODULE.CLASS, found {path!r}: importing {module or 'no module'} raised "
            f"{type(error).__name__}: {error}; correct the path or the module"
        ) from error
    if not isinstance(found, type) or not issubclass(found, Stage) or getattr(found, "name", None) != stage:
        raise ConfigError(
            f"{where}: expected a subclass of eqparse.stages.base.Stage with the name {stage!r} at {path}, found "
            f"{found!r}"
        )
    return found
