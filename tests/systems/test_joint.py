"""Joint training: its losses and scores are those of the stages, and it learns from a few sentences."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from joint_parses import TEXTS, every_parse, joint
from tiny import TRAINING, examples, hand_made, options

from eqparse.corpus import Example
from eqparse.equation.equation import Equation
from eqparse.stages.derivation import gold_trees
from eqparse.structured.svm import BlockCoordinateFrankWolfe, Subgradient
from eqparse.systems.joint import blocks as B
from eqparse.systems.joint import training as T
from eqparse.systems.joint.scorer import JointLinear
from eqparse.text.annotate import Annotator
from eqparse.text.mentions import find_mentions
from eqparse.text.triggers import trigger_list
from eqparse.training.evaluate import predict
from eqparse.training.gold import gold_sets
from eqparse.training.metrics import summarize


def stated(text: str, equation: str, **variables: str) -> tuple[Example, object]:
    (m,) = hand_made(text)
    words = m.sentence.text
    spans = {v: ((words.index(p), words.index(p) + len(p)),) for v, p in variables.items()}
    return Example("1", words, Equation.parse(equation), spans), m


def test_losses_are_those_of_the_stages():
    example, m = stated(TEXTS[0], "V1 / 3 = V2", V1="tulips", V2="Jon")
    parser = joint(beam=20)
    problem = T.gold_problem(example, m, parser)
    (pool,) = [T.random_pool(problem, 20, parser, np.random.default_rng(0))]
    block = B.joint_block(parser, [problem], [pool])
    gold = gold_sets(example, m)
    assert block.gold_mask.sum() == sum(
        len(gold_trees(example.equation, trigger_list(m, q, u))) for q in gold.quantities for u in gold.groundings
    )
    losses = (block.gold * block.cost.unsqueeze(1)).flatten(2).sum(-1)
    assert not losses[block.gold_mask].any()
    for k, choice in enumerate(pool):
        wrong = len(set(choice.quantities) ^ set(gold.quantities[0]))
        phrases = choice.phrases not in set(gold.phrases)
        assert float(block.cost[0, k, 0]) == wrong + phrases
        if choice not in problem.trees:
            assert bool((block.cost[0, k, 1:] == 1).all())


def test_the_joint_model_scores_as_its_stages_do():
    pairs = [
        stated(TEXTS[0], "V1 / 3 = V2", V1="tulips", V2="Jon"),
        stated(TEXTS[1], "V1 + V2 = 90", V1="pumps", V2="pumps"),
    ]
    parser = joint(beam=10)
    problems = [T.gold_problem(*pair, parser) for pair in pairs]
    parser.coreference = None  # two different phrases are two variables, as in the annotation
    generator = np.random.default_rng(1)
    pools = [T.random_pool(p, 10, parser, generator) for p in problems]
    block = B.joint_block(parser, problems, pools)
    stages = [getattr(parser, name) for name in T.STAGES]
    with torch.no_grad():
        scores = JointLinear([s.scorer for s in stages])(block.inputs)
    for b, (problem, pool) in enumerate(zip(problems, pools, strict=True)):
        listed = {(q, u, n): s for s, q, u, n in every_parse(parser, problem.mentions)}
        best = block.space.argmax(scores)
        values = [s for (q, u, _), s in listed.items() if T.TriggerChoice(q, u) in pool]
        assert float(best.value[b]) == pytest.approx(max(values), abs=1e-3)


@pytest.mark.pipeline
@pytest.mark.parametrize("solver", ["frank_wolfe", "subgradient"])
def test_training_learns_and_repeats(solver):
    some = [e for e in examples() if e.equation is not None][:16]
    mentions = [find_mentions(s) for s in Annotator()([e.text for e in some])]

    def make(name, n):
        if solver == "subgradient":
            return Subgradient(regularization=1 / n, epochs=8)
        return BlockCoordinateFrankWolfe(regularization=1 / n, max_epochs=8)

    kinds = options(bits=14, lexicon=False)
    settings = {"options": kinds, "make_solver": make, "beam": 15, "rounds": 2, **TRAINING}
    runs = [T.train_joint(some, mentions, **settings) for _ in range(2)]
    first, second = (run.parser for run in runs)
    for one, other in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(one, other)
    assert runs[0].report["joint"]["problems"] > 8 and runs[0].results["joint"].rounds
    scores = summarize(some, predict(first, some, mentions))
    assert scores["equation"] > 60  # of the sentences that it was trained on
