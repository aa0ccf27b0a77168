"""What eqparse costs: python benchmarks/run.py [--data roy2016 --root FOLDER] [--sentences N] [--device cuda]

Trains one fold and five, each in a process of its own (wall time from start to checkpoint, peak memory), and parses a
long file beside the same spaCy pipeline run bare, by turns in one process: the ratio of the two is what to compare
between machines. --device: the same with a GPU beside the CPU.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.table import Table

REPOSITORY = Path(__file__).resolve().parents[1]


def train(overrides: list[str]) -> tuple[float, float]:
    """Seconds and peak memory (MB) of `python train.py OVERRIDES`. Raises SystemExit where it fails."""
    start = perf_counter()
    command = [sys.executable, str(REPOSITORY / "train.py"), *overrides]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"benchmark: {' '.join(command)} failed")
    return perf_counter() - start, usage.ru_maxrss / 1024


def by_turns(tasks: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """Median seconds of each task, run in turn so that a busy machine slows all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    for _ in range(rounds):
        for name, task in tasks.items():
            start = perf_counter()
            task()
            seconds[name].append(perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}


def parsing(checkpoint: Path, texts: list[str], rounds: int, devices: list[str]) -> dict[str, float]:
    """Seconds for the texts with the bare pipeline, and for parsing them on each device, annotation included."""
    import torch

    import eqparse
    from eqparse.text.annotate import Annotator

    torch.set_num_threads(1)
    bare = Annotator()

    def run(items) -> Callable[[], None]:
        def task() -> None:
            for _ in items():
                pass

        return task

    return by_turns({
        "spaCy pipeline, bare": run(lambda: bare.nlp.pipe(texts, batch_size=bare.batch_size)),
        **{
            f"parsing, {device}": run(partial(eqparse.load(checkpoint, device=device).stream, texts))
            for device in devices
        },
    }, rounds)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", default="ours", help="a choice of the data group")
    options.add_argument("--root", help="data.root")
    options.add_argument("--sentences", type=int, default=2000, help="to parse")
    options.add_argument("--rounds", type=int, default=3, help="of parsing")
    options.add_argument("--device", default="cpu", help="beside the CPU, such as cuda")
    chosen = options.parse_args()
    devices = list(dict.fromkeys(["cpu", chosen.device]))
    from eqparse.corpus import read_examples
    from eqparse.experiments.config import data_path

    overrides = [f"data={chosen.data}"] + ([f"data.root={chosen.root}"] if chosen.root else [])
    found = [example.text for example in read_examples(data_path(chosen.root))]
    texts = (found * (chosen.sentences // len(found) + 1))[: chosen.sentences]
    table = Table("", "seconds", "peak memory, MB", "relative to the bare pipeline")
    with tempfile.TemporaryDirectory() as folder:
        overrides += [f"outputs={folder}", "run=fold${fold}"]
        jobs = {"train, one fold": ["fold=3"], "train, five folds": ["-m", "fold=0,1,2,3,4"]}
        for (name, more), device in product(jobs.items(), devices):
            seconds, memory = train([*more, *overrides, f"device={device}", "resume=false"])
            table.add_row(f"{name}, {device}", f"{seconds:.1f}", f"{memory:.0f}", "")
        cost = parsing(Path(folder) / "fold3" / "checkpoint", texts, chosen.rounds, devices)
    base = next(iter(cost.values()))
    for name, seconds in cost.items():
        rate = f"{seconds:.2f} ({len(texts) / seconds:.0f} sentences a second)"
        table.add_row(f"{name}, {len(texts)} sentences", rate, "", f"{base / seconds:.2f} of its speed")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
