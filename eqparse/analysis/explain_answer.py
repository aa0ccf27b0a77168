"""Why a parser gives an answer: each stage's score of what it chose, and the features that weighed most."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import torch

from eqparse.analysis.errors_page.explanation import heaviest, parse_steps
from eqparse.parser.limits import check_mentions, check_text
from eqparse.parser.pipeline import EquationParser
from eqparse.parser.texts import Parser
from eqparse.scoring.encoder.encoder import remembering
from eqparse.stages.base import Contribution
from eqparse.stages.refusal import EQUATION
from eqparse.text.markup import strip_markup
from eqparse.text.mentions import find_mentions


@dataclass(frozen=True)
class StageExplanation:
    """A stage's score of what the parse has, and the features that contributed most to it, the weightiest first.

    Of the refusal stage always the score of stating an equation: a refusal has neither features nor a score but 0.
    """

    stage: str
    score: float
    features: tuple[Contribution, ...]


@torch.no_grad()
@remembering()
def explain_answer(parser: Parser, text: str) -> list[StageExplanation]:
    """Explain the answer to a text, stage by stage. Empty if a limit refuses it, and for a system without stages."""
    model = parser.equation_parser
    if not isinstance(model, EquationParser) or check_text(text, model.limits):
        return []
    sentence, strings = parser.annotator.named(strip_markup(text).text)
    mentions = find_mentions(sentence)
    if check_mentions(mentions, model.limits):
        return []
    [parse] = model.parse_mentions([mentions])
    steps = parse_steps(model, mentions, parse)
    if "refusal" in steps:
        steps["refusal"] = steps["refusal"][0], EQUATION
    found = []
    for name, (problem, structure) in steps.items():
        stage, total = model.stages[name], Counter()
        for part in stage.explain(problem, structure, strings=strings.get):
            total[part.name] += part.weight
        found.append(StageExplanation(name, stage.score(problem, structure), heaviest(total)))
    return found
