"""Programs of their own for tests: what they begin with, and how they are run."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

from tiny import ROOT

HEAD = """
import copy, multiprocessing, os, pickle, threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
import torch
import eqparse

TEXTS = [f"The {oak} is {n} feet taller than the birch." for n in (3, 12) for oak in ("oak", "beech", "elm")]

def start(parser):
    global kept
    kept = parser

def parse(text):
    return kept(text)

def equations(parses):
    return [str(parse.equation) for parse in parses]

RIGHT = ["V1 = 3 + V2"] * 3 + ["V1 = 12 + V2"] * 3

"""


def run(tmp_path, body: str) -> None:
    """Run the lines as a program of their own, whose torch has several threads; it must end well and in time."""
    script = tmp_path / "program.py"
    body = "torch.set_num_threads(4)\n" + textwrap.dedent(body)
    script.write_text(HEAD + 'if __name__ == "__main__":\n' + textwrap.indent(body, "    "))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
