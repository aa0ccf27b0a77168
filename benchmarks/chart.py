"""What the charts cost on a GPU beside the CPU: python benchmarks/chart.py [--device cuda] [--rounds N]

Best trees and marginals of a batch of sentences with 5 leaves, and with 8, on both devices by turns; the ratio is what
to compare. It is checked that both find trees of the same score.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import torch
from rich.console import Console
from rich.table import Table
from run import by_turns

from eqparse.structured.spaces.cky import BinaryTrees

LABELS, BATCHES, LEAVES = 7, (16, 256, 4096), (5, 8)


def searches(batch: int, leaves: int, device: str) -> dict[str, Callable[[], torch.Tensor]]:
    """The two searches, each until its result is on the CPU."""
    generator = torch.Generator().manual_seed(batch + leaves)
    scores = torch.randn(batch, leaves, leaves, leaves, LABELS, generator=generator).to(device)
    space = BinaryTrees(torch.full((batch,), leaves, device=device), LABELS, [0], max_leaves=leaves)
    return {
        "best tree": lambda: space.argmax(scores).value.cpu(),
        "marginals": lambda: space.marginals(scores).sum((1, 2, 3, 4)).cpu(),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--device", default="cuda")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    table = Table("leaves", "sentences", "search", "CPU, one core, ms", f"{chosen.device}, ms", "ratio")
    for leaves in LEAVES:
        for batch in BATCHES:
            here, there = searches(batch, leaves, "cpu"), searches(batch, leaves, chosen.device)
            for name in here:
                if not torch.allclose(here[name](), there[name](), atol=1e-3):
                    raise SystemExit(f"benchmark: {name} of {batch} sentences differs between cpu and {chosen.device}")
                cost = by_turns({"cpu": here[name], "other": there[name]}, chosen.rounds)
                ms = [f"{1000 * cost[k]:.1f}" for k in ("cpu", "other")]
                table.add_row(str(leaves), str(batch), name, *ms, f"{cost['cpu'] / cost['other']:.2f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
