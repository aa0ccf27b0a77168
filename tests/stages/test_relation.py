"""The relation stage: what it sees of whole equations, and how a parser with one decides."""

from __future__ import annotations

import math

import pytest
from tiny import SENTENCES, hand_made, random_parser

from eqparse.parser.calibration import Calibration
from eqparse.parser.nbest import COMPARED, NBest, relation_problem, weighed_anew
from eqparse.scoring.features.relation import WholeEquation, fold, of_value, power
from eqparse.stages.base import Task
from eqparse.stages.derivation import NODE_LABELS
from eqparse.stages.relation import RelationStage
from eqparse.structured.svm import BlockCoordinateFrankWolfe


@pytest.fixture
def stage():
    return RelationStage(groups=("rich",), bits=14)


@pytest.fixture
def problems():
    """The relations that a random parser finds for small sentences."""
    mentions = hand_made()
    found = NBest().relations(random_parser(), mentions)
    return [relation_problem(m, some) for m, some in zip(mentions, found, strict=True) if len(some) > 1]


def learn(stage, tasks):
    solver = BlockCoordinateFrankWolfe(regularization=1 / (10 * len(tasks)), max_epochs=50, tolerance=1e-4)
    return stage.fit(tasks, solver, block_size=1, max_rounds=3)


def test_it_learns_which_relation_is_stated(stage, problems):
    gold = [len(p.candidates) - 1 for p in problems]  # the least probable ones
    assert any(gold) and stage.argmax(problems)[0] == [0] * len(problems)
    learn(stage, [Task(p, (y,)) for p, y in zip(problems, gold, strict=True)])
    assert stage.argmax(problems)[0] == gold


def test_its_scores_do_not_depend_on_the_batch(stage, problems):
    learn(stage, [Task(p, (1,)) for p in problems])
    together = stage.scores(stage.batch(problems))
    for row, problem in enumerate(problems):
        alone = stage.scores(stage.batch([problem]))[0]
        assert together[row, : len(alone)].tolist() == pytest.approx(alone.tolist(), abs=1e-5)
        assert sum(c.weight for c in stage.explain(problem, 1)) == pytest.approx(stage.score(problem, 1), abs=1e-4)


def test_the_parser_answers_with_the_relation_that_it_prefers(stage):
    parser, mentions = random_parser(), hand_made()
    before = NBest(Calibration({"relation": 0.5})).relations(parser, mentions)
    problems = [relation_problem(m, some) for m, some in zip(mentions, before, strict=True) if len(some) > 1]
    learn(stage, [Task(p, (1,)) for p in problems])
    parser.relation = stage
    after = NBest(Calibration({"relation": 0.5})).relations(parser, mentions)
    for old, new in zip(before, after, strict=True):
        if len(old) > 1:
            assert new[0].best.equation == old[1].best.equation
            kept = old[:COMPARED]
            assert sum(one.probability for one in new) == pytest.approx(sum(one.probability for one in kept))
            assert [one.probability for one in new] == sorted((one.probability for one in new), reverse=True)
        else:
            assert new == old


def test_relations_share_their_probability_by_weight():
    (found, *_) = NBest().relations(random_parser(), hand_made()[:1])
    two = found[:2]
    new = weighed_anew(two, [0.25, 0.75, 0.0])
    total = sum(one.probability for one in two)
    assert [one.best for one in new] == [two[1].best, two[0].best]
    assert [one.probability / total for one in new] == pytest.approx([0.75, 0.25])


def test_an_equation_in_one_unknown_has_a_line():
    """20 = 4 + (2 * V1) is -2 * V1 + 16 = 0, so that V1 is 8."""
    number, plus, times = (NODE_LABELS.index(label) for label in "=+*")
    leaves = {"20": None, "4": None, "2": None, "V1": "V1"}
    nodes = [(0, 0, 3, number), (1, 1, 3, plus), (2, 2, 3, times)]
    whole, parts = fold(WholeEquation(0, triggers(leaves), nodes, ["=", "+", "*"], ()))
    a, b = whole.line
    assert -b / a == 8 and whole.shape == "(N = (N + (N * V1)))" and len(parts) == 3


def triggers(leaves):
    from eqparse.text.quantities import find_quantities
    from eqparse.text.triggers import Trigger

    return tuple(
        Trigger(at, at + 1, at, at, None if label else find_quantities(text)[0], label or "")
        for at, (text, label) in enumerate(leaves.items())
    )


@pytest.mark.parametrize(("x", "expected"), [(1, 0), (900, 3), (-0.02, -2), (0, -8), (1e300, 8), (float("inf"), -8)])
def test_powers_of_ten_are_bounded(x, expected):
    assert power(x) == expected


def test_sentences_of_the_examples_have_several_relations(problems):
    assert 1 < len(problems) <= len(SENTENCES)


@pytest.mark.parametrize("x", [math.inf, -math.inf, math.nan, 1e308, 0.0])
def test_any_value_of_the_unknown_has_features(x):
    assert [name for name, _ in of_value(x, ())] == ["value"]
