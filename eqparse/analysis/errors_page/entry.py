"""One sentence of the page, as the template shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eqparse.analysis.errors_page.diagnosis import Diagnosis
from eqparse.analysis.errors_page.explanation import Explanation
from eqparse.analysis.errors_page.trees import Drawing, draw
from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.parser.html.marks import Marked, equation_numbers, left_out, marked_pieces, marks
from eqparse.parser.parse import Parse
from eqparse.text.spans import Span

CRITERIA = {"equation": "equation", "grounded": "grounded", "grounded_strict": "grounded and coreferent",
            "equation_equivalent": "equivalent"}


@dataclass(frozen=True)
class Answer:
    """The gold answer or the predicted one.

    note: what the title does not say. text: the sentence with its spans marked. others: (variable, phrase) of the spans
    that are not marked. missing: what is shown where there is no equation.
    """

    title: str
    note: str
    text: list[str | Marked]
    others: list[tuple[str, str]]
    equation: Equation | None
    missing: str

    @property
    def tree(self) -> Drawing:
        """Of an answer that has an equation."""
        return draw(self.equation)


@dataclass(frozen=True)
class Entry:
    """Everything that the page shows about one sentence.

    unreachable: why no parse gives the gold answer, or "". no_scores: why `explanation` is None, or "".
    """

    example: Example
    prediction: Parse
    diagnosis: Diagnosis
    unreachable: str = ""
    explanation: Explanation | None = None
    no_scores: str = ""

    @property
    def predicted(self) -> Equation | None:
        """The predicted equation, its variables named as in gold."""
        equation = self.prediction.equation
        return None if equation is None else equation.renamed(self.diagnosis.naming)

    @property
    def searched(self) -> str:
        """The text that the search field searches: id, sentence and both equations, in lower case."""
        example = self.example
        return " ".join([example.id, example.text, str(example.equation or ""), str(self.predicted or "")]).lower()

    @property
    def verdicts(self) -> dict[str, bool]:
        """Criterion, in words -> is the prediction right by it?"""
        verdict = self.diagnosis.verdict
        return {name: verdict[criterion] for criterion, name in CRITERIA.items() if criterion in verdict}

    @property
    def answers(self) -> tuple[Answer, Answer]:
        """The gold answer and the predicted one."""
        example, prediction, naming = self.example, self.prediction, self.diagnosis.naming
        spans = {naming.get(name, name): found for name, found in prediction.variables.items()}
        renamed = any(ours != theirs for theirs, ours in naming.items())
        note, missing = "variables named as in gold" if renamed else "", prediction.reason or "no equation"
        return (
            answer("Gold", "", example.text, example.variables, example.equation, "states no equation"),
            answer("Predicted", note, example.text, spans, self.predicted, missing),
        )


def answer(
    title: str, note: str, text: str, variables: Mapping[str, Sequence[Span]], equation: Equation | None, missing: str
) -> Answer:
    """An answer with the spans of its variables and the numbers of its equation marked in the text."""
    found = marks(variables, equation_numbers(text, equation))
    others = [(name, text[start:end]) for name, (start, end) in left_out(variables, found)]
    return Answer(title, note, marked_pieces(text, found), others, equation, missing)
