"""A training set as the solvers see it: fixed mini-batches of problems, each with parts, a loss and gold structures.

The model is a torch module called as `model(block.inputs)` -> scores [B, *P]. These solvers require a model that is
linear in its one parameter `model.weight` (no bias) and declares it by `model.linear = True`: f(x, y) = <model(x), y>,
and autograd gives the transpose of that map.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from eqparse.errors import EqparseError
from eqparse.structured.spaces.output_space import Best, OutputSpace, gold_argmax


@dataclass(frozen=True, kw_only=True)
class Block:
    """One mini-batch of B problems; a training set is a sequence of blocks, the same in every epoch.

    The task loss is a sum over parts, delta(y) = constant + <cost, y>. It should be 0 for gold structures and
    positive for others: for an unweighted Hamming loss to one gold structure g, cost = 1 - 2 g and constant = sum(g).
    """

    inputs: Any
    """The input of the model, which returns scores [B, *P]."""
    space: OutputSpace
    cost: Tensor
    """[B, *P]."""
    constant: Tensor
    """[B]."""
    gold: Tensor
    """[B, G, *P]: 0/1, up to G gold structures of each problem."""
    gold_mask: Tensor
    """Boolean [B, G]: true where `gold` holds a structure."""

    def __post_init__(self) -> None:
        size, parts = self.cost.shape[:1], self.cost.shape[1:]
        groups = self.gold.shape[1:2]
        shapes = {"constant": size, "gold": size + groups + parts, "gold_mask": size + groups}
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise EqparseError(
                    f"Block: expected {name} {list(shape)} for cost {list(self.cost.shape)}, found "
                    f"{list(getattr(self, name).shape)}"
                )

    def __len__(self) -> int:
        return len(self.cost)


def choose_gold(model: nn.Module, blocks: Sequence[Block]) -> list[Tensor]:
    """y+ [B, *P] of each block: the best gold structures under the current weights, the first if several are equal."""
    chosen: list[Best] = []
    with torch.no_grad():
        for block in blocks:
            chosen.append(gold_argmax(model(block.inputs), block.gold, block.gold_mask))
    return [best.parts for best in chosen]
