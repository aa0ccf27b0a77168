"""The sentences that two annotators have to settle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eqparse.analysis.agreement.measures import agrees
from eqparse.analysis.agreement.pairs import pair_annotations
from eqparse.corpus.example import Example
from eqparse.text.mentions import Mentions


def disagreements(matched: Sequence[tuple[Example, Example]], mentions: Sequence[Mentions]) -> list[dict[str, Any]]:
    """The sentences to settle as JSON data, both annotations side by side; b keeps its own variable names.

    differ: see `differences`.
    """
    return [
        {"id": a.id, "text": a.text, "kind": a.kind, "differ": differ, "a": as_data(a), "b": as_data(b)}
        for (a, b), m in zip(matched, mentions, strict=True) if (differ := differences(a, b, m))
    ]


def differences(a: Example, b: Example, mentions: Mentions) -> list[str]:
    """How two annotations of a sentence differ.

    `no equation` (one states none); `relation` (the equations are not equivalent); `form` (equivalent, but not of one
    form); and of sentences whose equations have one form, for a variable of a: `V1: no common phrase`, or
    `V1: first phrase` (a common one, but one list lacks the span that the other puts first).
    """
    if not a.equation or not b.equation:
        return ["no equation"] if a.equation or b.equation else []
    both = pair_annotations(a, b, mentions)
    if not both.same_form_strict:
        return ["form" if both.equivalent else "relation"]
    found = []
    for name in both.a:
        if not agrees(both.a[name], both.b[name], "common"):
            found.append(f"{name}: no common phrase")
        elif not agrees(both.a[name], both.b[name], "first"):
            found.append(f"{name}: first phrase")
    return found


def as_data(example: Example) -> dict[str, Any]:
    """An annotation's equation, and each variable's spans with their text."""
    return {
        "equation": None if example.equation is None else str(example.equation),
        "variables": {
            label: [[start, end, example.text[start:end]] for start, end in spans]
            for label, spans in example.variables.items()
        },
    }
