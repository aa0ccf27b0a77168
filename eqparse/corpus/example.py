"""An annotated sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from eqparse.equation.equation import Equation
from eqparse.errors import DataError
from eqparse.text.spans import Span

PLAIN_NAME = "a name without slashes or control characters, and with no dot or space at its beginning"
_LABEL = re.compile(r"V[0-9]+")
_PLAIN_NAME = re.compile(r"[^\s./\\\0-\x1f\x7f-\x9f][^/\\\0-\x1f\x7f-\x9f]*")


@dataclass(frozen=True)
class Source:
    """The two brat files that an example was read from, character for character."""

    txt: str
    ann: str


@dataclass(frozen=True)
class Example:
    """A sentence, the equation that it states, and the spans that each variable may be grounded in.

    equation: None if the sentence states none.
    variables: maps a label (V1, V2) to its spans; several spans are alternatives, or several mentions.
    kind: what the sentence is about or where it comes from.
    source: lets `write_brat` reproduce the files that were read; ignored in comparisons.

    Raises:
        DataError: an empty span or one outside the text, a label that is not V followed by digits, a label without a
            span, a variable of the equation without a span, or spans without an equation.
    """

    id: str
    text: str
    equation: Equation | None
    variables: dict[str, tuple[Span, ...]]
    kind: str = ""
    source: Source | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("id", "text", "kind"):
            check_text(getattr(self, name), where=f"sentence {self.id!r}, {name}")
        if self.equation is not None and not isinstance(self.equation, Equation):
            raise DataError(f"sentence {self.id!r}: expected an Equation or None as equation, found {self.equation!r}")
        where = f"sentence {self.id!r}"
        object.__setattr__(self, "variables", checked_spans(self.variables, len(self.text), where=where))
        if self.equation is None and self.variables:
            raise DataError(f"{where}: expected no spans without an equation, found {self.variables}")
        for name in self.equation.variables if self.equation is not None else ():
            if name not in self.variables:
                raise DataError(f"{where}: {name} of the equation {self.equation} has no span; add one")


def is_plain_name(name: str) -> bool:
    """Can an id be used as a file name on any system (see `PLAIN_NAME`)?"""
    return _PLAIN_NAME.fullmatch(name) is not None


def check_text(text: object, *, where: str) -> None:
    """Raise DataError unless `text` is a str that can be written as UTF-8."""
    if not isinstance(text, str):
        raise DataError(f"{where}: expected a str, found {text!r}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        found = f"half of a surrogate pair at {error.start}"
        raise DataError(f"{where}: expected whole characters, found {found}") from error


def checked_spans(variables: Mapping[str, object], length: int, *, where: str) -> dict[str, tuple[Span, ...]]:
    """The spans of each label as tuples, each non-empty and inside a text of `length` characters.

    Raises:
        DataError: anything else; the message gives `where`, the label and the span.
    """
    if not isinstance(variables, Mapping):
        raise DataError(f"{where}: expected variables that map labels to spans, found {variables!r}")
    checked = {}
    for label, spans in variables.items():
        if not isinstance(label, str) or not _LABEL.fullmatch(label):
            raise DataError(f"{where}: expected a label of V and digits (V1, V2), found {label!r}")
        if not isinstance(spans, (list, tuple)) or not spans:
            raise DataError(f"{where}: expected a list of spans, at least one, for {label}; found {spans!r}")
        checked[label] = tuple(checked_span(span, length, where=f"{where}, {label}") for span in spans)
    return checked


def checked_span(span: object, length: int, *, where: str) -> Span:
    """The span as a tuple of two ints. Raises DataError unless it is non-empty and inside `length` characters."""
    whole = isinstance(span, (list, tuple)) and len(span) == 2 and all(type(bound) is int for bound in span)
    if not whole or not 0 <= span[0] < span[1] <= length:
        raise DataError(
            f"{where}: expected a span (start, end) with 0 <= start < end <= {length} (characters), found {span!r}"
        )
    return (span[0], span[1])
