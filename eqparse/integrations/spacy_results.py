"""What a spaCy Doc keeps of the parses of its sentences, and the attributes that show it.

A sentence's result is plain data in `doc.user_data`, under the key of a Span's extension: it comes through
`to_bytes`, `DocBin`, pickle and `Doc.from_docs` with the Doc, its offsets counted from the sentence's beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from spacy.tokens import Doc, Span

from eqparse.equation.equation import Equation

if TYPE_CHECKING:
    from eqparse.parser.parse import Parse

DATA = "eqparse_result"  # the extension that holds a sentence's result
SPANS = "eqparse"  # the group of `doc.spans`
NUMBER = "NUMBER"


class QuantitySpan(NamedTuple):
    """A number that an equation uses; value, unit and kind as in `eqparse.text.quantities.Quantity`."""

    span: Span
    value: float
    unit: str
    kind: str


@dataclass(frozen=True)
class SentenceEquation:
    """The equation that a sentence of a Doc states.

    variables: label -> the spans of the Doc that mention the variable, in order of position.
    quantities: the numbers that the equation uses, in order of position.
    confidence: the probability that the sentence states this relation; None if the model has no calibration.
    sentence: the sentence, a span of the Doc.
    """

    equation: Equation
    variables: dict[str, list[Span]]
    quantities: list[QuantitySpan]
    confidence: float | None
    sentence: Span


def store(sentence: Span, parse: Parse, shift: int) -> None:
    """Keep a sentence's parse with its Doc. shift: where the parsed text begins in the sentence, in characters."""

    def moved(span: tuple[int, int]) -> list[int]:
        return [at + shift for at in span]

    sentence._.set(DATA, {
        "equation": None if parse.equation is None else parse.equation.to_dict(),
        "variables": {label: [moved(span) for span in spans] for label, spans in parse.variables.items()},
        "quantities": [
            {"span": moved((q.start, q.end)), "value": q.value, "unit": q.unit, "kind": q.kind}
            for q in parse.quantities
        ],
        "confidence": parse.confidence,
        "reason": parse.reason,
    })


def draw(doc: Doc) -> None:
    """Put the phrases and numbers of a Doc's equations into `doc.spans["eqparse"]`, labelled V1, V2 and NUMBER."""
    doc.spans[SPANS] = sorted(
        span for one in equations(doc) for spans in [*one.variables.values(), [q.span for q in one.quantities]]
        for span in spans
    )


def equations(doc: Doc) -> list[SentenceEquation]:
    """The equations that the sentences of a Doc state, in order of position."""
    found = []
    # not over doc.sents, which a Doc need not have kept; a Doc made of part of another has results outside it as well
    ours = (key for key in doc.user_data if isinstance(key, tuple) and key[:2] == ("._.", DATA))
    for start, end in sorted(key[2:] for key in ours):
        data = doc.user_data["._.", DATA, start, end]
        if data["equation"] is not None and 0 <= start and end <= len(doc.text):
            found.append(built(doc.char_span(start, end, alignment_mode="expand"), data, start))
    return found


def built(sentence: Span, data: dict[str, Any], at: int) -> SentenceEquation:
    """The equation in a sentence's result. at: the character where the sentence began when it was parsed."""

    def span(bounds: list[int], label: str) -> Span:
        start, end = bounds
        return sentence.doc.char_span(at + start, at + end, label=label, alignment_mode="expand")

    return SentenceEquation(
        Equation.from_dict(data["equation"]),
        {label: [span(bounds, label) for bounds in all_bounds] for label, all_bounds in data["variables"].items()},
        [QuantitySpan(span(q["span"], NUMBER), q["value"], q["unit"], q["kind"]) for q in data["quantities"]],
        data["confidence"],
        sentence,
    )


def equation(sentence: Span) -> Equation | None:
    """The equation that a sentence states; None if it states none, and for a span that is no sentence."""
    data = sentence._.get(DATA)
    return None if data is None or data["equation"] is None else Equation.from_dict(data["equation"])


def reason(sentence: Span) -> str | None:
    """Why a sentence has no equation, in words, "" if it has one; None for a span that is no sentence."""
    data = sentence._.get(DATA)
    return None if data is None else data["reason"]


def register() -> None:
    """Give all Docs and Spans the attributes; once more does no harm."""
    Span.set_extension(DATA, default=None, force=True)
    Span.set_extension("equation", getter=equation, force=True)
    Span.set_extension("equation_reason", getter=reason, force=True)
    Doc.set_extension("equations", getter=equations, force=True)
