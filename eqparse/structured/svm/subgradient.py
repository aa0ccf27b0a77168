"""Projected stochastic subgradient descent on the structured SVM (Pegasos: Shalev-Shwartz et al., 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import torch
from torch import Tensor, nn

from eqparse.structured.svm.block import Block
from eqparse.structured.svm.solver import (
    Progress,
    SolverResult,
    check_linear,
    check_options,
    objective,
    problems,
    transposed,
    violation,
)


class Subgradient:
    """Minimises P(w) by steps of 1/(lambda t) along a block's subgradient; gives no bound on the distance left."""

    def __init__(
        self,
        *,
        regularization: float,
        epochs: int = 50,
        averaging: bool = True,
        check_every: int = 5,
        seed: int = 0,
    ) -> None:
        """regularization: lambda.
        epochs: passes over the blocks.
        averaging: return the average of the iterates, the t-th weighted by t (Lacoste-Julien, Schmidt, Bach, 2012).
        check_every: epochs between full passes that compute P.
        seed: determines the order of the blocks.
        """
        check_options(type(self).__name__, regularization=regularization, epochs=epochs, check_every=check_every)
        self.regularization = regularization
        self.epochs = epochs
        self.averaging = averaging
        self.check_every = check_every
        self.seed = seed

    def solve(
        self,
        model: nn.Module,
        blocks: Sequence[Block],
        positives: Sequence[Tensor],
        *,
        state: int | None = None,
        progress: Progress | None = None,
    ) -> SolverResult:
        """See `Solver`. The state is the number of steps taken; if it is given, the model's weights are kept."""
        check_linear(self, model)
        generator = torch.Generator().manual_seed(self.seed)
        count, weight = problems(blocks), model.weight
        steps = state or 0
        with torch.no_grad():
            kept = weight.clone()
            weight.zero_()
            # lambda/2 ||w*||^2 <= P(w*) <= P(0): the best weights lie in this ball
            radius = sqrt(2 * objective(model, blocks, positives, self.regularization) / self.regularization)
            if steps:
                weight.copy_(kept)
        average, seen = weight.detach().clone(), 0
        history: list[dict[str, float]] = []
        for epoch in range(1, self.epochs + 1):
            for index in torch.randperm(len(blocks), generator=generator).tolist():
                steps, seen = steps + 1, seen + 1
                self._step(model, blocks[index], positives[index], len(blocks) / count, steps, radius)
                average.lerp_(weight.detach(), 2 / (seen + 1))
            if epoch % self.check_every == 0 or epoch == self.epochs:
                history.append({"objective": self._check(model, blocks, positives, average), "epoch": epoch})
                if progress is not None:
                    progress(history[-1])
        if self.averaging:
            with torch.no_grad():
                weight.copy_(average)
        return SolverResult(history[-1]["objective"], None, None, self.epochs, False, history, steps)

    def _step(self, model: nn.Module, block: Block, positive: Tensor, share: float, step: int, radius: float) -> None:
        """w <- project((1 - 1/t) w - 1/(lambda t) share Phi_B^T (y- - y+)); share = blocks / n."""
        with torch.enable_grad():
            scores = model(block.inputs)
            found = violation(block, scores.detach(), positive)
            gradient = transposed(model, scores, found.parts - positive)
        with torch.no_grad():
            model.weight.mul_(1 - 1 / step)
            model.weight.add_(gradient, alpha=-share / (self.regularization * step))
            norm = float(model.weight.norm())
            if norm > radius:
                model.weight.mul_(radius / norm)

    @torch.no_grad()
    def _check(self, model: nn.Module, blocks: Sequence[Block], positives: Sequence[Tensor], average: Tensor) -> float:
        """P at the weights that would be returned now."""
        if not self.averaging:
            return objective(model, blocks, positives, self.regularization)
        current = model.weight.clone()
        model.weight.copy_(average)
        value = objective(model, blocks, positives, self.regularization)
        model.weight.copy_(current)
        return value
