"""The gold choices of a sentence, stage by stage, on sentences annotated by hand."""

from __future__ import annotations

import itertools

import pytest
from tiny import hand_made, random_parser

from eqparse.corpus import Example
from eqparse.equation.equation import Equation
from eqparse.parser.limits import Limits
from eqparse.parser.pipeline import refusal_problem
from eqparse.stages.coreference import DIFFERENT, SAME
from eqparse.stages.derivation import tree_equation
from eqparse.stages.rearranged import trees_that_say
from eqparse.stages.refusal import EQUATION, NONE
from eqparse.text.triggers import trigger_list
from eqparse.training.gold import gold_choices, gold_sets, gold_steps

MAST = "The/DT/1/det mast/NN/2/nsubj is/VBZ/2/ROOT 4/CD/4/nummod feet/NNS/5/npadvmod longer/JJR/2/acomp " \
       "than/IN/5/prep the/DT/8/det boat/NN/6/pobj"
TWICE = "In/IN/4/prep 4/CD/2/nummod days/NNS/0/pobj Ida/NNP/4/nsubj ate/VBD/4/ROOT 4/CD/6/nummod buns/NNS/4/dobj"


def stated(sentence: str, equation: str | None, **variables: str):
    (m,) = hand_made(sentence)
    text = m.sentence.text
    spans = {name: ((text.index(phrase), text.index(phrase) + len(phrase)),) for name, phrase in variables.items()}
    return Example("1", text, None if equation is None else Equation.parse(equation), spans), m


@pytest.fixture
def parser():
    return random_parser(refusal=True)


def phrases_of(m, chosen) -> list[str]:
    return [m.sentence.text[m.candidates[c].start : m.candidates[c].end] for c in chosen]


def test_the_steps_of_a_sentence_in_order(parser):
    example, m = stated(MAST, "V1 = 4 + V2", V1="The mast", V2="the boat")
    quantity, variable, coreference, tree, refusal = gold_steps(parser, example, m)
    assert [s.stage for s in (quantity, variable, coreference, tree, refusal)] == [
        "quantity", "variable", "coreference", "tree", "refusal"
    ]
    assert (refusal.problem.triggers, refusal.problem.nodes) == (tree.problem.triggers, tree.gold[0])
    assert refusal.gold == (EQUATION,) and quantity.gold == ((0,),) and coreference.gold == (DIFFERENT,)
    assert [phrases_of(m, chosen) for chosen in variable.gold] == [["The mast", "the boat"]]
    assert variable.problem.quantities == (0,) and coreference.problem.pair == variable.gold[0]
    assert {str(tree_equation(nodes, tree.problem.triggers)) for nodes in tree.gold} == {"V1 = 4 + V2"}


def test_one_variable_twice_is_the_same(parser):
    example, m = stated(MAST, "V1 = 4 + V1", V1="The mast")
    (same,) = [s for s in gold_steps(parser, example, m) if s.stage == "coreference"]
    assert same.gold == (SAME,) and same.problem.pair[0] == same.problem.pair[1]


def test_a_sentence_without_equation_has_the_refusal_stage_alone(parser):
    (step,) = gold_steps(parser, *stated(MAST, None))
    assert (step.stage, step.gold) == ("refusal", (NONE,))
    (answer,) = parser.answers([step.problem.mentions])
    assert step.problem == refusal_problem(step.problem.mentions, answer)


@pytest.mark.parametrize("equation, last", [
    ("V1 = 5 + V2", "quantity"),  # no such number
    ("V1 = 4 * (V2 + (V1 * V2))", "variable"),  # more mentions than a parse can have
])
def test_the_last_step_is_the_one_that_no_parse_gets_right(parser, equation, last):
    *before, step = gold_steps(parser, *stated(MAST, equation, V1="The mast", V2="the boat"))
    assert (step.stage, step.gold) == (last, ()) and all(s.gold for s in before)


def test_later_problems_are_made_of_the_choices_before_them(parser):
    example, m = stated(TWICE, "V1 = 4", V1="buns")
    assert next(s for s in gold_steps(parser, example, m) if s.stage == "quantity").gold == ((0,), (1,))
    for choice in (0, 1):
        *_, variable, tree, _ = gold_steps(
            parser, example, m, choose=lambda step, choice=choice: step.gold[choice if step.stage == "quantity" else 0]
        )
        assert variable.problem.quantities == (choice,)
        assert [t.start for t in tree.problem.triggers if t.quantity] == [m.quantities[choice].start]


def test_gold_structures_are_looked_for_when_asked_for(parser, monkeypatch):
    monkeypatch.setattr(parser.tree, "gold", None)  # calling it would fail
    walk = gold_steps(parser, *stated(MAST, "V1 = 4 + V2", V1="The mast", V2="the boat"))
    assert [step.stage for step in itertools.islice(walk, 3)][-1] == "coreference"
    with pytest.raises(TypeError):
        next(walk)


def test_variables_can_be_named_as_a_parser_names_them(parser):
    example, m = stated(MAST, "V2 = 4 + V1", V1="the boat", V2="The mast")
    for renamed, labels in ((False, ["V2", "", "V1"]), (True, ["V1", "", "V2"])):
        *_, tree, _ = gold_steps(parser, example, m, renamed=renamed)
        assert [t.label for t in tree.problem.triggers] == labels and tree.gold


def test_a_tree_over_more_leaves_than_the_limit_is_not_gold(parser):
    parser.limits = Limits(leaves=2)
    *_, tree = gold_steps(parser, *stated(MAST, "V1 = 4 + V2", V1="The mast", V2="the boat"))
    assert (tree.stage, tree.gold) == ("tree", ())


@pytest.mark.parametrize("sentence, equation, variables", [
    (MAST, "V1 = 4 + V2", {"V1": "The mast", "V2": "the boat"}),
    (TWICE, "V1 = 4", {"V1": "buns"}),
    (TWICE, "V1 = 4 * 4", {"V1": "buns"}),
    (TWICE, "V1 = 4 * 4", {"V1": "Ida"}),
])
def test_all_choices_are_those_with_a_tree(sentence, equation, variables):
    example, m = stated(sentence, equation, **variables)
    gold = gold_sets(example, m)
    expected = {
        (q, g): trees for q in gold.quantities for g in gold.groundings
        if (trees := trees_that_say(example.equation, trigger_list(m, q, g)))
    }
    found = {(choice.quantities, choice.groundings): trees for choice, trees in gold_choices(example, m, gold)}
    assert found == expected
    leaves = len(example.equation.leaves())
    assert not list(gold_choices(example, m, gold, limits=Limits(leaves=leaves - 1)))
    assert len(list(gold_choices(example, m, gold, limits=Limits(leaves=leaves)))) == len(expected)
