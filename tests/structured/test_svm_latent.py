"""Algorithm 1: training when the gold structure is one of a set."""

from __future__ import annotations

import pytest
import torch
from learning_problems import Linear, multiclass, trees

from eqparse.errors import ConfigError
from eqparse.structured.svm import BlockCoordinateFrankWolfe, Subgradient, choose_gold, objective, train_latent

REGULARIZATION, TOLERANCE = 0.03, 1e-2


def _solver(**options) -> BlockCoordinateFrankWolfe:
    return BlockCoordinateFrankWolfe(
        **{"regularization": REGULARIZATION, "tolerance": TOLERANCE, "max_epochs": 1000, "check_every": 10}
        | {"working_set": 20, "averaging": False} | options
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_objective_does_not_rise_and_the_choices_come_to_rest(seed):
    model, blocks = Linear(4), multiclass(sizes=[6, 6], classes=5, golds=3, seed=seed)
    found = train_latent(model, blocks, _solver())
    assert found.converged and found.changes[-1] == 0 and all(found.changes[:-1])
    assert len(found.rounds) == len(found.changes) > 1
    values = [result.objective for result in found.rounds]
    for before, after in zip(values, values[1:], strict=False):
        assert after <= before * (1 + TOLERANCE)
    assert values[-1] < values[0]
    # at rest, the convex objective is the latent one
    latent = objective(model, blocks, choose_gold(model, blocks), REGULARIZATION)
    assert values[-1] == pytest.approx(latent)


def test_with_one_gold_structure_it_is_one_convex_problem():
    model, blocks = Linear(5, 3), trees()
    found = train_latent(model, blocks, _solver(tolerance=0.05))
    assert len(found.rounds) == 1 and found.changes == [0] and found.converged
    weight = model.weight.detach().clone()
    alone = _solver(tolerance=0.05).solve(model, blocks, [block.gold[:, 0] for block in blocks])
    assert alone.objective == found.rounds[0].objective and torch.equal(weight, model.weight)


def test_the_first_choice_is_made_by_the_weights_that_the_model_comes_with():
    model, blocks = Linear(4), multiclass(sizes=[4], classes=5, golds=3)
    with torch.no_grad():
        model.weight.copy_(torch.tensor([1.0, -2.0, 3.0, -4.0]))
    chosen = choose_gold(model, blocks)
    found = train_latent(model, blocks, _solver(), max_rounds=1)
    assert torch.equal(found.positives[0], chosen[0])
    assert not torch.equal(chosen[0], blocks[0].gold[:, 0])


def test_rounds_are_bounded_and_told_to_the_listener():
    heard: list[dict[str, float]] = []
    model, blocks = Linear(4), multiclass(sizes=[6, 6], classes=5, golds=3, seed=0)
    found = train_latent(model, blocks, Subgradient(regularization=0.03, epochs=5), max_rounds=2, progress=heard.append)
    assert [entry["round"] for entry in heard] == [1, 2] and len(found.rounds) == 2
    assert [entry["objective"] for entry in heard] == [result.objective for result in found.rounds]
    with pytest.raises(ConfigError, match="expected max_rounds above 0, found 0"):
        train_latent(model, blocks, _solver(), max_rounds=0)
