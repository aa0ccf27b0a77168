"""The refusal stage: learned from sentences with and without an equation, and asked before the others."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tiny import TRAINING, hand_made, options

from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
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
    assert all(p.equation for p in training.parser.parse_mentions(mentions))


def test_it_can_be_left_out(sentences):
    training = train(*sentences, refusal=False)
    assert training.parser.refusal is None
    assert all(p.equation for p in training.parser.parse_mentions(sentences[1]))
