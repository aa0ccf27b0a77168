"""Answers that cannot be what the sentence states."""

from __future__ import annotations

import re

from eqparse.parser.parse import GroundedEquation
from eqparse.parser.reasons import Reason, reason
from eqparse.stages.derivation import NODE_LABELS

_AVERAGE = re.compile(r"\b(?:average|averaged|averaging|mean)\b", re.IGNORECASE)
_SUM = re.compile(r"\b(?:sum|total\w*|together|combined|add\w*)\b", re.IGNORECASE)


def unsaid(text: str, answer: GroundedEquation | Reason) -> Reason | None:
    """Why the text cannot state the answer, or None. It cannot if it has an average, no sum, and the answer adds."""
    if isinstance(answer, Reason) or not _AVERAGE.search(text) or _SUM.search(text):
        return None
    labels = {NODE_LABELS[label][0] for *_, label in answer.nodes}
    summed = any(
        NODE_LABELS[label] == "+" and j == i + 1 and answer.triggers[i].label and answer.triggers[j].label
        and answer.triggers[i].label != answer.triggers[j].label
        for i, _, j, label in answer.nodes
    )
    return reason("no_equation", "an average whose count is left out") if summed and "/" not in labels else None
