"""The columns of a table that is made of records, which are the same in all shards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from eqparse.integrations.output_lines import as_cell
from eqparse.integrations.rows import free_name
from eqparse.plain import write_json

JSON = "json"  # the kind of values that are written as JSON
KINDS = {bool: "bool", int: "int64", float: "double", str: "string"}
REST = "other_fields"
SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Columns:
    """kinds: each column's name -> the type of its values, one of Arrow's or `JSON`.

    rest: the column for fields that have no column of their own, or another type there, as JSON; None without.
    """

    kinds: Mapping[str, str]
    rest: str | None = None

    @classmethod
    def of_table(cls, names: Iterable[str]) -> Columns:
        """Those of a table of texts."""
        return cls(dict.fromkeys(names, "string"))

    @classmethod
    def of_records(cls, records: Iterable[Mapping[str, Any]]) -> Columns:
        """Those that the first records of many call for."""
        found: dict[str, set[str]] = {}
        for record in records:
            for name, value in record.items():
                if SURROGATE.search(name):  # which no name of a column can hold
                    continue
                found.setdefault(name, set()).update(() if value is None else [kind_of(value)])
        found = {name: {"double"} if kinds == {"int64", "double"} else kinds for name, kinds in found.items()}
        kinds = {name: next(iter(kinds)) if len(kinds) == 1 else JSON for name, kinds in found.items()}
        return cls(kinds, free_name(REST, kinds))

    @property
    def names(self) -> list[str]:
        return [*self.kinds, *([] if self.rest is None else [self.rest])]

    def fit(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A record's values in the columns; what has none there is missing."""
        fitted, rest = {}, {}
        for name, value in record.items():
            kind = self.kinds.get(name)
            if kind == JSON:
                fitted[name] = None if value is None else as_cell(value)
            elif kind is not None and (value is None or kind_of(value) == kind or kind == "double" and is_exact(value)):
                fitted[name] = value
            else:
                rest[name] = value
        if self.rest is not None and rest:
            fitted[self.rest] = write_json(rest, ensure_ascii=False)
        return fitted


def kind_of(value: Any) -> str:
    """The type that a value has in a table."""
    if type(value) is int and not -(2**63) <= value < 2**63:
        return JSON
    return KINDS.get(type(value), JSON)


def is_exact(value: Any) -> bool:
    """Is it an integer that a double holds exactly?"""
    return type(value) is int and abs(value) <= 2**53
