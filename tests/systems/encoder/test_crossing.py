"""Trees that cross, with an encoder's scores: against the projective stage, against every tree, and from end to end."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from checkpoints import save
from tiny import SENTENCES, hand_made
from tiny_encoder import random_encoder_parser, train_tiny

from eqparse.analysis.errors_page import explanation
from eqparse.analysis.errors_page.run import entry
from eqparse.analysis.explain_answer import explain_answer
from eqparse.corpus.example import Example
from eqparse.equation.comparison import same_form
from eqparse.equation.equation import Equation
from eqparse.parser.calibration import Calibration
from eqparse.parser.decode import Greedy
from eqparse.parser.nbest import NBest
from eqparse.parser.pipeline import spans_of
from eqparse.parser.readings import k_best
from eqparse.stages.base import Task
from eqparse.stages.derivation import NODE_LABELS, gold_trees
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.stages.tree import TreeProblem
from eqparse.systems.checkpoint import load_checkpoint
from eqparse.systems.encoder.training import Loss, stage_loss
from eqparse.text.triggers import trigger_list
from eqparse.training.evaluate import unreachable

CROSSING = (
    "5/CD/3/nummod and/CC/0/cc 3/CD/0/conj times/NNS/9/nsubj the/DT/5/det shelf/NN/3/dobj and/CC/5/cc the/DT/8/det "
    "bench/NN/5/conj weigh/VBP/9/ROOT 90/CD/11/nummod kilos/NNS/9/dobj"
)
STATED = "(5 * V1) + (3 * V2) = 90"
MANY = "Boxes/NNS/0/ROOT " + " ".join(
    f"hold/VBP/0/dep {n + 2}/CD/{4 * n + 3}/nummod {what}s/NNS/{4 * n + 1}/dobj and/CC/0/cc"
    for n, what in enumerate(("cat", "dog", "hen", "pig", "cow", "owl", "fox", "rat", "bee"))
)


def of_all(m) -> TreeProblem:
    """A sentence's numbers with its first phrase and its last."""
    return TreeProblem(m, trigger_list(m, range(len(m.quantities)), [("V1", 0), ("V2", len(m.candidates) - 1)]))


@pytest.fixture(scope="module")
def both(tiny_base):
    """A projective tree stage and one over subsets, with the same weights and the same head."""
    parser = random_encoder_parser(tiny_base)
    subsets = SubsetTreeStage(groups=parser.tree.groups, bits=parser.tree.bits, lexicon=parser.tree.lexicon).eval()
    subsets.scorer.load_state_dict(parser.tree.scorer.state_dict())
    subsets.head, subsets.hashed_weight = parser.tree.head, parser.tree.hashed_weight
    return parser.tree, subsets


@pytest.fixture(scope="module")
def problems():
    """From 3 leaves to 11."""
    return [of_all(m) for m in hand_made(*SENTENCES, CROSSING, MANY)]


def test_a_projective_tree_has_the_projective_score(both, problems):
    chart, subsets = both
    torch.manual_seed(0)
    for problem in problems:
        batch = chart.batch([problem])
        some = batch.space.kbest(torch.randn(batch.inputs.shape), 5).parts
        for (nodes,) in (chart.decode(parts, [problem]) for parts in some):
            tree = subsets.structure(problem.triggers, nodes, problem.triggers)
            assert subsets.arrange(tree, problem.triggers) == (problem.triggers, nodes)
            assert subsets.score(problem, tree) == pytest.approx(chart.score(problem, nodes), abs=1e-6)


def test_few_and_many_leaves_stand_in_one_batch(both, problems):
    chart, subsets = both
    assert max(len(p.triggers) for p in problems) == 11
    trees, values = subsets.argmax(problems)
    for problem, tree, value in zip(problems, trees, values.tolist(), strict=True):
        assert subsets.argmax([problem])[0] == [tree]
        assert subsets.score(problem, tree) == pytest.approx(value, abs=1e-4)
    *_, (nodes,) = (chart.argmax([problem])[0] for problem in problems)
    assert trees[-1] == nodes and subsets.arrange(nodes, problems[-1].triggers) == (problems[-1].triggers, nodes)
    # the gold of each is in the space, whatever else is in the batch
    tasks = [Task(problem, [tree]) for problem, tree in zip(problems, trees, strict=True)]
    batch = subsets.batch(problems)
    gold = subsets.block(tasks, batch.inputs, batch.space).gold[:, 0]
    assert batch.space.argmax(2 * gold - 1).parts.equal(gold)
    for loss in Loss:
        alone = sum(float(stage_loss(subsets, [task], loss)) for task in tasks)
        assert float(stage_loss(subsets, tasks, loss)) == pytest.approx(alone, abs=1e-3)


def test_its_probabilities_are_those_of_every_tree(both, problems):
    _, subsets = both
    subsets.train()  # where the lexicon forbids nothing
    subsets.head.eval()
    try:
        (problem,) = [p for p in problems if len(p.triggers) == 3][:1]
        inner = [number for number, label in enumerate(NODE_LABELS) if label != "="]
        trees = [
            tuple(sorted([(1 << min(pair), 1 << max(pair), label), joined]))
            for label in inner
            for pair, joined in (((0, 1), (3, 4, 0)), ((0, 2), (5, 2, 0)), ((1, 2), (1, 6, 0)))
        ]
        scores = torch.tensor([subsets.score(problem, tree) for tree in trees], dtype=torch.float64)
        (ranked,) = k_best(subsets, [problem], len(trees) + 1)
        assert len(ranked) == len(trees)
        expected = sorted(zip(scores.log_softmax(0).tolist(), trees, strict=True), reverse=True)
        assert [p for p, _, _ in ranked] == pytest.approx([p for p, _ in expected], abs=1e-5)
        assert [tree for *_, tree in ranked] == [tree for _, tree in expected]
    finally:
        subsets.eval()


def annotated(m, equation: str) -> Example:
    """Of the sentence's first phrase, and of the last if there are two variables."""
    parsed = Equation.parse(equation)
    ends = (spans_of(m)[0],), (spans_of(m)[-1],)
    return Example(equation, m.sentence.text, parsed, dict(zip(parsed.variables, ends, strict=False)))


def corpus():
    mentions = hand_made(CROSSING, SENTENCES[0], SENTENCES[1])
    phrases = {mentions[0].sentence.text[c.start : c.end]: (c.start, c.end) for c in mentions[0].candidates}
    crossing = Example(
        "crossing", mentions[0].sentence.text, Equation.parse(STATED),
        {"V1": (phrases["the shelf"],), "V2": (phrases["the bench"],)},
    )
    rest = [annotated(m, e) for m, e in zip(mentions[1:], ("V1 = 4 + V2", "V1 = 3 * V2"), strict=True)]
    return [crossing, *rest], mentions


@pytest.mark.parametrize("loss", Loss)
def test_a_sentence_that_crosses_is_learnt_and_answered_and_explained(tiny_base, tmp_path, loss):
    examples, mentions = corpus()
    common = {"hashed": "none", "tuned": "whole", "learning_rate": 3e-3, "loss": loss}
    trained = train_tiny(tiny_base, mentions, some=examples, projective=False, epochs=100, **common).parser
    parser = load_checkpoint(save(tmp_path / "model", trained)).parser
    parses = parser.parse_mentions(mentions)
    assert parses == trained.parse_mentions(mentions)
    crossing = parses[0]
    for example, parse in zip(examples, parses, strict=True):
        assert same_form(example.equation, parse.equation, strict=True)
        assert parse.variables == example.variables
    assert not gold_trees(crossing.equation, sorted(crossing.triggers, key=lambda t: t.start))
    assert [q.value for q in crossing.quantities] == [5, 3, 90]
    assert unreachable(examples, mentions, tree=parser.tree) == {}
    assert sum(unreachable(examples, mentions).values()) == 1
    lexicon = Lexicon.load(rule_set="paper")
    assert [entry(examples[0], crossing, mentions[0], lexicon=lexicon, says=says).unreachable == ""
            for says in (parser.tree.gold, trees_of_none)] == [True, False]

    parser.decoder = NBest(Calibration(sentences=9))
    confident = parser.parse_mentions(mentions)[0]
    assert confident.equation == crossing.equation
    assert 0 < confident.confidence <= 1 and confident.alternatives[0].equation == crossing.equation
    found = explanation.explain(parser, examples[0], mentions[0], confident, strings=lambda value: None)
    tree = next(one for one in found.scores if one.stage == "tree")
    assert tree.same and tree.gold == tree.predicted
    annotator = SimpleNamespace(named=lambda text: (mentions[0].sentence, {}))
    told = explain_answer(SimpleNamespace(equation_parser=parser, annotator=annotator), crossing.text)
    assert {one.stage: one.score for one in told}["tree"] == pytest.approx(tree.predicted, abs=1e-4)


def trees_of_none(equation, triggers) -> tuple:
    return ()


def test_training_goes_on_from_projective_trees(tiny_base, tmp_path):
    examples, mentions = corpus()
    mentions += hand_made(SENTENCES[2])
    examples.append(Example("none", mentions[-1].sentence.text, None, {}))
    common = {"hashed": "none", "epochs": 1}
    before = str(save(tmp_path / "before", train_tiny(tiny_base, mentions, some=examples, **common).parser))
    after = train_tiny(tiny_base, mentions, some=examples, projective=False, start=before, **common).parser
    assert type(after.tree) is SubsetTreeStage


def test_a_sentence_with_many_leaves_is_parsed(tiny_base):
    parser = random_encoder_parser(tiny_base, projective=False)
    assert parser.limits.leaves == 12
    (m,) = hand_made(MANY)
    parser.quantity.argmax = lambda mentions: ([tuple(range(9))], torch.zeros(1))
    (answer,) = Greedy().decode(parser, [m])
    assert 10 <= len(answer.triggers) == len(answer.nodes) + 1
