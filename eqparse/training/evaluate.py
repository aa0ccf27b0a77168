"""How good a parser is: the accuracy of each stage as in the paper, and predictions for `metrics` to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from eqparse.corpus.example import Example
from eqparse.parser.batch import SentenceParser
from eqparse.parser.limits import REASONS, Limits, check_leaves, check_mentions
from eqparse.parser.parse import Parse
from eqparse.parser.pipeline import EquationParser, chunks
from eqparse.stages.rearranged import trees_that_say
from eqparse.stages.registry import STAGES
from eqparse.stages.tree import MAX_LEAVES, TreeStage
from eqparse.stages.variable import VariableStage
from eqparse.text.mentions import Mentions
from eqparse.training.gold import Step, gold_choices, gold_sets, gold_steps


def stage_accuracy(verdicts: Mapping[str, Mapping[str, bool]]) -> dict[str, float | None]:
    """Percentage of sentences that each stage gets right, from `stage_verdicts`; None if there are no sentences."""
    return {
        stage: round(100 * sum(right.values()) / len(right), 2) if right else None for stage, right in verdicts.items()
    }


def stage_verdicts(
    parser: EquationParser, examples: Sequence[Example], mentions: Sequence[Mentions], *, batch_size: int = 64
) -> dict[str, dict[str, bool]]:
    """Name of the figure -> sentence id -> whether the stage is right if the earlier stages are gold.

    All sentences with an equation are included. Those that no parse can get right, and those that the parser's limits
    refuse, count as wrong.

    quantity_list: the set of quantities.
    variable_list: the phrases, given the gold quantities; coreference is not judged.
    tree: the tree, given the gold triggers.
    """
    pairs = [(e, m) for e, m in zip(examples, mentions, strict=True) if e.equation is not None]
    steps: dict[str, list[tuple[str, Step]]] = {name: [] for name, kind in STAGES.items() if kind.figure}
    for example, m in pairs:
        if check_mentions(m, parser.limits) is None:
            for step in gold_steps(parser, example, m):
                if step.stage in steps and step.gold:
                    steps[step.stage].append((example.id, step))
    verdicts = {}
    for name, known in steps.items():
        right = {e.id: False for e, _ in pairs}
        for some in chunks(known, batch_size):
            found, _ = getattr(parser, name).argmax([step.problem for _, step in some])
            right |= {id_: one in step.gold for one, (id_, step) in zip(found, some, strict=True)}
        verdicts[STAGES[name].figure] = right
    return verdicts


def unreachable(
    examples: Sequence[Example], mentions: Sequence[Mentions], *, limits: Limits | None = None,
    tree: TreeStage | None = None, variable: VariableStage | None = None,
) -> dict[str, int]:
    """How many sentences with an equation no parse can get right, by reason. They still count as wrong.

    limits: the parser's limits, by default those of `Limits`.
    tree: its tree stage, by default one that searches projective trees.
    variable: its variable stage, by default one that allows three mentions of variables with any numbers.
    """
    limits = limits or Limits()
    pairs = zip(examples, mentions, strict=True)
    reasons = Counter(why_unreachable(e, m, limits, tree, variable) for e, m in pairs if e.equation is not None)
    return dict(sorted((reason, count) for reason, count in reasons.items() if reason))


def why_unreachable(
    example: Example, m: Mentions, limits: Limits, tree: TreeStage | None = None, variable: VariableStage | None = None
) -> str:
    """Why no parse can get the example right, or "" if one can."""
    if why := check_mentions(m, limits):
        return REASONS[why.code]
    gold = gold_sets(example, m)
    if gold.reason:
        return gold.reason
    if why := check_leaves(len(example.equation.leaves()), limits):
        return REASONS[why.code]
    said = partial(gold_choices, example, m, gold, limits=limits, says=trees_that_say if tree is None else tree.gold)
    if any(said(variable=variable)):
        return ""
    if any(said()):
        return "three mentions of variables, which the variable stage does not allow here"
    kind = "projective tree" if tree is None or tree.options.get("projective", True) else "tree"
    return f"no {kind} of at most {MAX_LEAVES} leaves says the equation"


def predict(parser: SentenceParser, examples: Sequence[Example], mentions: Sequence[Mentions]) -> dict[str, Parse]:
    """The parse of each example, by its id."""
    parses = [p for some in chunks(mentions, parser.batch_size) for p in parser.parse_mentions(some)]
    return {e.id: p for e, p in zip(examples, parses, strict=True)}
