"""How parses are judged: by the criteria of Roy et al. (2016), section 6.1, and by stricter ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from eqparse.corpus.example import Example
from eqparse.equation.comparison import equivalent, matches, namings, same_form, same_relation
from eqparse.equation.equation import Equation
from eqparse.errors import DataError, EqparseError
from eqparse.parser.parse import Parse
from eqparse.text.spans import Span, jaccard, nearest

CRITERIA = (
    "equation",
    "equation_strict",
    "grounded",
    "grounded_strict",
    "grounded_exact",
    "grounded_half",
    "equation_equivalent",
    "grounded_equivalent",
)


def judge(example: Example, prediction: Parse | None) -> dict[str, bool]:
    """Is a predicted parse right, by each criterion? If it is missing or has no equation, it is wrong by all of them.

    equation              `same_form`, not strict: coreference is not judged
    equation_strict       `same_form`, strict
    equation_equivalent   `equivalent`, whatever the form; an equation too large to compare is wrong
    grounded              as equation, and each span is the candidate that overlaps most with a gold span of its
                          variable (Jaccard index, in characters; the shorter one of a tie)
    grounded_strict       as equation_strict, and the spans are right as above under the same naming of the variables
    grounded_exact        as equation, and each span equals a gold span
    grounded_half         as equation, and each span's overlap with a gold span is at least 0.5
    grounded_equivalent   as equation_equivalent, and each span's overlap with a gold span is at least 0.5 under that
                          naming of the variables

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
    half = fits(lambda span, g: jaccard(span, g) >= 0.5)
    strict = same_form(gold, found, strict=True)
    return {
        "equation": same_form(gold, found, strict=False),
        "equation_strict": strict,
        "grounded": matches(gold, found, best),
        "grounded_strict": strict and _grounded_strictly(gold, found, best),
        "grounded_exact": matches(gold, found, fits(lambda span, g: span == g)),
        "grounded_half": matches(gold, found, half),
        "equation_equivalent": equal_relation(gold, found),
        "grounded_equivalent": _grounded_relation(gold, found, half),
    }


def summarize(examples: Sequence[Example], predictions: Mapping[str, Parse]) -> dict[str, float | None]:
    """Percentage of sentences that are right by each criterion of `judge`, to two decimals.

    Only sentences that state an equation are judged. `sentences` is their number; `without_prediction` is how many of
    them have no prediction with an equation, which counts as wrong. If some sentences state no equation,
    `without_equation` is their number and `refused` the percentage of them that got no equation. A percentage is None
    if there are no sentences.

    predictions: sentence id -> parse; predictions for ids that are not among the examples are ignored.

    Raises:
        DataError: two examples have the same id, or `judge` raises it.
    """
    if len({example.id for example in examples}) < len(examples):
        raise DataError("two examples have the same id; predictions are matched by id, so ids must differ")
    stating = [example for example in examples if example.equation is not None]
    silent = [example for example in examples if example.equation is None]
    verdicts = [judge(example, predictions.get(example.id)) for example in stating]
    report: dict[str, float | None] = {name: _percentage(v[name] for v in verdicts) for name in CRITERIA}
    report |= {"sentences": len(stating), "without_prediction": sum(_refused(e, predictions) for e in stating)}
    if silent:
        refused = _percentage(_refused(example, predictions) for example in silent)
        report |= {"without_equation": len(silent), "refused": refused}
    return report


def _grounded_strictly(gold: Equation, found: Equation, best: Callable[[str, str], bool]) -> bool:
    return any(
        all(best(ours, theirs) for theirs, ours in naming.items())
        and matches(gold, found, lambda ours, theirs, naming=naming: naming[theirs] == ours)
        for naming in namings(gold, found)
    )


def equal_relation(gold: Equation, found: Equation) -> bool:
    """`equivalent`; false if one of the two is too large to compare."""
    try:
        return equivalent(gold, found)
    except EqparseError:
        return False


def _grounded_relation(gold: Equation, found: Equation, near: Callable[[str, str], bool]) -> bool:
    try:
        return any(
            all(near(ours, theirs) for theirs, ours in naming.items()) and same_relation(gold, found.renamed(naming))
            for naming in namings(gold, found)
        )
    except EqparseError:
        return False


def _refused(example: Example, predictions: Mapping[str, Parse]) -> bool:
    prediction = predictions.get(example.id)
    return prediction is None or prediction.equation is None


def _percentage(verdicts: Iterable[bool]) -> float | None:
    verdicts = list(verdicts)
    return round(100 * sum(verdicts) / len(verdicts), 2) if verdicts else None
