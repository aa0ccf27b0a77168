"""README's first block of Python runs as it stands, and gives what stands beside its lines."""

from __future__ import annotations

import ast
import re

import pytest
from tiny import ROOT


@pytest.mark.pipeline
def test_the_first_block_runs_and_gives_what_it_says():
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    names, values = {}, []
    for line in filter(None, block[1].splitlines()):
        code, _, said = line.partition(" # ")
        exec(line, names)
        if said.startswith("'"):
            values.append((eval(code, names), ast.literal_eval(re.match(r"'[^']*'", said)[0])))
    assert len(values) == 2 and all(found == expected for found, expected in values)
