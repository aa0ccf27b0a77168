"""The layout of the package: which folder may import from which."""

from __future__ import annotations

from importlinter.cli import lint_imports
from tiny import ROOT


def test_a_folder_imports_only_from_those_below_it(monkeypatch, capsys):
    """The contracts stand in pyproject.toml, under tool.importlinter."""
    monkeypatch.chdir(ROOT)
    status = lint_imports(no_cache=True)
    assert status == 0, capsys.readouterr().out
