"""What the service costs: python benchmarks/service.py [--checkpoint MODEL] [--seconds S] [--clients N ...]

Needs wrk (`apt-get install wrk`) and Linux. First a process parses sentences without a service, one by one and as a
batch; then `eqparse serve` answers wrk, whose clients each send one sentence after another to /parse without a pause,
and then one client who sends all of them to /parse/batch. The table says how many sentences were answered in a second,
and in a second of the process's processor time, which other work on the machine changes less; how long half and 99 % of
the answers took at most; and how many requests were not answered with 200.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx
from rich.console import Console
from rich.table import Table

from eqparse.corpus import read_examples
from eqparse.parser.texts import BATCH_SIZE

SCRIPT = """
local bodies, at = {}, 0
for line in io.lines("BODIES") do bodies[#bodies + 1] = line end
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
function request() at = at % #bodies + 1; return wrk.format(nil, nil, nil, bodies[at]) end
function done(summary, latency)
    local e = summary.errors
    local failed = e.status + e.connect + e.read + e.write + e.timeout
    io.write(string.format('[%d, %d, %d, %d, %d]\\n', summary.requests, summary.duration, latency:percentile(50),
        latency:percentile(99), failed))
end
"""
PARSER = """
import json, sys, time, torch, eqparse
torch.set_num_threads(1)
parser, texts = eqparse.load(sys.argv[1]), json.load(sys.stdin)
size = int(sys.argv[2])
parser.parse_batch(texts[:100], batch_size=size)
start = time.perf_counter(), time.process_time()
parser.parse_batch(texts, batch_size=size)
print(json.dumps([time.perf_counter() - start[0], time.process_time() - start[1]]))
"""


class Row(NamedTuple):
    """Sentences, seconds, seconds of processor time, milliseconds of half and of 99 % of the answers, failures."""

    sentences: int
    seconds: float
    work: float
    half: float | None = None
    most: float | None = None
    failed: int = 0

    def cells(self) -> list[str]:
        times = ["" if one is None else f"{one:.0f}" for one in (self.half, self.most)]
        return [f"{self.sentences / self.seconds:.0f}", f"{self.sentences / self.work:.0f}", *times, str(self.failed)]


class Service(NamedTuple):
    """A service in a process of its own."""

    url: str
    process: subprocess.Popen[str]

    def work(self) -> float:
        """Seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(checkpoint: str) -> Iterator[Service]:
    """A service that answers. Raises SystemExit if it does not start."""
    words = [sys.executable, "-m", "eqparse", "serve", "--port", "0", "--checkpoint", checkpoint]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        said = process.stderr.readline()
        if " at http" not in said:
            raise SystemExit(f"benchmark: {' '.join(words)}: {said}")
        threading.Thread(target=process.stderr.read, daemon=True).start()
        service = Service(said.split(" at ")[1].strip(), process)
        httpx.Client(transport=httpx.HTTPTransport(retries=5)).get(f"{service.url}/health").raise_for_status()
        yield service
    finally:
        process.terminate()
        process.wait()


def alone(checkpoint: str, texts: list[str], *, batch_size: int) -> Row:
    """The parser in a process of its own."""
    words = [sys.executable, "-c", PARSER, checkpoint, str(batch_size)]
    done = subprocess.run(words, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return Row(len(texts), *json.loads(done.stdout))


def clients(service: Service, bodies: Path, count: int, *, seconds: int) -> Row:
    """That many clients, each with one request at a time."""
    script = bodies.with_suffix(".lua")
    script.write_text(SCRIPT.replace("BODIES", str(bodies)))
    words = ["wrk", "-t1", f"-c{count}", "--timeout", "60", "-s", script, f"{service.url}/parse"]
    subprocess.run([*words, "-d2"], check=True, capture_output=True)
    before = service.work()
    done = subprocess.run([*words, f"-d{seconds}"], check=True, capture_output=True, text=True)
    work = service.work() - before
    answered, microseconds, half, most, failed = json.loads(done.stdout.splitlines()[-1])
    return Row(answered, microseconds / 1e6, work, half / 1000, most / 1000, failed)


def stream(service: Service, bodies: Path) -> Row:
    """One client who sends all lines to /parse/batch."""
    before, start = service.work(), time.perf_counter()
    answer = httpx.post(f"{service.url}/parse/batch", content=bodies.read_bytes(), timeout=None)
    seconds, work = time.perf_counter() - start, service.work() - before
    failed = sum("equation" not in json.loads(line) for line in answer.text.splitlines())
    return Row(answer.text.count("\n"), seconds, work, failed=failed)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--checkpoint", default="fast", help="fast, accurate, best or a folder")
    options.add_argument("--seconds", type=int, default=20, help="for each number of clients")
    options.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64], metavar="N")
    options.add_argument("--sentences", type=int, default=2000, help="different ones, at most")
    options.add_argument("--data", default=Path(__file__).resolve().parents[1] / "data", help="where they are")
    chosen = options.parse_args()
    if shutil.which("wrk") is None:
        raise SystemExit("benchmark: expected the program wrk, found none; `apt-get install wrk`")
    texts = [example.text for example in read_examples(chosen.data)][: chosen.sentences]
    table = Table("", "sentences a second", "of processor time", "p50, ms", "p99, ms", "failed")

    def add(name: str, row: Row) -> None:
        table.add_row(name, *row.cells())
        print(name, *row.cells(), sep="\t", file=sys.stderr, flush=True)

    for size, count in (1, len(texts) // 5), (BATCH_SIZE, len(texts)):
        add(f"no service, batches of {size}", alone(chosen.checkpoint, texts[:count], batch_size=size))
    with tempfile.TemporaryDirectory() as folder, serving(chosen.checkpoint) as service:
        bodies = Path(folder) / "bodies.jsonl"
        bodies.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        for count in chosen.clients:
            add(f"/parse, clients: {count}", clients(service, bodies, count, seconds=chosen.seconds))
        add("/parse/batch, clients: 1", stream(service, bodies))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
