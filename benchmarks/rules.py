"""What the rules that bar readings bring: python benchmarks/rules.py [--model MODEL] [FILE ...]

MODEL: fast, accurate, best or the folder of a checkpoint. Annotated sentences (by default those on which models are
chosen) are parsed with the rules of eqparse/parser/rules and without them. Every answer that they change is shown, and
how many of them are right with the rules, without them, and neither way.
"""

from __future__ import annotations

import argparse
from collections import Counter

from rich.console import Console

import eqparse
from eqparse.corpus import read_examples
from eqparse.equation.equation import Equation
from eqparse.parser import nbest, pipeline
from eqparse.training.metrics import equal_relation

CHOSEN_ON = ["data/development", "data/blind/dev.jsonl", "data/calibration"]


def same(one: Equation | None, other: Equation | None) -> bool:
    """Whether two answers state one relation, or both none."""
    if one is None or other is None:
        return one is other
    return equal_relation(one, other)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="*", default=CHOSEN_ON, metavar="FILE")
    options.add_argument("--model", default="accurate")
    given = options.parse_args()
    examples = [example for path in given.files for example in read_examples(path)]
    parser, texts, console = eqparse.load(given.model), [example.text for example in examples], Console()
    ruled = parser.parse_batch(texts)
    nbest.misread = pipeline.unsaid = lambda text, answer: None
    free = parser.parse_batch(texts)
    verdicts: Counter[tuple[bool, bool]] = Counter()
    for example, one, two in zip(examples, ruled, free, strict=True):
        if same(one.equation, two.equation):
            continue
        verdicts[same(example.equation, one.equation), same(example.equation, two.equation)] += 1
        console.print(f"{example.text}\n    with: {one}\n    without: {two}", highlight=False, markup=False)
    named = {"with the rules": (True, False), "without": (False, True), "neither way": (False, False)}
    right = ", ".join(f"{verdicts[both]} {name}" for name, both in named.items())
    console.print(f"{verdicts.total()} of {len(texts)} answers change; right: {right}", highlight=False)


if __name__ == "__main__":
    main()
