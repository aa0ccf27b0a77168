"""The refusal stage: learned from sentences with and without an equation, and asked after the others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tiny import TRAINING, hand_made, options, random_parser

from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.parser.pipeline import refusal_problem
from eqparse.scoring.features.refusal import path_between
from eqparse.stages.refusal import EQUATION, RefusalProblem
from eqparse.structured.svm import BlockCoordinateFrankWolfe
from eqparse.training.train import train_parser


@pytest.fixture
def sentences():
    """Four sentences with their mentions; the third states no equation."""
    mentions = hand_made()
    texts = [m.sentence.text for m in mentions]

    def example(number, equation, **phrases):
        spans = {v: ((texts[number].index(p), texts[number].index(p) + len(p)),) for v, p in phrases.items()}
        return Example(str(number), texts[number], Equation.parse(equation) if equation else None, spans)

    examples = [
        example(0, "V1 = 4 + V2", V1="The mast", V2="the boat"),
        example(1, "V1 = 3 * V2", V1="Ida planted", V2="Jon"),
        example(2, None),
        example(3, "0.5 * V1 = (0.05 * V2) - 7", V1="the salt", V2="the brine"),
    ]
    return examples, mentions


def train(examples, mentions, **changes):
    solver = {"max_epochs": 20, "tolerance": 1e-3, "working_set": 20, "averaging": False}
    return train_parser(
        examples, mentions, options=replace(options(refusal=True), **changes), **TRAINING,
        make_solver=lambda _, n: BlockCoordinateFrankWolfe(regularization=1 / (10 * n), **solver),
    )


def test_it_learns_to_say_no(sentences):
    examples, mentions = sentences
    training = train(examples, mentions)
    parses = training.parser.parse_mentions(mentions)
    assert [p.equation is None for p in parses] == [False, False, True, False]
    assert parses[2].reason_code == "no_equation" and parses[2].candidates
    assert training.report["refusal"]["problems"] == 4


def test_without_such_sentences_nothing_is_refused(sentences):
    examples, mentions = sentences
    training = train([e for e in examples if e.equation], [m for e, m in zip(*sentences, strict=True) if e.equation])
    assert training.parser.refusal is None and "refusal" not in training.results
    assert all(p.equation or "alone" in p.reason for p in training.parser.parse_mentions(mentions))


def test_it_can_be_left_out(sentences):
    training = train(*sentences, refusal=False)
    assert training.parser.refusal is None
    assert all(p.equation or "alone" in p.reason for p in training.parser.parse_mentions(sentences[1]))


def test_it_is_asked_about_the_answer(sentences):
    parser = random_parser(refusal=True)
    (m, *_) = sentences[1]
    (answer,) = parser.answers([m])
    problem = refusal_problem(m, answer)
    assert (problem.triggers, problem.nodes) == (answer.triggers, answer.nodes)
    assert parser.refusal.score(problem, EQUATION) != parser.refusal.score(RefusalProblem(m), EQUATION)
    names = {c.name for c in parser.refusal.explain(problem, EQUATION)}
    assert any("→ =" in name for name in names) and any(name.startswith("rich:relation = ") for name in names)


def test_a_sentence_without_an_answer_has_a_score_in_a_batch_with_others(sentences):
    parser = random_parser(refusal=True)
    some = [refusal_problem(m, answer) for m, answer in zip(sentences[1], parser.answers(sentences[1]), strict=True)]
    some.insert(1, RefusalProblem(sentences[1][0]))
    alone = [parser.refusal.score(problem, EQUATION) for problem in some]
    batch = parser.refusal.batch(some)
    assert parser.refusal.scores(batch)[:, EQUATION].tolist() == pytest.approx(alone, abs=1e-4)


@pytest.mark.parametrize("a, b, path", [
    (0, 3, ([0], 1, [3])), (4, 3, ([4], 3, [])), (3, 4, ([], 3, [4])), (2, 0, ([2], 1, [0])), (5, 0, ([5], -1, [1, 0])),
])
def test_the_path_between_two_tokens(a, b, path):
    assert path_between(a, b, [1, 1, 1, 1, 3, 5]) == path
