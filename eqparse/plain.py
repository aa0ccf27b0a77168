"""JSON and YAML from elsewhere, read as plain data and shown in few characters.

YAML aliases are refused: nine levels of `&a [*b, *b, ...]` are a few hundred bytes and a billion values to print.
"""

from __future__ import annotations

import json
import reprlib
from typing import Any

import yaml

from eqparse.errors import first_line

TOO_DEEP = "values nested too deeply"
_REPR = reprlib.Repr()
_REPR.maxlevel = _REPR.maxdict = _REPR.maxlist = _REPR.maxtuple = 3
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 60


class _PlainLoader(yaml.SafeLoader):
    """Reads no aliases."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise yaml.YAMLError(f"the alias *{event.anchor} on line {event.start_mark.line + 1}; aliases are not read")
        return super().compose_node(parent, index)


class _PlainDumper(yaml.SafeDumper):
    """Writes no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def read_yaml(text: str | bytes) -> Any:
    """The value of a YAML document. Raises ValueError, whose message says what was found instead."""
    try:
        return yaml.load(text if isinstance(text, str) else text.decode("utf-8"), Loader=_PlainLoader)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    except yaml.YAMLError as error:
        raise ValueError(first_line(error)) from error


def write_yaml(value: Any) -> str:
    """The YAML document of plain data, keys in their order. Raises yaml.YAMLError for other data."""
    return yaml.dump(value, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True)


def read_json(text: str | bytes) -> Any:
    """The value of a JSON document. Raises ValueError, whose message says what was found instead."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error


def shown(value: Any) -> str:
    """A value for a message: at most some 200 characters, whatever it holds."""
    return _REPR.repr(value)[:200]
