"""Temperatures of the stages: what their scores are divided by, so that the softmax of the scores is a probability.

Guo et al., On Calibration of Modern Neural Networks (ICML 2017), with structures in place of classes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from eqparse.corpus.example import Example
from eqparse.parser.limits import check_mentions
from eqparse.parser.pipeline import EquationParser, chunks
from eqparse.scoring.encoder.encoder import remembering
from eqparse.stages.base import Stage, Task
from eqparse.structured.spaces.output_space import OutputSpace, score
from eqparse.text.mentions import Mentions
from eqparse.training.train import stage_steps

BATCH = 64
LEAST, MOST = 1 / 64, 64.0  # temperatures are sought between these
STEPS = 18  # of ternary search, which leave less than a hundredth of the logarithm of the temperature


class HeldOut(NamedTuple):
    """A parser, and annotated sentences that it was not trained on."""

    parser: EquationParser
    examples: Sequence[Example]
    mentions: Sequence[Mentions]


class Scored(NamedTuple):
    """The scores of a batch, and those of its gold structures."""

    scores: Tensor
    """[B, *P]."""
    space: OutputSpace
    gold: Tensor
    """[B, G]; -inf where there is none, or the space lacks it (the lexicon may forbid a gold tree)."""

    def loss(self, temperature: float) -> float:
        """The sum of - log p(gold structures), of the problems that have any."""
        values = self.space.log_partition(self.scores / temperature) - (self.gold / temperature).logsumexp(1)
        return float(values[self.gold.isfinite().any(1)].sum())


def fit_temperatures(held_out: Sequence[HeldOut]) -> dict[str, float]:
    """Stage -> the temperature under which the gold structures of the sentences are most probable.

    Each stage is given gold choices of the earlier ones, as in training. A stage without sentences is left out.
    """
    known: dict[str, list[Scored]] = {}
    for parser, examples, mentions in held_out:
        with remembering():
            for name, stage in parser.stages.items():
                known.setdefault(name, []).extend(score_gold(parser, name, stage, examples, mentions))
    return {name: best_temperature(scored) for name, scored in known.items() if scored}


def score_gold(
    parser: EquationParser, name: str, stage: Stage, examples: Sequence[Example], mentions: Sequence[Mentions]
) -> Iterator[Scored]:
    """Yield what a stage's temperature is fitted to, a batch at a time."""
    pairs = [(e, m) for e, m in zip(examples, mentions, strict=True) if check_mentions(m, parser.limits) is None]
    yield from score_tasks(stage, [Task(step.problem, step.gold) for _, step in stage_steps(parser, name, pairs)])


@torch.no_grad()
def score_tasks(stage: Stage, tasks: Sequence[Task]) -> Iterator[Scored]:
    """Yield the scores of a stage's tasks, a batch at a time."""
    for some in chunks(tasks, BATCH):
        batch = stage.batch([task.problem for task in some])
        block = stage.block(some, batch.inputs, batch.space)
        scores = stage.scores(batch)
        values = score(scores.unsqueeze(1), block.gold, first=2)
        # a structure is in the space if no other one fits it better
        there = [batch.space.argmax(2 * y - 1).value >= y.flatten(1).sum(1) for y in block.gold.unbind(1)]
        yield Scored(
            scores, batch.space, values.masked_fill(~(torch.stack(there, dim=1) & block.gold_mask), -torch.inf)
        )


@torch.no_grad()
def best_temperature(known: Sequence[Scored]) -> float:
    """The temperature t of the least loss, by ternary search: the loss is nearly convex in 1 / t."""
    low, high = math.log(LEAST), math.log(MOST)
    for _ in range(STEPS):
        third = (high - low) / 3
        a, b = (sum(one.loss(math.exp(at)) for one in known) for at in (low + third, high - third))
        low, high = (low, high - third) if a <= b else (low + third, high)
    return math.exp((low + high) / 2)
