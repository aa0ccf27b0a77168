"""Small structured problems for the tests of the solvers, and an independent way to their best objective."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from brute_force import all_choices, all_trees
from torch import Tensor, nn

from eqparse.structured.spaces import BinaryTrees, OneOf
from eqparse.structured.svm import Block


class Linear(nn.Module):
    """scores = inputs @ weight: inputs [B, *P, F], or with labels [B, *P', F] -> [B, *P', L]."""

    linear = True

    def __init__(self, *shape: int, device: str = "cpu") -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(shape, dtype=torch.float64, device=device))

    def forward(self, inputs: Tensor) -> Tensor:
        return inputs @ self.weight


class Bags(nn.Module):
    """Labelled scores of bags of hashed features, with a sparse gradient: inputs [B, *P', F] -> [B, *P', L]."""

    linear = True

    def __init__(self, weight: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight)

    def forward(self, inputs: Tensor) -> Tensor:
        bags = nn.functional.embedding_bag(inputs.flatten(0, -2), self.weight, mode="sum", sparse=True)
        return bags.unflatten(0, inputs.shape[:-1])


def multiclass(*, sizes: Sequence[int] = (3, 3, 3), classes: int = 3, golds: int = 1, seed: int = 0) -> list[Block]:
    """Pick one of several candidates, each with features of its own: parts [classes], weights [4]."""
    generator = torch.Generator().manual_seed(seed)
    blocks = []
    for size in sizes:
        inputs = torch.randn(size, classes, 4, generator=generator, dtype=torch.float64)
        order = torch.rand(size, classes, generator=generator).argsort(1)[:, :golds]
        gold = torch.eye(classes, dtype=torch.float64)[order]
        union = gold.sum(1)
        blocks.append(
            Block(
                inputs=inputs,
                space=OneOf(torch.ones(size, classes, dtype=torch.bool)),
                cost=1 - union,
                constant=torch.zeros(size, dtype=torch.float64),
                gold=gold,
                gold_mask=torch.ones(size, golds, dtype=torch.bool),
            )
        )
    return blocks


def trees(
    *, lengths: Sequence[Sequence[int]] = ((3, 2), (4, 1)), seed: int = 0, device: str = "cpu", golds: int = 1
) -> list[Block]:
    """Label and bracket leaves: parts [n, n, n, 3], weights [5, 3]."""
    generator = torch.Generator().manual_seed(seed)
    blocks = []
    for row in lengths:
        n, size = max(row), len(row)
        inputs = torch.randn(size, n, n, n, 5, generator=generator, dtype=torch.float64)
        listed = [all_trees(length, n, 3, [0]) for length in row]
        chosen = [options[torch.randint(len(options), (golds,), generator=generator)] for options in listed]
        gold = torch.stack(chosen).to(device)
        blocks.append(
            Block(
                inputs=inputs.to(device),
                space=BinaryTrees(torch.tensor(row, device=device), 3, [0]),
                cost=1 - 2 * gold[:, 0],
                constant=gold[:, 0].flatten(1).sum(1),
                gold=gold,
                gold_mask=torch.ones(size, golds, dtype=torch.bool, device=device),
            )
        )
    return blocks


def listed_structures(blocks: Sequence[Block]) -> list[list[Tensor]]:
    """[Y, *P] for each problem of each block."""
    out = []
    for block in blocks:
        if isinstance(block.space, OneOf):
            out.append([all_choices(row) for row in block.space.mask])
        else:
            n = block.cost.shape[1]
            out.append([all_trees(length, n, 3, [0]) for length in block.space.lengths.tolist()])
    return out


def best_objective(model: nn.Module, blocks: Sequence[Block], positives: Sequence[Tensor], lam: float) -> float:
    """The least P(w), from the dual of an explicit list of all structures.

    Accelerated projected gradient on the product of simplexes; the value returned is the dual's, which the caller
    can trust to `tolerance` because the primal value at the same point is checked to be that close.
    """
    rows, losses, owner = [], [], []
    size = model.weight.numel()
    eye = torch.eye(size, dtype=torch.float64)
    count = 0
    for block, positive, listed in zip(blocks, positives, listed_structures(blocks), strict=True):
        columns = []
        for unit in eye:
            with torch.no_grad():
                model.weight.copy_(unit.view_as(model.weight))
                columns.append(model(block.inputs))
        phi = torch.stack(columns, dim=-1)  # [B, *P, W]
        for b, structures in enumerate(listed):
            candidates = torch.cat([positive[b].unsqueeze(0), structures])
            loss = block.constant[b] + (block.cost[b] * candidates).flatten(1).sum(1)
            loss[0] = 0
            rows.append((candidates - positive[b]).flatten(1) @ phi[b].flatten(0, -2))
            losses.append(loss)
            owner.append(len(loss))
            count += 1
    psi, loss = torch.cat(rows), torch.cat(losses)
    alpha = torch.cat([torch.eye(n, dtype=torch.float64)[0] for n in owner])
    step = lam * count**2 / float(torch.linalg.matrix_norm(psi, 2)) ** 2
    ahead, momentum = alpha, 1.0
    for _ in range(20000):
        weight = -(ahead @ psi) / (lam * count)
        gradient = (psi @ weight + loss) / count
        moved = torch.cat([_simplex(part) for part in (ahead + step * gradient).split(owner)])
        if float((gradient * (moved - alpha)).sum()) < 0:  # restart: the momentum points downhill
            momentum = 1.0
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead, alpha, momentum = moved + (momentum - 1) / following * (moved - alpha), moved, following
        weight = -(alpha @ psi) / (lam * count)
        margins = (psi @ weight + loss).split(owner)
        primal = lam / 2 * weight @ weight + sum(part.max() for part in margins) / count
        dual = -lam / 2 * weight @ weight + loss @ alpha / count
        if primal - dual < 1e-6 * primal:
            return float(dual)
    raise AssertionError(f"the reference did not converge: {primal} and {dual}")


def _simplex(point: Tensor) -> Tensor:
    """The nearest point of the simplex (Duchi et al., ICML 2008)."""
    ordered = point.sort(descending=True).values
    excess = (ordered.cumsum(0) - 1) / torch.arange(1, len(point) + 1)
    last = int((ordered > excess).sum()) - 1
    return (point - excess[last]).clamp(min=0)
