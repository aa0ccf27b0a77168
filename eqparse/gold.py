"""From an annotation to what each stage should say: the gold sets that training and evaluation compare with.

An annotation names values and characters, not mentions: a number that stands twice in the text, several spans for one
variable, a sum that may be read either way all leave a set of right answers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eqparse.corpus.example import Example, Span
from eqparse.equation import Equation
from eqparse.expression import Expression, Number, Operation, Variable
from eqparse.mentions import Mentions
from eqparse.triggers import Trigger

TOLERANCE = 1e-4  # between a number of the annotation and a quantity's value, as in the scorer
MAX_ASSIGNMENTS = 5040  # of leaves to triggers; reached only by many equal numbers

OPERATIONS = ("=", "+", "*", "-lr", "-rl", "/lr", "/rl")
"""Labels of a tree's nodes: operation and order; `lr`: the left child is the first operand."""

Node = tuple[int, int, int, int]
"""(i, k, j, label): joins leaves i..k and k+1..j under OPERATIONS[label]."""


@dataclass(frozen=True)
class Gold:
    """The gold sets of one sentence; an empty set where no parse can be right.

    quantities: sets of quantity indices, each ascending. variables: ((label, candidate), ...), one for each mention
    of a variable, in order of position; one or two of them. reason: why a set is empty, else "".
    """

    quantities: tuple[tuple[int, ...], ...]
    variables: tuple[tuple[tuple[str, int], ...], ...]
    reason: str = ""


def gold_sets(example: Example, mentions: Mentions, *, first_phrase: bool = False) -> Gold:
    """The gold sets of an example with an equation.

    first_phrase: of a variable that the equation uses once, take the phrase listed first alone (the annotator's first
    choice) where that leaves a right answer.
    """
    equation = example.equation
    numbers = [leaf.value for leaf in equation.leaves() if isinstance(leaf, Number)]
    uses = [leaf.name for leaf in equation.leaves() if isinstance(leaf, Variable)]
    quantities = quantity_sets(numbers, mentions)
    variables = variable_sets(uses, example.variables, mentions)
    if first_phrase:
        spans = {name: all_[:1] if uses.count(name) == 1 else all_ for name, all_ in example.variables.items()}
        variables = variable_sets(uses, spans, mentions) or variables
    reason = ""
    if not quantities:
        reason = "the numbers of the equation are not all among the quantities found"
    elif not variables:
        reason = "no candidates for the annotated phrases that do not nest"
    return Gold(quantities, variables, reason)


def quantity_sets(numbers: Sequence[float], mentions: Mentions) -> tuple[tuple[int, ...], ...]:
    """All sets of quantities whose values are the equation's numbers."""
    choices = [
        [i for i, q in enumerate(mentions.quantities) if abs(q.value - number) < TOLERANCE] for number in numbers
    ]
    found = {tuple(sorted(pick)) for pick in _products(choices) if len(set(pick)) == len(pick)}
    return tuple(sorted(found)) if numbers else ()


def _products(choices: list[list[int]]):
    return itertools.islice(itertools.product(*choices), MAX_ASSIGNMENTS)


def best_candidate(span: Span, mentions: Mentions) -> int | None:
    """The candidate of greatest overlap with a span (section 6.1 of the paper), of equal ones the shortest."""
    if not mentions.candidates:
        return None
    return max(
        range(len(mentions.candidates)),
        key=lambda c: (jaccard((mentions.candidates[c].start, mentions.candidates[c].end), span),
                       mentions.candidates[c].start - mentions.candidates[c].end, -c),
    )


def jaccard(a: Span, b: Span) -> float:
    """Characters shared by two spans over those of the stretch that holds both."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return max(0, shared) / (max(a[1], b[1]) - min(a[0], b[0]))


def variable_sets(
    uses: Sequence[str], spans: dict[str, tuple[Span, ...]], mentions: Mentions
) -> tuple[tuple[tuple[str, int], ...], ...]:
    """All choices of a candidate for each mention of a variable in the equation."""
    if not 1 <= len(uses) <= 2:
        return ()
    phrases = {
        name: sorted({c for s in spans[name] if (c := best_candidate(s, mentions)) is not None}) for name in set(uses)
    }
    picks = itertools.product(*(phrases[name] for name in uses))
    picks = [p for p in picks if p[0] == p[-1] or not nested(mentions, *p)]
    if len(set(uses)) < len(uses):
        # one variable, mentioned twice and annotated with several phrases: each mention is one of them, unless the
        # phrases are but longer and shorter forms of one
        picks = [p for p in picks if p[0] != p[1]] or picks
    found = {tuple(sorted(zip(uses, pick, strict=True), key=lambda use: (use[1], use[0]))) for pick in picks}
    return tuple(sorted(found, key=lambda choice: tuple(use[1] for use in choice)))


def nested(mentions: Mentions, a: int, b: int) -> bool:
    """Does one of two candidates hold the other?"""
    x, y = mentions.candidates[a], mentions.candidates[b]
    return (x.first <= y.first and y.last <= x.last) or (y.first <= x.first and x.last <= y.last)


def gold_trees(equation: Equation, triggers: Sequence[Trigger]) -> tuple[tuple[Node, ...], ...]:
    """All projective trees over the triggers that say the equation, up to the order of operands and of equal leaves.

    Two variables grounded in one phrase may be exchanged. Empty where no projective tree does.
    """
    trees = set()
    for places in leaf_places(equation, triggers):
        nodes: list[Node] = []
        if _place(equation_tree(equation), iter(places), nodes) is not None:
            trees.add(tuple(sorted(nodes)))
    return tuple(sorted(trees))


def leaf_places(equation: Equation, triggers: Sequence[Trigger]) -> Iterator[tuple[int, ...]]:
    """Every way to lay the equation's leaves on the triggers, one each: the trigger's number for each leaf."""
    leaves = equation.leaves()
    if len(leaves) != len(triggers):
        return
    phrases = [(t.start, t.end) for t in triggers if t.label]
    one_phrase = len(phrases) == 2 and phrases[0] == phrases[1]

    def fits(leaf: Number | Variable, trigger: Trigger) -> bool:
        if isinstance(leaf, Number):
            return trigger.quantity is not None and abs(trigger.quantity.value - leaf.value) < TOLERANCE
        return bool(trigger.label) and (one_phrase or trigger.label == leaf.name)

    choices = [[p for p, t in enumerate(triggers) if fits(leaf, t)] for leaf in leaves]
    for places in _products(choices):
        if len(set(places)) == len(places):
            yield places


def equation_tree(equation: Equation) -> tuple:
    """The equation as nested (operation, left, right), None for a leaf."""

    def walk(node: Expression):
        return (node.op, walk(node.left), walk(node.right)) if isinstance(node, Operation) else None

    return ("=", walk(equation.left), walk(equation.right))


def _place(tree, at, nodes: list[Node]) -> tuple[int, int] | None:
    """Place a subtree's leaves -> the leaves that it spans, first and last; None where they do not join."""
    if tree is None:
        place = next(at)
        return place, place
    op, left, right = tree
    a, b = _place(left, at, nodes), _place(right, at, nodes)
    if a is None or b is None:
        return None
    order = "lr" if a < b else "rl"
    (i, k), (following, j) = (a, b) if a < b else (b, a)
    if following != k + 1:
        return None
    nodes.append((i, k, j, OPERATIONS.index(op + order if op in "-/" else op)))
    return i, j


def tree_equation(nodes: Sequence[Node], triggers: Sequence[Trigger]) -> Equation:
    """Read the equation off a tree over the triggers."""
    joins = {(i, j): (k, label) for i, k, j, label in nodes}

    def walk(i: int, j: int) -> Expression:
        if i == j:
            trigger = triggers[i]
            return Variable(trigger.label) if trigger.quantity is None else Number(trigger.quantity.value)
        k, label = joins[i, j]
        left, right = walk(i, k), walk(k + 1, j)
        name = OPERATIONS[label]
        if name.endswith("rl"):
            left, right = right, left
        return Operation(name[0], left, right)

    k, label = joins[0, len(triggers) - 1]
    return Equation(walk(0, k), walk(k + 1, len(triggers) - 1))
