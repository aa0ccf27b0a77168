"""Parses of one unknown, made by hand."""

from __future__ import annotations

from eqparse.parser.parse import GroundedEquation, Parse
from eqparse.stages.derivation import NODE_LABELS
from eqparse.text.quantities import find_quantities
from eqparse.text.triggers import Trigger


def parsed(text: str, phrase: str, *nodes: tuple[int, int, int, str]) -> Parse:
    """The parse whose leaves are all numbers of the text and a phrase."""
    at = text.index(phrase)
    leaves = [Trigger(q.start, q.end, 0, 0, q) for q in find_quantities(text)]
    leaves.append(Trigger(at, at + len(phrase), 0, 0, None, "V1"))
    leaves.sort(key=lambda leaf: leaf.start)
    tree = tuple((i, k, j, NODE_LABELS.index(label)) for i, k, j, label in nodes)
    return Parse(text, (GroundedEquation.from_tree(tuple(leaves), tree, 1.0),))


ROPE = parsed("Of 30 metres of rope 12.5 metres are left when the loss is cut.",
              "the loss", (0, 1, 2, "="), (0, 0, 1, "-lr"))
