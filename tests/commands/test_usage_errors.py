"""Mistakes in the use of a command are said before the libraries that take seconds are imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from report_runs import corpus, make_run
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
    "--input-format csv: expected --input or piped text beside it": ["x 3", "--input-format", "csv"],
    "empty: is a directory": ["x 3", "--output", "empty"],
    "nowhere/: is a directory": ["x 3", "--output", "nowhere/"],
}
RUN, CALIBRATE, UNKNOWN = "runs/pipeline-paper/random-seed0-fold0", ["calibrate", "fast"], "found nothing there"
MISTAKES = {said: ["parse", *words] for said, words in MISTAKES.items()} | {
    f"model.safetensors, config.yaml, metrics.json; {UNKNOWN}": ["info", "gone"],
    "empty: expected the folder of a finished run": ["errors", "empty"],
    "--data gone: expected the run's sentences, a .jsonl file or": ["errors", RUN, "--data", "gone"],
    "error: empty: is a directory; expected a file": ["errors", RUN, "--output", "empty"],
    "gone: expected a folder with runs": ["report", "gone"],
    "error: empty: is a directory;": ["report", RUN, "--output", "empty"],
    "error: gone: expected a .jsonl file": ["corpus", "check", "gone"],
    "gone: expected a .jsonl file": ["corpus", "agreement", "sentences.jsonl", "gone"],
    "empty: is a directory; expected": ["corpus", "agreement", *["sentences.jsonl"] * 2, "--disagreements", "empty"],
    "words.pdf: expected nothing there, or a folder with": [*CALIBRATE, "sentences.jsonl", "--output", "words.pdf"],
    "words.pdf: is not a folder; choose another path": [*CALIBRATE, "sentences.jsonl", "--output", "words.pdf/o"],
    "error: gone: expected a .jsonl file, or": [*CALIBRATE, "gone", "--output", "o"],
    "'--port'": ["serve", "--port", "65536"],
    "--queue: expected a value of at least 64, found 1": ["serve", "--queue", "1"],
    "--batch-size: expected a value from 1 to 1000000, found 1000001": ["serve", "--batch-size", "1000001"],
    "--cors-origin: expected *": ["serve", "--cors-origin", "x"],
    "checkpoint missing": ["serve", "--checkpoint", "missing"],
    "192.0.2.1:8000: ": ["serve", "--host", "192.0.2.1"],
}


@pytest.mark.slow
def test_a_mistake_is_said_before_the_libraries_are_imported(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "words.pdf").write_text("x 3\n")
    make_run(tmp_path / "runs", corpus(tmp_path))
    before = sorted(tmp_path.rglob("*"))
    lines = json.dumps([["--help"], *MISTAKES.values()])
    done = subprocess.run([sys.executable, "-c", PROGRAM, lines], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert [loaded for _, loaded in found] == [[]] * (len(MISTAKES) + 1), done.stderr
    assert found[0][0] == 0 and {status for status, _ in found[1:]} == {1, 2}
    said = done.stderr.splitlines()
    assert len(said) == len(MISTAKES) and all(map(str.__contains__, said, MISTAKES)), said
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.slow
def test_a_current_folder_that_is_gone_is_said_and_a_width_of_nothing_is_none(tmp_path):
    corpus(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "0"}
    command = f"{sys.executable} -m eqparse"
    gone = f"mkdir gone && cd gone && rmdir ../gone && {command} parse 'x 3'"
    done = subprocess.run(gone, shell=True, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("eqparse: error: the current folder: expected one that is there, found it deleted;")
    assert done.stderr.count("\n") == 1
    check = f"{command} corpus check sentences.jsonl"
    done = subprocess.run(check, shell=True, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert "with an equation" in done.stdout
