"""How good a parser is: each stage as the paper measures it, and the pipeline by the criteria of `metrics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import torch

from eqparse.corpus.example import Example
from eqparse.parser.limits import REASONS, Limits, check_leaves, check_mentions
from eqparse.parser.pipeline import EquationParser, Parse
from eqparse.stages.derivation import gold_trees
from eqparse.stages.tree import MAX_LEAVES, TreeProblem
from eqparse.stages.variable import VariableProblem
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import trigger_list
from eqparse.training.gold import gold_sets
from eqparse.training.metrics import Prediction
from eqparse.training.train import phrase_choices


def stage_accuracy(verdicts: Mapping[str, Mapping[str, bool]]) -> dict[str, float | None]:
    """Percentage of sentences that each stage gets right, of what `stage_verdicts` says; None of no sentences."""
    return {
        stage: round(100 * sum(right.values()) / len(right), 2) if right else None for stage, right in verdicts.items()
    }


@torch.no_grad()
def stage_verdicts(
    parser: EquationParser, examples: Sequence[Example], mentions: Sequence[Mentions], *, batch_size: int = 64
) -> dict[str, dict[str, bool]]:
    """Stage -> id -> does the stage get the sentence right when the stages before it are gold?

    Of every sentence with an equation.
    quantity_list: the set of quantities. variable_list: the phrases, given the gold quantities; whether two of them are
    one variable is not judged. tree: the tree, given gold triggers. Sentences that no parse can get right are wrong, as
    are those that the parser's limits refuse.
    """
    pairs = [(e, m) for e, m in zip(examples, mentions, strict=True) if e.equation is not None]
    stages = ("quantity_list", "variable_list", "tree")
    right = {stage: {e.id: False for e, _ in pairs} for stage in stages}
    usable = [(e, m, gold_sets(e, m)) for e, m in pairs if check_mentions(m, parser.limits) is None]
    for chunk in chunks([u for u in usable if u[2].quantities], batch_size):
        batch = parser.quantity.batch([m for _, m, _ in chunk])
        found = parser.quantity.decode(batch.space.argmax(parser.quantity.scores(batch)).parts)
        right["quantity_list"] |= {e.id: f in g.quantities for f, (e, _, g) in zip(found, chunk, strict=True)}
    for chunk in chunks([u for u in usable if not u[2].reason], batch_size):
        problems = [VariableProblem(m, g.quantities[0]) for _, m, g in chunk]
        batch = parser.variable.batch(problems)
        chosen = batch.space.argmax(parser.variable.scores(batch)).parts.argmax(1).tolist()
        found = parser.variable.decode(problems, chosen)
        right["variable_list"] |= {e.id: f in phrase_choices(g) for f, (e, _, g) in zip(found, chunk, strict=True)}
        trees = []
        for example, m, gold in chunk:
            triggers = trigger_list(m, gold.quantities[0], gold.variables[0])
            trees.append((example.id, TreeProblem(m, triggers), parser.tree.gold(example.equation, triggers)))
        trees = [(i, p, g) for i, p, g in trees if g and check_leaves(len(p.triggers), parser.limits) is None]
        if trees:
            batch = parser.tree.batch([p for _, p, _ in trees])
            found = parser.tree.decode(batch.space.argmax(parser.tree.scores(batch)).parts)
            right["tree"] |= {i: f in g for f, (i, _, g) in zip(found, trees, strict=True)}
    return right


def unreachable(
    examples: Sequence[Example], mentions: Sequence[Mentions], *, limits: Limits | None = None
) -> dict[str, int]:
    """How many sentences with an equation no parse can get right, by the reason; they count as wrong all the same.

    limits: of the parser, by default those of `Limits`.
    """
    limits = limits or Limits()
    pairs = zip(examples, mentions, strict=True)
    reasons = Counter(why_unreachable(e, m, limits) for e, m in pairs if e.equation is not None)
    return dict(sorted((reason, count) for reason, count in reasons.items() if reason))


def why_unreachable(example: Example, m: Mentions, limits: Limits) -> str:
    """Why no parse gets the example right, "" if one can."""
    if why := check_mentions(m, limits):
        return REASONS[why.code]
    gold = gold_sets(example, m)
    if gold.reason:
        return gold.reason
    if why := check_leaves(len(example.equation.leaves()), limits):
        return REASONS[why.code]
    lists = (trigger_list(m, q, v) for q in gold.quantities for v in gold.variables)
    trees = any(gold_trees(example.equation, triggers) for triggers in lists)
    return "" if trees else f"no projective tree of at most {MAX_LEAVES} leaves says the equation"


def chunks(items: list, size: int) -> list[list]:
    """The list in pieces of at most `size`."""
    return [items[at : at + size] for at in range(0, len(items), size)]


def prediction(example_id: str, parse: Parse) -> Prediction:
    """A parse as the scorer reads it."""
    return Prediction(
        id=example_id, text=parse.text, equation=parse.equation, variables=parse.variables, candidates=parse.candidates,
        reason=parse.reason, score=parse.score,
    )


def predict(
    parser: EquationParser, examples: Sequence[Example], mentions: Sequence[Mentions]
) -> list[Prediction]:
    """The parser's prediction for each example."""
    parses = [p for chunk in chunks(list(mentions), parser.batch_size) for p in parser.parse_mentions(chunk)]
    return [prediction(e.id, p) for e, p in zip(examples, parses, strict=True)]
