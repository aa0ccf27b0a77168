"""What solvers of the structured SVM have in common: the objective, the result, the protocol.

    P(w) = lambda/2 ||w||^2 + (1/n) sum_b hinge_b(w)        n problems, y+ fixed, convex in w

Two solvers minimise it: `frank_wolfe.py`, which works on the dual and gives a certificate, and `subgradient.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from eqparse.errors import ConfigError, EqparseError
from eqparse.structured.svm.block import Block
from eqparse.structured.svm.hinge import Violation, most_violating

Progress = Callable[[dict[str, float]], None]
"""Called with the newest entry of the history."""


@dataclass(frozen=True)
class SolverResult:
    """The result of a solver; the weights themselves are left in the model."""

    objective: float
    """P(w) at the weights in the model."""
    dual: float | None
    """A lower bound on the minimum of P, from solvers of the dual."""
    gap: float | None
    """objective - dual: an upper bound on the distance from the minimum."""
    epochs: int
    converged: bool
    """Whether the tolerance was reached by the last epoch; false for a solver that has no gap to judge by."""
    history: list[dict[str, float]] = field(repr=False)
    """One entry per check, with `epoch`, `objective` and whatever else the solver knows."""
    state: Any = field(repr=False)
    """For a warm start of the same solver on the same blocks, with the same y+ or others."""


class Solver(Protocol):
    """Minimises P(w) for fixed y+ and leaves the weights in `model.weight`. Same seed, same result."""

    def solve(
        self,
        model: nn.Module,
        blocks: Sequence[Block],
        positives: Sequence[Tensor],
        *,
        state: Any = None,
        progress: Progress | None = None,
    ) -> SolverResult:
        """Raises `ConfigError` for a kind of model that the solver does not support.

        positives: y+ [B, *P] for each block.
        state: `SolverResult.state` of an earlier call; None starts from w = 0.
        progress: called with the newest entry of the history.
        """
        ...


def objective(model: nn.Module, blocks: Sequence[Block], positives: Sequence[Tensor], regularization: float) -> float:
    """P(w) at the weights in the model; takes one pass over the blocks."""
    with torch.no_grad():
        total = 0.0
        for block, positive in zip(blocks, positives, strict=True):
            total += float(violation(block, model(block.inputs), positive).hinge.sum())
        return regularization / 2 * float(model.weight.square().sum()) + total / problems(blocks)


def violation(block: Block, scores: Tensor, positive: Tensor) -> Violation:
    """`most_violating` for a block. Raises `EqparseError` for a loss that is not finite."""
    found = most_violating(scores, block.space, block.cost, block.constant, positive)
    if not bool(found.hinge.isfinite().all()):
        row = int((~found.hinge.isfinite()).int().argmax())
        raise EqparseError(f"training: expected finite losses, found {found.hinge[row].item()} in row {row} of a block")
    return found


def problems(blocks: Sequence[Block]) -> int:
    """n, the number of problems in all blocks."""
    if not blocks:
        raise EqparseError("training: expected at least one block, found none")
    return sum(len(block) for block in blocks)


def transposed(model: nn.Module, scores: Tensor, direction: Tensor, *, keep_graph: bool = False) -> Tensor:
    """Phi^T direction, the gradient of <scores, direction> with respect to `model.weight`; sparse if the model's is.

    scores: [B, *P] as the model returned them, with their graph, which is freed unless `keep_graph`.
    direction: [B, *P].
    """
    (gradient,) = torch.autograd.grad(scores, model.weight, grad_outputs=direction, retain_graph=keep_graph)
    return gradient.coalesce() if gradient.is_sparse else gradient


def squared_norm(gradient: Tensor) -> float:
    """||g||^2 of a dense or coalesced sparse tensor."""
    values = gradient.values() if gradient.is_sparse else gradient
    return float(values.square().sum())


def check_linear(solver: Solver, model: nn.Module) -> None:
    """Raise `ConfigError`, naming the solver, unless the model declares that it is linear (see `block.py`)."""
    if not getattr(model, "linear", False):
        raise ConfigError(
            f"{type(solver).__name__}: expected a model that is linear in its weight, with `linear = True`; found "
            f"{type(model).__name__}; use a linear scorer, or a solver that takes any"
        )


def check_options(name: str, **options: float) -> None:
    """Raise `ConfigError` for the first option that is not positive."""
    for option, value in options.items():
        if not value > 0:
            raise ConfigError(f"{name}: expected {option} above 0, found {value}")
