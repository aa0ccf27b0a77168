"""Step 7, how a sentence's structures are searched: the protocol `Decoder`, and `Greedy`, which runs stage after stage.

`BeamDecoder` in `beam.py` searches quantities, variables and tree together; `NBest` in `nbest.py` adds up the
probabilities of all readings that state one relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from eqparse.parser.limits import Reason, check_leaves, reason
from eqparse.parser.parse import GroundedEquation
from eqparse.stages.coreference import resolve
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem
from eqparse.structured.spaces.output_space import feasible
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import TriggerChoice

if TYPE_CHECKING:
    from eqparse.parser.pipeline import EquationParser


DIGITS = 4  # behind the point, of a score in which an encoder has a part
VALUE_ALONE = reason("no_equation", "an amount and its value alone")
NO_TREE = reason("no_equation", "the lexicon allows no tree")


class Decoder(Protocol):
    """Searches the structures of a parser's stages.

    stages_apart: whether each stage decides by itself, so that it makes sense to measure its accuracy separately.
    """

    stages_apart: bool

    def decode(self, parser: EquationParser, mentions: Sequence[Mentions]) -> list[GroundedEquation | Reason]:
        """The best equation of each sentence, or why there is none.

        mentions: sentences that are within the limits.
        """
        ...


class Greedy:
    """Quantity, variable, coreference and tree stage in turn, each given the best structures of the earlier ones."""

    stages_apart = True

    def decode(self, parser: EquationParser, mentions: Sequence[Mentions]) -> list[GroundedEquation | Reason]:
        quantities, score = parser.quantity.argmax(mentions)
        phrases, value = parser.variable.argmax(
            [VariableProblem(m, q) for m, q in zip(mentions, quantities, strict=True)]
        )
        score = score.cpu() + value.cpu()
        groundings = resolve(parser.coreference, mentions, phrases, [len(q) for q in quantities])
        choices = [TriggerChoice(q, g) for q, g in zip(quantities, groundings, strict=True)]
        answers: list[GroundedEquation | Reason | None] = [refuse(choice, parser) for choice in choices]
        sizes: dict[int, list[int]] = {}  # number of leaves -> problems; charts of equal size need no padding
        for at, choice in enumerate(choices):
            if answers[at] is None:
                sizes.setdefault(choice.leaves, []).append(at)
        for group in sizes.values():
            problems = [TreeProblem(mentions[at], choices[at].triggers(mentions[at])) for at in group]
            trees, values = parser.tree.argmax(problems)
            rows = zip(group, problems, trees, values.tolist(), feasible(values).tolist(), strict=True)
            for at, problem, tree, value, there in rows:
                answers[at] = grounded(parser, problem, tree, float(score[at]) + value) if there else NO_TREE
        return answers


def grounded(parser: EquationParser, problem: TreeProblem, tree: Any, score: float) -> GroundedEquation:
    """The equation that a structure of the tree stage stands for.

    An encoder's score is rounded: on some processors its last digits depend on what else is in the batch.
    """
    score = score if parser.encoder is None else round(score, DIGITS)
    return GroundedEquation.from_tree(*parser.tree.arrange(tree, problem.triggers), score)


def refuse(choice: TriggerChoice, parser: EquationParser) -> Reason | None:
    """Why no tree is searched for over a trigger list, or None if one is."""
    if why := check_leaves(choice.leaves, parser.limits):
        return why
    # an equation has an operation: of two leaves there is but an amount and its value
    return VALUE_ALONE if choice.leaves < 3 else None
