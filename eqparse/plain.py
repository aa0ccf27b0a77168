"""JSON and YAML: from untrusted sources read as plain data, abbreviated for messages, written for any reader.

YAML aliases are refused: nine levels of `&a [*b, *b, ...]` take a few hundred bytes and expand to a billion values.
"""

from __future__ import annotations

import json
import math
import re
import reprlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import yaml

from eqparse.errors import DataError, first_line

TOO_DEEP = "values nested too deeply"
MAX_DEPTH = 100  # what walks over a document recursively stays far from Python's limit
_UPSETTING = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_REPR = reprlib.Repr()
_REPR.maxlevel = _REPR.maxdict = _REPR.maxlist = _REPR.maxtuple = 3
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 60


class _PlainLoader(yaml.SafeLoader):
    """Refuses aliases."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise yaml.YAMLError(f"the alias *{event.anchor} on line {event.start_mark.line + 1}; aliases are refused")
        return super().compose_node(parent, index)


class _PlainDumper(yaml.SafeDumper):
    """Never writes aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def read_yaml(text: str | bytes) -> Any:
    """The value of a YAML document. Raises ValueError for anything else, saying what was found."""
    try:
        return _not_deep(yaml.load(text if isinstance(text, str) else text.decode("utf-8"), Loader=_PlainLoader))
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    except yaml.YAMLError as error:
        raise ValueError(first_line(error)) from error
    except (AttributeError, LookupError) as error:  # what `!!bool maybe`, `!!int ""` and `!!timestamp soon` raise
        raise ValueError("a value that does not fit its tag") from error


def write_yaml(value: Any) -> str:
    """Plain data as a YAML document, with keys in their own order. Raises yaml.YAMLError for other data."""
    return yaml.dump(value, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True)


def read_json(text: str | bytes) -> Any:
    """The value of a JSON document. Raises ValueError for anything else, saying what was found."""
    try:
        return _not_deep(json.loads(text))
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error


def _not_deep(value: Any) -> Any:
    """The value. Raises ValueError if it is nested more than MAX_DEPTH deep."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [one for one in level if isinstance(one, (dict, list))]
        if not level:
            return value
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    raise ValueError(TOO_DEEP)


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, as an `object_pairs_hook`. Raises DataError for a key that is there twice."""
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise DataError(f"expected each key once, found {twice!r:.80} several times")
    return data


def write_json(value: Any, *, not_finite: Callable[[float], Any] = lambda _: None, **how: Any) -> str:
    """Plain data as a JSON document.

    not_finite: what stands for NaN and the infinities, which JSON has not, null by default. how: as for `json.dumps`.
    """
    try:
        return json.dumps(value, allow_nan=False, **how)
    except ValueError:
        return json.dumps(_finite(value, not_finite), allow_nan=False, **how)


def _finite(value: Any, not_finite: Callable[[float], Any]) -> Any:
    if isinstance(value, dict):
        return {_finite(key, not_finite): _finite(inner, not_finite) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner, not_finite) for inner in value]
    return not_finite(value) if isinstance(value, float) and not math.isfinite(value) else value


def shown(value: Any) -> str:
    """A value abbreviated for a message, to at most 200 characters."""
    return _REPR.repr(value)[:200]


def printable(text: str, *, keep: str = "") -> str:
    r"""A text with every character escaped that could upset a terminal or break a line: `\u001b[31m`.

    These are control characters, line separators, characters that change the direction of writing, and lone surrogates.

    keep: those of them that stay.
    """
    return _UPSETTING.sub(lambda found: found[0] if found[0] in keep else f"\\u{ord(found[0]):04x}", text)
