"""What is read of a file: a sentence, and what stands beside it under a name of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from eqparse.parser.reasons import Reason


class Row(NamedTuple):
    """A sentence of a file, or the `Reason` why it could not be read.

    id: its own, or else its number as text. fields: what stands beside the two, by name; none is called id or text.
    """

    id: str | int
    text: str | Reason
    fields: Mapping[str, Any] = MappingProxyType({})


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, after as many "input_" as it takes not to be one of those taken."""
    while name in taken:
        name = f"input_{name}"
    return name


def free_names(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Each name -> a name that is neither taken nor another's (see `free_name`)."""
    taken, found = set(taken), {}
    for name in names:
        found[name] = free_name(name, taken)
        taken.add(found[name])
    return found
