"""The linear scorer: a loop over features as its twin, with and without the feature table."""

from __future__ import annotations

import pytest
import torch

from eqparse.scoring.hashed_linear import HashedLinear, PartInputs, compact, with_copy

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
    tabled, used = compact(inputs)
    full, short = model_with(weight), model_with(weight[used])
    for plain, table in zip(inputs, tabled, strict=True):
        direction = torch.randn(2, 4, generator=torch.Generator().manual_seed(seed))
        scores, again = full(plain), short(table)
        torch.testing.assert_close(scores, by_hand(weight, plain))
        torch.testing.assert_close(again, scores)
        (gradient,) = torch.autograd.grad(scores, full.weight, direction)
        (gradient_again,) = torch.autograd.grad(again, short.weight, direction)
        torch.testing.assert_close(gradient_again, gradient[used])


def test_a_copy_adds_weights_of_its_own():
    inputs = random_inputs(1)
    weight = torch.randn(2 * BUCKETS, LABELS)
    expected = by_hand(weight[:BUCKETS], inputs) + by_hand(weight[BUCKETS:], inputs)
    torch.testing.assert_close(model_with(weight)(with_copy(inputs, BUCKETS)), expected)
