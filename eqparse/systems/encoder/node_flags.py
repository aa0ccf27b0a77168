"""What the tree stage's head knows of a node beside the states of the text."""

from __future__ import annotations

import numpy as np

MANY = 8  # counts above this are one class

FLAGS = ("first", "last", "left leaf", "right leaf", "all", "nothing between", "larger", "smaller", "equal", "size")
"""What is known of a node beside its states."""


def node_flags(layout) -> np.ndarray:
    """float32 [nodes, FLAGS]."""
    owner, i, _, j = layout.node.T
    size = layout.size[owner]
    leaves = layout.left == layout.split, layout.following == layout.right
    with np.errstate(invalid="ignore"):
        a, b = layout.value[layout.split], layout.value[layout.following]
        numbers = leaves[0] & leaves[1]
        compared = [numbers & (a > b), numbers & (a < b), numbers & (a == b)]
    touching = layout.last[layout.split] + 1 >= layout.first[layout.following]
    whole = (i == 0) & (j == size - 1)
    return np.column_stack([i == 0, j == size - 1, *leaves, whole, touching, *compared, size / MANY]).astype(np.float32)
