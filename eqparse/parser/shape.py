"""What the rules about answers ask of one: which numbers it adds, multiplies and divides, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from eqparse.parser.parse import GroundedEquation
from eqparse.stages.derivation import NODE_LABELS


class Shape(NamedTuple):
    """What the rules ask of an answer.

    text: the sentence.
    numbers: the start and end of each quantity that the answer uses.
    terms: those of the quantities that it adds or subtracts as they are.
    adds, multiplies: whether it adds two unknowns to each other, or multiplies an unknown by another or by itself.
    doubles: whether it adds what one phrase stands for to itself.
    divides: whether it divides anything.
    letters, phrases: the starts of the unknowns that are a letter each, and of the others.
    grown, shrunk, divisors: the numbers that it adds to the unknown before them, subtracts from it or divides it by.
    applied: the operation, start and end of each number that it adds to the unknown behind it, multiplies that by ...
    by_zero: whether it divides by 0.
    wholes: the operation of the other side, start and end of each number that is a side by itself.
    sides: the start of each leaf -> whether it counts for the left side (1) or the right one (-1), where what is
        subtracted counts for the other.
    ratio: the same of an answer that only multiplies and divides, where what is divided by counts for the other;
        otherwise empty.
    right: where the first leaf of the right side starts.
    """

    text: str
    numbers: tuple[tuple[int, int], ...]
    terms: tuple[tuple[int, int], ...]
    adds: bool
    multiplies: bool
    doubles: bool
    divides: bool
    letters: tuple[int, ...] = ()
    phrases: tuple[int, ...] = ()
    grown: tuple[tuple[int, int], ...] = ()
    shrunk: tuple[tuple[int, int], ...] = ()
    applied: tuple[tuple[str, int, int], ...] = ()
    divisors: tuple[tuple[int, int], ...] = ()
    wholes: tuple[tuple[str, int, int], ...] = ()
    by_zero: bool = False
    sides: Mapping[int, int] = MappingProxyType({})
    ratio: Mapping[int, int] = MappingProxyType({})
    right: int = 0


def shape(text: str, answer: GroundedEquation) -> Shape:
    """The shape of an answer to `text`."""
    leaves, labels = answer.triggers, [NODE_LABELS[label] for *_, label in answer.nodes]
    signs = [label[0] for label in labels]
    pairs = [
        (sign, leaves[i].label == leaves[j].label, leaves[i].start == leaves[j].start)
        for sign, (i, _, j, _) in zip(signs, answer.nodes, strict=True)
        if j == i + 1 and leaves[i].label and leaves[j].label
    ]
    numbers = tuple((t.start, t.end) for t in leaves if not t.label)
    ends = [
        leaves[at]
        for sign, (i, k, j, _) in zip(signs, answer.nodes, strict=True) if sign in "+-"
        for at, to in ((i, k), (k + 1, j)) if at == to
    ]
    terms = tuple((t.start, t.end) for t in ends if not t.label)
    joined = {(i, j): label for label, (i, _, j, _) in zip(labels, answer.nodes, strict=True)}
    wholes = tuple(
        (joined[other], leaves[at].start, leaves[at].end)
        for sign, (i, k, j, _) in zip(signs, answer.nodes, strict=True) if sign == "="
        for at, to, other in ((i, k, (k + 1, j)), (k + 1, j, (i, k)))
        if at == to and not leaves[at].label and other in joined
    )
    changes = {
        sign: tuple((leaves[j].start, leaves[j].end) for label, (i, _, j, _) in zip(labels, answer.nodes, strict=True)
                    if label == sign and j == i + 1 and leaves[i].label and not leaves[j].label)
        for sign in ("+", "-lr", "/lr")
    }
    applied = tuple(
        (label, leaves[i].start, leaves[i].end) for label, (i, _, j, _) in zip(labels, answer.nodes, strict=True)
        if j == i + 1 and leaves[j].label and not leaves[i].label
    )
    divided_by = [
        leaves[at] for (i, k, j, _), label in zip(answer.nodes, labels, strict=True)
        for at, to, order in ((i, k, "/rl"), (k + 1, j, "/lr")) if at == to and label == order
    ]
    return Shape(
        text, numbers, terms, adds=any(sign == "+" and not same for sign, same, _ in pairs),
        multiplies=any(sign == "*" for sign, *_ in pairs), doubles=("+", True, True) in pairs, divides="/" in signs,
        letters=tuple(t.start for t in leaves if t.label and t.end == t.start + 1),
        phrases=tuple(t.start for t in leaves if t.label and t.end > t.start + 1),
        grown=changes["+"], shrunk=changes["-lr"], divisors=changes["/lr"], applied=applied,
        wholes=wholes, by_zero=any(t.quantity is not None and not t.quantity.value for t in divided_by),
        sides=sides(answer, "-"), ratio={} if {"+", "-"} & {*signs} else sides(answer, "/"),
        right=next(
            (leaves[k + 1].start for (_, k, _, _), sign in zip(answer.nodes, signs, strict=True) if sign == "="), 0
        ),
    )


def sides(answer: GroundedEquation, inverse: str) -> dict[int, int]:
    """The start of each leaf -> 1 if it counts for the left side, -1 if for the right one.

    inverse: the operation ("-" or "/") whose second operand counts for the other side.
    """
    found = {}
    for at, leaf in enumerate(answer.triggers):
        found[leaf.start] = 1
        for i, k, j, label in answer.nodes:
            first, sign = at <= k, NODE_LABELS[label]
            if i <= at <= j and (sign == f"{inverse}rl" if first else sign in ("=", f"{inverse}lr")):
                found[leaf.start] *= -1
    return found
