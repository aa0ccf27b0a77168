"""Trains the relation stage on what parsers find for sentences that they were not trained on (jackknifing)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from eqparse.corpus.example import Example
from eqparse.parser.calibration import Calibration
from eqparse.parser.limits import check_mentions
from eqparse.parser.nbest import COMPARED, NBest, Relation, relation_problem
from eqparse.parser.pipeline import EquationParser, batches
from eqparse.scoring.encoder.encoder import remembering
from eqparse.stages.base import Task
from eqparse.stages.relation import RelationStage
from eqparse.text.mentions import Mentions
from eqparse.training.metrics import equal_relation
from eqparse.training.temperatures import HeldOut, fit_temperatures

Fit = Callable[[Sequence[Task]], RelationStage]
"""Makes a relation stage that has learnt from some tasks."""


def learn_relations(held_out: Sequence[HeldOut], fit: Fit) -> RelationStage:
    """The relation stage that has learnt from what each parser finds for the sentences that it has not seen.

    Each of the parsers gets a stage that has learnt from what the others find, so that a calibration may be fitted to
    them. Their scores are compared at temperatures fitted to all of them.

    Raises DataError if there is nothing to choose between.
    """
    calibration = Calibration(fit_temperatures(held_out))
    tasks = [relation_tasks(parser, calibration, examples, mentions) for parser, examples, mentions in held_out]
    for k, (parser, _, _) in enumerate(held_out):
        parser.relation = fit([task for j, some in enumerate(tasks) if j != k for task in some])
    return fit([task for some in tasks for task in some])


@torch.no_grad()
def relation_tasks(
    parser: EquationParser, calibration: Calibration, examples: Sequence[Example], mentions: Sequence[Mentions]
) -> list[Task]:
    """The choices between the relations that a parser finds for sentences, where some are right and some are wrong."""
    pairs = [
        (e, m) for e, m in zip(examples, mentions, strict=True)
        if e.equation is not None and check_mentions(m, parser.limits) is None
    ]
    stage, parser.relation = parser.relation, None
    found: list[list[Relation]] = []
    try:
        for some in batches([m for _, m in pairs], parser.batch_size):
            with remembering():
                found += NBest(calibration).relations(parser, some)
    finally:
        parser.relation = stage
    tasks = []
    for (example, m), relations in zip(pairs, found, strict=True):
        compared = relations[:COMPARED]
        right = [k for k, one in enumerate(compared) if equal_relation(example.equation, one.best.equation)]
        if 0 < len(right) < len(compared):
            tasks.append(Task(relation_problem(m, compared), tuple(right)))
    return tasks
