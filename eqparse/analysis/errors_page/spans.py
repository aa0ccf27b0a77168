"""A sentence with its spans marked, in the manner of displaCy's entities, as HTML.

displaCy itself marks no span inside another and cuts none within a token, and a number often stands inside a phrase
("3-point shots").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from eqparse.text.spans import Span


class Marked(NamedTuple):
    """A span to mark: characters, end exclusive, and its label; `variable` or a quantity."""

    start: int
    end: int
    label: str
    variable: bool


def label_spans(variables: Mapping[str, Sequence[Span]], numbers: Iterable[tuple[Span, str]]) -> list[Marked]:
    """What to mark: each variable's spans and the quantities, outer ones before those that they hold.

    Labels on one span are joined ("V1, V2"). A quantity may stand inside a variable's span, and one variable's span
    inside another's. Of others that overlap, the variable's first span goes before further ones, then the longer one;
    the rest are left out (see `left_out`).
    """
    labels: dict[Span, list[str]] = {}
    rank: dict[Span, int] = {}
    for name, spans in sorted(variables.items()):
        for place, span in enumerate(spans):
            labels.setdefault(span, []).append(name)
            rank[span] = min(rank.get(span, place), place)
    kept: list[Marked] = []
    for span in sorted(labels, key=lambda s: (rank[s], s[0] - s[1], s)):
        new = Marked(*span, ", ".join(dict.fromkeys(labels[span])), True)
        if all(apart(new, other) or (holds(new, other) and new.label != other.label) for other in kept):
            kept.append(new)
    for span, text in numbers:
        new = Marked(*span, text, False)
        if all(apart(new, other) or holds(new, other) for other in kept):
            kept.append(new)
    return sorted(kept, key=lambda mark: (mark.start, -mark.end, not mark.variable))


def apart(a: Marked, b: Marked) -> bool:
    """Do two spans share no character?"""
    return a.end <= b.start or b.end <= a.start


def holds(a: Marked, b: Marked) -> bool:
    """Does one of two spans hold the other?"""
    return (a.start <= b.start and b.end <= a.end) or (b.start <= a.start and a.end <= b.end)


def left_out(variables: Mapping[str, Sequence[Span]], marked: Sequence[Marked]) -> list[tuple[str, Span]]:
    """(label, span) of the variables' spans that are not marked, since they overlap one that is."""
    shown = {(mark.start, mark.end) for mark in marked if mark.variable}
    return [(name, span) for name, spans in sorted(variables.items()) for span in spans if span not in shown]


def marked_text(text: str, marked: Sequence[Marked]) -> str:
    """The text as HTML, each span in a <mark> with its label; a quantity's only where it says more than the text.

    marked: as `label_spans` gives them.
    """
    rest = list(marked)

    def render(at: int, end: int) -> str:
        pieces = []
        while rest and rest[0].start < end:
            mark = rest.pop(0)
            pieces.append(escape(text[at : mark.start]))
            inside, at = render(mark.start, mark.end), mark.end
            label = "" if mark.label == text[mark.start : mark.end] else f"<b>{escape(mark.label)}</b>"
            pieces.append(f'<mark class="{style(mark)}">{inside}{label}</mark>')
        return "".join([*pieces, escape(text[at:end])])

    return render(0, len(text))


def style(mark: Marked) -> str:
    """The class of a mark: one for each of the first two variables, one for other variables, one for quantities."""
    if not mark.variable:
        return "number"
    return mark.label[:2].lower() if mark.label[:2] in ("V1", "V2") else "v3"
