"""`eqparse.structured` is a library for any structured problem: of eqparse it knows the errors and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import eqparse.structured

FOLDER = Path(eqparse.structured.__file__).parent
KNOWN = ("eqparse.errors", "eqparse.structured")
LIBRARIES = {"__future__", "abc", "collections", "dataclasses", "functools", "itertools", "math", "typing", "numpy",
             "torch", "torch_struct"}


def imported(path: Path) -> set[str]:
    """The modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found.add(node.module)
    return found


def test_it_imports_only_errors_and_general_libraries():
    paths = sorted(FOLDER.rglob("*.py"))
    assert len(paths) > 10
    for path in paths:
        for module in imported(path):
            ours = any(module == known or module.startswith(f"{known}.") for known in KNOWN)
            assert ours or module.split(".")[0] in LIBRARIES, f"{path} imports {module}"
