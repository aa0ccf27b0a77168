"""Which spans of a sentence to mark, and the sentence cut into nested pieces along them.

They are shown in the style of displaCy's entities. displaCy itself cannot mark a span inside another or part of
a token, and a number often stands inside a phrase ("3-point shots").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from eqparse.equation.comparison import TOLERANCE
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number
from eqparse.text.quantities import find_quantities
from eqparse.text.spans import Span


class Mark(NamedTuple):
    """A span to mark: characters, end exclusive, and its label; `variable`, or else a quantity."""

    start: int
    end: int
    label: str
    variable: bool

    @property
    def style(self) -> str:
        """The class in the style sheet: v1, v2, v3 for all other variables, or number."""
        if not self.variable:
            return "number"
        return self.label[:2].lower() if self.label[:2] in ("V1", "V2") else "v3"


class Marked(NamedTuple):
    """A marked piece of a text. label: "" where it would only repeat the text."""

    style: str
    label: str
    pieces: list[str | Marked]


def marks(variables: Mapping[str, Sequence[Span]], numbers: Iterable[tuple[Span, str]]) -> list[Mark]:
    """What to mark: each variable's spans and the quantities, outer ones before those inside them.

    Labels on one span are joined ("V1, V2"). A quantity may stand inside a variable's span, and one variable's span
    inside another's. Of others that overlap, a variable's first span goes before further ones, then the longer before
    the shorter; the rest are left out (see `left_out`).
    """
    labels: dict[Span, list[str]] = {}
    rank: dict[Span, int] = {}
    for name, spans in sorted(variables.items()):
        for place, span in enumerate(spans):
            labels.setdefault(span, []).append(name)
            rank[span] = min(rank.get(span, place), place)
    kept: list[Mark] = []
    for span in sorted(labels, key=lambda s: (rank[s], s[0] - s[1], s)):
        new = Mark(*span, ", ".join(dict.fromkeys(labels[span])), True)
        if all(apart(new, other) or (nested(new, other) and new.label != other.label) for other in kept):
            kept.append(new)
    for span, text in numbers:
        new = Mark(*span, text, False)
        if all(apart(new, other) or nested(new, other) for other in kept):
            kept.append(new)
    return sorted(kept, key=lambda mark: (mark.start, -mark.end, not mark.variable))


def apart(a: Mark, b: Mark) -> bool:
    """Do two spans have no character in common?"""
    return a.end <= b.start or b.end <= a.start


def nested(a: Mark, b: Mark) -> bool:
    """Does one of two spans contain the other?"""
    return (a.start <= b.start and b.end <= a.end) or (b.start <= a.start and a.end <= b.end)


def left_out(variables: Mapping[str, Sequence[Span]], marked: Sequence[Mark]) -> list[tuple[str, Span]]:
    """(label, span) of the variables' spans that are not marked because they overlap one that is."""
    shown = {(mark.start, mark.end) for mark in marked if mark.variable}
    return [(name, span) for name, spans in sorted(variables.items()) for span in spans if span not in shown]


def marked_pieces(text: str, marked: Sequence[Mark]) -> list[str | Marked]:
    """The text cut along the marks, which are in the order that `marks` gives them."""
    rest = list(marked)

    def cut(at: int, end: int) -> list[str | Marked]:
        pieces: list[str | Marked] = []
        while rest and rest[0].start < end:
            mark = rest.pop(0)
            pieces.append(text[at : mark.start])
            label = "" if mark.label == text[mark.start : mark.end] else mark.label
            pieces.append(Marked(mark.style, label, cut(mark.start, mark.end)))
            at = mark.end
        return [*pieces, text[at:end]]

    return cut(0, len(text))


def equation_numbers(text: str, equation: Equation | None) -> list[tuple[Span, str]]:
    """The quantities of the text that the equation uses, with their values; of equal ones the earlier."""
    free = list(find_quantities(text))
    found = []
    for leaf in equation.leaves() if equation is not None else ():
        if isinstance(leaf, Number):
            quantity = next((q for q in free if abs(q.value - leaf.value) < TOLERANCE), None)
            if quantity is not None:
                free.remove(quantity)
                found.append(((quantity.start, quantity.end), str(leaf)))
    return found
