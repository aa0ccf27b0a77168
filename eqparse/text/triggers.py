"""Step 5, the trigger list: the quantities that count and the variables' noun phrases, the leaves of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eqparse.text.mentions import Mentions
from eqparse.text.quantities import Quantity


@dataclass(frozen=True)
class Trigger:
    """One leaf: a quantity, or a noun phrase with a variable's label.

    start, end: characters, end exclusive. first, last: tokens, last included.
    quantity: the quantity, or None. label: "V1" or "V2", or "" for a quantity.
    """

    start: int
    end: int
    first: int
    last: int
    quantity: Quantity | None = None
    label: str = ""


def trigger_list(
    mentions: Mentions, quantities: Sequence[int], variables: Sequence[tuple[str, int]]
) -> tuple[Trigger, ...]:
    """The triggers in order of position.

    quantities: indices of the quantities that count; variables: (label, index of candidate), one for each mention.
    """
    leaves = []
    for index in quantities:
        quantity, (first, last) = mentions.quantities[index], mentions.quantity_tokens[index]
        leaves.append(Trigger(quantity.start, quantity.end, first, last, quantity))
    for label, index in variables:
        c = mentions.candidates[index]
        leaves.append(Trigger(c.start, c.end, c.first, c.last, None, label))
    return tuple(sorted(leaves, key=lambda t: (t.start, t.end, t.label)))
