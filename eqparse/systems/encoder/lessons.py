"""What an encoder learns from sentences, in batches of similar length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from eqparse.parser.limits import check_mentions
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.base import Task
from eqparse.stages.refusal import RefusalProblem
from eqparse.text.mentions import Mentions
from eqparse.training.gold import gold_steps

BUCKET = 8  # batches that are sorted by length together


@dataclass(frozen=True)
class Lesson:
    """What there is to learn from one sentence: a task for each stage that has one."""

    mentions: Mentions
    tasks: dict[str, Task]

    def unanswered(self) -> Lesson:
        """The lesson without the answer that the refusal stage is asked about."""
        asked = self.tasks.get("refusal")
        if asked is None:
            return self
        return replace(self, tasks=self.tasks | {"refusal": replace(asked, problem=RefusalProblem(self.mentions))})


def find_lessons(parser: EquationParser, examples, mentions, first_phrase) -> Iterator[Lesson]:
    """Yield what there is to learn from each sentence that the limits allow.

    first_phrase: id -> whether only the first phrases are gold; see `gold_sets`.
    """
    for example, m in zip(examples, mentions, strict=True):
        if check_mentions(m, parser.limits) is None:
            steps = gold_steps(parser, example, m, first_phrase=first_phrase(example.id))
            tasks = {s.stage: Task(s.problem, s.gold) for s in steps if s.gold and s.stage in parser.stages}
            if tasks:
                yield Lesson(m, tasks)


def batches(
    lessons: Sequence[Lesson], parser: EquationParser, size: int, order: random.Random
) -> Iterator[list[Lesson]]:
    """All lessons in a random order, in batches of similar length."""
    shuffled = order.sample(lessons, len(lessons))
    found = []
    for at in range(0, len(shuffled), size * BUCKET):
        group = shuffled[at : at + size * BUCKET]
        group.sort(key=lambda lesson: len(parser.encoder.read(lesson.mentions.sentence)[0]))
        found += [group[k : k + size] for k in range(0, len(group), size)]
    order.shuffle(found)
    yield from found
