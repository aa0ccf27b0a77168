"""What the parser answers: `Parse`, its equations with their variables and trees, and how it prints."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number, Variable, to_dict
from eqparse.errors import EqparseError
from eqparse.stages.derivation import NODE_LABELS, Node, tree_equation
from eqparse.text.spans import Span
from eqparse.text.triggers import Trigger

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class GroundedEquation:
    """An equation that a text states.

    variables: label -> character spans of its mentions, end exclusive, in order of position.
    triggers, nodes: the leaves of the tree in order of position and its inner nodes (i, k, j, label); none where a
        system finds the equation without them.
    score: the sum of the stages' scores, comparable between parses of one text only; None where there is none.
    """

    equation: Equation
    variables: dict[str, tuple[Span, ...]] = field(hash=False)
    triggers: tuple[Trigger, ...] = ()
    nodes: tuple[Node, ...] = ()
    score: float | None = None

    @classmethod
    def from_tree(cls, triggers: tuple[Trigger, ...], nodes: tuple[Node, ...], score: float) -> GroundedEquation:
        """What the leaves and the nodes of a tree say."""
        variables: dict[str, tuple[Span, ...]] = {}
        for t in triggers:
            if t.label and (t.start, t.end) not in variables.get(t.label, ()):
                variables[t.label] = (*variables.get(t.label, ()), (t.start, t.end))
        return cls(tree_equation(nodes, triggers), variables, triggers, nodes, score)


@dataclass(frozen=True)
class Parse:
    """What the parser says of one text.

    equations: those that the text states; at most one so far. `equation`, `variables`, `triggers`, `nodes`, `score` and
        what is made of them are the first one's, and None or empty where there is none.
    reason, reason_code: why there is none, in words and as one of `eqparse.parser.limits.REASONS`; "" where there is
        one.
    candidates: every span that could have grounded a variable.
    """

    text: str
    equations: tuple[GroundedEquation, ...] = ()
    reason: str = ""
    reason_code: str = ""
    candidates: tuple[Span, ...] = ()

    @property
    def equation(self) -> Equation | None:
        return self.equations[0].equation if self.equations else None

    @property
    def variables(self) -> dict[str, tuple[Span, ...]]:
        return self.equations[0].variables if self.equations else {}

    @property
    def triggers(self) -> tuple[Trigger, ...]:
        return self.equations[0].triggers if self.equations else ()

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.equations[0].nodes if self.equations else ()

    @property
    def score(self) -> float | None:
        return self.equations[0].score if self.equations else None

    @property
    def phrases(self) -> dict[str, tuple[str, ...]]:
        """`variables` with the text of each span in its place."""
        return {label: tuple(self.text[a:b] for a, b in spans) for label, spans in self.variables.items()}

    @property
    def tree(self) -> dict[str, Any] | None:
        """The equation tree as nested JSON data, or None without an equation or without nodes.

        A leaf is {"number": 30.0} or {"variable": "V1"} with "start", "end" (characters, end exclusive) and "text";
        a number whose decimals do not end has its exact value as well, "exact": "1/3".
        An inner node is {"op": one of = + - * /, "order": "lr" or "rl", "left": ..., "right": ...}, where left and
        right are the operands as the equation has them; with "rl" the right one stands first in the text.
        """
        return tree_view(self.text, self.triggers, self.nodes) if self.nodes else None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON data; the equation as text, spans as [start, end]."""
        return {
            "text": self.text,
            "equation": None if self.equation is None else str(self.equation),
            "variables": {label: [list(span) for span in spans] for label, spans in self.variables.items()},
            "phrases": {label: list(texts) for label, texts in self.phrases.items()},
            "tree": self.tree,
            "score": self.score,
            "reason": self.reason,
            "reason_code": self.reason_code,
        }

    def to_sympy(self) -> sympy.Eq:
        """The equation as SymPy's, unevaluated. Raises EqparseError without an equation."""
        return self._stated().to_sympy()

    def to_latex(self) -> str:
        """The equation in LaTeX for math mode. Raises EqparseError without an equation."""
        return self._stated().to_latex()

    def _stated(self) -> Equation:
        if self.equation is None:
            raise EqparseError(
                f"{self.text[:60]!r}: expected a parse with an equation, found none ({self.reason}); look at "
                "parse.equation first"
            )
        return self.equation

    def __str__(self) -> str:
        """One line: `V1 = 30 + (2 * V2)        V1: "The tower"    V2: "the height of the chapel"`."""
        if self.equation is None:
            return f"no equation: {self.reason}"
        phrases = (f"{v}: {', '.join(map(quoted, texts))}" for v, texts in sorted(self.phrases.items()))
        return f"{self.equation}        {'    '.join(phrases)}"


def quoted(text: str) -> str:
    """A text in double quotes on one line; what would disturb a terminal is escaped.

    That is control characters, line separators, signs that turn the direction of writing, and lone surrogates.
    """
    return re.sub(
        "[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]",
        lambda match: f"\\u{ord(match.group()):04x}",
        json.dumps(text, ensure_ascii=False),
    )


def tree_view(text: str, triggers: Sequence[Trigger], nodes: Sequence[Node]) -> dict[str, Any]:
    """See `Parse.tree`."""
    joins = {(i, j): (k, NODE_LABELS[label]) for i, k, j, label in nodes}

    def leaf(t: Trigger) -> dict[str, Any]:
        what = to_dict(Variable(t.label) if t.quantity is None else Number(t.quantity.exact))
        return {**what, "start": t.start, "end": t.end, "text": text[t.start : t.end]}

    def walk(i: int, j: int) -> dict[str, Any]:
        if i == j:
            return leaf(triggers[i])
        k, operation = joins[i, j]
        order = "rl" if operation.endswith("rl") else "lr"
        sides = [walk(i, k), walk(k + 1, j)]
        left, right = sides if order == "lr" else sides[::-1]
        return {"op": operation[0], "order": order, "left": left, "right": right}

    return walk(0, len(triggers) - 1)
