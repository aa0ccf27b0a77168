"""The rows of each head are those of its stage's hashed features, and depend on their own problem alone."""

from __future__ import annotations

import pytest
import torch
from tiny import hand_made
from tiny_encoder import random_encoder_parser

from eqparse.scoring.features.hashing import tracing
from eqparse.stages.base import ENCODER, Contribution
from eqparse.stages.coreference import CoreferenceProblem
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.stages.refusal import RefusalProblem
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.structured.spaces.output_space import feasible
from eqparse.systems.encoder.attach import finish
from eqparse.systems.encoder.heads import HEADS, make_head
from eqparse.text.triggers import trigger_list

FEE = (
    "The/DT/1/det fee/NN/2/nsubj is/VBZ/2/ROOT 20/CD/4/nummod %/NN/5/npadvmod higher/JJR/2/acomp than/IN/5/prep "
    "the/DT/8/det fine/NN/6/pobj ././2/punct"
)
MENTIONS = [*hand_made(), *hand_made(FEE)]


@pytest.fixture(scope="module", params=[False, True], ids=["one pass", "marked passes"])
def parser(request, tiny_base):
    return random_encoder_parser(tiny_base, refusal=True, marked=request.param)


@pytest.fixture(scope="module")
def without(tiny_base):
    """The same heads alone."""
    return random_encoder_parser(tiny_base, refusal=True, hashed_weight=0.0)


def tree_problems(leaves: int | None = None) -> list[TreeProblem]:
    """Of all quantities with two phrases, or with the later one twice."""
    found = []
    for m in MENTIONS:
        pairs = [choice for choice in structures(m) if len(choice) == 2 and choice[0] != choice[1]]
        for named in ([("V1", a), ("V2", b)] for a, b in pairs[:2]):
            for more in (named, [*named, named[1]]):
                found.append(TreeProblem(m, trigger_list(m, range(len(m.quantities)), more)))
    return [p for p in found if leaves in (None, len(p.triggers))]


def problems(name: str, stage) -> list:
    if name == "quantity":
        return MENTIONS
    if name == "variable":
        return [VariableProblem(m, q) for m in MENTIONS for q in ((0,), tuple(range(len(m.quantities))))]
    if name == "tree":
        return tree_problems()
    if name == "refusal":
        return [RefusalProblem(m) for m in MENTIONS] + stage.probes(MENTIONS[0]) + stage.probes(MENTIONS[-1])
    pairs = [(m, choice) for m in MENTIONS for choice in structures(m) if len(choice) == 2]
    return [CoreferenceProblem(m, pair, len(m.quantities)) for m, pair in pairs]


@pytest.mark.parametrize("name", HEADS)
def test_a_head_has_the_rows_of_the_hashed_features(name, parser, without):
    stage = parser.stages[name]
    given = problems(name, stage)
    for some in (given, given[:1], given[::-1] + given):
        batch = stage.batch(some)
        rows = stage.head(batch.problems, batch.layout)
        assert rows.shape == (batch.inputs.rows, stage.labels) and torch.isfinite(rows).all()
        bare = without.stages[name].batch(some)
        assert len(bare.inputs.bucket) == 0 < len(batch.inputs.bucket)
        assert (bare.inputs.rows, bare.inputs.shape) == (batch.inputs.rows, batch.inputs.shape)
        assert torch.equal(bare.inputs.entry, batch.inputs.entry) and torch.equal(bare.inputs.part, batch.inputs.part)


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("training", [False, True])
def test_scores_do_not_depend_on_the_batch(name, training, parser):
    stage = parser.stages[name]
    given = problems(name, stage)
    order = [*range(len(given)), 0, 2, 0]  # with one problem three times
    parser.encoder.train(training)  # where sentences are padded
    try:
        together = stage.scores(stage.batch([given[n] for n in order])).detach()
        for row, n in zip(together, order, strict=True):
            alone = stage.scores(stage.batch([given[n]]))[0].detach()
            inside = row[tuple(slice(size) for size in alone.shape)]
            assert (inside - alone).abs().max() <= (1e-4 if training else 1e-9)
    finally:
        parser.eval()


def test_what_the_stages_before_found_is_marked(tiny_base):
    parser = random_encoder_parser(tiny_base, refusal=True, marked=True)
    (m,), seen = hand_made(FEE), []
    parser.encoder.register_forward_pre_hook(lambda _, args: seen.append(args[1]))
    first, *_ = m.quantity_tokens
    assert len(structures(m)) > 1
    trees = [TreeProblem(m, trigger_list(m, (0,), (("V1", 0), ("V2", 1))))]
    for name, given in (("quantity", [m]), ("variable", [VariableProblem(m, (0,)), VariableProblem(m, ())]),
                        ("tree", trees), ("coreference", [CoreferenceProblem(m, (0, 1), 1)])):
        parser.stages[name].scores(parser.stages[name].batch(given))
    (triggers,) = (p.triggers for p in trees)
    assert seen == [
        [()], [((*first, 1),), ()],
        [tuple((t.first, t.last, {"": 1, "V1": 2, "V2": 3}[t.label]) for t in triggers)], [()],
    ]


@pytest.mark.parametrize("name", HEADS)
def test_heads_tell_problems_apart(name, without):
    stage = without.stages[name]
    scores = stage.scores(stage.batch(problems(name, stage)))
    assert len(set(scores.flatten(1).sum(1).tolist())) > 3


@pytest.mark.parametrize("name", HEADS)
def test_contributions_sum_to_the_score(name, parser, without):
    for one in (parser, without):
        stage = one.stages[name]
        for problem in problems(name, stage)[:12]:
            batch = stage.batch([problem])
            (structure,), value = stage.argmax([problem])
            if not feasible(value).all():
                continue
            terms = stage.explain(problem, structure)
            score = stage.score(problem, structure)
            assert score == pytest.approx(float(value), abs=1e-4)
            assert sum(term.weight for term in terms) == pytest.approx(score, abs=1e-4)
            assert [term.name for term in terms].count(ENCODER) == 1
            if one is without:
                assert terms == [Contribution(ENCODER, pytest.approx(score))] and not batch.inputs.names


def test_explaining_does_not_leave_tracing_on(parser):
    parser.quantity.explain(MENTIONS[0], (0,))
    assert not parser.quantity.batch(MENTIONS).inputs.names
    with tracing():
        assert parser.quantity.batch(MENTIONS).inputs.names


def test_three_mentions_are_scored(parser):
    (fee,) = hand_made(FEE)
    problem = VariableProblem(fee, (0,))
    every = structures(fee)
    scores = parser.variable.scores(parser.variable.batch([problem]))[0]
    assert len(scores) == len(every) and max(map(len, every)) == 3
    for structure, value in zip(every, scores.tolist(), strict=True):
        assert parser.variable.score(problem, structure) == pytest.approx(value, abs=1e-6)
    three = [value for structure, value in zip(every, scores.tolist(), strict=True) if len(structure) == 3]
    assert len(set(three)) == len(three) > 1


def test_a_tree_stage_without_projectivity(parser):
    stage = SubsetTreeStage(groups=("number",), bits=8).eval()
    stage.head, stage.hashed_weight = make_head(stage, parser.encoder).double().eval(), 0.0
    given = tree_problems(4)
    batch = stage.batch(given)
    assert stage.head(batch.problems, batch.layout).shape == (batch.inputs.rows, stage.labels)
    together = stage.scores(batch)
    for row, problem in zip(together, given, strict=True):
        assert torch.allclose(row, stage.scores(stage.batch([problem]))[0], atol=1e-9)
    trees, values = stage.argmax(given)
    for problem, tree, value in zip(given, trees, values.tolist(), strict=True):
        assert stage.score(problem, tree) == pytest.approx(value, abs=1e-4)


def test_a_sentence_stands_in_a_batch_twice(parser):
    once = parser.parse_mentions(MENTIONS)
    assert parser.parse_mentions([m for m in MENTIONS for _ in range(2)]) == [p for p in once for _ in range(2)]


def test_parses_do_not_depend_on_the_batch(parser):
    parses = parser.parse_mentions(MENTIONS)
    assert parses == [parser.parse_mentions([m])[0] for m in MENTIONS]
    assert any(p.equation is not None for p in parses)
    for parse in parses:
        assert parse.score is None or parse.score == round(parse.score, 4)


def test_finished_heads_score_as_trained_ones(tiny_base, parser):
    marked = parser.encoder.marks is not None
    trained = random_encoder_parser(tiny_base, finished=False, refusal=True, marked=marked)
    for name, stage in trained.stages.items():
        given = problems(name, stage)
        found, expected = stage.scores(stage.batch(given)), parser.stages[name].scores(parser.stages[name].batch(given))
        assert found.dtype == torch.float32 and expected.dtype == torch.float64
        assert torch.allclose(found.double(), expected, atol=1e-3)
    finish(trained)
    assert [str(p) for p in trained.parse_mentions(MENTIONS)] == [str(p) for p in parser.parse_mentions(MENTIONS)]
