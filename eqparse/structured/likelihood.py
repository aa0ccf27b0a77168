"""The negative log-likelihood of a set of gold structures under the distribution p(y) ~ exp f(x, y)."""

from __future__ import annotations

import torch
from torch import Tensor

from eqparse.structured.spaces.output_space import OutputSpace, check_rows, score


def negative_log_likelihood(scores: Tensor, space: OutputSpace, gold: Tensor, gold_mask: Tensor) -> Tensor:
    """[B]: log sum_{y in Y} exp <scores, y> - log sum_{y in Y_gold} exp <scores, y>; differentiable.

    A conditional random field (Lafferty et al., ICML 2001), with the gold structures summed out where there are many.

    scores: [B, *P].
    gold: [B, G, *P], the indicators of up to G gold structures.
    gold_mask: [B, G], true where `gold` holds a structure; `EqparseError` where a problem has none.
    """
    check_rows(gold_mask, "gold structures", "drop that problem, or give it a gold structure")
    values = score(scores.unsqueeze(1), gold, first=2).masked_fill(~gold_mask, -torch.inf)
    return space.log_partition(scores) - values.logsumexp(1)
