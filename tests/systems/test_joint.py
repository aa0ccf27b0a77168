"""Joint inference against every combination of quantities, phrases and trees; joint training on a few sentences."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import torch
from brute_force import all_trees
from tiny import TRAINING, examples, hand_made, options, random_parser

from eqparse.corpus import Example
from eqparse.equation.equation import Equation
from eqparse.parser.beam import BeamDecoder, best_triggers
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.coreference import resolve
from eqparse.stages.derivation import NODE_LABELS, gold_trees
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, structures
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

TEXTS = (
    "Ida/NNP/1/nsubj planted/VBD/1/ROOT 3/CD/5/nummod times/NNS/5/quantmod as/RB/5/advmod many/JJ/6/amod "
    "tulips/NNS/1/dobj as/IN/6/prep Jon/NNP/7/pobj",
    "Two/CD/1/nummod pumps/NNS/2/nsubj move/VBP/2/ROOT 90/CD/4/nummod litres/NNS/2/dobj",
)


def joint(*, beam: int, seed: int = 0, **kinds) -> EquationParser:
    """A joint parser with random weights."""
    plain = random_parser(seed=seed, share=1.0, **kinds)
    stages = {name: getattr(plain, name) for name in ("quantity", "variable", "tree", "coreference")}
    return EquationParser(**stages, decoder=BeamDecoder(beam=beam)).eval()


@torch.no_grad()
def every_parse(parser: EquationParser, m) -> list[tuple[float, tuple, tuple, tuple]]:
    """(score, quantities, uses, nodes) of every equation that a sentence allows, each scored by its own stages."""
    found = []
    batch = parser.quantity.batch([m])
    quantity = parser.quantity.scores(batch)[0]
    count = len(m.quantities)
    for chosen in (c for size in range(1, count + 1) for c in combinations(range(count), size)):
        variable = parser.variable.scores(parser.variable.batch([VariableProblem(m, chosen)]))[0]
        for number, phrases in enumerate(structures(m)[: len(variable)]):
            uses = resolve(parser.coreference, [m], [phrases], [len(chosen)])[0]
            triggers = trigger_list(m, chosen, uses)
            scores = parser.tree.scores(parser.tree.batch([TreeProblem(m, triggers)]))[0]
            for tree in all_trees(len(triggers), len(triggers), len(NODE_LABELS), [0]):
                total = quantity[list(chosen)].sum() + variable[number] + (tree * scores).sum()
                nodes = tuple(sorted(map(tuple, tree.nonzero().tolist())))
                found.append((float(total), chosen, tuple(uses), nodes))
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("text", TEXTS)
def test_a_beam_that_covers_the_space_finds_the_best_of_all(seed, text):
    (m,) = hand_made(text)
    parser = joint(beam=1000, seed=seed, lexicon=False)
    (lists,) = best_triggers(parser, [m], beam=1000)
    assert lists.exact
    everything = every_parse(parser, m)
    assert len(lists.choices) == len({(q, u) for _, q, u, _ in everything})
    (parse,) = parser.parse_mentions([m])
    best = max(everything)
    assert parse.score == pytest.approx(best[0], abs=1e-3)
    chosen = next(e for e in everything if e[3] == parse.nodes and trigger_list(m, *e[1:3]) == parse.triggers)
    assert chosen[0] == pytest.approx(best[0], abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_a_narrow_beam_takes_the_best_lists_and_says_that_it_is_not_exact(seed):
    mentions = hand_made()
    wide = best_triggers(joint(beam=1, seed=seed), mentions, beam=100_000)
    narrow = best_triggers(joint(beam=1, seed=seed), mentions, beam=7)
    for all_of, some in zip(wide, narrow, strict=True):
        assert all_of.exact and (some.exact == (len(all_of.choices) <= 7))
        assert list(some.scores) == pytest.approx(list(all_of.scores[:7]), abs=1e-4)
        assert list(all_of.scores) == sorted(all_of.scores, reverse=True)
    exact = [p.score for p in joint(beam=100_000, seed=seed, lexicon=False).parse_mentions(mentions)]
    found = [p.score for p in joint(beam=3, seed=seed, lexicon=False).parse_mentions(mentions)]
    assert all(f <= e + 1e-3 for f, e in zip(found, exact, strict=True))


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
