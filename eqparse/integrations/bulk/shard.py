"""What is read, parsed and written at a time: some rows of the input, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Shard(NamedTuple):
    """Some rows of the input.

    number: of the shard, from 0. first: the number of its first row, from 1.
    texts: of each row its text, the `Reason` why it has none, or None for an empty cell.
    beside: all columns of these rows, those of the texts too: a `pyarrow.Table`, or a record for each row.
    """

    number: int
    first: int
    texts: Sequence[object]
    beside: Any

    @property
    def rows(self) -> str:
        """Which rows they are, in words."""
        return f"rows {self.first} to {self.first + len(self.texts) - 1}"
