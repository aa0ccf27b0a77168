"""The stages' linear scorers as a single one, and its inputs made compact: rows with the same features are shared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from eqparse.scoring.features.hashing import MULTIPLIER
from eqparse.scoring.hashed_linear import StackedLinear
from eqparse.scoring.part_inputs import PartInputs


@dataclass(frozen=True)
class JointInputs:
    """What `JointLinear` needs to score a block of B problems with K trigger lists each.

    parts: inputs of each stage.
    member: [B, K, quantities], whether a trigger list has a quantity.
    variable: int64 [B, K], the flat index of each list's variable part.
    """

    parts: tuple[PartInputs, ...]
    member: Tensor
    variable: Tensor


class JointLinear(StackedLinear):
    """The stages' linear scorers, of quantities, variables and trees, as one linear model."""

    def forward(self, inputs: JointInputs) -> Tensor:
        """[B, K, 1 + F]: the score of a list's quantities and phrases, then of each node that its tree may have."""
        quantity, variable, tree = self.scores(inputs.parts)
        outer = torch.einsum("bkq,bq->bk", inputs.member, quantity) + variable.flatten()[inputs.variable]
        return torch.cat([outer.unsqueeze(-1), tree.view(*outer.shape, -1)], -1)


def keep_parts(inputs: PartInputs, parts: Tensor) -> PartInputs:
    """Keep only these parts (flat, ascending), renumbered from 0, and the rows that they use."""
    place = torch.full((math.prod(inputs.shape),), -1, dtype=torch.int64)
    place[parts] = torch.arange(len(parts))
    part = place[inputs.part]
    kept = part >= 0
    return replace(inputs, entry=inputs.entry[kept], part=part[kept], shape=(len(parts),))


def shared(inputs: PartInputs, labels: int) -> PartInputs:
    """The same scores from fewer rows: unused rows are dropped, rows with the same features are merged."""
    used = torch.zeros(inputs.rows, dtype=torch.bool)
    used[inputs.entry // labels] = True
    # a row's signature is the sum of its features' 64-bit hashes, the finaliser of SplitMix64
    mixed = inputs.bucket.numpy().astype(np.uint64) + MULTIPLIER
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    signature = torch.zeros(inputs.rows, dtype=torch.int64)
    signature.index_add_(0, inputs.row, torch.from_numpy(mixed.view(np.int64)))
    rows = used.nonzero().flatten()
    unique, group = signature[rows].unique(return_inverse=True)
    chosen = torch.empty(len(unique), dtype=torch.int64)
    chosen[group.flip(0)] = rows.flip(0)  # the first row of each group
    number = torch.full((inputs.rows,), -1, dtype=torch.int64)
    number[chosen] = torch.arange(len(chosen))
    row = number[inputs.row]
    kept = row >= 0
    renamed = torch.zeros(inputs.rows, dtype=torch.int64)
    renamed[rows] = group
    entry = renamed[inputs.entry // labels] * labels + inputs.entry % labels
    return replace(inputs, bucket=inputs.bucket[kept], row=row[kept], rows=len(chosen), entry=entry)
