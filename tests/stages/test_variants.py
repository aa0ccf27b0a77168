"""The variants of the stages that rows of the tables choose: each against its definition, or against another."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny import hand_made

from eqparse.analysis.corpus_statistics import against_syntax
from eqparse.equation.comparison import same_form
from eqparse.equation.equation import Equation
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts
from eqparse.stages.base import Task
from eqparse.stages.derivation import NODE_LABELS, gold_trees, tree_equation
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.stages.quantity import QuantityStage
from eqparse.stages.syntax import constituents, crosses_constituent
from eqparse.stages.tree import TreeProblem, TreeStage
from eqparse.stages.variable import VariableProblem, VariableStage, is_share, one_phrase_for_two, structures
from eqparse.structured.spaces import AnySubset, NonEmptySubset
from eqparse.structured.spaces.subset_trees import splits
from eqparse.structured.svm import BlockCoordinateFrankWolfe
from eqparse.text.quantities import find_quantities
from eqparse.text.triggers import trigger_list

TREE_GROUPS = ("neighbourhood", "connecting", "number", "rich")
MENTIONS = hand_made()


def tree_problems() -> list[TreeProblem]:
    """All quantities and the first and the last phrase: 3 to 5 leaves."""
    return [
        TreeProblem(m, trigger_list(m, range(len(m.quantities)), [("V1", 0), ("V2", len(m.candidates) - 1)]))
        for m in MENTIONS
    ]


# --- quantities decided one by one


def test_independent_quantities_are_binary_classifiers():
    """The structured hinge of a sentence is the sum of its quantities' hinges, so the weights are those of one
    classifier that sees each quantity as a problem of its own."""
    gold = [tuple(range(0, len(m.quantities), 2)) for m in MENTIONS]
    stage = QuantityStage(groups=("neighbourhood", "quantity"), bits=8, independent=True)
    options = {"max_epochs": 400, "tolerance": 1e-5, "working_set": 20, "averaging": False}
    tasks = [Task(m, [g]) for m, g in zip(MENTIONS, gold, strict=True)]
    solver = BlockCoordinateFrankWolfe(regularization=1 / len(tasks), **options)
    stage.fit(tasks, solver, block_size=8, max_rounds=5)

    batch = stage.batch(MENTIONS)
    assert isinstance(batch.space, AnySubset)
    inside = batch.space.mask.flatten().nonzero().flatten()
    features = torch.zeros(len(inside), 2**8)
    features.index_put_((batch.inputs.row, batch.inputs.bucket), torch.ones(len(batch.inputs.row)), accumulate=True)
    sign = torch.tensor([1.0 if i in g else -1.0 for m, g in zip(MENTIONS, gold, strict=True)
                         for i in range(len(m.quantities))])

    def objective(weight):  # 1/2 ||w||^2 + sum over quantities of max(0, 1 - y w.x): an ordinary binary SVM
        return weight.square().sum() / 2 + (1 - sign * (features @ weight)).clamp_min(0).sum()

    best = torch.zeros(2**8, requires_grad=True)
    solver = torch.optim.SGD([best])
    for step in range(4000):
        solver.param_groups[0]["lr"] = 1 / (10 + step)
        solver.zero_grad()
        objective(best).backward()
        solver.step()
    found = stage.scorer.weight[:, 0].detach()
    best = best.detach()
    assert float(objective(found)) <= float(objective(best)) * 1.01
    assert (found - best).abs().max() < 0.05


def test_no_quantity_at_all_may_be_the_answer():
    for independent, space in ((True, AnySubset), (False, NonEmptySubset)):
        stage = QuantityStage(groups=("quantity",), bits=8, independent=independent).eval()
        batch = stage.batch(MENTIONS)
        assert isinstance(batch.space, space)
        chosen = stage.decode(batch.space.argmax(stage.scores(batch) - 1).parts, MENTIONS)
        assert all(len(c) == 0 for c in chosen) == independent


# --- phrases and quantities


def test_a_phrase_overlaps_no_quantity_that_counts_where_that_can_be():
    free, strict = (VariableStage(groups=("variable",), bits=8, overlap=o).eval() for o in (True, False))
    problems = [VariableProblem(m, tuple(range(len(m.quantities)))) for m in MENTIONS]
    masks = [stage.batch(problems).space.mask for stage in (free, strict)]
    every = strict.train().batch(problems).space.mask
    assert (masks[0] == every & torch.from_numpy(one_phrase_for_two(problems, every.shape[1]))).all()
    for m, whole, before, after in zip(MENTIONS, every, *masks, strict=True):
        numbers = {p for q in m.quantities for p in range(q.start, q.end)}
        three = any(map(is_share, m.quantities))
        known = [choice for choice in structures(m) if len(choice) < 3 or three]
        over = [sum(bool(numbers & set(range(*m.candidates[c][2:4]))) for c in set(s)) for s in known]
        assert whole.sum() == len(over) and not after[len(over) :].any()
        fewest = torch.tensor([n == min(over) for n in over])
        assert after[: len(over)].tolist() == (before[: len(over)] & fewest).tolist()
    assert (masks[1] != masks[0]).any()
    without = [VariableProblem(m, ()) for m in MENTIONS]
    assert (strict.eval().batch(without).space.mask == free.batch(without).space.mask).all()


ONE_FOR_TWO = [
    ("The/DT/1/det sum/NN/8/nsubj of/IN/1/prep a/DT/4/det number/NN/2/pobj and/CC/4/cc 7/CD/4/conj ,/,/8/punct "
     "is/VBZ/8/ROOT 12/CD/8/attr", "a number", False),
    ("The/DT/1/det sum/NN/4/nsubj of/IN/1/prep jars/NNS/2/pobj is/VBZ/4/ROOT 12/CD/4/attr", "jars", True),
    ("Both/DT/1/nsubj weigh/VBP/1/ROOT 12/CD/3/nummod kilos/NNS/1/dobj together/RB/1/advmod", "Both", True),
    ("A/DT/1/det number/NN/4/nsubj and/CC/1/cc double/JJ/1/conj make/VBP/4/ROOT 12/CD/4/dobj", "A number", True),
    ("The/DT/1/det fee/NN/2/nsubj rose/VBD/2/ROOT 4/CD/4/nummod %/NN/2/npadvmod to/IN/2/prep 12/CD/5/pobj",
     "The fee", True),
]


@pytest.mark.parametrize("text, phrase, allowed", ONE_FOR_TWO)
def test_one_phrase_for_two_mentions_speaks_of_several_or_has_a_share(text, phrase, allowed):
    (m,) = hand_made(text)
    (c,) = [n for n, c in enumerate(m.candidates) if m.sentence.text[c.start : c.end] == phrase]
    problem = VariableProblem(m, tuple(range(len(m.quantities))))
    known = structures(m)
    assert one_phrase_for_two([problem], len(known))[0, known.index((c, c))] == allowed


# --- trees


def test_a_projective_node_looks_the_same_without_projectivity():
    torch.manual_seed(0)
    for use in ("constraint", "feature"):
        options = {"groups": TREE_GROUPS, "bits": 12, "lexicon": Lexicon.load(), "lexicon_use": use, "syntactic": True}
        chart, subsets = TreeStage(**options).eval(), SubsetTreeStage(**options).eval()
        with torch.no_grad():
            chart.scorer.weight.normal_()
            subsets.scorer.weight.copy_(chart.scorer.weight)
            first, second = chart.batch(tree_problems()), subsets.batch(tree_problems())
            scores, others = chart.scores(first), subsets.scores(second)
        n = scores.shape[1]
        i, k, following, j = torch.from_numpy(splits(n).ends).T
        whole = k + 1 == following
        torch.testing.assert_close(others[:, whole], scores[:, i[whole], k[whole], j[whole]])
        # and what is best of more structures is at least as good
        free = TreeStage(groups=TREE_GROUPS, bits=12).eval(), SubsetTreeStage(groups=TREE_GROUPS, bits=12).eval()
        spaces = [stage.batch(tree_problems()).space for stage in free]
        values = [space.argmax(s).value for space, s in zip(spaces, (scores, others), strict=True)]
        assert (values[1] >= values[0] - 1e-4).all() and (values[1] > values[0] + 0.1).any()


def test_trees_over_subsets_are_arranged_so_that_they_say_what_they_should():
    stage = SubsetTreeStage(groups=TREE_GROUPS, bits=8)
    (m,) = hand_made(
        "The/DT/1/det shed/NN/2/nsubj is/VBZ/2/ROOT 4/CD/4/nummod feet/NNS/5/npadvmod wider/JJR/2/acomp than/IN/5/prep "
        "the/DT/8/det barn/NN/6/pobj plus/CC/8/cc 9/CD/8/conj"
    )
    phrases = {m.sentence.text[c.start : c.end]: n for n, c in enumerate(m.candidates)}
    triggers = trigger_list(m, (0, 1), [("V1", phrases["The shed"]), ("V2", phrases["the barn"])])
    for text in ("V1 = (4 - V2) * 9", "V1 * V2 = 4 - 9", "V1 - 9 = V2 / 4", "9 / V1 = V2 - 4"):
        equation = Equation.parse(text)
        (tree,) = stage.gold(equation, triggers)
        assert gold_trees(equation, triggers) == () or text.startswith("V1 = (4")
        leaves, nodes = stage.arrange(tree, triggers)
        assert sorted(leaves, key=lambda t: t.start) == list(triggers)
        assert same_form(equation, tree_equation(nodes, leaves), strict=True)
        shape = (len(splits(4).left), stage.labels)
        parts = torch.zeros(1, *shape)
        problem = TreeProblem(m, triggers)
        parts.view(-1)[torch.from_numpy(stage.encode(tree, problem, shape))] = 1
        assert stage.decode(parts, [problem]) == [tree]
        assert stage.structure(leaves, nodes, triggers) == tree


def test_a_projective_gold_tree_is_one_of_those_over_subsets():
    chart, subsets = TreeStage(groups=TREE_GROUPS, bits=8), SubsetTreeStage(groups=TREE_GROUPS, bits=8)
    (m,) = hand_made()[:1]
    triggers = trigger_list(m, (0,), [("V1", 0), ("V2", len(m.candidates) - 1)])
    equation = tree_equation([(0, 0, 2, 0), (1, 1, 2, 1)], triggers)
    arranged = {subsets.arrange(tree, triggers) for tree in subsets.gold(equation, triggers)}
    assert {(triggers, tree) for tree in chart.gold(equation, triggers)} <= arranged


def test_the_lexicon_as_a_feature_restricts_nothing_and_can_be_learned():
    lexicon = Lexicon.load()
    as_feature = TreeStage(groups=("connecting",), bits=10, lexicon=lexicon, lexicon_use="feature").eval()
    plain = TreeStage(groups=("connecting",), bits=10)
    strict = TreeStage(groups=("connecting",), bits=10, lexicon=lexicon)
    problems = tree_problems()
    counts = [len(stage.batch(problems).inputs.bucket) for stage in (plain.eval(), strict.eval(), as_feature)]
    assert counts[0] == counts[1] < counts[2] == len(as_feature.train().batch(problems).inputs.bucket)
    zero = torch.zeros(as_feature.batch(problems).inputs.shape)
    free, held = (stage.eval().batch(problems).space.log_partition(zero) for stage in (as_feature, strict))
    assert (free >= held).all() and (free > held).any()


def boats() -> TreeProblem:
    """Four leaves, of which "2 plus 3" and "boats of 4 sails" are the constituents."""
    (m,) = hand_made(
        "2/CD/3/nsubj plus/CC/0/cc 3/CD/0/conj equals/VBZ/3/ROOT boats/NNS/3/dobj of/IN/4/prep 4/CD/7/nummod "
        "sails/NNS/5/pobj"
    )
    phrases = {m.sentence.text[c.start : c.end]: n for n, c in enumerate(m.candidates)}
    return TreeProblem(m, trigger_list(m, range(3), [("V1", phrases["boats"])]))


@pytest.mark.parametrize(
    ("text", "against"),
    [("2 + 3 = V1 * 4", False), ("2 + (3 * V1) = 4", True), ("2 = 3 + V1 + 4", True), ("V1 * 4 = 3 - 2", False)],
)
def test_an_equation_is_against_the_syntax_when_each_of_its_trees_is(text, against):
    problem = boats()
    assert against_syntax(Equation.parse(text), problem) == against
    assert gold_trees(Equation.parse(text), problem.triggers)


def test_no_node_crosses_a_constituent():
    problem = boats()
    m, triggers = problem.mentions, problem.triggers
    assert [(t.first, t.last) for t in triggers] == [(0, 0), (2, 2), (4, 4), (6, 6)]
    assert constituents(m.sentence, triggers) == [(0, 1), (0, 3), (2, 3)]
    stage = TreeStage(groups=TREE_GROUPS, bits=8, syntactic=True)
    space = stage.eval().batch([problem]).space
    # of the 5 shapes over 4 leaves only ((0 1) (2 3)) is left, with any of 6 operations at both inner nodes
    zero = torch.zeros(stage.batch([problem]).inputs.shape)
    assert space.log_partition(zero).exp().item() == pytest.approx(36)
    assert stage.train().batch([problem]).space.log_partition(zero).exp().item() == pytest.approx(5 * 36)


def test_crossing_is_sharing_leaves_when_neither_holds_the_other():
    problems = tree_problems()
    parts = TreeParts.build([p.triggers for p in problems], TokenTable([p.mentions for p in problems]))
    found = crosses_constituent([(p.mentions.sentence, p.triggers) for p in problems], parts)
    for node, crosses in zip(parts.node.tolist(), found.tolist(), strict=True):
        owner, i, _, j = node
        leaves, problem = set(range(i, j + 1)), problems[owner]
        held = [set(range(p, q + 1)) for p, q in constituents(problem.mentions.sentence, problem.triggers)]
        assert crosses == any(leaves & c and leaves - c and c - leaves for c in held)
    whole = parts.node[:, 3] - parts.node[:, 1] + 1 == parts.size[parts.node[:, 0]]
    assert not np.array(found)[whole].any()


def test_the_root_alone_takes_equality_in_every_variant():
    for make in (TreeStage, SubsetTreeStage):
        stage = make(groups=TREE_GROUPS, bits=8, lexicon=Lexicon.load(), syntactic=True).eval()
        batch = stage.batch(tree_problems())
        best = batch.space.argmax(torch.randn(batch.inputs.shape))
        for tree in stage.decode(best.parts, tree_problems()):
            assert [NODE_LABELS[node[-1]] for node in tree].count("=") == 1


def test_a_percentage_is_a_share_however_large():
    amounts = "a tenth of the fee, 20 % more, 200 % more, 200 dollars more"
    assert [is_share(q) for q in find_quantities(amounts)] == [True, True, True, False]
