"""Categories of the CCG system, their meanings, and the combinators that join two neighbours.

A category is an atom ("S", "N", "P", "A") or a triple (result, slash, argument). A meaning is a nested tuple: leaves
("v", candidate), ("n", value) and, in functors, ("a", i) for the i-th argument that the category takes; inner nodes
(operation, left, right) with one of = + - * / and "&" for a pair; ("0", m) and ("1", m) are the halves of a pair.
"""

from __future__ import annotations

from functools import lru_cache

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.errors import DataError

Category = str | tuple
Meaning = tuple
ATOMS = frozenset("SNPA")
BINARY = frozenset("=+-*/&")


@lru_cache(maxsize=4096)
def read_category(text: str) -> Category:
    r"""A category such as `(S\N)/N`; slashes associate to the left. Raises DataError."""
    at, found = _category(text, 0)
    if at != len(text):
        raise DataError(f"category {text!r}: expected its end at character {at}, found {text[at:]!r}")
    return found


def _category(text: str, at: int) -> tuple[int, Category]:
    at, result = _basic(text, at)
    while at < len(text) and text[at] in "/\\":
        slash = text[at]
        at, argument = _basic(text, at + 1)
        result = (result, slash, argument)
    return at, result


def _basic(text: str, at: int) -> tuple[int, Category]:
    if text[at : at + 1] == "(":
        at, inner = _category(text, at + 1)
        if text[at : at + 1] != ")":
            raise DataError(f"category {text!r}: expected ')' at character {at}")
        return at + 1, inner
    if text[at : at + 1] not in ATOMS or at >= len(text):
        raise DataError(f"category {text!r}: expected one of {', '.join(sorted(ATOMS))} or '(' at character {at}")
    return at + 1, text[at]


def show(category: Category) -> str:
    """The category as `read_category` reads it."""
    if isinstance(category, str):
        return category
    result, slash, argument = category
    inner = show(argument)
    return f"{show(result) if isinstance(result, str) else f'({show(result)})'}{slash}" + (
        inner if isinstance(argument, str) else f"({inner})"
    )


def arity(category: Category) -> int:
    """How many arguments a category takes."""
    return 0 if isinstance(category, str) else 1 + arity(category[0])


def apply(functor: Meaning, argument: Meaning) -> Meaning:
    """The functor's meaning with its first argument filled in: X/Y Y => X."""
    return _fill(functor, argument, 0)


def compose(functor: Meaning, argument: Meaning) -> Meaning:
    """X/Y Y/Z => X/Z: the first argument of the result is that of the second functor."""
    return _fill(functor, argument, 1)


def _fill(body: Meaning, argument: Meaning, shift: int) -> Meaning:
    kind = body[0]
    if kind == "a":
        index = body[1]
        return argument if index == 0 else ("a", index - 1 + shift)
    if kind in BINARY:
        return (kind, _fill(body[1], argument, shift), _fill(body[2], argument, shift))
    if kind in "01":
        pair = _fill(body[1], argument, shift)
        return pair[1 + int(kind)] if pair[0] == "&" else (kind, pair)
    return body


def root(meaning: Meaning) -> str:
    """The top of a meaning: an operation, "v", "n", or "a" if it depends on an argument."""
    return meaning[0] if meaning[0] in BINARY or meaning[0] in "vna" else "a"


@lru_cache(maxsize=200_000)
def canonical(meaning: Meaning) -> str:
    """A text that all meanings of the same form share: operands of = + * sorted, variables not distinguished."""
    kind = meaning[0]
    if kind == "v":
        return "V"
    if kind == "n":
        return f"{meaning[1]:.4f}"
    left, right = canonical(meaning[1]), canonical(meaning[2])
    if kind in "=+*" and right < left:
        left, right = right, left
    return f"({left}{kind}{right})"


def meaning_of(node: Equation | Expression) -> Meaning:
    """An annotated equation as a meaning; all its variables are candidate -1."""
    if isinstance(node, Number):
        return ("n", node.value)
    if isinstance(node, Variable):
        return ("v", -1)
    return (node.op if isinstance(node, Operation) else "=", meaning_of(node.left), meaning_of(node.right))


def pieces(meaning: Meaning) -> set[str]:
    """The canonical texts of a meaning and all its parts."""
    found = {canonical(meaning)}
    if meaning[0] in BINARY:
        found |= pieces(meaning[1]) | pieces(meaning[2])
    return found


def leaves(meaning: Meaning) -> list[Meaning]:
    """The leaves ("v", ...) and ("n", ...) from left to right."""
    if meaning[0] in BINARY:
        return leaves(meaning[1]) + leaves(meaning[2])
    return [meaning] if meaning[0] in "vn" else []
