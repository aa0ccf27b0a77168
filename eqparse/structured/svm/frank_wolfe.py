"""Block-coordinate Frank-Wolfe on the dual of the structured SVM (Lacoste-Julien et al., ICML 2013, Algorithm 4).

The dual variables of a problem are a convex combination of its structures. Only its mean in part space, mu, and its
mean loss, l, matter. With Phi_B the linear map from weights to the scores of block B,

    w = 1/(lambda n) sum_B Phi_B^T (y+_B - mu_B)      D = -lambda/2 ||w||^2 + (1/n) sum_b l_b      P(w) >= D

so the algorithm never sees features: a step moves mu_B toward the most violating structures y- by a fraction gamma,
found in closed form, and moves w along g = Phi_B^T (mu_B - y-), one product with the transpose, which autograd gives.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.func import functional_call

from eqparse.errors import ConfigError
from eqparse.structured.spaces.output_space import score
from eqparse.structured.svm.block import Block
from eqparse.structured.svm.dual_point import DualPoint, starting_points
from eqparse.structured.svm.hinge import Violation
from eqparse.structured.svm.solver import (
    Progress,
    SolverResult,
    check_linear,
    check_options,
    objective,
    problems,
    squared_norm,
    transposed,
    violation,
)
from eqparse.structured.svm.working_set import WorkingSet

Change = tuple[Tensor, float]
"""A direction in the space of the weights, dense or sparse, and how far they move along it."""


class BlockCoordinateFrankWolfe:
    """Minimises P(w) by maximising D: every check gives D, and so a bound on how far P(w) is from its minimum."""

    def __init__(
        self,
        *,
        regularization: float,
        max_epochs: int = 20,
        tolerance: float = 0.05,
        check_every: int = 5,
        working_set: int = 0,
        averaging: bool = True,
        seed: int = 0,
    ) -> None:
        """regularization: lambda.
        max_epochs: the greatest number of passes over the blocks.
        tolerance: stop when (P - D) <= tolerance * P.
        check_every: epochs between full passes that compute P and D.
        working_set: how many of its structures a block keeps, to re-balance them at every visit (see
            `working_set.py`). A visit then costs two to three times as much, but many times fewer are needed for a
            small gap, especially with small blocks. 0 is the published algorithm.
        averaging: return the weighted average of the iterates (the paper's "BCFW-wavg") instead of the last, at the
            cost of one more pass over the weights per step; it helps when working_set = 0.
        seed: determines the order of the blocks.
        """
        check_options(
            type(self).__name__,
            regularization=regularization,
            max_epochs=max_epochs,
            tolerance=tolerance,
            check_every=check_every,
        )
        if working_set < 0:
            raise ConfigError(f"{type(self).__name__}: expected working_set of at least 0, found {working_set}")
        self.regularization = regularization
        self.max_epochs = max_epochs
        self.tolerance = tolerance
        self.check_every = check_every
        self.working_set = working_set
        self.averaging = averaging
        self.seed = seed

    def solve(
        self,
        model: nn.Module,
        blocks: Sequence[Block],
        positives: Sequence[Tensor],
        *,
        state: list[DualPoint] | None = None,
        progress: Progress | None = None,
    ) -> SolverResult:
        """See `Solver`. The starting point is the state, not the present value of `model.weight`."""
        check_linear(self, model)
        count = problems(blocks)
        generator = torch.Generator().manual_seed(self.seed)
        duals = starting_points(blocks, positives, state)
        self._restore(model, blocks, duals, count)
        average = _Average(model.weight) if self.averaging else None
        history: list[dict[str, float]] = []
        converged, epoch = False, 0
        while not converged and epoch < self.max_epochs:
            epoch += 1
            for index in torch.randperm(len(blocks), generator=generator).tolist():
                change = self._step(model, blocks[index], duals[index], count)
                if average is not None:
                    average.add(change, _total_loss(duals))
            if epoch % self.check_every == 0 or epoch == self.max_epochs:
                entry = self._check(model, blocks, positives, duals, average) | {"epoch": epoch}
                converged = entry["gap"] <= self.tolerance * entry["objective"]
                history.append(entry)
                if progress is not None:
                    progress(entry)
        if average is not None:
            average.swap(model.weight)
        for dual in duals:
            dual.working_set = None
        last = history[-1]
        return SolverResult(last["objective"], last["dual"], last["gap"], epoch, converged, history, duals)

    def _step(self, model: nn.Module, block: Block, dual: DualPoint, count: int) -> Change | None:
        """Move one block along its Frank-Wolfe direction by exact line search; how w changes, None if it does not."""
        with torch.enable_grad():
            scores = model(block.inputs)
        found = violation(block, scores.detach(), dual.positive)
        # the block's share of n (P - D)
        rest = dual.loss + score(scores.detach(), dual.mean - dual.positive)
        gap = float((found.hinge - rest).sum())
        if gap <= 0:
            return None
        if self.working_set:
            return self._correct(model, block, dual, count, scores, found, gap)
        direction = transposed(model, scores, dual.mean - found.parts)
        # D along the step is gamma gap / n - gamma^2 ||g||^2 / (2 lambda n^2), up to a constant
        norm = squared_norm(direction)
        scale = self.regularization * count
        gamma = min(1.0, scale * gap / norm) if norm > 0 else 1.0
        dual.mean.lerp_(found.parts, gamma)
        dual.loss.lerp_(found.loss, gamma)
        dual.weight.lerp_((found.hinge == 0).to(dual.weight), gamma)
        return _moved(model, direction, gamma / scale)

    def _correct(
        self,
        model: nn.Module,
        block: Block,
        dual: DualPoint,
        count: int,
        scores: Tensor,
        found: Violation,
        gap: float,
    ) -> Change:
        """Move one block to the best combination of y- and the structures that it keeps."""
        if dual.working_set is None:
            start = dual.mean - dual.positive
            image = _image(model, block, scores, start)
            dual.working_set = WorkingSet(start, dual.loss, dual.weight, image, limit=self.working_set)
        parts = found.parts - dual.positive
        is_positive = (found.hinge == 0).to(dual.weight)
        dual.working_set.add(parts, found.loss, is_positive, _image(model, block, scores, parts))
        scale = self.regularization * count
        dual.working_set.rebalance(scores.detach(), scale, tolerance=1e-3 * gap)
        mean = dual.positive + dual.working_set.mean("parts")
        direction = transposed(model, scores, dual.mean - mean)
        dual.mean, dual.loss, dual.weight = mean, dual.working_set.mean("loss"), dual.working_set.mean("weight")
        return _moved(model, direction, 1 / scale)

    def _restore(self, model: nn.Module, blocks: Sequence[Block], duals: list[DualPoint], count: int) -> None:
        """Set w = 1/(lambda n) sum_B Phi_B^T (y+_B - mu_B)."""
        with torch.no_grad():
            model.weight.zero_()
        for block, dual in zip(blocks, duals, strict=True):
            difference = dual.positive - dual.mean
            if not bool(difference.any()):
                continue
            with torch.enable_grad():
                # the model is linear in the weights, so it does not matter that they change meanwhile
                direction = transposed(model, model(block.inputs), difference)
            _moved(model, direction, 1 / (self.regularization * count))

    def _check(
        self,
        model: nn.Module,
        blocks: Sequence[Block],
        positives: Sequence[Tensor],
        duals: list[DualPoint],
        average: _Average | None,
    ) -> dict[str, float]:
        """P, D and their gap at the weights that would be returned now."""
        loss = _total_loss(duals) if average is None else average.loss
        if average is not None:
            average.swap(model.weight)
        primal = objective(model, blocks, positives, self.regularization)
        norm = float(model.weight.detach().square().sum())
        if average is not None:
            average.swap(model.weight)
        dual = loss / problems(blocks) - self.regularization / 2 * norm
        return {"objective": primal, "dual": dual, "gap": primal - dual}


class _Average:
    """The average of the iterates, the k-th weighted by k. A step costs no more than its change d_k = w_k - w_(k-1):

        2/(K(K+1)) sum_k k w_k  =  w_K - 1/(K(K+1)) sum_k k(k-1) d_k
    """

    def __init__(self, weight: Tensor) -> None:
        self.loss = 0.0
        self._sum = torch.zeros_like(weight)
        self._steps = 0
        self._current: Tensor | None = None

    @torch.no_grad()
    def add(self, change: Change | None, loss: float) -> None:
        self._steps += 1
        self.loss += 2 / (self._steps + 1) * (loss - self.loss)
        if change is not None:
            direction, length = change
            self._sum.add_(direction, alpha=length * self._steps * (self._steps - 1))

    @torch.no_grad()
    def swap(self, weight: Tensor) -> None:
        """Put the average in the place of the weights; the second time, the weights back."""
        if self._current is None:
            self._current = weight.detach().clone()
            weight.sub_(self._sum, alpha=1 / (self._steps * (self._steps + 1)))
        else:
            weight.copy_(self._current)
            self._current = None


@torch.no_grad()
def _moved(model: nn.Module, direction: Tensor, length: float) -> Change:
    """Move the weights by length * direction."""
    model.weight.add_(direction, alpha=length)
    return direction, length


def _image(model: nn.Module, block: Block, scores: Tensor, parts: Tensor) -> Tensor:
    """Phi Phi^T parts: the scores [B, *P] of the block under the weights Phi^T parts."""
    if not bool(parts.any()):
        return torch.zeros_like(parts)
    weight = transposed(model, scores, parts, keep_graph=True)
    with torch.no_grad():
        return functional_call(model, {"weight": weight.to_dense()}, (block.inputs,))


def _total_loss(duals: list[DualPoint]) -> float:
    return float(torch.stack([dual.loss.sum() for dual in duals]).sum())
