"""Statistics of a corpus: kinds, shapes, operators, and how much of it the parser can get right."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eqparse.corpus.example import Example
from eqparse.corpus.folds import near_duplicate_groups
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Expression, Number, Operation, Variable, leaves
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts
from eqparse.stages.derivation import NODE_LABELS, Node, gold_trees
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.rearranged import trees_that_say
from eqparse.stages.syntax import crosses_constituent
from eqparse.stages.tree import TreeProblem, lexicon_operations
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import TriggerChoice
from eqparse.training.gold import best_candidate, gold_choices, gold_sets

SIMILARITY = 0.8  # at which sentences are near-duplicates, as in the grouped folds
MOST_FREQUENT = 30
NOT_PROJECTIVE = "no projective tree over the text says the equation"


@dataclass(frozen=True)
class GoldTree:
    """A gold tree over the triggers of its problem."""

    problem: TreeProblem
    nodes: tuple[Node, ...]


def corpus_statistics(
    examples: Sequence[Example], mentions: Sequence[Mentions], *, against: Sequence[Example] = ()
) -> dict[str, Any]:
    """Counts over a corpus as plain JSON data; a share is [sentences, of how many].

    mentions: the mentions in each example.
    against: another corpus, in which to look for near-duplicates of the examples.

    The result has, among others:
    kinds: kind -> [number with an equation, number without].
    shapes, shapes_in_order: how many different shapes there are, see `shape`; the latter with `ordered`.
    frequent_shapes: the most frequent shapes -> [equations, how many kinds they are from].
    operators: nodes of the equations; -lr (-rl) counts those whose first operand comes first (second) in the text, and
        likewise for /. The order is known only for sentences with a gold tree (see `gold_tree` for which one).
    annotated_mentions: the number of spans of all variables.
    extra_quantities: sentences whose equation leaves out a quantity of the text.
    no_lexicon_phrase: of the sentences with a gold tree, those where no rule of the paper's lexicon decides any node
        of it except =.
    against_syntax: of the sentences with a gold tree, those where every gold tree crosses a constituent of the parse.
    near_duplicates: sentences that have a near-duplicate in the corpus.
    projective: of the sentences whose numbers and phrases are found, those with a gold tree of the equation's own form.
    spans_found: every variable has a span that is exactly a candidate; spans_not_found: ids of the others.
    reachable: sentences with a gold tree, of all with an equation; unreachable: reason -> ids of the others.
    """
    stated = [(e, m) for e, m in zip(examples, mentions, strict=True) if e.equation is not None]
    equations = [e.equation for e, _ in stated]
    found = [gold_tree(e, m) for e, m in stated]
    trees = [tree for tree, _ in found if tree is not None]
    with_tree = [(e, tree) for (e, _), (tree, _) in zip(stated, found, strict=True) if tree is not None]
    unreachable: dict[str, list[str]] = {}
    for (example, _), (tree, reason) in zip(stated, found, strict=True):
        if tree is None:
            unreachable.setdefault(reason, []).append(example.id)
    own_form = [tree for e, tree in with_tree if gold_trees(e.equation, tree.problem.triggers)]
    lost = [e.id for e, m in stated if not spans_found(e, m)]
    shape_kinds: dict[str, list[str]] = {}
    for example in (e for e, _ in stated):
        shape_kinds.setdefault(shape(example.equation), []).append(example.kind)
    shapes = {form: [len(kinds), len(set(kinds))] for form, kinds in shape_kinds.items()}
    operators = Counter(op for e in equations for op in _operators(e))
    orders = Counter(NODE_LABELS[label] for tree in trees for *_, label in tree.nodes)
    groups = [len(group) for group in near_duplicate_groups(examples, SIMILARITY) if len(group) > 1]
    decided = lexicon_decides(Lexicon.load(rule_set="paper"), trees)
    statistics = {
        "sentences": len(examples),
        "with_equation": len(stated),
        "without_equation": len(examples) - len(stated),
        "kinds": {
            kind: [sum(e.kind == kind and (e.equation is None) == none for e in examples) for none in (False, True)]
            for kind in sorted({e.kind for e in examples})
        },
        "shapes": len(shapes),
        "shapes_in_order": len({shape(e, ordered=True) for e in equations}),
        "frequent_shapes": dict(sorted(shapes.items(), key=lambda item: (-item[1][0], item[0]))[:MOST_FREQUENT]),
        "operators": {op: operators[op] for op in "+*-/"}
        | {op: orders[op] for op in NODE_LABELS if op[0] in "-/"},
        "leaves": {str(n): count for n, count in sorted(Counter(len(e.leaves()) for e in equations).items())},
        "variables": {name: sum(holds(e) for e, _ in stated) for name, holds in VARIABLES.items()},
        "annotated_mentions": sum(len(spans) for e, _ in stated for spans in e.variables.values()),
        "extra_quantities": [sum(_has_extra_quantity(e, m) for e, m in stated), len(stated)],
        "no_lexicon_phrase": [decided.count(False), len(trees)],
        "against_syntax": [sum(against_syntax(e.equation, t.problem) for e, t in with_tree), len(trees)],
        "near_duplicates": [sum(groups), len(examples)],
        "largest_group": max(groups, default=0),
        "projective": [len(own_form), len(trees) + len(unreachable.get(NOT_PROJECTIVE, ()))],
        "spans_found": [len(stated) - len(lost), len(stated)],
        "spans_not_found": lost,
        "reachable": [len(trees), len(stated)],
        "unreachable": dict(sorted(unreachable.items())),
    }
    if against:
        statistics["near_the_other_set"] = near_pairs(examples, against)
    return statistics


def shape(equation: Equation, *, ordered: bool = False) -> str:
    """The equation with N for each number, so that equations of one shape differ only in their numbers.

    Equations that differ in the order of the operands of = + *, or, with at most two variables, in which of them is
    called V1, have one shape too. Not with `ordered`: then V1 is the variable that comes first in the equation.
    """

    def text(node: Expression, names: dict[str, str]) -> str:
        if isinstance(node, Number):
            return "N"
        if isinstance(node, Variable):
            return names[node.name]
        a, b = text(node.left, names), text(node.right, names)
        if node.op in "+*" and not ordered:
            a, b = sorted((a, b))
        return f"({a} {node.op} {b})"

    def sides(names: dict[str, str]) -> str:
        both = [text(side, names) for side in (equation.left, equation.right)]
        both = [side[1:-1] if side[0] == "(" else side for side in (both if ordered else sorted(both))]
        return " = ".join(both)

    new = [f"V{number}" for number in range(1, len(equation.variables) + 1)]
    orders = [new] if ordered or len(new) > 2 else list(itertools.permutations(new))
    return min(sides(dict(zip(equation.variables, order, strict=True))) for order in orders)


def gold_tree(example: Example, mentions: Mentions) -> tuple[GoldTree | None, str]:
    """A gold tree over the candidates and "", or None and the reason why there is none.

    If several choices of phrases lead to a tree, the one nearest to the spans that the annotation lists first is used.
    """
    gold = gold_sets(example, mentions)
    if gold.reason:
        return None, gold.reason
    first = {name: best_candidate(spans[0], mentions) for name, spans in example.variables.items()}

    def distance(found: tuple[TriggerChoice, Any]) -> tuple[int, int]:
        groundings = found[0].groundings
        return sum(first[name] != c for name, c in groundings), gold.groundings.index(groundings)

    best = min(gold_choices(example, mentions, gold), key=distance, default=None)
    if best is None:
        return None, NOT_PROJECTIVE
    choice, trees = best
    return GoldTree(TreeProblem(mentions, choice.triggers(mentions)), trees[0]), ""


def lexicon_decides(lexicon: Lexicon, trees: Sequence[GoldTree]) -> list[bool]:
    """For each tree: does a rule fix the operation, rightly or wrongly, of any node except =?"""
    if not trees:
        return []
    problems = [tree.problem for tree in trees]
    parts = TreeParts.build([p.triggers for p in problems], TokenTable([p.mentions for p in problems]))
    fixed = set(map(tuple, parts.node[lexicon_operations(lexicon, problems, parts) >= 0].tolist()))
    return [
        any((number, *node) in fixed for *node, label in tree.nodes if NODE_LABELS[label] != "=")
        for number, tree in enumerate(trees)
    ]


def against_syntax(equation: Equation, problem: TreeProblem) -> bool:
    """Does every gold tree over the triggers cross a constituent of the syntactic parse (see `stages/syntax.py`)?"""
    sentence = problem.mentions.sentence
    parts = TreeParts.build([problem.triggers], TokenTable([problem.mentions]))
    crossing = crosses_constituent([(sentence, problem.triggers)], parts)
    crosses = dict(zip(map(tuple, parts.node[:, 1:].tolist()), crossing.tolist(), strict=True))
    return all(any(crosses[tuple(node)] for *node, _ in tree) for tree in trees_that_say(equation, problem.triggers))


def spans_found(example: Example, mentions: Mentions) -> bool:
    """Is at least one span of every variable exactly a candidate?"""
    candidates = {(c.start, c.end) for c in mentions.candidates}
    return all(not candidates.isdisjoint(spans) for spans in example.variables.values())


def near_pairs(examples: Sequence[Example], others: Sequence[Example]) -> list[tuple[str, str]]:
    """Ids (one of ours, one of theirs) of all near-duplicates across two corpora, by `near_duplicate_groups`."""
    pairs = []
    for group in near_duplicate_groups([*examples, *others], SIMILARITY):
        ours = [examples[i] for i in group if i < len(examples)]
        theirs = [others[i - len(examples)] for i in group if i >= len(examples)]
        # two sentences may be in one group only because both resemble a third
        pairs += [
            (a.id, b.id) for a in ours for b in theirs if len(near_duplicate_groups([a, b], SIMILARITY)) == 1
        ]
    return pairs


def _operators(equation: Equation) -> list[str]:
    def walk(node: Expression) -> list[str]:
        return [node.op, *walk(node.left), *walk(node.right)] if isinstance(node, Operation) else []

    return walk(equation.left) + walk(equation.right)


def _has_extra_quantity(example: Example, mentions: Mentions) -> bool:
    return len(mentions.quantities) > sum(isinstance(leaf, Number) for leaf in example.equation.leaves())


def _mentions(example: Example) -> int:
    return sum(isinstance(leaf, Variable) for leaf in example.equation.leaves())


def _share_a_span(example: Example) -> bool:
    spans = [set(example.variables[name]) for name in example.equation.variables]
    return any(a & b for a, b in itertools.combinations(spans, 2))


def _on_both_sides(example: Example) -> bool:
    sides = (example.equation.left, example.equation.right)
    return all(any(isinstance(leaf, Variable) for leaf in leaves(side)) for side in sides)


VARIABLES = {
    "one variable": lambda e: len(e.equation.variables) == 1,
    "one variable used twice": lambda e: len(e.equation.variables) == 1 and _mentions(e) > 1,
    "two variables": lambda e: len(e.equation.variables) == 2,
    "two variables in one phrase": _share_a_span,
    "variables on both sides": _on_both_sides,
}
"""Properties of sentences with an equation."""
