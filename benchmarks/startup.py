"""What the command costs from cold, in processor time, beside the libraries that it cannot do without.

    python benchmarks/startup.py --runs 5

The least of several runs each, the two in turn: wall time says little on a machine that others use as well.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys

SENTENCE = "The barn is 10 metres longer than the shed."
LIBRARIES = ["-c", "import torch, spacy"]
FAST = ["-m", "eqparse", "parse", "--checkpoint", "fast"]
COMMANDS = {
    "import torch, spacy": LIBRARIES,
    "eqparse parse, accurate": ["-m", "eqparse", "parse", "--checkpoint", "accurate", SENTENCE],
    "eqparse parse, fast": [*FAST, SENTENCE],
    "the same with --solve, as JSON": [*FAST, "--solve", "--format", "jsonl", SENTENCE],
    "eqparse --help": ["-m", "eqparse", "--help"],
    "eqparse parse --unknown": ["-m", "eqparse", "parse", "--unknown"],
}


def processor_seconds(arguments: list[str]) -> float:
    """User and system time of a Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=5, help="of each command")
    runs = options.parse_args().runs
    least = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(runs):
        for name, arguments in COMMANDS.items():
            least[name] = min(least[name], processor_seconds(arguments))
    base = least["import torch, spacy"]
    for name, seconds in least.items():
        print(f"{name:32} {seconds:6.2f} s {seconds / base:6.2f}")


if __name__ == "__main__":
    main()
