"""The linear scorer: a loop over features as its twin, with and without the feature table; training and storage."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from eqparse.errors import CheckpointError
from eqparse.scoring.hashed_linear import HashedLinear, StackedLinear
from eqparse.scoring.part_inputs import PartInputs, compact, with_copy

BUCKETS, LABELS = 40, 3


def random_inputs(seed: int, *, rows: int = 5, features: int = 60) -> PartInputs:
    draw = torch.Generator().manual_seed(seed)

    def integers(high: int, count: int) -> torch.Tensor:
        return torch.randint(high, (count,), generator=draw)

    return PartInputs(
        integers(BUCKETS, features), integers(rows, features), rows, integers(rows * LABELS, 20), integers(8, 20),
        (2, 4),
    )


def by_hand(weight: torch.Tensor, inputs: PartInputs) -> torch.Tensor:
    scores = torch.zeros(8, dtype=weight.dtype)
    for entry, part in zip(inputs.entry.tolist(), inputs.part.tolist(), strict=True):
        row, label = divmod(entry, LABELS)
        for bucket, owner in zip(inputs.bucket.tolist(), inputs.row.tolist(), strict=True):
            if owner == row:
                scores[part] += weight[bucket, label]
    return scores.view(2, 4)


def model_with(weight: torch.Tensor) -> HashedLinear:
    model = HashedLinear(buckets=len(weight), labels=LABELS)
    with torch.no_grad():
        model.weight.copy_(weight)
    return model


@pytest.mark.parametrize("seed", range(5))
def test_scores_and_gradient_with_and_without_the_table(seed):
    weight = torch.randn(BUCKETS, LABELS, generator=torch.Generator().manual_seed(seed))
    inputs = [random_inputs(seed), random_inputs(seed + 100, rows=3, features=7)]
    tabled, used = compact(list(inputs))
    full, short = model_with(weight), model_with(weight[used])
    for plain, table in zip(inputs, tabled, strict=True):
        direction = torch.randn(2, 4, generator=torch.Generator().manual_seed(seed))
        scores, again = full(plain), short(table)
        torch.testing.assert_close(scores, by_hand(weight, plain))
        torch.testing.assert_close(again, scores)
        (gradient,) = torch.autograd.grad(scores, full.weight, direction)
        (gradient_again,) = torch.autograd.grad(again, short.weight, direction)
        torch.testing.assert_close(gradient_again.to_dense(), gradient[used])


def test_features_that_are_in_the_table_are_kept_nowhere_else():
    inputs = [random_inputs(1), random_inputs(2, features=7)]
    tabled, _ = compact(inputs)
    assert inputs == [] and all(len(i.bucket) == len(i.row) == 0 for i in tabled)
    matrices = [matrix for i in tabled for matrix in (i.table.matrix, i.table.transpose)]
    assert {m.col_indices().dtype for m in matrices} == {m.crow_indices().dtype for m in matrices} == {torch.int32}


def test_a_copy_adds_weights_of_its_own():
    inputs = random_inputs(1)
    weight = torch.randn(2 * BUCKETS, LABELS)
    expected = by_hand(weight[:BUCKETS], inputs) + by_hand(weight[BUCKETS:], inputs)
    torch.testing.assert_close(model_with(weight)(with_copy(inputs, BUCKETS)), expected)


def test_an_explanation_sums_to_the_score_and_names_each_feature():
    inputs = random_inputs(3)
    scorer = model_with(torch.randn(BUCKETS, LABELS))
    for parts in ([2], [0, 5, 7]):
        found = list(scorer.explain(inputs, parts))
        expected = scorer(inputs).flatten()[parts].sum()
        assert sum(value for *_, value in found) == pytest.approx(float(expected.detach()), abs=1e-4)
        assert {inputs.row[feature].item() for feature, *_ in found} <= {
            entry // LABELS for entry, part in zip(inputs.entry.tolist(), inputs.part.tolist(), strict=True)
            if part in parts
        }


def test_training_sees_the_features_that_occur_and_leaves_half_precision_in_the_scorer():
    scorer = model_with(torch.ones(BUCKETS, LABELS))
    plain, extra = random_inputs(1, features=9), random_inputs(2, features=9)
    trained, (plain_short, extra_short) = scorer.for_training([plain, extra], [False, True])
    assert not trained.weight.any() and trained.linear
    shared = torch.randn(BUCKETS, LABELS, generator=torch.Generator().manual_seed(0))
    second = torch.randn(BUCKETS, LABELS, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        trained.weight.copy_(torch.cat([shared, second])[trained.buckets_behind])
    torch.testing.assert_close(trained(plain_short), by_hand(shared, plain))
    torch.testing.assert_close(trained(extra_short), by_hand(shared + second, extra))
    scorer.take(trained)
    seen = torch.cat([plain.bucket, extra.bucket]).unique()
    expected = torch.zeros(BUCKETS, LABELS)
    expected[seen] = shared[seen].half().float()
    assert torch.equal(scorer.weight, expected)
    assert scorer.size == len(seen) * LABELS


def test_what_is_stored_comes_back_to_the_bit():
    weight = torch.randn(BUCKETS, LABELS).half().float()
    weight[torch.rand(BUCKETS, LABELS) < 0.7] = 0
    again = model_with(torch.ones(BUCKETS, LABELS))
    again.from_tensors(model_with(weight).to_tensors())
    assert torch.equal(again.weight, weight)
    tensors = again.to_tensors()
    with pytest.raises(CheckpointError, match=r"expected the tensors nonzero and values, found \['values'\]"):
        again.from_tensors({"values": tensors["values"]})
    with pytest.raises(CheckpointError, match="expected 15 bytes for weights of shape"):
        again.from_tensors(tensors | {"nonzero": np.ones(3, np.uint8)})
    with pytest.raises(CheckpointError, match="half precision"):
        model_with(weight + 1e6).to_tensors()


def test_stacked_scorers_score_as_each_does_and_get_their_weights_back():
    inputs = [random_inputs(1), random_inputs(2)]
    weights = [torch.randn(BUCKETS, LABELS) for _ in inputs]
    scorers = [model_with(weight) for weight in weights]
    stacked = StackedLinear(scorers)
    for scores, scorer, own in zip(stacked.scores(inputs), scorers, inputs, strict=True):
        assert torch.equal(scores, scorer(own))
    with torch.no_grad():
        stacked.weight.mul_(2)
    assert torch.equal(scorers[0].weight, weights[0])
    stacked.unstack()
    assert all(torch.equal(scorer.weight, 2 * weight) for scorer, weight in zip(scorers, weights, strict=True))
    assert [name for name, _ in stacked.named_parameters()] == ["weight"]
