"""eqparse: from an English sentence to the equation it states, each variable grounded in a noun phrase.

    parser = eqparse.load()
    print(parser("The tower is 30 metres taller than twice the height of the chapel."))

To read the code, follow a sentence through its folders: text, equation, scoring, stages, parser. `structured` has the
output spaces and solvers, `training` fits the weights, `systems` keeps them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eqparse.errors import CheckpointError, ConfigError, DataError, EqparseError, UndeterminedError

if TYPE_CHECKING:
    from eqparse.equation.equation import Equation
    from eqparse.integrations import bulk
    from eqparse.integrations.frames import parse_frame
    from eqparse.parser.parse import Parse
    from eqparse.parser.texts import Parser
    from eqparse.systems.load import load

__version__ = "0.1.0"
__all__ = [
    "CheckpointError", "ConfigError", "DataError", "EqparseError", "Equation", "Parse", "Parser", "UndeterminedError",
    "__version__", "bulk", "load", "parse_frame",
]

_HOMES = {
    "load": "systems.load", "Parser": "parser.texts", "Parse": "parser.parse", "Equation": "equation.equation",
    "parse_frame": "integrations.frames",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: torch and spaCy take seconds that not every use needs."""
    if name == "bulk":
        return import_module("eqparse.integrations.bulk")
    if name not in _HOMES:
        raise AttributeError(f"module 'eqparse' has no attribute {name!r}; it has {', '.join(__all__)}")
    return getattr(import_module(f"eqparse.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
