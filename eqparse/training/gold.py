"""From an annotation to the right answers of each stage: the gold sets that training and evaluation compare with.

An annotation gives values and character positions, not mentions. A number that occurs twice in the text, several spans
for one variable, or a sum whose operands can be swapped all lead to more than one right answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eqparse.corpus.example import Example
from eqparse.equation.comparison import TOLERANCE
from eqparse.equation.equation import Equation
from eqparse.equation.expression import Number, Variable
from eqparse.parser.limits import Limits, check_leaves
from eqparse.parser.pipeline import EquationParser, refusal_problem
from eqparse.stages.coreference import CoreferenceProblem, coreference_of
from eqparse.stages.derivation import Node, assignments
from eqparse.stages.rearranged import trees_that_say
from eqparse.stages.refusal import EQUATION, NONE, RefusalProblem
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, VariableStage
from eqparse.text.mentions import Mentions
from eqparse.text.spans import Span, nearest
from eqparse.text.triggers import MAX_VARIABLE_MENTIONS, Groundings, Trigger, TriggerChoice


@dataclass(frozen=True)
class Gold:
    """The gold sets of one sentence; a set is empty if no parse can be right.

    quantities: sets of quantity indices, each ascending.
    groundings: sets of one to three mentions of variables, each in order of its phrases.
    reason: why a set is empty, or "" if none is.
    """

    quantities: tuple[tuple[int, ...], ...]
    groundings: tuple[Groundings, ...]
    reason: str = ""

    @property
    def phrases(self) -> tuple[tuple[int, ...], ...]:
        """The distinct groundings without their labels: the gold structures of the variable stage."""
        return tuple(dict.fromkeys(tuple(candidate for _, candidate in found) for found in self.groundings))

    def grounded_in(self, phrases: tuple[int, ...]) -> Groundings:
        """The first grounding that consists of these phrases."""
        return next(found for found in self.groundings if tuple(candidate for _, candidate in found) == phrases)


@dataclass(frozen=True)
class Step:
    """A stage's problem for one sentence, and the structures that are right.

    stage: the stage's name.
    problem: its input.
    gold: the right structures; empty if the stage cannot be right.
    """

    stage: str
    problem: Any
    gold: tuple[Any, ...]


Choose = Callable[[Step], Any]
"""Chooses the gold structure from which the next problems are made; called only if the step has at least one."""


Says = Callable[[Equation, Sequence[Trigger]], tuple[Any, ...]]
"""The structures over triggers that say an equation."""


def first_choice(step: Step) -> Any:
    """The first gold structure of a step."""
    return step.gold[0]


def gold_steps(
    parser: EquationParser,
    example: Example,
    mentions: Mentions,
    *,
    first_phrase: bool = False,
    renamed: bool = False,
    choose: Choose = first_choice,
) -> Iterator[Step]:
    """Yield the problems of the parser's stages in order, each based on gold choices for the earlier stages.

    A sentence without an equation has one step, that of the refusal stage, for the answer that the parser as it is
    gives it. The steps are computed lazily. A step without gold structures is the last one. Coreference has a step even
    if the parser has no such stage, provided that there are two mentions.

    first_phrase: see `gold_sets`.
    renamed: name the variables of the tree's problem in order of position, as a parser does, rather than as the
        annotation does.
    choose: picks the gold structure of a step on which the later problems are based.
    """
    if example.equation is None:
        yield Step("refusal", refusal_problem(mentions, *parser.answers([mentions])), (NONE,))
        return
    gold = gold_sets(example, mentions, first_phrase=first_phrase)
    step = Step("quantity", mentions, gold.quantities)
    yield step
    if not step.gold:
        return
    quantities = choose(step)
    problem = VariableProblem(mentions, quantities)
    three = parser.variable.holds_three(problem)
    step = Step("variable", problem, tuple(phrases for phrases in gold.phrases if len(phrases) < 3 or three))
    yield step
    if not step.gold:
        return
    choice = TriggerChoice(quantities, gold.grounded_in(choose(step)))
    same = coreference_of(choice.groundings)
    if same is not None:
        yield Step("coreference", CoreferenceProblem(mentions, choice.phrases, len(quantities)), (same,))
    equation = example.equation
    if renamed:
        labels = dict.fromkeys(label for label, _ in choice.groundings)
        names = {label: f"V{number}" for number, label in enumerate(labels, start=1)}
        equation = equation.renamed(names)
        choice = replace(choice, groundings=tuple((names[label], phrase) for label, phrase in choice.groundings))
    triggers = choice.triggers(mentions)
    fits = check_leaves(len(triggers), parser.limits) is None
    step = Step("tree", TreeProblem(mentions, triggers), parser.tree.gold(equation, triggers) if fits else ())
    yield step
    if step.gold:
        yield Step("refusal", RefusalProblem(mentions, *parser.tree.arrange(choose(step), triggers)), (EQUATION,))


def gold_choices(
    example: Example, mentions: Mentions, gold: Gold, *, limits: Limits | None = None, says: Says = trees_that_say,
    variable: VariableStage | None = None,
) -> Iterator[tuple[TriggerChoice, tuple[tuple[Node, ...], ...]]]:
    """Yield every gold trigger list over which a tree says the equation, with these trees; computed lazily.

    limits: leave out trigger lists with more leaves than this allows; by default none.
    says: the structures over a trigger list that say an equation, as `TreeStage.gold`.
    variable: leave out three mentions of variables where this stage has none; by default none.
    """
    for quantities, groundings in itertools.product(gold.quantities, gold.groundings):
        choice = TriggerChoice(quantities, groundings)
        if limits is not None and check_leaves(choice.leaves, limits) is not None:
            continue
        three = len(groundings) > 2 and variable is not None
        if three and not variable.holds_three(VariableProblem(mentions, quantities)):
            continue
        if trees := says(example.equation, choice.triggers(mentions)):
            yield choice, trees


def gold_sets(example: Example, mentions: Mentions, *, first_phrase: bool = False) -> Gold:
    """The gold sets of an example with an equation.

    first_phrase: for a variable that the equation uses once, take only the phrase listed first (the annotator's first
        choice), provided that a right answer remains.
    """
    equation = example.equation
    numbers = [leaf.value for leaf in equation.leaves() if isinstance(leaf, Number)]
    names = [leaf.name for leaf in equation.leaves() if isinstance(leaf, Variable)]
    quantities = quantity_sets(numbers, mentions)
    groundings = grounding_sets(names, example.variables, mentions)
    if first_phrase:
        spans = {name: all_[:1] if names.count(name) == 1 else all_ for name, all_ in example.variables.items()}
        groundings = grounding_sets(names, spans, mentions) or groundings
    reason = ""
    if not quantities:
        reason = "the numbers of the equation are not all among the quantities found"
    elif not groundings:
        reason = "no candidates for the annotated phrases that do not nest"
    return Gold(quantities, groundings, reason)


def quantity_sets(numbers: Sequence[float], mentions: Mentions) -> tuple[tuple[int, ...], ...]:
    """All sets of quantities whose values are the equation's numbers."""
    choices = [
        [i for i, q in enumerate(mentions.quantities) if abs(q.value - number) < TOLERANCE] for number in numbers
    ]
    found = {tuple(sorted(pick)) for pick in assignments(choices) if len(set(pick)) == len(pick)}
    return tuple(sorted(found)) if numbers else ()


def best_candidate(span: Span, mentions: Mentions) -> int | None:
    """The index of the candidate nearest to a span, or None if there are no candidates."""
    spans = [(c.start, c.end) for c in mentions.candidates]
    return spans.index(nearest(span, spans)) if spans else None


def grounding_sets(
    names: Sequence[str], spans: dict[str, tuple[Span, ...]], mentions: Mentions
) -> tuple[Groundings, ...]:
    """All ways of choosing a candidate for each mention of a variable in the equation."""
    if not 1 <= len(names) <= MAX_VARIABLE_MENTIONS:
        return ()
    phrases = {
        name: sorted({c for s in spans[name] if (c := best_candidate(s, mentions)) is not None}) for name in set(names)
    }
    picks = itertools.product(*(phrases[name] for name in names))
    picks = [p for p in picks if not any(a != b and nested(mentions, a, b) for a, b in itertools.combinations(p, 2))]
    if len(names) == 3:  # one phrase is mentioned twice
        return _three_mentions(names, picks)
    if len(set(names)) < len(names):
        # one variable, mentioned twice and annotated with several phrases: the mentions are different phrases, unless
        # the phrases are only longer and shorter forms of the same one
        picks = [p for p in picks if p[0] != p[1]] or picks
    found = {tuple(sorted(zip(names, pick, strict=True), key=lambda one: (one[1], one[0]))) for pick in picks}
    return tuple(sorted(found, key=lambda choice: tuple(candidate for _, candidate in choice)))


def _three_mentions(names: Sequence[str], picks: Sequence[tuple[int, ...]]) -> tuple[Groundings, ...]:
    """The picks of two candidates for two variables, of which one is mentioned twice in one phrase."""
    found = {
        tuple(sorted(zip(names, pick, strict=True), key=lambda one: (one[1], one[0])))
        for pick in picks
        if len(set(pick)) == len(set(names)) == len(set(zip(names, pick, strict=True))) == 2
    }
    return tuple(sorted(found, key=lambda choice: tuple(candidate for _, candidate in choice)))


def nested(mentions: Mentions, a: int, b: int) -> bool:
    """Does one of two candidates contain the other?"""
    x, y = mentions.candidates[a], mentions.candidates[b]
    return (x.first <= y.first and y.last <= x.last) or (y.first <= x.first and x.last <= y.last)
