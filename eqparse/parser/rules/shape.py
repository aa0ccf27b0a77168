"""What the rules about answers ask of one: which numbers it adds, multiplies and divides, and where they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from eqparse.equation.equation import Equation
from eqparse.parser.parse import GroundedEquation
from eqparse.stages.derivation import NODE_LABELS
from eqparse.text.spans import Span


class Product(NamedTuple):
    """A multiplication or division: from where to where each operand stands, and whether it is a single leaf."""

    left: Span
    right: Span
    left_leaf: bool
    right_leaf: bool


class Shape(NamedTuple):
    """What the rules ask of an answer.

    text: the sentence.
    numbers: the start and end of each quantity that the answer uses.
    terms: those of the quantities that it adds or subtracts as they are.
    adds, multiplies: whether it adds two unknowns to each other, or multiplies an unknown by another or by itself.
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
    products: its multiplications and divisions.
    equation: the equation itself.
    """

    text: str
    numbers: tuple[tuple[int, int], ...]
    terms: tuple[tuple[int, int], ...]
    adds: bool
    multiplies: bool
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
    products: tuple[Product, ...] = ()
    equation: Equation | None = None


def shape(text: str, answer: GroundedEquation) -> Shape:
    """The shape of an answer to `text`."""
    leaves, nodes = answer.triggers, [(NODE_LABELS[label], i, k, j) for i, k, j, label in answer.nodes]
    joined = {(i, j): label for label, i, _, j in nodes}
    changes: dict[str, list[Span]] = {"+": [], "-lr": [], "/lr": []}
    terms, applied, wholes, products = [], [], [], []
    adds = multiplies = by_zero = False
    right = 0
    for label, i, k, j in nodes:
        sign, first, last = label[0], leaves[i], leaves[j]
        if sign == "=":
            right = leaves[k + 1].start
        elif sign in "*/":
            operands = (first.start, leaves[k].end), (leaves[k + 1].start, last.end)
            products.append(Product(*operands, left_leaf=i == k, right_leaf=k + 1 == j))
        if j == i + 1 and first.label and last.label:
            adds |= sign == "+" and first.label != last.label
            multiplies |= sign == "*"
        elif j == i + 1 and first.label and label in changes:
            changes[label].append((last.start, last.end))
        elif j == i + 1 and last.label:
            applied.append((label, first.start, first.end))
        for at, to, other, order in ((i, k, (k + 1, j), "/rl"), (k + 1, j, (i, k), "/lr")):
            if at == to and not (leaf := leaves[at]).label:
                if sign in "+-":
                    terms.append((leaf.start, leaf.end))
                elif sign == "=" and other in joined:
                    wholes.append((joined[other], leaf.start, leaf.end))
                by_zero |= label == order and leaf.quantity is not None and not leaf.quantity.value
    signs = {label[0] for label, *_ in nodes}
    return Shape(
        text, tuple((t.start, t.end) for t in leaves if not t.label), tuple(terms), adds, multiplies,
        divides="/" in signs, letters=tuple(t.start for t in leaves if t.label and t.end == t.start + 1),
        phrases=tuple(t.start for t in leaves if t.label and t.end > t.start + 1),
        grown=tuple(changes["+"]), shrunk=tuple(changes["-lr"]), divisors=tuple(changes["/lr"]),
        applied=tuple(applied), wholes=tuple(wholes), by_zero=by_zero,
        sides=sides(answer, "-"), ratio={} if {"+", "-"} & signs else sides(answer, "/"), right=right,
        products=tuple(products), equation=answer.equation,
    )


def sides(answer: GroundedEquation, inverse: str) -> dict[int, int]:
    """The start of each leaf -> 1 if it counts for the left side, -1 if for the right one.

    inverse: the operation ("-" or "/") whose second operand counts for the other side.
    """
    signs = [1] * len(answer.triggers)
    for i, k, j, label in answer.nodes:
        name = NODE_LABELS[label]
        if name == f"{inverse}rl":
            signs[i : k + 1] = [-sign for sign in signs[i : k + 1]]
        elif name in ("=", f"{inverse}lr"):
            signs[k + 1 : j + 1] = [-sign for sign in signs[k + 1 : j + 1]]
    return {leaf.start: sign for leaf, sign in zip(answer.triggers, signs, strict=True)}


Rule = Callable[[Shape], bool]


def needs(*cues: Callable[[str], object]) -> Callable[[Rule], Rule]:
    """Says of a rule that it finds nothing in answers to a text in which none of the cues finds anything."""
    def mark(rule: Rule) -> Rule:
        rule.cues = cues  # type: ignore[attr-defined]
        return rule

    return mark


def may_find(rule: Rule, text: str) -> bool:
    """Whether a rule can find anything in an answer to the text, by what it `needs`."""
    cues = getattr(rule, "cues", ())
    return not cues or any(cue(text) for cue in cues)
