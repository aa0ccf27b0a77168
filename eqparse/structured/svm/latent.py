"""Algorithm 1 of the paper (Section 5): structured SVMs whose gold structure is one of a set.

Repeat: choose y+ in the gold set of each problem under the current weights; then solve the convex structured SVM that
these y+ make. It is the concave-convex procedure on

    lambda/2 ||w||^2 + (1/n) sum_b [max_y f(x_b, y) + delta(y) - max_{y in Y_gold} f(x_b, y)]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from torch import Tensor, nn

from eqparse.structured.svm.block import Block, choose_gold
from eqparse.structured.svm.solver import Solver, SolverResult, check_options


@dataclass(frozen=True)
class LatentResult:
    """What Algorithm 1 found; the weights are in the model."""

    rounds: list[SolverResult]
    """One for each round; their objectives do not increase beyond the solver's tolerance."""
    changes: list[int]
    """After each round, the number of problems whose y+ is another one under the new weights."""
    positives: list[Tensor]
    """The y+ [B, *P] of each block that the last round was solved with."""

    @property
    def converged(self) -> bool:
        """Whether the choices had come to rest, rather than `max_rounds` to an end."""
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

    Each round is warm-started from the one before, and none follows when no y+ changes: with one gold structure a
    problem there is one round.

    max_rounds: stop after so many.
    progress: called with the solver's entries, with `round` added.
    """
    check_options("train_latent", max_rounds=max_rounds)
    positives = choose_gold(model, blocks)
    rounds: list[SolverResult] = []
    changes: list[int] = []
    state = None
    for number in range(1, max_rounds + 1):
        tell = None if progress is None else _with_round(progress, number)
        rounds.append(solver.solve(model, blocks, positives, state=state, progress=tell))
        state = rounds[-1].state
        chosen = choose_gold(model, blocks)
        pairs = zip(chosen, positives, strict=True)
        changes.append(sum(int((new != old).flatten(1).any(1).sum()) for new, old in pairs))
        if changes[-1] == 0 or number == max_rounds:
            break
        positives = chosen
    return LatentResult(rounds, changes, positives)


def _with_round(progress: Callable[[dict[str, float]], None], number: int) -> Callable[[dict[str, float]], None]:
    return lambda entry: progress(entry | {"round": number})
