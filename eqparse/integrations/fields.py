"""What a table keeps of a parse: the columns of frames, of shards and of datasets."""

from __future__ import annotations

from typing import Any

from eqparse.parser.parse import Parse

COLUMNS = ("equation", "variables", "phrases", "confidence", "reason", "reason_code")
"""equation: as text, None where there is none. variables, phrases: label -> spans and texts of its mentions.
confidence: None where there is none. reason, reason_code: "" with an equation."""


def fields(parse: Parse) -> dict[str, Any]:
    """A parse's value in each of `COLUMNS`, plain data."""
    values = {
        "equation": None if parse.equation is None else str(parse.equation),
        "variables": {label: [list(span) for span in spans] for label, spans in parse.variables.items()},
        "phrases": {label: list(texts) for label, texts in parse.phrases.items()},
    }
    return values | {name: getattr(parse, name) for name in COLUMNS[len(values) :]}
