"""The answer to a text as JSON data: what `Parse.to_dict` gives, and each equation in three more notations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from eqparse.analysis.explain_answer import explain_answer
from eqparse.equation.equation import Equation
from eqparse.errors import EqparseError
from eqparse.parser.confidence import check_asked, withheld
from eqparse.parser.parse import Parse
from eqparse.parser.reasons import Reason
from eqparse.parser.texts import Parser

NOTATIONS: dict[str, Callable[[Equation], Any]] = {
    "latex": Equation.to_latex,
    "sympy": Equation.to_sympy,
    "canonical": Equation.canonical,
}


USUAL = 200  # characters; few sentences have more


@dataclass(frozen=True, kw_only=True)
class Wish:
    """How a request wants its texts answered; see `eqparse.integrations.service.schema.ParseRequest`."""

    alternatives: int = 0
    min_confidence: float | None = None
    explain: bool = False


Question = tuple[str | Reason, Wish]
"""A text, or why it could not be read, and how it is to be answered."""


def weight(question: Question) -> int:
    """How many plain questions take as long, so that no batch of long texts or of explanations keeps others waiting.

    The time for a text grows about with the square of its length; an explanation takes as long as eight parses or so.
    """
    text, wish = question
    length = len(text) if isinstance(text, str) else 0
    return (1 + (length // USUAL) ** 2) * (8 if wish.explain else 1)


def check_wish(parser: Parser, wish: Wish) -> None:
    """Raise ConfigError for what the parser cannot do."""
    calibration = parser.equation_parser.calibration
    check_asked(calibration, alternatives=wish.alternatives, min_confidence=wish.min_confidence)


def answers(parser: Parser, questions: Sequence[Question]) -> list[dict[str, Any]]:
    """The answers to texts, whosever they are, parsed as one batch."""
    most = max(wish.alternatives for _, wish in questions)
    texts = [text for text, _ in questions]
    parses = parser.parse_batch(texts, batch_size=len(texts), alternatives=most, min_confidence=0)  # none is withheld
    return [answer(parser, parse, question) for parse, question in zip(parses, questions, strict=True)]


def answer(parser: Parser, parse: Parse, question: Question) -> dict[str, Any]:
    """A parse as plain JSON data, with the notations of its equations, so that a page needs no algebra."""
    text, wish = question
    parse = withheld(replace(parse, alternatives=parse.alternatives[: wish.alternatives]), wish.min_confidence)
    found = parse.to_dict()
    others = zip(found["alternatives"], parse.alternatives, strict=True)
    found |= notations(parse.equation) | {"alternatives": [data | notations(one.equation) for data, one in others]}
    if wish.explain:
        stages = [] if isinstance(text, Reason) else explain_answer(parser, text)  # else of what could not be read
        found["explanation"] = [asdict(stage) for stage in stages]
    return found


@lru_cache(maxsize=4096)
def notations(equation: Equation | None) -> dict[str, str | None]:
    """The equation in LaTeX, as SymPy prints it, and in its canonical form; None without one, or if it has none."""
    return {name: None if equation is None else written(equation, as_) for name, as_ in NOTATIONS.items()}


def written(equation: Equation, as_: Callable[[Equation], Any]) -> str | None:
    """The equation in a notation, None if its numbers are too large for algebra."""
    try:
        return str(as_(equation))
    except EqparseError:
        return None
