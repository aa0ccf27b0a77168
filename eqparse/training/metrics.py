"""What a parser answers, and how it is judged: as by Roy et al. (2016), section 6.1, and more strictly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field

from eqparse.corpus.example import Example, check_text, checked_span, checked_spans
from eqparse.corpus.jsonl import (
    Bounds,
    Groundings,
    Record,
    dumps,
    read_equation,
    read_records,
    write_lines,
)
from eqparse.equation.comparison import equivalent, matches, namings, same_form
from eqparse.equation.equation import Equation
from eqparse.errors import DataError, EqparseError
from eqparse.text.spans import Span, jaccard, nearest

CRITERIA = (
    "equation",
    "equation_strict",
    "grounded",
    "grounded_strict",
    "grounded_exact",
    "grounded_half",
    "equation_equivalent",
)


class PredictionRecord(Record):
    """A line of a file of predictions."""

    id: str
    text: str
    equation: str | None
    variables: Groundings
    candidates: list[Bounds] = []
    reason: str = ""
    score: Annotated[float, Field(allow_inf_nan=False)] | None = None


@dataclass(frozen=True)
class Prediction:
    """A parser's answer to one sentence.

    `equation` is None where it refuses to give one, and `reason` may say why. `variables` maps a variable to
    the spans that it is grounded in, `candidates` are all spans that could have been chosen, and `score` is
    the parser's own, higher for a better parse. Spans are in characters, end exclusive.

    Raises:
        DataError: a span that is empty or outside the text, or a field of another type.
    """

    id: str
    text: str
    equation: Equation | None
    variables: dict[str, tuple[Span, ...]]
    candidates: tuple[Span, ...] = ()
    reason: str = ""
    score: float | None = None

    def __post_init__(self) -> None:
        where = f"prediction {self.id!r}"
        for name in ("id", "text", "reason"):
            check_text(getattr(self, name), where=f"{where}, {name}")
        if self.equation is not None and not isinstance(self.equation, Equation):
            raise DataError(f"{where}: equation is an Equation or None, found {self.equation!r}")
        if self.score is not None:
            if type(self.score) not in (int, float) or not abs(self.score) <= sys.float_info.max:
                raise DataError(f"{where}: score is a finite float or None, found {self.score!r}")
            object.__setattr__(self, "score", float(self.score))
        if not isinstance(self.candidates, (list, tuple)):
            raise DataError(f"{where}: candidates are a list of spans, found {self.candidates!r}")
        length = len(self.text)
        candidates = (checked_span(span, length, where=f"{where}, candidates") for span in self.candidates)
        object.__setattr__(self, "candidates", tuple(candidates))
        object.__setattr__(self, "variables", checked_spans(self.variables, length, where=where))

    def to_json(self) -> str:
        """One line of JSON with a key for each field, the equation as text or null."""
        equation = None if self.equation is None else str(self.equation)
        return dumps({**vars(self), "equation": equation})

    @classmethod
    def _from_record(cls, record: PredictionRecord, where: str) -> Prediction:
        try:
            return cls(**vars(record) | {"equation": read_equation(record.equation)})
        except EqparseError as error:
            raise DataError(f"{where}: {error}") from error


def read_predictions(path: str | Path) -> list[Prediction]:
    """The predictions of a file of JSON lines. Candidates, reason and score may be missing. Raises DataError."""
    return [Prediction._from_record(record, where) for where, record in read_records(path, PredictionRecord)]


def write_predictions(predictions: Iterable[Prediction], path: str | Path) -> None:
    """Write one line for each prediction, whole or not at all."""
    write_lines((prediction.to_json() for prediction in predictions), path)


def judge(example: Example, prediction: Prediction | None) -> dict[str, bool]:
    """Is the prediction right, by each criterion? A missing one, or one without an equation, is wrong by all.

    equation              `same_form`, not strict: coreference is not judged
    equation_strict       `same_form`, strict
    equation_equivalent   `equivalent`, whatever the form; one too large to compare is wrong
    grounded              equation, and each span is the candidate of greatest overlap with a gold span of its
                          variable, the shorter of two with the same overlap (Jaccard, in characters)
    grounded_strict       equation_strict, and as above under one and the same naming of the variables
    grounded_exact        equation, and each span equals a gold span
    grounded_half         equation, and each span's overlap with a gold span is at least 0.5

    Raises:
        DataError: the example has no equation, or the prediction is for another text.
    """
    if example.equation is None:
        raise DataError(f"sentence {example.id!r} states no equation; only those that do are judged")
    if prediction is not None and prediction.text != example.text:
        found = f"a prediction for {prediction.text!r}"
        raise DataError(f"sentence {example.id!r}: expected one for {example.text!r}, found {found}")
    if prediction is None or prediction.equation is None:
        return dict.fromkeys(CRITERIA, False)
    gold, found = example.equation, prediction.equation

    def fits(near: Callable[[Span, Span], bool]) -> Callable[[str, str], bool]:
        def test(ours: str, theirs: str) -> bool:
            golds, spans = example.variables.get(ours, ()), prediction.variables.get(theirs, ())
            return bool(spans) and all(any(near(span, g) for g in golds) for span in spans)

        return test

    best = fits(lambda span, g: span == nearest(g, prediction.candidates))
    strict = same_form(gold, found, strict=True)
    return {
        "equation": same_form(gold, found, strict=False),
        "equation_strict": strict,
        "grounded": matches(gold, found, best),
        "grounded_strict": strict and _grounded_strictly(gold, found, best),
        "grounded_exact": matches(gold, found, fits(lambda span, g: span == g)),
        "grounded_half": matches(gold, found, fits(lambda span, g: jaccard(span, g) >= 0.5)),
        "equation_equivalent": _equivalent(gold, found),
    }


def summarize(examples: Sequence[Example], predictions: Iterable[Prediction]) -> dict[str, float | None]:
    """Percentages, to two decimals, of the sentences that state an equation, by each criterion of `judge`.

    `sentences` is their number, all of which count; `without_prediction` of them have no prediction with an
    equation, and are wrong. Where there are sentences that state none, `without_equation` is their number and
    `refused` the percentage that got no equation. A percentage of no sentences is None. Predictions for other
    ids are passed over.

    Raises:
        DataError: two predictions for one id, two examples of one id, or what `judge` raises.
    """
    by_id: dict[str, Prediction] = {}
    for prediction in predictions:
        if prediction.id in by_id:
            raise DataError(f"two predictions for sentence {prediction.id!r}; expected one at most")
        by_id[prediction.id] = prediction
    if len({example.id for example in examples}) < len(examples):
        raise DataError("two examples have one id; predictions are matched by id, so ids must differ")
    stating = [example for example in examples if example.equation is not None]
    silent = [example for example in examples if example.equation is None]
    verdicts = [judge(example, by_id.get(example.id)) for example in stating]
    report: dict[str, float | None] = {name: _percentage(v[name] for v in verdicts) for name in CRITERIA}
    report |= {"sentences": len(stating), "without_prediction": sum(_refused(e, by_id) for e in stating)}
    if silent:
        refused = _percentage(_refused(example, by_id) for example in silent)
        report |= {"without_equation": len(silent), "refused": refused}
    return report


def _grounded_strictly(gold: Equation, found: Equation, best: Callable[[str, str], bool]) -> bool:
    return any(
        all(best(ours, theirs) for theirs, ours in naming.items())
        and matches(gold, found, lambda ours, theirs, naming=naming: naming[theirs] == ours)
        for naming in namings(gold, found)
    )


def _equivalent(gold: Equation, found: Equation) -> bool:
    try:
        return equivalent(gold, found)
    except EqparseError:
        return False


def _refused(example: Example, by_id: Mapping[str, Prediction]) -> bool:
    prediction = by_id.get(example.id)
    return prediction is None or prediction.equation is None


def _percentage(verdicts: Iterable[bool]) -> float | None:
    verdicts = list(verdicts)
    return round(100 * sum(verdicts) / len(verdicts), 2) if verdicts else None
