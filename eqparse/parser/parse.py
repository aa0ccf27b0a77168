"""What the parser returns: `Parse`, the equations in it with their variables and trees, and how it is printed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number, Variable, to_dict
from eqparse.errors import EqparseError
from eqparse.plain import printable
from eqparse.stages.derivation import NODE_LABELS, Node, tree_equation
from eqparse.text.spans import Span, printed
from eqparse.text.triggers import Trigger

if TYPE_CHECKING:
    import sympy

    from eqparse.parser.solution import Solution
    from eqparse.text.quantities import Quantity
    from eqparse.text.units import Unit


@dataclass(frozen=True)
class GroundedEquation:
    """An equation that a text states.

    variables: label -> character spans of its mentions, end exclusive, in order of position.
    triggers: the leaves of the tree, in order of position unless it crosses; empty if a system does without them.
    nodes: the inner nodes of the tree, each (i, k, j, label); empty likewise.
    score: the sum of the stages' scores, comparable only between parses of the same text; None if there is none.
    weighed: the relations that a decoder compared, this one first, with probabilities that are not calibrated yet.
    """

    equation: Equation
    variables: dict[str, tuple[Span, ...]] = field(hash=False)
    triggers: tuple[Trigger, ...] = ()
    nodes: tuple[Node, ...] = ()
    score: float | None = None
    weighed: tuple[Alternative, ...] = ()

    @classmethod
    def from_tree(cls, triggers: tuple[Trigger, ...], nodes: tuple[Node, ...], score: float) -> GroundedEquation:
        """The equation that the leaves and inner nodes of a tree stand for, with its variables."""
        variables: dict[str, tuple[Span, ...]] = {}
        for t in sorted(triggers, key=lambda t: t.start):
            if t.label and (t.start, t.end) not in variables.get(t.label, ()):
                variables[t.label] = (*variables.get(t.label, ()), (t.start, t.end))
        return cls(tree_equation(nodes, triggers), variables, triggers, nodes, score)


@dataclass(frozen=True)
class Alternative:
    """A relation that a text may state.

    equation, variables: its most probable form, and the spans of its variables, as in `GroundedEquation`.
    probability: that this relation is the right one; of the first, the parse's confidence.
    """

    equation: Equation
    variables: dict[str, tuple[Span, ...]] = field(hash=False)
    probability: float


@dataclass(frozen=True)
class Parse:
    """The parser's result for one text.

    The properties `equation`, `variables`, `quantities`, `units`, `triggers`, `nodes`, `score`, `phrases` and `tree`
    describe the first equation; they are None or empty if there is none.

    text: the text that was parsed.
    equations: the equations that the text states; at most one so far.
    reason: why there is no equation, in words; "" if there is one.
    reason_code: the same as a code of `eqparse.parser.limits.REASONS`; "" if there is an equation.
    candidates: the character spans of all noun phrases that could have grounded a variable, end exclusive.
    confidence: the probability that the answer is right: that the text states the relation, whatever its form and
        its phrases; of a text that is said to state no equation, that it does not state the one found. None where a
        limit or a rule refuses the text, and if the parser has no calibration.
    alternatives: if asked for, different relations that the text may state, the answer first.
    """

    text: str
    equations: tuple[GroundedEquation, ...] = ()
    reason: str = ""
    reason_code: str = ""
    candidates: tuple[Span, ...] = ()
    confidence: float | None = None
    alternatives: tuple[Alternative, ...] = ()

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
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers that the equation uses, in order of position; empty without triggers."""
        return tuple(t.quantity for t in sorted(self.triggers, key=lambda t: t.start) if t.quantity is not None)

    @property
    def units(self) -> tuple[Unit, ...]:
        """The unit of each of `quantities`, as written and as pint names it."""
        from eqparse.text.units import unit_of

        return tuple(unit_of(self.text, quantity, self.candidates) for quantity in self.quantities)

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.equations[0].nodes if self.equations else ()

    @property
    def score(self) -> float | None:
        return self.equations[0].score if self.equations else None

    @property
    def phrases(self) -> dict[str, tuple[str, ...]]:
        """`variables` with the text of each span, as `printed`, instead of its bounds."""
        return phrases_of(self.text, self.variables)

    @property
    def tree(self) -> dict[str, Any] | None:
        """The equation tree as nested JSON data, or None if there is no equation or no nodes.

        A leaf is {"number": 30.0} or {"variable": "V1"} with "start", "end" (characters, end exclusive) and "text";
        a number with infinitely many decimals also has its exact value, "exact": "1/3".
        An inner node is {"op": one of = + - * /, "order": "lr" or "rl", "left": ..., "right": ...}, where left and
        right are the operands in the order of the equation; "rl" means that the right one comes first in the text.
        """
        return tree_view(self.text, self.triggers, self.nodes) if self.nodes else None

    def to_dict(self) -> dict[str, Any]:
        """The parse as plain JSON data, with the equation as text and spans as [start, end]."""
        return {
            "text": self.text,
            **stated(self.text, self.equation, self.variables),
            "quantities": [
                {"value": q.value, "exact": str(q.exact), "unit": q.unit, "unit_text": unit.text,
                 "unit_name": unit.name, "kind": q.kind, "span": [q.start, q.end]}
                for q, unit in zip(self.quantities, self.units, strict=True)
            ],
            "tree": self.tree,
            "score": self.score,
            "confidence": self.confidence,
            "alternatives": [
                {**stated(self.text, one.equation, one.variables), "probability": one.probability}
                for one in self.alternatives
            ],
            "reason": self.reason,
            "reason_code": self.reason_code,
        }

    def solve(self) -> Solution:
        """The value of the one unknown, exactly, with its unit and phrase.

        Raises UndeterminedError, whose message says why, if the equation does not give one unknown one value: two
        unknowns or none, no value or any, an unknown multiplied by itself, one thing in two units; and without an
        equation.
        """
        from eqparse.parser.solution import solution

        return solution(self)

    def to_sympy(self, *, evaluate: bool = False) -> sympy.Eq | sympy.logic.boolalg.BooleanAtom:
        """The equation as SymPy's (see `Equation.to_sympy`). Raises EqparseError if there is none."""
        return self._stated().to_sympy(evaluate=evaluate)

    def to_latex(self) -> str:
        """The equation in LaTeX, for math mode. Raises EqparseError if there is none."""
        return self._stated().to_latex()

    def _repr_html_(self) -> str:
        """What notebooks show: the text with its phrases and numbers marked, and the equation below it."""
        from eqparse.parser.html.render import render

        return render(self)

    def _repr_latex_(self) -> str | None:
        """The equation for notebooks and papers; None if there is none."""
        return None if self.equation is None else rf"$\displaystyle {self.to_latex()}$"

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


def phrases_of(text: str, variables: Mapping[str, Sequence[Span]]) -> dict[str, tuple[str, ...]]:
    """The text of each span, as it is printed."""
    return {label: tuple(printed(text[a:b]) for a, b in spans) for label, spans in variables.items()}


def stated(text: str, equation: Equation | None, variables: Mapping[str, Sequence[Span]]) -> dict[str, Any]:
    """An equation and its variables as plain JSON data."""
    return {
        "equation": None if equation is None else str(equation),
        "variables": {label: [list(span) for span in spans] for label, spans in variables.items()},
        "phrases": {label: list(texts) for label, texts in phrases_of(text, variables).items()},
    }


def quoted(text: str) -> str:
    """A text in double quotes on one line, with every character escaped that could upset a terminal."""
    return printable(json.dumps(text, ensure_ascii=False))


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
