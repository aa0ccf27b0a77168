"""Algorithm 1 of the paper (Section 5): structured SVMs whose gold structure is one of a set.

Repeat: choose the best y+ in the gold set of each problem under the current weights; then solve the convex structured
SVM with these y+. This is the concave-convex procedure for

    lambda/2 ||w||^2 + (1/n) sum_b [max_y f(x_b, y) + delta(y) - max_{y in Y_gold} f(x_b, y)]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from torch import Tensor, nn

from eqparse.structured.svm.block import Block, choose_gold
from eqparse.structured.svm.solver import Solver, SolverResult, check_options


@dataclass(frozen=True)
class LatentResult:
    """The result of Algorithm 1; the weights are left in the model."""

    rounds: list[SolverResult]
    """The solver's result for each round, without its state, which is as large as the training set; within the
    solver's tolerance, the objective never increases."""
    changes: list[int]
    """For each round, the number of problems whose y+ changed under the new weights."""
    positives: list[Tensor]
    """The y+ [B, *P] of each block in the last round."""

    @property
    def converged(self) -> bool:
        """Whether the y+ stopped changing within `max_rounds`."""
        return self.changes[-1] == 0


def train_latent(
    model: nn.Module,
    blocks: Sequence[Block],
    solver: Solver,
    *,
    max_rounds: int = 10,
    progress: Callable[[dict[str, float]], None] | None = None,
) -> LatentResult:
    """Fit `model.weight` to the blocks, starting with the y+ that its present weights choose.

    Each round is warm-started from the one before, and training ends when no y+ changes; if every problem has one gold
    structure, there is one round.

    max_rounds: the greatest number of rounds.
    progress: called with each entry of the solver's history, with `round` added.
    """
    check_options("train_latent", max_rounds=max_rounds)
    positives = choose_gold(model, blocks)
    rounds: list[SolverResult] = []
    changes: list[int] = []
    state = None
    for number in range(1, max_rounds + 1):
        tell = None if progress is None else _with_round(progress, number)
        found = solver.solve(model, blocks, positives, state=state, progress=tell)
        state = found.state
        rounds.append(replace(found, state=None))
        chosen = choose_gold(model, blocks)
        pairs = zip(chosen, positives, strict=True)
        changes.append(sum(int((new != old).flatten(1).any(1).sum()) for new, old in pairs))
        if changes[-1] == 0 or number == max_rounds:
            break
        positives = chosen
    return LatentResult(rounds, changes, positives)


def _with_round(progress: Callable[[dict[str, float]], None], number: int) -> Callable[[dict[str, float]], None]:
    return lambda entry: progress(entry | {"round": number})
