"""Where an answer first went wrong, and how: the stage, and the kinds of error that Roy et al. (2016) distinguish.

The diagnosis uses only the gold annotation and the prediction, so it works for every system, with stages or without.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from eqparse.corpus.example import Example
from eqparse.equation.comparison import TOLERANCE, same_form
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable
from eqparse.parser.parse import Parse
from eqparse.stages import registry
from eqparse.text.spans import Span, jaccard, nearest
from eqparse.training.metrics import judge

STAGES = {name: kind.title for name, kind in registry.STAGES.items()} | {"right": "right"}
"""The stages in order; "right" means that none went wrong."""

KINDS = {
    "no-answer": "no answer",
    "spurious": "equation where none is stated",
    "missing-quantity": "missing quantity",
    "extra-quantity": "extra quantity",
    "few-variables": "too few variables",
    "many-variables": "too many variables",
    "inside": "span inside the right one",
    "around": "span around the right one",
    "beside": "span that partly overlaps the right one",
    "outside": "entity outside the relation",
    "twice": "one entity twice, the other missed",
    "merged": "two variables taken for one",
    "split": "one variable taken for two",
    "exchanged": "variables swapped",
    "reversed": "order reversed",
    "operation": "wrong operation",
    "grouping": "operands grouped differently",
    "equivalent": "algebraically equivalent",
    "no-lexicon": "no lexicon phrase in the sentence",
    "unreachable": "gold answer that no parse can reach",
}
"""Kinds of error in the order of the stages; a sentence may have several."""


@dataclass(frozen=True)
class Diagnosis:
    """stage: the first that went wrong, of `STAGES`. kinds: of `KINDS`, in their order.

    verdict: what `judge` says, empty for a sentence without an equation. naming: predicted name -> the gold variable
    whose spans it is nearest to, one to one.
    """

    stage: str
    kinds: tuple[str, ...]
    verdict: dict[str, bool]
    naming: dict[str, str]


def diagnose(example: Example, prediction: Parse) -> Diagnosis:
    """Compare a prediction with the annotation. Raises DataError where they are of different texts."""
    gold, found = example.equation, prediction.equation
    if gold is None:
        return Diagnosis("right", (), {}, {}) if found is None else Diagnosis("refusal", ("spurious",), {}, {})
    verdict = judge(example, prediction)
    if found is None:
        return Diagnosis("refusal", ("no-answer",), verdict, {})
    naming = nearest_naming(example, prediction)
    if verdict["grounded_strict"]:
        return Diagnosis("right", (), verdict, naming)
    kinds = quantity_kinds(gold, found)
    stage = "quantity"
    if not kinds:
        stage, kinds = "variable", variable_kinds(example, prediction)
    if not kinds:
        ours, theirs = len(gold.variables), len(found.variables)
        stage, kinds = "coreference", ["merged"] if ours > theirs else ["split"] if ours < theirs else []
    if not kinds:
        stage = "tree"
        kinds = ["exchanged"] if verdict["equation"] else tree_kinds(gold, found.renamed(naming))
    kinds += ["equivalent"] if verdict["equation_equivalent"] and not verdict["equation"] else []
    return Diagnosis(stage, tuple(kind for kind in KINDS if kind in kinds), verdict, naming)


def quantity_kinds(gold: Equation, found: Equation) -> list[str]:
    """Does the equation lack numbers of the gold one, or have others?"""
    rest = [leaf.value for leaf in found.leaves() if isinstance(leaf, Number)]
    missing = 0
    for value in (leaf.value for leaf in gold.leaves() if isinstance(leaf, Number)):
        near = next((at for at, other in enumerate(rest) if abs(other - value) < TOLERANCE), None)
        if near is None:
            missing += 1
        else:
            del rest[near]
    return ["missing-quantity"] * bool(missing) + ["extra-quantity"] * bool(rest)


def variable_kinds(example: Example, prediction: Parse) -> list[str]:
    """What is wrong with the phrases, whichever variables they ground."""
    ours, theirs = (
        sum(isinstance(leaf, Variable) for leaf in equation.leaves())
        for equation in (example.equation, prediction.equation)
    )
    kinds = ["few-variables"] * (theirs < ours) + ["many-variables"] * (theirs > ours)
    golds = [span for spans in example.variables.values() for span in spans]
    right = {name: right_spans(spans, prediction.candidates) for name, spans in example.variables.items()}
    for span in dict.fromkeys(span for spans in prediction.variables.values() for span in spans):
        if not any(span in spans for spans in right.values()):
            kinds.append(relation(span, golds))
    if not kinds and len(prediction.variables) == len(example.variables) == 2:
        fits = [
            {name for name, spans in right.items() if spans.issuperset(found)}
            for found in prediction.variables.values()
        ]
        if not any(a != b for a, b in itertools.product(*fits)):
            kinds.append("twice")
    return kinds


def right_spans(golds: Sequence[Span], candidates: Sequence[Span]) -> set[Span | None]:
    """The gold spans, and the candidate nearest to each."""
    return {nearest(gold, candidates) for gold in golds} | set(golds)


def relation(span: Span, golds: Sequence[Span]) -> str:
    """How a span that is not right lies in relation to the gold span nearest to it."""
    gold = max(golds, key=lambda g: jaccard(span, g), default=None)
    if gold is None or jaccard(span, gold) == 0:
        return "outside"
    if gold[0] <= span[0] and span[1] <= gold[1]:
        return "inside"
    return "around" if span[0] <= gold[0] and gold[1] <= span[1] else "beside"


def tree_kinds(gold: Equation, found: Equation) -> list[str]:
    """How two trees over the same leaves differ."""
    if unordered(gold, operations=True) == unordered(found, operations=True):
        return [] if same_form(gold, found, strict=False) else ["reversed"]
    if unordered(gold, operations=False) == unordered(found, operations=False):
        return ["operation"]
    return ["grouping"]


def unordered(equation: Equation, *, operations: bool) -> str:
    """The tree as text, up to the order of operands, with or without what the operations are."""

    def walk(node: Expression) -> str:
        if not isinstance(node, Operation):
            return str(node)
        first, second = sorted([walk(node.left), walk(node.right)])
        return f"({first} {node.op if operations else '?'} {second})"

    return " = ".join(sorted([walk(equation.left), walk(equation.right)]))


def nearest_naming(example: Example, prediction: Parse) -> dict[str, str]:
    """The one-to-one renaming under which the spans overlap most; of equal ones the one that renames least."""
    theirs = list(prediction.variables)
    ours = list(dict.fromkeys([*example.variables, *theirs]))
    if len(ours) > 6:
        return {name: name for name in theirs}

    def overlap(names: Sequence[str]) -> tuple[float, int]:
        total = sum(
            max((jaccard(span, gold) for gold in example.variables.get(name, ())), default=0.0)
            for their, name in zip(theirs, names, strict=True) for span in prediction.variables[their]
        )
        return total, sum(map(str.__eq__, theirs, names))

    best = max(itertools.permutations(ours, len(theirs)), key=overlap)
    return dict(zip(theirs, best, strict=True))
