"""The sentences of a run: read, split into training and test sentences, and annotated."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eqparse.corpus import Example, assign_folds, folds_file, read_examples, read_folds
from eqparse.corpus.annotated import annotate
from eqparse.errors import DataError
from eqparse.experiments.config import ALL, FOLDS, DataConfig, Folds, RunConfig, TrainConfig
from eqparse.text.mentions import Mentions

Progress = Callable[[str, dict[str, float]], None]
"""Called with a phase or stage and its progress: nothing as it begins; `done` and `total`, or the latest entry of a
solver's history."""


@dataclass(frozen=True)
class Split:
    """Sentences, with the indices (ascending) of those for training and those for testing.

    auxiliary: the ids of the sentences from `data.auxiliary`.
    """

    examples: list[Example]
    train: list[int]
    test: list[int]
    auxiliary: frozenset[str] = frozenset()


@dataclass(frozen=True)
class AnnotatedSplit(Split):
    """A split with the mentions in each sentence. annotator: name and version of the spaCy pipeline."""

    mentions: Sequence[Mentions] = ()
    annotator: str = ""

    def part(self, indices: Sequence[int]) -> tuple[list[Example], list[Mentions]]:
        """The sentences with these indices."""
        return [self.examples[i] for i in indices], [self.mentions[i] for i in indices]


def annotated_split(config: RunConfig, split: Split, progress: Progress | None) -> AnnotatedSplit:
    """Annotate the sentences, or read their annotations from the cache."""
    texts = [example.text for example in split.examples]
    if progress is not None:
        progress("annotate", {})
    mentions, version = annotate(
        texts,
        pipeline=config.annotator.pipeline,
        batch_size=config.annotator.batch_size,
        folder=config.cache_folder,
        progress=None if progress is None else lambda done: progress("annotate", {"done": done, "total": len(texts)}),
    )
    return AnnotatedSplit(**vars(split), mentions=mentions, annotator=version)


def read_split(config: RunConfig) -> Split:
    """Read the sentences and split them; to test a checkpoint, only those that are tested. Raises DataError.

    No test sentence may be used in training, so a sentence or id that is in both the data and `data.auxiliary` is an
    error.
    """
    data = config.data
    examples = drawn(read_examples(data.path), data.limit)
    if not examples:
        raise DataError(f"{data.path}: expected at least one sentence, found none")
    train, test = fold_split(examples, data, config.seed, config.fold)
    if not isinstance(config, TrainConfig):
        tested = [examples[i] for i in (train if config.fold == ALL else test)]
        return Split(tested, [], [*range(len(tested))])
    if data.train_fraction < 1:
        count = max(1, round(len(train) * data.train_fraction))
        order = train.copy()
        random.Random(config.seed).shuffle(order)  # a larger fraction then includes the sentences of a smaller one
        train = sorted(order[:count])
    auxiliary = read_auxiliary(data, examples)
    train += range(len(examples), len(examples) + len(auxiliary))
    return Split(examples + auxiliary, train, test, frozenset(e.id for e in auxiliary))


def drawn(examples: list[Any], limit: int | None) -> list[Any]:
    """So many of the examples, in their order: the same whatever the run's seed, and among those of a larger limit.

    Corpora are often sorted by kind, so the first ones would be of one kind.
    """
    order = list(range(len(examples)))
    random.Random(0).shuffle(order)
    return [examples[i] for i in sorted(order[:limit])]


def read_auxiliary(data: DataConfig, examples: Sequence[Example]) -> list[Example]:
    """The sentences of `data.auxiliary`. Raises DataError if one of them is also among the examples."""
    root = data.auxiliary_path
    if root is None:
        return []
    auxiliary = read_examples(root)
    for what in ("id", "text"):
        known = {getattr(e, what) for e in examples}
        both = next((e for e in auxiliary if getattr(e, what) in known), None)
        if both is not None:
            raise DataError(
                f"data.auxiliary {root}: expected sentences that are not in {data.path}, found the {what} of "
                f"{both.id!r} there; leave that sentence out of one of the two"
            )
    return auxiliary


def fold_split(
    examples: Sequence[Example], data: DataConfig, seed: int, fold: int | str
) -> tuple[list[int], list[int]]:
    """The indices of training and test sentences; with fold "all" every sentence is for training.

    Raises DataError if the fold has no sentences, or no other fold has any.
    """
    if fold == ALL:
        return list(range(len(examples))), []
    if data.folds is Folds.fixed:
        path = folds_file(data.path)
        folds = read_folds(path, examples, folds=FOLDS)
        if not 0 < folds.count(fold) < len(folds):
            found = sorted(set(folds))
            raise DataError(f"{path}: expected sentences of fold {fold} and of others, found folds {found}")
    else:
        folds = assign_folds(examples, method=data.folds.value, seed=seed)
    return [i for i, f in enumerate(folds) if f != fold], [i for i, f in enumerate(folds) if f == fold]
