"""What the stages share: a scorer of parts, an output space, and training with the structured hinge loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from eqparse.scoring.features.hashing import Features, tracing
from eqparse.scoring.features.naming import FeatureNames
from eqparse.scoring.hashed_linear import HashedLinear, row_scores
from eqparse.scoring.part_inputs import PartInputs, bucket_of
from eqparse.scoring.scorer import Scorer
from eqparse.structured.spaces.output_space import OutputSpace
from eqparse.structured.svm.block import Block
from eqparse.structured.svm.latent import LatentResult, train_latent
from eqparse.structured.svm.solver import Progress, Solver
from eqparse.text.mentions import Mentions

ENCODER = "encoder:the whole text"  # the name of a head's contribution
MAX_BLOCKS = 100  # a step takes as long for a small block as for a large one


@dataclass(frozen=True)
class Batch:
    """A batch of problems of one stage: the input of the scorer, and the space in which its scores are searched.

    problems, layout: the problems, and where the rows of the inputs lie in their texts, for a head.
    """

    inputs: PartInputs
    space: OutputSpace
    problems: Sequence[Any] = ()
    layout: Any = None


@dataclass(frozen=True)
class Task:
    """One training problem: what the stage needs to build it, its gold structures, and whether it is auxiliary.

    auxiliary: whether the problem comes from other data than the stage is meant for; see `Stage.fit`.
    """

    problem: Any
    gold: Sequence[Any]
    auxiliary: bool = False


@dataclass(frozen=True)
class Contribution:
    """What one feature contributes to the score of a structure.

    name: the feature and its label, such as `neighbourhood:word before 1 = than → second phrase`.
    """

    name: str
    weight: float


class Stage(nn.Module):
    """A structured predictor: argmax_y w . phi(x, y) over the output space of a problem.

    A stage defines how to build a batch, which parts a structure has, and what a wrong part costs; the rest is here.

    name: its place in the pipeline, one of `eqparse.stages.registry.STAGES`.
    labels: the number of labels, which is the number of weights per feature.
    label_names: a readable description of what each label stands for.
    feature_groups: the groups of features that exist for it.
    groups: the groups in use.
    bits: features are hashed to 2**bits buckets.
    head: a second scorer of the rows of features, which reads the text itself; see `eqparse.systems.encoder.heads`.
    hashed_weight: what the scores of the hashed features are multiplied by when they are added to those of a head.
    """

    name = ""
    labels = 1
    label_names: Sequence[str] = ()
    feature_groups: tuple[str, ...] = ()

    def __init__(self, *, groups: Collection[str], bits: int) -> None:
        super().__init__()
        self.groups = tuple(groups)
        self.bits = bits
        self.scorer: Scorer = HashedLinear(buckets=2**bits, labels=self.labels)
        self.head: nn.Module | None = None
        self.hashed_weight = 1.0

    @property
    def hashed(self) -> bool:
        """Whether the hashed features count."""
        return self.head is None or self.hashed_weight != 0

    @property
    def device(self) -> torch.device:
        return self.scorer.device

    @property
    def options(self) -> dict[str, Any]:
        """The stage's other options that differ from their defaults, as plain data for a checkpoint."""
        return {}

    def batch(self, problems: Sequence[Any]) -> Batch:
        """The features and output space of a batch of problems, on the stage's device."""
        raise NotImplementedError

    def encode(self, structure: Any, problem: Any, shape: tuple[int, ...]) -> np.ndarray:
        """int64 [parts]: the flat indices, within `shape` [*P], of the parts of a structure."""
        raise NotImplementedError

    def decode(self, parts: Tensor, problems: Sequence[Any]) -> list[Any]:
        """The structure of each problem, from parts [B, *P], which are 1 where the structure has the part."""
        raise NotImplementedError

    def cost(self, gold: Tensor, gold_mask: Tensor) -> tuple[Tensor, Tensor]:
        """The task loss as cost [B, *P] and constant [B] from gold [B, G, *P]: a part in no gold structure costs 1."""
        return 1 - gold.amax(1), gold.new_zeros(len(gold))

    @torch.no_grad()
    def argmax(self, problems: Sequence[Any]) -> tuple[list[Any], Tensor]:
        """The best structure of each problem and its score [B]; `feasible(score)` is false where there is none."""
        batch = self.batch(problems)
        best = batch.space.argmax(self.scores(batch))
        return self.decode(best.parts, problems), best.value

    @staticmethod
    def probes(mentions: Mentions) -> Sequence[Any]:
        """Problems from a sentence that exercise all of the stage's features; see `eqparse.systems.signature`."""
        return [mentions]

    def feature_names(self, problem: Any, strings: Callable[[int], str | None]) -> FeatureNames:
        """The names of the features of a problem.

        strings: maps a spaCy hash to its string, or None.
        """
        return FeatureNames(problem if isinstance(problem, Mentions) else problem.mentions, strings)

    @torch.no_grad()
    def score(self, problem: Any, structure: Any) -> float:
        """The score w . phi of a structure of a problem."""
        batch = self.batch([problem])
        parts = torch.from_numpy(self.encode(structure, problem, batch.inputs.shape[1:]))
        return float(self.scores(batch).flatten()[parts.to(self.device)].sum())

    @torch.no_grad()
    def explain(
        self, problem: Any, structure: Any, *, strings: Callable[[int], str | None] = lambda _: None
    ) -> list[Contribution]:
        """The terms of a structure's score: contributions by feature and label, which sum to `score`.

        A head, where there is one, has one term. A name occurs as often as its feature does, even if the weight is 0.

        strings: maps a spaCy hash to its string, or None; a tag or lemma without a string is shown as (?).
        """
        with tracing():
            batch = self.batch([problem])
        parts = self.encode(structure, problem, batch.inputs.shape[1:]).tolist()
        names = self.feature_names(problem, strings)
        speaks = [f" → {name}" for name in self.label_names] or [""] * self.labels
        found = [
            Contribution(names.name(*batch.inputs.names[feature]) + speaks[label], self.hashed_weight * weight)
            for feature, label, weight in self.scorer.explain(batch.inputs, parts)
        ]
        if self.head is None:
            return found
        read = batch.inputs.spread(self.head(batch.problems, batch.layout)).flatten()[parts]
        return [*found, Contribution(ENCODER, float(read.sum()))]

    def scores(self, batch: Batch) -> Tensor:
        """The part scores [B, *P] of a batch."""
        if self.head is None:
            return self.scorer(batch.inputs)
        rows = self.head(batch.problems, batch.layout)
        if self.hashed:
            rows = rows + self.hashed_weight * row_scores(self.scorer.weight, batch.inputs)
        return batch.inputs.spread(rows)

    def inputs(
        self, features: Features, entry: np.ndarray, part: np.ndarray, shape: tuple[int, ...]
    ) -> PartInputs:
        """Pack arrays into the scorer's input."""
        return PartInputs(
            bucket_of(features, bits=self.bits),
            torch.from_numpy(features.row.astype(np.int32)),
            features.rows,
            torch.from_numpy(np.ascontiguousarray(entry, dtype=np.int64)),
            torch.from_numpy(np.ascontiguousarray(part, dtype=np.int64)),
            shape,
            names=features.names,
        ).to(self.device)

    def fit(
        self,
        tasks: Sequence[Task],
        solver: Solver,
        *,
        block_size: int,
        max_rounds: int,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> LatentResult:
        """Train the weights on the tasks (by Algorithm 1 of the paper if a task has several gold structures).

        Auxiliary tasks follow a partly different convention: they are scored by w + u, all others by w, and u is
        dropped after training. If all tasks are auxiliary, there is no u.

        block_size: problems per block of the solver; increased if there would be more than `MAX_BLOCKS` blocks.
        max_rounds: the greatest number of rounds of choosing among gold structures.
        seed: determines the order of the tasks.
        progress: called with each entry of the solver's history.
        """
        block_size = max(block_size, math.ceil(len(tasks) / MAX_BLOCKS))
        order = [tasks[i] for i in np.random.default_rng(seed).permutation(len(tasks))]
        sides = [[task for task in order if task.auxiliary == side] for side in (False, True)]
        chunks = [side[at : at + block_size] for side in sides for at in range(0, len(side), block_size)]
        inputs, spaces = [], []
        for chunk in chunks:
            batch = self.batch([task.problem for task in chunk])
            inputs.append(batch.inputs)
            spaces.append(batch.space)
        auxiliary = [chunk[0].auxiliary and all(sides) for chunk in chunks]
        scorer, inputs = self.scorer.for_training(inputs, auxiliary)
        blocks = [self.block(*each) for each in zip(chunks, inputs, spaces, strict=True)]
        result = train_latent(scorer, blocks, solver, max_rounds=max_rounds, progress=progress)
        self.scorer.take(scorer)
        return result

    def block(self, chunk: Sequence[Task], inputs: PartInputs, space: OutputSpace) -> Block:
        shape = inputs.shape[1:]
        most = max(len(task.gold) for task in chunk)
        gold = torch.zeros(len(chunk), most, *shape)
        mask = torch.zeros(len(chunk), most, dtype=torch.bool)
        for b, task in enumerate(chunk):
            for g, structure in enumerate(task.gold):
                gold[b, g].view(-1)[torch.from_numpy(self.encode(structure, task.problem, shape))] = 1
                mask[b, g] = True
        gold, mask = gold.to(self.device), mask.to(self.device)
        cost, constant = self.cost(gold, mask)
        return Block(inputs=inputs, space=space, cost=cost, constant=constant, gold=gold, gold_mask=mask)
