"""The answer to a text as JSON data: what `Parse.to_dict` gives, and each equation in three more notations."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from eqparse.equation.equation import Equation
from eqparse.errors import EqparseError
from eqparse.parser.parse import Parse

NOTATIONS: dict[str, Callable[[Equation], Any]] = {
    "latex": Equation.to_latex,
    "sympy": Equation.to_sympy,
    "canonical": Equation.canonical,
}


def answer(parse: Parse) -> dict[str, Any]:
    """A parse as plain JSON data; so that pages and programs need no algebra, with `notations` of each equation."""
    found = parse.to_dict()
    alternatives = [
        {**one, **notations(of.equation)} for one, of in zip(found["alternatives"], parse.alternatives, strict=True)
    ]
    return {**found, **notations(parse.equation), "alternatives": alternatives}


@lru_cache(maxsize=4096)
def notations(equation: Equation | None) -> dict[str, str | None]:
    """The equation in LaTeX, as SymPy prints it, and in its canonical form; None without one, or if it has none."""
    return {name: None if equation is None else written(equation, as_) for name, as_ in NOTATIONS.items()}


def written(equation: Equation, as_: Callable[[Equation], Any]) -> str | None:
    try:
        return str(as_(equation))
    except EqparseError:  # its numbers are too large for algebra
        return None
