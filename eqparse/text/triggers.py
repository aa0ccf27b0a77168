"""Step 5, the trigger list: the quantities that count and the variables' noun phrases, the leaves of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # reading a parse from a file must not import spaCy
    from eqparse.text.mentions import Mentions
    from eqparse.text.quantities import Quantity

MAX_VARIABLES = 2
MAX_VARIABLE_MENTIONS = 3
"""The most mentions that a sentence has of its variables: two in the paper, three if one phrase counts twice."""

Groundings = tuple[tuple[str, int], ...]
"""The (label, candidate index) of each variable mention, in order of position."""


@dataclass(frozen=True)
class Trigger:
    """One leaf: a quantity, or a noun phrase with a variable's label.

    start, end: characters, end exclusive.
    first, last: tokens, last included.
    quantity: the quantity, or None for a variable.
    label: "V1" or "V2", or "" for a quantity.
    """

    start: int
    end: int
    first: int
    last: int
    quantity: Quantity | None = None
    label: str = ""


@dataclass(frozen=True)
class TriggerChoice:
    """The choice of a trigger list: the indices of the relevant quantities, ascending, and the groundings."""

    quantities: tuple[int, ...]
    groundings: Groundings

    @property
    def leaves(self) -> int:
        """The number of triggers."""
        return len(self.quantities) + len(self.groundings)

    @property
    def phrases(self) -> tuple[int, ...]:
        """The candidates of the groundings, without their labels."""
        return tuple(candidate for _, candidate in self.groundings)

    def triggers(self, mentions: Mentions) -> tuple[Trigger, ...]:
        """The triggers in order of position."""
        return trigger_list(mentions, self.quantities, self.groundings)


def trigger_list(
    mentions: Mentions, quantities: Sequence[int], groundings: Sequence[tuple[str, int]]
) -> tuple[Trigger, ...]:
    """The triggers in order of position; see `TriggerChoice`."""
    leaves = []
    for index in quantities:
        quantity, (first, last) = mentions.quantities[index], mentions.quantity_tokens[index]
        leaves.append(Trigger(quantity.start, quantity.end, first, last, quantity))
    for label, index in groundings:
        c = mentions.candidates[index]
        leaves.append(Trigger(c.start, c.end, c.first, c.last, None, label))
    return tuple(sorted(leaves, key=lambda t: (t.start, t.end, t.label)))


def name_mentions(phrases: Sequence[int], *, same: bool) -> Groundings:
    """Label candidates, given in order of position, V1 and V2, or all of them V1.

    same: two of them are mentions of one variable. Of three, those with one phrase are, whatever `same` says.
    """
    if len(phrases) > 2:
        names = {phrase: f"V{number}" for number, phrase in enumerate(dict.fromkeys(phrases), start=1)}
        return tuple((names[phrase], phrase) for phrase in phrases)
    return tuple(("V1" if same else f"V{number}", phrase) for number, phrase in enumerate(phrases, start=1))
