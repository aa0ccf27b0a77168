"""Fits a parser's calibration to annotated sentences that it was not trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, softplus

from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.errors import ConfigError, DataError
from eqparse.parser.calibration import Calibration
from eqparse.parser.decode import Greedy
from eqparse.parser.limits import check_mentions
from eqparse.parser.nbest import NBest
from eqparse.parser.parse import GroundedEquation
from eqparse.parser.pipeline import EquationParser
from eqparse.scoring.encoder.encoder import remembering
from eqparse.text.mentions import Mentions
from eqparse.training.metrics import equal_relation
from eqparse.training.relations import relation_tasks
from eqparse.training.temperatures import HeldOut, Scored, best_temperature, fit_temperatures, score_tasks

LEAST_SENTENCES = 20  # with an answer, for the three numbers of the logistic model
LEAST_WRONG = 5  # of each sort: to sentences that state another equation, and to sentences that state none
L2 = 1.0  # on its two weights; it only matters where there are few sentences


def calibrate(held_out: Sequence[HeldOut], *, least: float = Calibration.least) -> Calibration:
    """The calibration of parsers that were trained alike, fitted to the sentences that each has not seen.

    First a temperature for each stage, the relation stage last, since it compares what the others find. Then the
    logistic model of whether the most probable relation is right, over the sentences for which there is an answer,
    whatever the refusal stage says of it; the answer to one that states no equation is wrong.

    least: the confidence with which an answer is given.

    Raises ConfigError for a parser that decodes its stages jointly, DataError if too few sentences get an answer.
    """
    for parser, _, _ in held_out:
        if not isinstance(parser.decoder, (Greedy, NBest)):
            raise ConfigError(
                "calibration: expected a parser whose stages decide one after the other, found one that searches them "
                "jointly; leave out its calibration"
            )
    fitted = Calibration(fit_temperatures(held_out), least=least)
    compared = [scored for one in held_out for scored in score_relations(*one, fitted)]
    if compared:
        fitted = replace(fitted, temperatures=fitted.temperatures | {"relation": best_temperature(compared)})
    known = [one for parser, examples, mentions in held_out for one in judged(parser, fitted, examples, mentions)]
    right = [one.right for one in known]
    if len(right) < LEAST_SENTENCES or len(set(right)) < 2:
        raise DataError(
            f"calibration: expected at least {LEAST_SENTENCES} sentences with an answer, some right and some wrong; "
            f"found {len(right)}, {sum(right)} of them right"
        )
    evidence = torch.tensor([one.evidence for one in known])
    slope, margin, intercept = fit_logistic(evidence, torch.tensor(right), increasing=True)
    fitted = replace(fitted, slope=slope, margin=margin, intercept=intercept, sentences=len(right))
    none = torch.tensor([not one.states_one for one in known if not one.right])
    if min(none.sum(), (~none).sum()) < LEAST_WRONG:
        return fitted
    wrong = ~torch.tensor(right)
    stated = [example.equation is not None for _, examples, _ in held_out for example in examples]
    return replace(fitted, none_stated=fit_logistic(evidence[wrong], none), prevalence=sum(stated) / len(stated))


class Judged(NamedTuple):
    """The evidence for an answer, whether the sentence states that relation, and whether it states any."""

    evidence: tuple[float, float]
    right: bool
    states_one: bool


@torch.no_grad()
def judged(
    parser: EquationParser, fitted: Calibration, examples: Sequence[Example], mentions: Sequence[Mentions]
) -> Iterator[Judged]:
    """Yield what is known of each answer."""
    pairs = [(e, m) for e, m in zip(examples, mentions, strict=True) if check_mentions(m, parser.limits) is None]
    able = [m for _, m in pairs]
    before, parser.decoder = parser.decoder, NBest(fitted)
    try:
        with remembering():
            answers = parser.answers(able)
            margins = parser.refusal_margins(able, answers)
    finally:
        parser.decoder = before
    for (example, _), answer, refusal_margin in zip(pairs, answers, margins, strict=True):
        if isinstance(answer, GroundedEquation):
            evidence = fitted.evidence([one.probability for one in answer.weighed], refusal_margin)
            yield Judged(evidence, states(example, answer.equation), example.equation is not None)


def score_relations(
    parser: EquationParser, examples: Sequence[Example], mentions: Sequence[Mentions], fitted: Calibration
) -> Iterator[Scored]:
    """Yield the scores of a parser's relation stage, if it has one."""
    if parser.relation is not None:
        yield from score_tasks(parser.relation, relation_tasks(parser, fitted, examples, mentions))


def states(example: Example, equation: Equation) -> bool:
    """Whether a sentence states a relation."""
    return example.equation is not None and equal_relation(example.equation, equation)


def fit_logistic(features: Tensor, labels: Tensor, *, increasing: bool = False) -> tuple[float, float, float]:
    """The weights of two features [N, 2] and the intercept that are the most likely for `labels`, bool [N].

    increasing: neither weight is below 0.
    """
    features, labels = features.double(), labels.double()
    bounded = softplus if increasing else Tensor.clone
    parameters = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([parameters], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        weights = bounded(parameters[:2])
        value = binary_cross_entropy_with_logits(features @ weights + parameters[2], labels, reduction="sum")
        value = value + L2 / 2 * (weights**2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    parameters = parameters.detach()
    return (*bounded(parameters[:2]).tolist(), float(parameters[2]))
