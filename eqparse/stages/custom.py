"""User-defined stage classes, given by their import paths."""

from __future__ import annotations

import sys
from importlib import import_module

from eqparse.errors import ConfigError
from eqparse.stages.base import Stage


def class_path(kind: type) -> str:
    """The import path of a class, MODULE.CLASS."""
    return f"{kind.__module__}.{kind.__qualname__}"


def find_class(path: str, stage: str, *, anywhere: bool) -> type[Stage]:
    """The class at MODULE.CLASS for a stage, such as "quantity".

    path: MODULE.CLASS.
    stage: the name that the class must have.
    anywhere: whether any module may be imported. If not, only modules of eqparse are; other classes are accepted if
        their module has already been imported, since the author of a checkpoint must not choose what code is run.

    Raises:
        ConfigError: there is no such class, importing its module raises anything, or it is not a `Stage` of that name.
    """
    module, _, name = path.rpartition(".")
    where = f"stage.classes.{stage}" if anywhere else f"{stage} stage"
    if not anywhere and module.partition(".")[0] != "eqparse" and module not in sys.modules:
        raise ConfigError(
            f"{where}: expected {path}, which is not part of eqparse, to have been imported already, and it has not "
            f"been; import {module} first"
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
