"""What a table keeps of a parse: the columns of files, shards, frames and datasets, the same everywhere."""

from __future__ import annotations

from typing import Any

from eqparse.parser.parse import Parse
from eqparse.plain import write_json

VARIABLES = {label: [[int]] for label in ("V1", "V2")}
PHRASES = {label: [str] for label in ("V1", "V2")}
COLUMNS: dict[str, Any] = {
    "equation": str, "variables": VARIABLES, "phrases": PHRASES,
    "quantities": [{
        "value": float, "exact": str, "unit": str, "unit_text": str, "unit_name": str, "kind": str, "span": [int],
    }],
    "tree": str, "score": float, "confidence": float,
    "alternatives": [{"equation": str, "variables": VARIABLES, "phrases": PHRASES, "probability": float}],
    "reason": str, "reason_code": str,
}
"""What `Parse.to_dict` has but for the text -> its type where columns have types: [of a list's items], {of a struct's
fields}."""


def fields(parse: Parse) -> dict[str, Any]:
    """A parse's value in each of `COLUMNS`, plain data."""
    return {name: value for name, value in parse.to_dict().items() if name != "text"}


def typed(value: Any, kind: Any) -> Any:
    """A value of `fields` in a column of that type.

    There all rows have the same fields: a variable that the equation lacks is an empty list. The tree, which has no
    such type, is JSON.
    """
    if isinstance(kind, dict):
        return {name: typed((value or {}).get(name), inner) for name, inner in kind.items()}
    if isinstance(kind, list):
        return [typed(inner, kind[0]) for inner in value or ()]
    return write_json(value, ensure_ascii=False) if isinstance(value, dict) else value
