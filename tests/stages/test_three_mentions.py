"""Three mentions of variables: "The fee is 20 % higher than the fine" is V1 = V2 + (0.2 * V2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.scoring.features.tokens import TokenTable
from eqparse.scoring.features.tree import TreeParts
from eqparse.stages.lexicon import Lexicon
from eqparse.stages.tree import TreeProblem, lexicon_operations
from eqparse.stages.variable import VariableProblem, VariableStage, structures
from eqparse.text.annotate import Sentence
from eqparse.text.mentions import Mentions, find_mentions
from eqparse.text.triggers import name_mentions, trigger_list
from eqparse.training.evaluate import unreachable
from eqparse.training.gold import gold_choices, gold_sets

WORDS = "The fee is 20 % higher than the fine .".split()
SENTENCE = Sentence.from_words(
    WORDS,
    tags=["DT", "NN", "VBZ", "CD", "NN", "JJR", "IN", "DT", "NN", "."],
    heads=[1, 2, 2, 4, 5, 2, 5, 8, 6, 2],
    deps=["det", "nsubj", "ROOT", "nummod", "npadvmod", "acomp", "prep", "det", "pobj", "punct"],
)
EQUATIONS = {
    "V1 = V2 + (0.2 * V2)": ("V1", "V2", "V2"),
    "V1 = V2 - (0.2 * V2)": ("V1", "V2", "V2"),
    "V1 + (0.2 * V1) = V2": ("V1", "V1", "V2"),
}


@pytest.fixture
def mentions() -> Mentions:
    return find_mentions(SENTENCE)


def phrase(mentions: Mentions, text: str) -> int:
    texts = [SENTENCE.text[c.start : c.end] for c in mentions.candidates]
    return texts.index(text)


def stated(equation: str) -> Example:
    """The sentence, annotated with an equation."""
    spans = {name: ((SENTENCE.text.index(p), SENTENCE.text.index(p) + len(p)),)
             for name, p in (("V1", "The fee"), ("V2", "the fine"))}
    return Example(id="1", text=SENTENCE.text, equation=Equation.parse(equation), variables=spans, kind="money")


@pytest.mark.parametrize("equation", EQUATIONS)
def test_the_phrase_that_is_mentioned_twice_stands_twice_in_the_gold_set(mentions, equation):
    example = stated(equation)
    gold = gold_sets(example, mentions)
    fee, fine = phrase(mentions, "The fee"), phrase(mentions, "the fine")
    named = {"V1": fee, "V2": fine}
    assert gold.groundings == (tuple((label, named[label]) for label in EQUATIONS[equation]),)
    assert gold.phrases[0] in structures(mentions)
    choices = list(gold_choices(example, mentions, gold))
    # the share stands between the two phrases, so that a projective tree joins it with either
    assert [len(trees) for _, trees in choices] == [1]


def test_three_mentions_are_named_by_their_phrases():
    assert name_mentions((4, 7, 7), same=False) == (("V1", 4), ("V2", 7), ("V2", 7))
    assert name_mentions((4, 4, 7), same=False) == (("V1", 4), ("V1", 4), ("V2", 7))


@pytest.mark.parametrize(("quantities", "most", "three"), [((0,), 3, True), ((), 3, False), ((0,), 2, False)])
def test_only_a_share_that_counts_allows_three_mentions(mentions, quantities, most, three):
    stage = VariableStage(groups=("variable", "rich"), bits=8, max_mentions=most).eval()
    width = stage.batch([VariableProblem(mentions, quantities)]).space.mask.shape[1]
    every = structures(mentions)
    assert width == (len(every) if three else sum(len(choice) < 3 for choice in every))
    assert sum(len(choice) == 3 for choice in every) > 0


@pytest.mark.parametrize(("most", "share", "lost"), [(3, 0.2, 0), (2, 0.2, 1), (3, 20.0, 1)])
def test_what_the_stage_does_not_allow_is_counted_as_out_of_reach(mentions, most, share, lost):
    stage = VariableStage(groups=("variable", "rich"), bits=8, max_mentions=most)
    (number,) = (replace(q, value=share, unit="") for q in mentions.quantities)
    given = replace(mentions, quantities=(number,))
    example = stated(f"V1 = V2 + ({share} * V2)")
    why = {"three mentions of variables, which the variable stage does not allow here": 1} if lost else {}
    assert unreachable([example], [given], variable=stage) == why and unreachable([example], [given]) == {}


def test_a_structure_of_three_is_scored_as_its_pair_and_the_phrase_that_is_mentioned_twice(mentions):
    stage = VariableStage(groups=("variable", "rich"), bits=12)
    stage.scorer.weight.data.normal_()
    problem = VariableProblem(mentions, (0,))
    scores = stage.scores(stage.batch([problem]))[0].detach()
    number = {choice: n for n, choice in enumerate(structures(mentions))}
    pair = (phrase(mentions, "The fee"), phrase(mentions, "the fine"))
    before = scores[number[pair]]
    three = [(pair[0], pair[1], pair[1]), (pair[0], pair[0], pair[1])]
    assert all(scores[number[choice]] != before for choice in three)
    stage.scorer.weight.data[:, 4:] = 0
    scores = stage.scores(stage.batch([problem]))[0].detach()
    assert all(scores[number[choice]] == pytest.approx(float(before)) for choice in three)


def test_the_lexicon_says_nothing_of_a_share():
    m = find_mentions(Sentence.from_words(
        "The fee is a third higher than the fine .".split(),
        tags=["DT", "NN", "VBZ", "DT", "NN", "JJR", "IN", "DT", "NN", "."],
        heads=[1, 2, 2, 4, 5, 2, 5, 8, 6, 2],
    ))
    (third,) = m.quantities
    assert third.value == pytest.approx(1 / 3)
    texts = [m.sentence.text[c.start : c.end] for c in m.candidates]
    fee, fine = texts.index("The fee"), texts.index("the fine")
    table = TokenTable([m])
    fixed = []
    for groundings in ([("V1", fee), ("V2", fine)], [("V1", fee), ("V2", fine), ("V2", fine)]):
        problem = TreeProblem(m, trigger_list(m, (0,), groundings))
        fixed.append(lexicon_operations(Lexicon.load(), [problem], TreeParts.build([problem.triggers], table)).max())
    assert fixed[0] >= 0 > fixed[1]
