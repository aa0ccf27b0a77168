"""What files of many rows cost: python benchmarks/bulk.py [--rows N [N ...]] [--workers N] [--shard-rows N] [--cheap]
    [--checkpoint MODEL]

Each number of rows is generated as parquet (a sentence, a row number and a date in each row) and parsed into a folder
of shards by a process of its own. The table says how many rows it parsed in a second, from start to end, the peak
memory of that process and of the largest of its workers, and how large input and output are. With --cheap nothing is
parsed: a stand-in for the parser refuses each text, which leaves the cost of all that is around it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path
from time import perf_counter

import pyarrow
from pyarrow import parquet
from rich.console import Console
from rich.table import Table

from eqparse.integrations.bulk import parse_file
from eqparse.parser.parse import Parse
from eqparse.parser.reasons import reason

BLOCK = 50_000
THINGS = ("barn", "shed", "mast", "boom", "tower", "chapel", "fence", "ladder", "canal", "bridge")
SENTENCES = (
    "The {a} is {n} metres longer than the {b}.", "The {a} is {n} times as old as the {b}.",
    "Nobody has seen the {a} since the {b} was sold.", "The {a} and the {b} cost {n} dollars together.",
    "In {n} the {a} was painted.",
)


class Refusing:
    """In place of a parser: says of each text at once that it has no number."""

    def stream(self, texts, **how):
        why = reason("no_number")
        return (Parse(text, reason=why.text, reason_code=why.code) for text in texts)


def generate(path: Path, rows: int) -> None:
    """Write a file of parquet with that many rows, block by block."""
    kinds = pyarrow.schema([("row", pyarrow.int64()), ("day", pyarrow.date32()), ("text", pyarrow.string())])
    with parquet.ParquetWriter(path, kinds) as writer:
        for start in range(0, rows, BLOCK):
            numbers = range(start, min(start + BLOCK, rows))
            days = [date(2000, 1, 1) + timedelta(days=number % 9000) for number in numbers]
            writer.write_table(pyarrow.table([[*numbers], days, [*map(sentence, numbers)]], schema=kinds))


def sentence(number: int) -> str:
    """The sentence of a row."""
    a, b = THINGS[number % 10], THINGS[number // 10 % 10]
    return SENTENCES[number % len(SENTENCES)].format(a=a, b=b, n=2 + number % 997)


def use(path: str, folder: str, options: dict[str, int | str], cheap: bool) -> dict[str, float]:
    """Parse a file in this process and its workers."""
    start = perf_counter()
    codes = parse_file(path, folder, **options, **({"load": Refusing} if cheap else {}))
    seconds = perf_counter() - start
    memory = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {"rate": codes.total() / seconds, "seconds": seconds, "memory": memory, "parsed": codes[""]}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rows", type=int, nargs="+", default=[1000, 10_000])
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--shard-rows", type=int, default=5000)
    options.add_argument("--checkpoint", default="fast", help="fast, accurate, best or a folder")
    options.add_argument("--cheap", action="store_true", help="refuse each text instead of parsing it")
    options.add_argument("--use", nargs=2, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    how = {"workers": chosen.workers, "shard_rows": chosen.shard_rows, "checkpoint": chosen.checkpoint}
    if chosen.use:
        print(json.dumps(use(*chosen.use, how, chosen.cheap)))
        return
    table = Table("rows", "rows a second", "seconds", "memory, MB", "of a worker, MB", "input, MB", "output, MB")
    for rows in chosen.rows:
        with tempfile.TemporaryDirectory() as folder:
            path, out = Path(folder) / "rows.parquet", Path(folder) / "out"
            generate(path, rows)
            words = [f"--{name.replace('_', '-')}={value}" for name, value in how.items()]
            command = [sys.executable, __file__, "--use", str(path), str(out), *words, *["--cheap"] * chosen.cheap]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            if done.returncode:
                raise SystemExit(f"benchmark: {' '.join(command)} failed")
            found = json.loads(done.stdout)
            sizes = [path.stat().st_size / 1e6, sum(part.stat().st_size for part in out.iterdir()) / 1e6]
            own, of_worker = found["memory"]
            table.add_row(
                f"{rows:,}", f"{found['rate']:,.0f}", f"{found['seconds']:.1f}", f"{own:.0f}", f"{of_worker:.0f}",
                *(f"{size:.1f}" for size in sizes),
            )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
