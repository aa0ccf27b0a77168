"""The hinge loss against its definition, and the solvers against each other and an independent optimum."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch
from brute_force import DEVICES
from hypothesis import given
from hypothesis import strategies as st
from learning_problems import Bags, Linear, best_objective, listed_structures, multiclass, trees

from eqparse.errors import ConfigError, EqparseError
from eqparse.structured.svm import (
    Block,
    BlockCoordinateFrankWolfe,
    Subgradient,
    choose_gold,
    objective,
    structured_hinge,
)
from eqparse.structured.svm.working_set import maximise

frank_wolfe = partial(BlockCoordinateFrankWolfe, tolerance=1e-2, working_set=20, averaging=False)
PROBLEMS = {"multiclass": (multiclass, (4,)), "trees": (trees, (5, 3))}
problems = pytest.mark.parametrize("problem", PROBLEMS)
SOLVERS = {
    "corrective": lambda **options: frank_wolfe(max_epochs=10, tolerance=1e-9, **options),
    "frank_wolfe": lambda **options: frank_wolfe(max_epochs=30, working_set=0, **options),
    "averaged": lambda **options: frank_wolfe(max_epochs=30, working_set=0, averaging=True, **options),
    "subgradient": lambda **options: Subgradient(epochs=30, **options),
    "plain_subgradient": lambda **options: Subgradient(epochs=30, averaging=False, **options),
}
solvers = pytest.mark.parametrize("solver", SOLVERS)


def _made(problem: str, **options) -> tuple[Linear, list[Block], list[torch.Tensor]]:
    make, shape = PROBLEMS[problem]
    model, blocks = Linear(*shape), make(**options)
    return model, blocks, choose_gold(model, blocks)


def _random(model: torch.nn.Module, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        model.weight.copy_(torch.randn(model.weight.shape, generator=generator, dtype=torch.float64))


@problems
@pytest.mark.parametrize("seed", range(5))
def test_hinge_and_objective_are_what_a_list_of_all_structures_gives(problem, seed):
    model, blocks, positives = _made(problem, seed=seed)
    _random(model, seed)
    total = 0.0
    for block, positive, listed in zip(blocks, positives, listed_structures(blocks), strict=True):
        scores = model(block.inputs).detach()
        hinge = structured_hinge(scores, block.space, block.cost, block.constant, positive)
        for b, structures in enumerate(listed):
            delta = block.constant[b] + (block.cost[b] * structures).flatten(1).sum(1)
            margins = delta + (scores[b] * (structures - positive[b])).flatten(1).sum(1)
            torch.testing.assert_close(hinge[b], margins.max().clamp(min=0))
        total += float(hinge.sum())
    count = sum(len(block) for block in blocks)
    expected = 0.3 / 2 * float(model.weight.detach().square().sum()) + total / count
    assert objective(model, blocks, positives, 0.3) == pytest.approx(expected)


@problems
def test_hinge_has_the_gradient_that_it_claims(problem):
    model, blocks, positives = _made(problem)
    _random(model, 1)
    block, positive = blocks[0], positives[0]
    scores = model(block.inputs).detach().requires_grad_()

    def hinge(s: torch.Tensor) -> torch.Tensor:
        return structured_hinge(s, block.space, block.cost, block.constant, positive)

    assert (hinge(scores) > 0).any()
    assert torch.autograd.gradcheck(hinge, scores)


def test_hinge_is_zero_where_the_margin_is_kept_and_then_has_no_gradient():
    block = multiclass(sizes=[2])[0]
    scores = (10 * block.gold[:, 0]).requires_grad_()
    hinge = structured_hinge(scores, block.space, block.cost, block.constant, block.gold[:, 0])
    assert hinge.tolist() == [0, 0]
    (gradient,) = torch.autograd.grad(hinge.sum(), scores)
    assert not gradient.any()


@problems
@pytest.mark.parametrize("working_set", [0, 3, 20])
@pytest.mark.parametrize("regularization", [0.3, 0.1])
def test_frank_wolfe_reaches_the_optimum_of_an_independent_reference(problem, regularization, working_set):
    model, blocks, positives = _made(problem)
    optimum = best_objective(model, blocks, positives, regularization)
    tolerance = 5e-3 if working_set == 0 else 1e-4
    solver = frank_wolfe(
        regularization=regularization, max_epochs=400, tolerance=tolerance, check_every=20, working_set=working_set
    )
    found = solver.solve(model, blocks, positives)
    assert found.converged and found.epochs < (400 if working_set == 0 else 200)
    assert found.gap <= tolerance * found.objective
    assert found.objective == pytest.approx(objective(model, blocks, positives, regularization))
    assert found.dual <= optimum * (1 + 1e-6) and optimum <= found.objective * (1 + 1e-6)
    assert found.objective <= optimum * (1 + 2 * tolerance)


@problems
@pytest.mark.parametrize("regularization", [0.3, 0.1])
def test_subgradient_descent_reaches_the_optimum_of_an_independent_reference(problem, regularization):
    model, blocks, positives = _made(problem)
    optimum = best_objective(model, blocks, positives, regularization)
    primal = Subgradient(regularization=regularization, epochs=300).solve(model, blocks, positives)
    assert primal.objective == pytest.approx(objective(model, blocks, positives, regularization))
    assert optimum <= primal.objective * (1 + 1e-6) and primal.objective <= optimum * 1.02


@problems
@pytest.mark.parametrize(("working_set", "averaging"), [(0, False), (0, True), (20, False), (20, True)])
def test_the_gap_bounds_the_objective_and_closes_while_the_dual_rises(problem, working_set, averaging):
    model, blocks, positives = _made(problem)
    optimum = best_objective(model, blocks, positives, 0.1)
    heard: list[dict[str, float]] = []
    solver = frank_wolfe(
        regularization=0.1, max_epochs=60, tolerance=1e-12, check_every=10, working_set=working_set, averaging=averaging
    )
    found = solver.solve(model, blocks, positives, progress=heard.append)
    assert heard == found.history and not found.converged
    assert [entry["epoch"] for entry in heard] == [10, 20, 30, 40, 50, 60]
    for entry in heard:
        assert entry["gap"] == pytest.approx(entry["objective"] - entry["dual"])
        assert -1e-6 <= entry["objective"] - optimum <= entry["gap"] + 1e-6
        assert entry["dual"] <= optimum * (1 + 1e-6)
    assert heard[-1]["gap"] < heard[0]["gap"] / 2
    if not averaging:
        duals = [entry["dual"] for entry in heard]
        assert duals == sorted(duals)
    assert found.objective == pytest.approx(objective(model, blocks, positives, 0.1))


@pytest.mark.parametrize("working_set", [0, 2, 20])
def test_the_weights_stay_those_that_the_dual_point_stands_for(working_set):
    model, blocks, positives = _made("trees")
    solver = frank_wolfe(regularization=0.1, max_epochs=20, tolerance=1e-9, working_set=working_set)
    found = solver.solve(model, blocks, positives)
    loss = sum(float(dual.loss.sum()) for dual in found.state) / 4
    assert found.dual == pytest.approx(loss - 0.05 * float(model.weight.detach().square().sum()))
    weight = torch.zeros_like(model.weight)
    for block, dual, positive in zip(blocks, found.state, positives, strict=True):
        difference = (positive - dual.mean).flatten(0, -2)
        weight += block.inputs.flatten(0, -2).T @ difference / (0.1 * 4)
    torch.testing.assert_close(model.weight.detach(), weight.detach())


@problems
def test_a_working_set_of_one_is_the_published_algorithm(problem):
    model, blocks, positives = _made(problem)
    options = {"regularization": 0.1, "max_epochs": 20, "tolerance": 1e-9}
    frank_wolfe(working_set=0, **options).solve(model, blocks, positives)
    published = model.weight.detach().clone()
    frank_wolfe(working_set=1, **options).solve(model, blocks, positives)
    torch.testing.assert_close(model.weight.detach(), published)


@given(size=st.integers(1, 6), rank=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_shares_of_a_working_set_meet_the_conditions_of_the_optimum(size, rank, seed):
    random = np.random.default_rng(seed)
    root, gain, start = random.normal(size=(size, rank)), random.normal(size=size), random.dirichlet(np.ones(size))
    found = maximise(gain, root @ root.T, start, tolerance=1e-6, steps=100000)
    slope = gain - root @ root.T @ (found - start)
    assert found.min() >= 0 and found.sum() == pytest.approx(1)
    assert slope.max() <= slope[found > 0].min() + 2e-6


@solvers
def test_same_seed_same_weights_and_the_global_generator_is_left_alone(solver):
    weights = []
    for seed in (3, 3, 4):
        model, blocks, positives = _made("trees", lengths=[(3, 2), (4, 1), (2, 2)])
        torch.manual_seed(0)
        SOLVERS[solver](regularization=0.1, seed=seed).solve(model, blocks, positives)
        drawn = torch.rand(1)
        torch.manual_seed(0)
        assert torch.equal(drawn, torch.rand(1))
        weights.append(model.weight.detach())
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


@solvers
def test_the_first_call_does_not_depend_on_what_the_model_held(solver):
    model, blocks, positives = _made("multiclass")
    once = SOLVERS[solver](regularization=0.1).solve(model, blocks, positives)
    _random(model, 0)
    again = SOLVERS[solver](regularization=0.1).solve(model, blocks, positives)
    assert once.objective == again.objective


@pytest.mark.parametrize(("working_set", "epochs"), [(0, 40), (20, 3)])
def test_a_warm_start_goes_on_where_the_solver_stopped_and_leaves_the_state_as_it_was(working_set, epochs):
    model, blocks, positives = _made("trees")
    solver = frank_wolfe(
        regularization=0.1, max_epochs=epochs, tolerance=1e-9, check_every=epochs, working_set=working_set
    )
    first = solver.solve(model, blocks, positives)
    second = solver.solve(model, blocks, positives, state=first.state)
    assert second.dual > first.dual and second.gap < first.gap
    assert solver.solve(model, blocks, positives, state=first.state).dual == second.dual


@pytest.mark.parametrize("working_set", [0, 20])
def test_a_warm_start_with_other_positives_is_still_a_point_of_the_new_dual(working_set):
    model, blocks, positives = _made("trees", golds=2, lengths=[(4, 3), (4, 4)])
    solver = frank_wolfe(
        regularization=0.1, max_epochs=500, tolerance=5e-3, check_every=10, working_set=working_set
    )
    state = solver.solve(model, blocks, positives).state
    others = [block.gold[:, 1] for block in blocks]
    optimum = best_objective(model, blocks, others, 0.1)
    found = solver.solve(model, blocks, others, state=state)
    assert found.converged
    assert found.dual <= optimum * (1 + 1e-6) and optimum <= found.objective * (1 + 1e-6)


@solvers
def test_sparse_gradients_and_dense_ones_lead_to_the_same_weights(solver):
    generator = torch.Generator().manual_seed(0)
    blocks, dense_blocks = [], []
    for block in trees(lengths=[(3, 2), (4, 3)]):
        ids = torch.randint(20, block.inputs.shape, generator=generator)
        counts = torch.nn.functional.one_hot(ids, 20).sum(-2).double()
        fields = {name: getattr(block, name) for name in ("space", "cost", "constant", "gold", "gold_mask")}
        blocks.append(Block(inputs=ids, **fields))
        dense_blocks.append(Block(inputs=counts, **fields))
    sparse, dense = Bags(torch.zeros(20, 3, dtype=torch.float64)), Linear(20, 3)
    for model, data in ((sparse, blocks), (dense, dense_blocks)):
        SOLVERS[solver](regularization=0.05).solve(model, data, choose_gold(model, data))
    # a last bit may decide between equally good shares
    torch.testing.assert_close(sparse.weight, dense.weight, rtol=1e-3, atol=1e-4)
    assert sparse.weight.any()


@pytest.mark.parametrize("device", DEVICES)
@solvers
def test_solvers_run_where_the_model_is(device, solver):
    model, blocks = Linear(5, 3, device=device), trees(device=device)
    positives = choose_gold(model, blocks)
    start = objective(model, blocks, positives, 0.1)
    found = SOLVERS[solver](regularization=0.1).solve(model, blocks, positives)
    assert model.weight.device.type == device
    assert found.objective < start


@solvers
def test_a_model_that_does_not_say_that_it_is_linear_is_refused_by_the_name_of_the_solver(solver):
    class Squared(Linear):
        linear = False

    made, blocks = SOLVERS[solver](regularization=0.1), multiclass()
    with pytest.raises(ConfigError, match=f"^{type(made).__name__}: expected a model that is linear .* found Squared"):
        made.solve(Squared(4), blocks, [block.gold[:, 0] for block in blocks])
    with pytest.raises(ConfigError, match="found Module"):
        made.solve(torch.nn.Module(), blocks, [block.gold[:, 0] for block in blocks])


def test_options_out_of_range_are_refused_by_name():
    for name in ("regularization", "max_epochs", "tolerance", "check_every"):
        with pytest.raises(ConfigError, match=f"BlockCoordinateFrankWolfe: expected {name} above 0"):
            BlockCoordinateFrankWolfe(**{"regularization": 0.1, name: 0})
    with pytest.raises(ConfigError, match="expected working_set of at least 0, found -1"):
        BlockCoordinateFrankWolfe(regularization=0.1, working_set=-1)
    for name in ("regularization", "epochs", "check_every"):
        with pytest.raises(ConfigError, match=f"Subgradient: expected {name} above 0"):
            Subgradient(**{"regularization": 0.1, name: -1})


def test_blocks_that_do_not_fit_and_empty_training_sets_are_refused():
    block = multiclass(sizes=[2])[0]
    fields = {name: getattr(block, name) for name in ("inputs", "space", "cost", "constant", "gold", "gold_mask")}
    wrong = {"constant": torch.zeros(3), "gold": torch.zeros(2, 1, 4), "gold_mask": torch.zeros(2, 2).bool()}
    for name, value in wrong.items():
        with pytest.raises(EqparseError, match=f"Block: expected {name} "):
            Block(**fields | {name: value})
    with pytest.raises(EqparseError, match="at least one block"):
        Subgradient(regularization=0.1).solve(Linear(4), [], [])


def test_a_loss_that_is_not_a_number_stops_the_training():
    model, blocks, positives = _made("multiclass")
    blocks[1].inputs[2] = torch.nan
    with pytest.raises(EqparseError, match="expected finite losses, found nan in row 2"):
        BlockCoordinateFrankWolfe(regularization=0.1).solve(model, blocks, positives)
