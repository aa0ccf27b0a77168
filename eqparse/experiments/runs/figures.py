"""What a run measures of a parser: its figures, its predictions, and which sentences it gets right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eqparse.corpus import Example
from eqparse.parser.batch import SentenceParser
from eqparse.parser.confidence import withheld
from eqparse.parser.parse import Parse
from eqparse.parser.pipeline import EquationParser
from eqparse.text.mentions import Mentions
from eqparse.training.confidence import confidence_figures
from eqparse.training.evaluate import predict, stage_accuracy, stage_verdicts, unreachable
from eqparse.training.metrics import judge, summarize


@dataclass
class Figures:
    """The figures of a parser.

    metrics: the figures in percent, as in metrics.json.
    predictions: sentence id -> parse.
    verdicts: for each sentence with an equation, its id and whether it is right by each stage and each criterion.
    """

    metrics: dict[str, Any]
    predictions: dict[str, Parse] = field(default_factory=dict)
    verdicts: list[dict[str, Any]] = field(default_factory=list)


def figures(
    parser: SentenceParser,
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    min_confidence: float | None = None,
) -> Figures:
    """Everything that is measured of a parser on some sentences; only their number if it is 0.

    min_confidence: answers with less confidence are withheld before they are judged.
    """
    if not examples:
        return Figures({"sentences": 0})
    predictions = {id_: withheld(p, min_confidence) for id_, p in predict(parser, examples, mentions).items()}
    apart = isinstance(parser, EquationParser) and parser.decoder.stages_apart
    stages = stage_verdicts(parser, examples, mentions) if apart else {}
    searched = {name: getattr(parser, name, None) for name in ("tree", "variable")}
    lost = unreachable(examples, mentions, limits=parser.limits, **searched)
    return Figures(
        stage_accuracy(stages)
        | summarize(examples, predictions)
        | has_equation_figures(examples, predictions)
        | confidence_figures(examples, predictions)
        | {"unreachable": lost},
        predictions,
        [
            {"id": e.id} | {stage: right[e.id] for stage, right in stages.items()} | judge(e, predictions[e.id])
            for e in examples
            if e.equation is not None
        ],
    )


def has_equation_figures(examples: Sequence[Example], predictions: Mapping[str, Parse]) -> dict[str, float | None]:
    """Precision and recall, in percent, of deciding that a sentence states an equation; empty if all sentences do."""
    states = [e.equation is not None for e in examples]
    if all(states):
        return {}
    said = [predictions[e.id].equation is not None for e in examples]
    both = sum(a and b for a, b in zip(states, said, strict=True))
    return {
        "has_equation_precision": round(100 * both / sum(said), 2) if any(said) else None,
        "has_equation_recall": round(100 * both / sum(states), 2) if any(states) else None,
    }


def prediction_table(examples: Sequence[Example], predictions: Mapping[str, Parse]) -> list[dict[str, Any]]:
    """The predictions as rows for people to read."""
    table = []
    for example in examples:
        found = predictions[example.id]
        verdict = judge(example, found) if example.equation is not None else {}
        phrases = (f"{v}: {example.text[a:b]}" for v, spans in found.variables.items() for a, b in spans)
        table.append({
            "id": example.id,
            "text": example.text,
            "gold": str(example.equation or ""),
            "equation": str(found.equation or ""),
            "variables": "; ".join(phrases),
            "equation right": verdict.get("equation"),
            "grounded right": verdict.get("grounded"),
            "reason": found.reason,
            "score": found.score,
        })
    return table
