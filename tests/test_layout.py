"""The layout of the package: which folder may import from which, and how long a file may be."""

from __future__ import annotations

from importlinter.cli import lint_imports
from tiny import ROOT


def test_a_folder_imports_only_from_those_it_builds_on(monkeypatch, capsys):
    """The contracts stand in pyproject.toml, under tool.importlinter."""
    monkeypatch.chdir(ROOT)
    status = lint_imports(no_cache=True)
    assert status == 0, capsys.readouterr().out


def test_a_file_of_the_package_has_fewer_than_250_lines():
    count = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "eqparse").rglob("*.py")}
    long = {path.relative_to(ROOT).as_posix(): lines for path, lines in count.items() if lines >= 250}
    assert len(count) > 100 and long == {}
