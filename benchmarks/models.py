"""What models cost to use: python benchmarks/models.py [MODEL ...] [--sentences N] [--data PATH]

MODEL: fast, accurate, best or the folder of a checkpoint; by default those that ship. Each is loaded and parses
sentences in a process of its own, with one thread, in each precision that it has. The table says how many seconds the
process took until the model was loaded, how many sentences it parsed in a second of processor time, how many the spaCy
pipeline annotates in one by itself and the pretrained encoder reads by itself, peak memory, and how many parses are the
same as in single precision.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

from eqparse.corpus import read_examples
from eqparse.plain import read_yaml
from eqparse.scoring.encoder.precision import Precision
from eqparse.systems.folder import CONFIG, MODEL, MODELS, SHIPPED, find_checkpoint

SINGLE = [Precision.float32]


def use(model: str, precision: str, texts: list[str]) -> dict[str, Any]:
    """What loading a model and parsing the texts takes in this process."""
    import resource

    import torch

    import eqparse
    from eqparse.scoring.encoder.encoder import remembering

    def rate(work: Callable[[], Any]) -> tuple[float, Any]:
        """How many of the texts some work does in a second, and its result."""
        start = process_time()
        result = work()
        return len(texts) / (process_time() - start), result

    torch.set_num_threads(1)
    parser = eqparse.load(model, precision=precision)
    loaded = perf_counter()
    parser.parse_batch(texts[:200])
    whole, parses = rate(lambda: parser.parse_batch(texts))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    annotation, sentences = rate(lambda: parser.annotator.forgetting(texts))
    rates = [whole, annotation]
    if encoder := parser.equation_parser.encoder:
        with torch.no_grad(), remembering():
            rates.append(rate(lambda: encoder(sentences))[0])
    answers = [[str(p.equation), sorted(p.phrases.items()), p.reason_code] for p in parses]
    return {"loaded": loaded, "rates": rates, "memory": memory, "answers": answers}


def measure(model: str, precision: str, texts: list[str]) -> dict[str, Any]:
    """`use` in a process of its own. Raises SystemExit where it fails."""
    start = perf_counter()
    command = [sys.executable, __file__, "--use", precision, model]
    done = subprocess.run(command, input=json.dumps(texts), stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"benchmark: {' '.join(command)} failed")
    found = json.loads(done.stdout)
    return found | {"load": found["loaded"] - start}


def precisions(model: str) -> list[Precision]:
    """Those in which a model can be used."""
    text = (find_checkpoint(model) / CONFIG).read_bytes()
    return [*SINGLE, Precision.bfloat16] if "encoder" in read_yaml(text) else SINGLE


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="*", metavar="MODEL")
    options.add_argument("--sentences", type=int, default=2000, help="to parse")
    options.add_argument("--data", default=Path(__file__).resolve().parents[1] / "data", help="where they are")
    options.add_argument("--use", choices=list(Precision), help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.use:
        print(json.dumps(use(chosen.models[0], chosen.use, json.load(sys.stdin))))
        return
    texts = [example.text for example in read_examples(chosen.data)][: chosen.sentences]
    table = Table("model", "load, s", "sentences a second", "spaCy", "encoder", "memory, MB", "same, %")
    for model in chosen.models or [name for name in MODELS if (SHIPPED / name / MODEL).is_file()]:
        first = None
        for precision in precisions(model):
            found = measure(model, precision, texts)
            first = first or found["answers"]
            same = sum(a == b for a, b in zip(first, found["answers"], strict=True)) / len(texts)
            rates = [f"{rate:.0f}" for rate in found["rates"]] + [""] * (3 - len(found["rates"]))
            numbers = f"{found['load']:.1f}", *rates, f"{found['memory']:.0f}", f"{100 * same:.2f}"
            table.add_row(f"{model}, {precision}", *numbers)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
