"""The structures that a block has met, and their best convex combination in the dual of the structured SVM.

Plain Frank-Wolfe keeps only the mean of these structures, so a share given to a poor one fades slowly. If the
structures are kept, their shares can be taken back at once ("fully corrective" steps; the working set of cached planes
of Shah, Kolmogorov, Lampert, CVPR 2015). A member consists of one structure for each problem of the block.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


class WorkingSet:
    """Up to `limit` members of one block and their shares, which sum to 1.

    All parts are offsets from y+. The image of a member is Phi Phi^T parts, so the inner product of two members in
    weight space is that of the parts of one and the image of the other.
    """

    def __init__(self, parts: Tensor, loss: Tensor, weight: Tensor, image: Tensor, *, limit: int) -> None:
        """Start with one member, whose share is 1.

        parts, image: [B, *P].
        loss: [B], delta.
        weight: [B], the share of y+ in it.
        limit: the greatest number of members.
        """
        self._limit = limit
        self._fields = {"parts": parts[None], "loss": loss[None], "weight": weight[None], "image": image[None]}
        self._gram = np.array([[float((parts * image).sum())]])
        self._shares = np.ones(1)

    def add(self, parts: Tensor, loss: Tensor, weight: Tensor, image: Tensor) -> None:
        """Add a member, with share 0."""
        new = {"parts": parts, "loss": loss, "weight": weight, "image": image}
        self._fields = {name: torch.cat([kept, new[name][None]]) for name, kept in self._fields.items()}
        row = (self._fields["parts"].flatten(1) @ image.flatten()).double().cpu().numpy()
        self._gram = np.block([[self._gram, row[:-1, None]], [row[None]]])
        self._shares = np.append(self._shares, 0.0)

    def mean(self, name: str) -> Tensor:
        """The mean of "parts", "loss" or "weight" under the shares."""
        field = self._fields[name]
        shares = torch.as_tensor(self._shares, dtype=field.dtype, device=field.device)
        return torch.tensordot(shares, field, dims=1)

    def rebalance(self, scores: Tensor, scale: float, tolerance: float) -> None:
        """Set the shares to maximise the dual with the other blocks fixed, to within `tolerance` of the best gain.

        With q = shares - present shares, n times the gain is h q - q G q / (2 scale), where h is each member's score
        plus its loss, and G the Gram matrix.

        scores: [B, *P], under the present shares.
        scale: lambda n.
        """
        gain = self._fields["parts"].flatten(1) @ scores.flatten() + self._fields["loss"].sum(1)
        self._shares = maximise(gain.double().cpu().numpy(), self._gram / scale, self._shares, tolerance)
        self._select(np.flatnonzero(self._shares))
        while len(self._shares) > self._limit:
            self._merge_smallest()

    def _select(self, kept: np.ndarray) -> None:
        index = torch.as_tensor(kept, device=self._fields["parts"].device)
        self._fields = {name: field[index] for name, field in self._fields.items()}
        self._gram, self._shares = self._gram[np.ix_(kept, kept)], self._shares[kept]

    def _merge_smallest(self) -> None:
        """Replace the two members with the smallest shares by their mean; all of a member's quantities are linear."""
        one, other, *_ = np.argsort(self._shares, kind="stable")
        total = self._shares[one] + self._shares[other]
        part = float(self._shares[one] / total)
        for field in self._fields.values():
            field[other] = torch.lerp(field[other], field[one], part)
        self._gram[other] += part * (self._gram[one] - self._gram[other])
        self._gram[:, other] += part * (self._gram[:, one] - self._gram[:, other])
        self._shares[other] = total
        self._select(np.delete(np.arange(len(self._shares)), one))


def maximise(gain: np.ndarray, gram: np.ndarray, start: np.ndarray, tolerance: float, steps: int = 1000) -> np.ndarray:
    """argmax_x gain (x - start) - (x - start) gram (x - start) / 2 over the simplex, from `start`.

    Takes exact steps between the pair of coordinates with the greatest first-order gain, until that is at most
    `tolerance`.
    """
    x, slope = start.copy(), gain.copy()
    for _ in range(steps):
        up = int(slope.argmax())
        down = int(np.where(x > 0, slope, np.inf).argmin())
        excess = slope[up] - slope[down]
        if excess <= tolerance:
            break
        curvature = gram[up, up] + gram[down, down] - 2 * gram[up, down]
        step = min(x[down], excess / curvature) if curvature > 0 else x[down]
        x[up] += step
        x[down] = 0.0 if step == x[down] else x[down] - step
        slope -= step * (gram[:, up] - gram[:, down])
    return x
