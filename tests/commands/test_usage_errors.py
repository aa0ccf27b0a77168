"""Mistakes in the use of a command are said before the libraries that take seconds are imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from tiny import ROOT

PROGRAM = """
import json, sys
from eqparse.commands.main import main
for arguments in json.loads(sys.argv[1]):
    status = main(arguments)
    print(json.dumps([status, [name for name in ("torch", "spacy") if name in sys.modules]]), flush=True)
"""
MISTAKES = {
    "device: expected": ["x 3", "--device", "tpu"],
    "found nothing there": ["x 3", "--checkpoint", "missing"],
    "found an empty one": ["x 3", "--checkpoint", "empty"],
    "expected a name that ends in": ["x 3", "--output", "out.xlsx"],
    "No such file": ["--input", "missing.txt"],
    "--input words.pdf": ["--input", "words.pdf"],
    "'yaml'": ["x 3", "--format", "yaml"],
    "'--batch-size'": ["x 3", "--batch-size", "many"],
    "No such option": ["x 3", "--bogus"],
    "empty: is a directory": ["x 3", "--output", "empty"],
    "nowhere/: is a directory": ["x 3", "--output", "nowhere/"],
}
MISTAKES = {said: ["parse", *words] for said, words in MISTAKES.items()} | {
    "'--port'": ["serve", "--port", "65536"],
    "--queue: expected a value of at least 64, found 1": ["serve", "--queue", "1"],
    "--cors-origin: expected *": ["serve", "--cors-origin", "x"],
    "checkpoint missing": ["serve", "--checkpoint", "missing"],
    "192.0.2.1:8000: ": ["serve", "--host", "192.0.2.1"],
}


@pytest.mark.slow
def test_a_mistake_is_said_before_the_libraries_are_imported(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "words.pdf").write_text("x 3\n")
    lines = json.dumps([["--help"], *MISTAKES.values()])
    done = subprocess.run([sys.executable, "-c", PROGRAM, lines], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert [loaded for _, loaded in found] == [[]] * (len(MISTAKES) + 1), done.stderr
    assert found[0][0] == 0 and {status for status, _ in found[1:]} == {1, 2}
    said = done.stderr.splitlines()
    assert len(said) == len(MISTAKES) and all(map(str.__contains__, said, MISTAKES)), said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "words.pdf"]
