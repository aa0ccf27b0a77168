"""What the limits refuse in parsing takes no part in training and testing either, and is counted under its reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
import torch
from tiny import TRAINING, examples, hand_made, options, random_parser

from eqparse.corpus import Example
from eqparse.equation.equation import Equation
from eqparse.parser.limits import REASONS, Limits, check_mentions
from eqparse.stages.base import Stage
from eqparse.stages.tree import TreeStage
from eqparse.structured.svm import Subgradient
from eqparse.systems.ccg.training import train_ccg
from eqparse.systems.joint.training import train_joint
from eqparse.text.annotate import Annotator
from eqparse.text.mentions import find_mentions
from eqparse.training.evaluate import stage_verdicts, unreachable
from eqparse.training.options import StageOptions
from eqparse.training.train import train_parser


@pytest.fixture(scope="module")
def pairs():
    some = examples()
    return list(zip(some, map(find_mentions, Annotator()([e.text for e in some])), strict=True))


@pytest.fixture(scope="module")
def limits(pairs) -> Limits:
    """Limits that a part of the sentences is over, some for each kind."""
    sizes = [sorted(count(m) for _, m in pairs) for count in (lambda m: len(m.sentence), lambda m: len(m.candidates))]
    tight = Limits(tokens=sizes[0][-6], candidates=sizes[1][-6], quantities=2)
    found = Counter(why.code for _, m in pairs if (why := check_mentions(m, tight)))
    assert {"too_long", "too_many_candidates", "too_many_quantities"} <= found.keys() and found.total() < 25
    return tight


def columns(pairs):
    return [e for e, _ in pairs], [m for _, m in pairs]


@pytest.mark.pipeline
@pytest.mark.parametrize("train", [train_parser, train_joint])
def test_sentences_over_the_limits_are_not_learned_from(pairs, limits, train, monkeypatch):
    seen = []
    inputs = Stage.inputs
    monkeypatch.setattr(Stage, "inputs", lambda self, features, *rest: seen.append(1) or inputs(self, features, *rest))
    within = [(e, m) for e, m in pairs if check_mentions(m, limits) is None]
    weights, built = [], []
    for some in (pairs, within):
        seen.clear()
        settings = TRAINING | ({} if train is train_parser else {"beam": 4, "rounds": 1})
        training = train(
            *columns(some), options=replace(options(refusal=True), limits=limits), **settings,
            make_solver=lambda name, n: Subgradient(regularization=1 / n, epochs=2),
        )
        weights.append(training.parser.state_dict())
        built.append(len(seen))
    assert built[0] == built[1] > 0 and weights[0].keys() == weights[1].keys()
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


@pytest.mark.pipeline
def test_the_ccg_parser_does_not_learn_from_them_either(pairs, limits):
    within = [(e, m) for e, m in pairs if check_mentions(m, limits) is None]
    settings = {"epochs": 1, "beam": 5, "induce": True}
    limited = settings | {"options": StageOptions(limits=limits)}
    all_of_them, fewer = (train_ccg(*columns(some), **limited) for some in (pairs, within))
    assert all_of_them.report == fewer.report and all_of_them.parser.weights == fewer.parser.weights
    stated = sum(e.equation is not None for e, _ in pairs)
    assert train_ccg(*columns(pairs[:5]), **settings).report["ccg"]["problems"] > 0
    assert fewer.report["ccg"]["problems"] < stated


@pytest.mark.pipeline
def test_no_tree_of_more_leaves_than_allowed_is_learned(pairs, monkeypatch):
    sizes = []
    batch = TreeStage.batch

    def record(self, problems):
        sizes.extend(len(p.triggers) for p in problems)
        return batch(self, problems)

    monkeypatch.setattr(TreeStage, "batch", record)
    for train in (train_parser, train_joint):
        sizes.clear()
        settings = TRAINING | ({} if train is train_parser else {"beam": 4, "rounds": 1})
        train(
            *columns(pairs), options=replace(options(), limits=Limits(leaves=3)), **settings,
            make_solver=lambda name, n: Subgradient(regularization=1 / n, epochs=1),
        )
        assert max(sizes) == 3


@pytest.mark.pipeline
def test_sentences_over_the_limits_are_counted_under_their_reason_and_wrong(pairs, limits):
    before = unreachable(*columns(pairs))
    refused = {e.id: check_mentions(m, limits) for e, m in pairs if e.equation is not None}
    expected = Counter(REASONS[why.code] for why in refused.values() if why)
    found = unreachable(*columns(pairs), limits=limits)
    assert {reason: found[reason] for reason in expected} == expected
    assert {reason: count for reason, count in found.items() if reason not in expected}.keys() <= before.keys()
    few = unreachable(*columns(pairs), limits=Limits(leaves=3))
    large = sum(e.equation is not None and len(e.equation.leaves()) > 3 for e, _ in pairs)
    assert 0 < few[REASONS["too_many_leaves"]] <= large

    parser = random_parser()
    parser.limits = replace(limits, leaves=3)
    verdicts = stage_verdicts(parser, *columns(pairs))
    assert all(right.keys() == refused.keys() for right in verdicts.values())
    assert not any(right[name] for right in verdicts.values() for name, why in refused.items() if why)
    assert not any(verdicts["tree"][e.id] for e, _ in pairs if e.equation is not None and len(e.equation.leaves()) > 3)


def test_the_features_of_an_endless_sentence_are_never_built():
    """2000 phrases have 2 million pairs, whose features no memory holds."""
    jar = "5/CD/{0}/nummod jars/NNS/{0}/ROOT and/CC/{0}/cc"
    (m,) = hand_made(" ".join(jar.format(3 * n + 1) for n in range(2000)))
    near, *_ = hand_made()
    assert check_mentions(m, Limits()).code == "too_long" and len(m.candidates) >= 2000
    jars = Example("endless", m.sentence.text, Equation.parse("V1 = 5"), {"V1": ((2, 6),)})
    mast = near.sentence.text
    own = Example("mast", mast, Equation.parse("V1 = 4 + V2"), {
        name: ((mast.index(phrase), mast.index(phrase) + len(phrase)),)
        for name, phrase in (("V1", "The mast"), ("V2", "the boat"))
    })
    training = train_parser(
        [jars, own], [m, near], options=options(), **TRAINING,
        make_solver=lambda name, n: Subgradient(regularization=1 / n, epochs=1),
    )
    assert {stage["problems"] for stage in training.report.values()} == {1}
    assert unreachable([jars, own], [m, near]) == {"the text is too long": 1}
    verdicts = stage_verdicts(training.parser, [jars, own], [m, near])
    assert not any(right["endless"] for right in verdicts.values())
    assert stage_verdicts(training.parser, [own], [near]) == {
        stage: {"mast": right["mast"]} for stage, right in verdicts.items()
    }
