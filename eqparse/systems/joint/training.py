"""Training of the joint system: one structured SVM over quantities, variables and trees, solved like any other.

A sentence has too many trigger lists to compute tree features for each. A pool stands in for all of them: the gold
lists, some random ones, and after each round those that violate the margin most under the current weights, by their
quantity and variable scores and losses. Inference is exact within the pool, so the solvers of `eqparse.structured.svm`
apply with their guarantees. The rounds end when the beam adds no new list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

import numpy as np
import torch

from eqparse.corpus.example import Example
from eqparse.errors import ConfigError, DataError
from eqparse.parser.beam import BeamDecoder, GoldTriggers, best_triggers
from eqparse.parser.limits import check_mentions
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.base import Task
from eqparse.stages.coreference import CoreferenceProblem, coreference_of, resolve
from eqparse.stages.variable import structures
from eqparse.structured.svm.latent import LatentResult, train_latent
from eqparse.systems.joint.blocks import Problem, joint_block
from eqparse.systems.joint.scorer import JointLinear
from eqparse.text.mentions import Mentions
from eqparse.text.triggers import TriggerChoice
from eqparse.training.gold import gold_choices, gold_sets
from eqparse.training.options import Phrases, StageOptions
from eqparse.training.train import MakeSolver, Progress, Training, build_parser, stage_steps

STAGES = ("quantity", "variable", "tree")
MAX_GOLD = 24  # gold structures used of a sentence; further ones differ only by equal numbers


def train_joint(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    features: Mapping[str, Collection[str]],
    options: StageOptions,
    phrases: Phrases,
    make_solver: MakeSolver,
    beam: int,
    rounds: int,
    block_size: int,
    max_rounds: int,
    auxiliary: object = (),
    seed: int = 0,
    device: torch.device | str = "cpu",
    progress: Progress | None = None,
) -> Training:
    """Train a parser that decodes by a `BeamDecoder`.

    Sentences that no parse can get right, or that exceed `options.limits`, are left out. Raises DataError if none is
    left, ConfigError for options that joint learning does not support.

    auxiliary: ids of examples from other data, which are treated like the others.
    beam: how many trigger lists of a sentence are searched, and how many may join its pool in each round.
    rounds: how often the pool is extended and the SVM solved.
    max_rounds: within each of these, rounds of choosing among gold structures.
    """
    if not options.projective or options.independent_quantities:
        raise ConfigError(
            "joint learning: expected projective trees and quantities decided together; leave out "
            "stage.projective=false and stage.independent_quantities=true"
        )
    parser = build_parser(features=features, options=options).to(device).train()
    parser.decoder = BeamDecoder(beam=beam)
    if progress is not None:
        progress("joint", {})
    kept = [(e, m) for e, m in zip(examples, mentions, strict=True) if check_mentions(m, parser.limits) is None]
    first = phrases == Phrases.first
    found = [gold_problem(e, m, parser, first_phrase=first) for e, m in kept if e.equation is not None]
    problems = [p for p in found if p is not None]
    if not problems:
        raise DataError(f"joint learning: expected at least one sentence to learn from, found none in {len(examples)}")
    training = Training(parser)
    how = {"block_size": block_size, "max_rounds": max_rounds, "seed": seed}
    if parser.coreference is not None and (tasks := coreference_tasks(problems)):
        training.fit(parser.coreference, tasks, make_solver, progress=progress, **how)
    start = perf_counter()
    tell = None if progress is None else partial(progress, "joint")
    result = fill_and_solve(parser, problems, make_solver, beam=beam, rounds=rounds, progress=tell, **how)
    training.add("joint", result, problems=len(problems), seconds=perf_counter() - start)
    parser.eval()
    if progress is not None:
        progress("refusal", {})
    states = [Task(step.problem, step.gold) for _, step in stage_steps(parser, "refusal", kept)]
    if len({task.gold for task in states}) < 2:
        parser.refusal = None
    elif parser.refusal is not None:
        training.fit(parser.refusal, states, make_solver, progress=progress, **how)
    return training


def fill_and_solve(
    parser: EquationParser, problems: Sequence[Problem], make_solver: MakeSolver, *, beam: int, rounds: int, seed: int,
    **fit_options,
) -> LatentResult:
    """Alternate between solving and extending the pools; returns the results of all rounds in order."""
    generator = np.random.default_rng(seed)
    pools = [random_pool(p, beam, parser, generator) for p in problems]
    found: list[LatentResult] = []
    for number in range(1, rounds + 1):
        found.append(fit(parser, problems, pools, make_solver("joint", len(problems)), **fit_options))
        if number < rounds and not extend(parser, problems, pools, beam):
            break
    return LatentResult(
        [r for one in found for r in one.rounds], [c for one in found for c in one.changes], found[-1].positives
    )


def gold_problem(
    example: Example, mentions: Mentions, parser: EquationParser, *, first_phrase: bool = False
) -> Problem | None:
    """The training problem of a sentence, or None if no parse can be right."""
    gold = gold_sets(example, mentions, first_phrase=first_phrase)
    trees: dict[TriggerChoice, tuple] = {}
    for choice, found in gold_choices(example, mentions, gold, limits=parser.limits, variable=parser.variable):
        if sum(map(len, trees.values())) >= MAX_GOLD:
            break
        trees[choice] = found
    return Problem(mentions, gold, trees) if trees else None


def coreference_tasks(problems: Sequence[Problem]) -> list[Task]:
    """Tasks for the coreference stage: is each gold pair of phrases one variable? The first gold choice is used."""
    choices = [(p.mentions, next(iter(p.trees))) for p in problems]
    return [
        Task(CoreferenceProblem(m, choice.phrases, len(choice.quantities)), [same])
        for m, choice in choices
        if (same := coreference_of(choice.groundings)) is not None
    ]


def random_pool(p: Problem, size: int, parser: EquationParser, generator: np.random.Generator) -> list[TriggerChoice]:
    """The initial pool, before there are weights: the gold lists of a problem and `size` random others."""
    phrases = [choice for choice in structures(p.mentions) if len(choice) < 3]  # only some quantities allow three
    count = len(p.mentions.quantities)
    pairs = []
    for _ in range(size):
        flags = generator.random(count) < 0.5
        flags[generator.integers(count)] = True
        pairs.append((tuple(np.flatnonzero(flags).tolist()), phrases[generator.integers(len(phrases))]))
    pairs = [(q, v) for q, v in pairs if len(q) + len(v) <= parser.limits.leaves]
    named = resolve(parser.coreference, [p.mentions] * len(pairs), [v for _, v in pairs], [len(q) for q, _ in pairs])
    others = (TriggerChoice(q, groundings) for (q, _), groundings in zip(pairs, named, strict=True))
    return list(dict.fromkeys([*p.trees, *others]))


def extend(parser: EquationParser, problems: Sequence[Problem], pools: list[list[TriggerChoice]], beam: int) -> int:
    """Add to each pool the lists that violate the margin most; returns how many are new."""
    new = 0
    for at in range(0, len(problems), 64):
        some = problems[at : at + 64]
        gold = [GoldTriggers(p.gold.quantities[0], set(p.gold.phrases)) for p in some]
        found = best_triggers(parser, [p.mentions for p in some], beam=beam, gold=gold)
        for number, lists in enumerate(found, start=at):
            fresh = [choice for choice in lists.choices if choice not in set(pools[number])]
            pools[number] += fresh
            new += len(fresh)
    return new


def fit(
    parser: EquationParser, problems: Sequence[Problem], pools, solver, *, block_size: int, max_rounds: int, progress
) -> LatentResult:
    """Solve the SVM over the pools and set the stages' weights."""
    # problems of similar size go into one block, which keeps padding small
    order = sorted(range(len(problems)), key=lambda n: (max(c.leaves for c in pools[n]), len(pools[n]), n))
    chunks = [order[at : at + block_size] for at in range(0, len(order), block_size)]
    blocks = [joint_block(parser, [problems[n] for n in chunk], [pools[n] for n in chunk]) for chunk in chunks]
    stages = [getattr(parser, name) for name in STAGES]
    trained, columns = zip(*(
        stage.scorer.for_training([block.inputs.parts[k] for block in blocks]) for k, stage in enumerate(stages)
    ), strict=True)
    inputs = [replace(b.inputs, parts=parts) for b, parts in zip(blocks, zip(*columns, strict=True), strict=True)]
    blocks = [replace(block, inputs=new) for block, new in zip(blocks, inputs, strict=True)]
    model = JointLinear(trained)
    result = train_latent(model, blocks, solver, max_rounds=max_rounds, progress=progress)
    model.unstack()
    for stage, scorer in zip(stages, trained, strict=True):
        stage.scorer.take(scorer)
    return result
