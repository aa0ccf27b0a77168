"""Tries to break eqparse: python benchmarks/attack.py [--texts N] [--checkpoints N] [--kills N] [--pooled N] [--seed N]

Hostile texts through the parser, damaged checkpoints, `train.py` killed at random moments, and one parser in forked and
spawned processes and in threads. Prints what happened, and exits with status 1 if something fell.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from time import perf_counter, sleep

from damaged_checkpoints import damaged
from hostile_texts import hostile_texts
from rich.console import Console
from rich.table import Table

import eqparse
from eqparse.analysis.report import find_runs
from eqparse.corpus import read_examples
from eqparse.experiments.config import data_path
from eqparse.files import is_temporary
from eqparse.integrations.output_lines import answer_line, as_cell, csv_line
from eqparse.integrations.rows import Row
from eqparse.parser.limits import REASONS
from eqparse.parser.pipeline import chunks
from eqparse.systems.folder import FAST, SHIPPED
from eqparse.systems.load import read_checkpoint

REPOSITORY = Path(__file__).resolve().parents[1]
BATCH, BATCH_SECONDS, LOAD_SECONDS = 64, 120, 30
GROWTH = 2**20  # KB of memory that no damaged checkpoint may take


class Outcome(Counter):
    """How often each thing happened; `fell` says what should not have, in words."""

    def __init__(self) -> None:
        super().__init__()
        self.fell: list[str] = []


class TooLong(BaseException):
    """Not an Exception, which the parser would take for the text's fault."""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise TooLong after so many seconds; where not even that ends the block, end the process with its traceback."""

    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(3 * seconds, exit=True)
    try:
        yield
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()


def attack_with_texts(parser, corpus: Sequence[str], count: int, draw: random.Random) -> Outcome:
    """Parse hostile texts in batches, and look at each parse and at what would be written of it."""
    outcome = Outcome()
    slowest = 0.0
    for batch in chunks(hostile_texts(draw, corpus, count), BATCH):
        start = perf_counter()
        try:
            with at_most(BATCH_SECONDS):
                parses = parser.parse_batch([text for _, text in batch])
        except (Exception, TooLong) as error:
            outcome.fell.append(f"a batch: {type(error).__name__}: {error}")
            continue
        slowest = max(slowest, perf_counter() - start)
        for (kind, text), parse in zip(batch, parses, strict=True):
            outcome[parse.reason_code or "parsed"] += 1
            try:
                why = wrong_with(parse, text)
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
            if why:
                outcome.fell.append(f"{kind} {text!r:.200}: {why}")
    outcome[f"slowest batch of {BATCH}: {slowest:.1f} s"] = 1
    return outcome


def wrong_with(parse, text: object) -> str:
    """What is wrong with a parse, or "". Raises whatever printing or writing it raises."""
    if parse.reason_code not in ("", *REASONS) or parse.reason_code == "failed":
        return f"the reason {parse.reason_code}: {parse.reason}"
    if (parse.equation is None) != bool(parse.reason_code) or parse.text != (text if isinstance(text, str) else ""):
        return "an equation with a reason, none without one, or another text"
    spans = [span for spans in (*parse.variables.values(), parse.candidates) for span in spans]
    if not all(0 <= start < end <= len(parse.text) for start, end in spans):
        return f"spans outside the text: {spans}"
    record = json.loads(answer_line(Row("1", parse.text), parse.to_dict()), parse_constant=lambda name: 1 / 0)
    if record["text"] != parse.text and parse.reason_code != "not_unicode":
        return "another text after JSON"
    csv_line(map(as_cell, parse.to_dict().values()))
    if parse.equation is not None:
        parse.to_latex()
    return "" if "\n" not in str(parse) else "a line break in what is printed"


def attack_with_checkpoints(count: int, draw: random.Random) -> Outcome:
    """Load damaged copies of the model that ships: each is refused, or has the weights that it had."""
    outcome = Outcome()
    files = {path.name: path.read_bytes() for path in (SHIPPED / FAST).iterdir() if path.name != "__init__.py"}
    right = read_checkpoint(FAST).parser.state_dict()
    for _ in range(count):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with tempfile.TemporaryDirectory() as folder:
            how = damaged(draw, files, Path(folder))
            try:
                with at_most(LOAD_SECONDS):
                    found = read_checkpoint(folder).parser.state_dict()
            except eqparse.EqparseError:
                outcome[f"{how}: refused"] += 1
            except (Exception, TooLong) as error:
                outcome.fell.append(f"{how}: {type(error).__name__}: {error!s:.200}")
            else:
                same = found.keys() == right.keys() and all(found[name].equal(right[name]) for name in right)
                outcome[f"{how}: same weights"] += same
                if not same:
                    outcome.fell.append(f"{how}: loads with other weights")
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before > GROWTH:
            outcome.fell.append(f"{how}: takes more than {GROWTH // 1024} MB")
    return outcome


def attack_with_kills(count: int, sentences: int, draw: random.Random) -> Outcome:
    """Kill `train.py` at random moments, half of them near its end, where it writes; then let it finish."""
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder, "whole"), Path(folder, "killed")
        start = perf_counter()
        first = train(whole, sentences)
        said = first.communicate()[1].decode()
        if first.returncode:
            outcome.fell.append(f"the undisturbed run: {said[-300:]}")
        seconds = perf_counter() - start
        for _ in range(count):
            process = train(killed, sentences)
            sleep(draw.uniform(*draw.choice(((0, 1), (0.85, 1.05)))) * seconds)
            name = draw.choice((signal.SIGKILL, signal.SIGTERM))
            process.send_signal(name)
            process.communicate()
            ended = "done before" if process.returncode == 0 else "killed"
            why, there = unsound(killed)
            outcome[f"{name.name}, {ended}: {'a whole run' if there else 'no run'}"] += 1
            if why:
                outcome.fell.append(f"{name.name} after a while: {why}")
        last = train(killed, sentences)
        said = last.communicate()[1].decode()
        if last.returncode:
            outcome.fell.append(f"the same command afterwards: {said[-300:]}")
        elif (killed / "run/predictions.jsonl").read_bytes() != (whole / "run/predictions.jsonl").read_bytes():
            outcome.fell.append("the same command afterwards predicts otherwise")
        if left := [str(path) for path in killed.rglob("*") if is_temporary(path.name)]:
            outcome.fell.append(f"left behind: {left[:5]}")
    return outcome


def train(outputs: Path, sentences: int) -> subprocess.Popen:
    """A run on some of the sentences in data/, which takes the place of one that is there."""
    options = [f"data.limit={sentences}", "fold=1", "logger=none", "resume=false", "run=run", f"outputs={outputs}"]
    return subprocess.Popen(
        [sys.executable, str(REPOSITORY / "train.py"), *options], cwd=outputs.parent, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )


def unsound(outputs: Path) -> tuple[str, bool]:
    """What is wrong with what a killed run left, or "", and whether a finished run is there."""
    if not (outputs / "run" / "metrics.json").exists():
        return "", False
    try:
        runs, left_out = find_runs([outputs])
        if len(runs) == 1 and not left_out:
            json.loads((outputs / "run" / "metrics.json").read_bytes())
            read_checkpoint(outputs / "run" / "checkpoint")
            return "", True
        return f"a run that is not whole: {left_out}", True
    except Exception as error:
        return f"{type(error).__name__}: {error}", True


kept = None


def start(parser) -> None:
    """Keep the parser that a worker is started with."""
    global kept
    kept = parser


def parse_one(text: str):
    """The parse by the parser that this process keeps."""
    return kept(text)


def attack_with_pools(parser, texts: Sequence[str]) -> Outcome:
    """The same texts in forked and spawned workers and in threads have the same parses."""
    outcome = Outcome()
    right = parser.parse_batch(texts)
    start(parser)
    fork, spawn = multiprocessing.get_context("fork"), multiprocessing.get_context("spawn")
    pools = {
        "fork": partial(fork.Pool, 2),
        "spawn": partial(spawn.Pool, 2, initializer=start, initargs=(parser,)),
        "ProcessPoolExecutor, fork": partial(ProcessPoolExecutor, 2, mp_context=fork),
        "ProcessPoolExecutor, spawn": partial(
            ProcessPoolExecutor, 2, mp_context=spawn, initializer=start, initargs=(parser,)
        ),
        "threads": partial(ThreadPoolExecutor, 8),
    }
    for name, pool in pools.items():
        try:
            with at_most(300), pool() as workers:
                same = list(workers.map(parse_one, texts)) == right
        except (Exception, TooLong) as error:
            same = False
            outcome.fell.append(f"{name}: {type(error).__name__}: {error}")
        outcome[f"{name}: {'the same' if same else 'other'} parses"] += 1
        if not same:
            outcome.fell.append(f"{name}: other parses")
    return outcome


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--texts", type=int, default=50_000, help="hostile texts")
    options.add_argument("--checkpoints", type=int, default=1_000, help="damaged checkpoints")
    options.add_argument("--kills", type=int, default=50, help="of a run of training")
    options.add_argument("--sentences", type=int, default=1_000, help="that this run trains on and tests")
    options.add_argument("--pooled", type=int, default=200, help="texts for each kind of process and threads")
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    pooled = chosen.pooled
    corpus = [example.text for example in read_examples(data_path(None))]
    load = cache(eqparse.load)
    attacks = {
        f"{chosen.texts} hostile texts": lambda draw: attack_with_texts(load(), corpus, chosen.texts, draw),
        f"{chosen.checkpoints} damaged checkpoints": lambda draw: attack_with_checkpoints(chosen.checkpoints, draw),
        f"{chosen.kills} kills": lambda draw: attack_with_kills(chosen.kills, chosen.sentences, draw),
        f"{pooled} texts in pools": lambda draw: attack_with_pools(load(), draw.choices(corpus, k=pooled)),
    }
    table, fell = Table("attack", "outcome", "count"), []
    for number, (name, attack) in enumerate(attacks.items()):
        if name.startswith("0 "):
            continue
        begun = perf_counter()
        outcome = attack(random.Random(f"{chosen.seed} {number}"))
        for what, count in sorted(outcome.items()):
            table.add_row(name, what, str(count))
        table.add_row(name, "fell", str(len(outcome.fell)), end_section=True)
        fell += outcome.fell
        print(f"{name}: {perf_counter() - begun:.0f} s, {len(outcome.fell)} fell", file=sys.stderr, flush=True)
    Console(width=120).print(table)
    for line in fell[:50]:
        print(f"fell: {line!a}")
    sys.exit(bool(fell))


if __name__ == "__main__":
    main()
