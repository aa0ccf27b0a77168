"""Trees of another form that say an equation, against every tree there is."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tiny import hand_made

from eqparse.equation.comparison import equivalent
from eqparse.equation.equation import Equation
from eqparse.stages.derivation import NODE_LABELS, gold_trees, tree_equation
from eqparse.stages.rearranged import rearranged_trees, solved_trees, trees_that_say
from eqparse.stages.tree import TreeStage
from eqparse.text.triggers import trigger_list

(FALL,) = hand_made(
    "Support/NN/1/nsubj fell/VBD/1/ROOT to/IN/1/prep 33/CD/2/pobj ,/,/1/punct a/DT/6/det drop/NN/1/dobj of/IN/6/prep "
    "7/CD/7/pobj"
)
(TWO,) = hand_made(
    "The/DT/1/det shed/NN/2/nsubj is/VBZ/2/ROOT 4/CD/4/nummod feet/NNS/5/npadvmod wider/JJR/2/acomp than/IN/5/prep "
    "the/DT/8/det barn/NN/6/pobj plus/CC/8/cc 9/CD/8/conj"
)


def triggers_of(mentions, *phrases):
    at = {mentions.sentence.text[c.start : c.end]: n for n, c in enumerate(mentions.candidates)}
    names = [(f"V{n}", at[phrase]) for n, phrase in enumerate(phrases, start=1)]
    return trigger_list(mentions, range(len(mentions.quantities)), names)


def every_tree(n):
    """All trees over n leaves as sorted nodes."""

    def over(i, j, labels):
        if i == j:
            return [()]
        return [
            (*a, *b, (i, k, j, label))
            for k in range(i, j)
            for a, b, label in product(over(i, k, range(1, 7)), over(k + 1, j, range(1, 7)), labels)
        ]

    return {tuple(sorted(tree)) for tree in over(0, n - 1, [0])}


@pytest.mark.parametrize("leaves", [2, 3, 4, 5])
def test_every_tree_is_solved_once(leaves):
    found = [tuple(sorted(nodes)) for nodes, _ in solved_trees(np.ones((leaves, 1)))]
    assert len(found) == len(set(found))
    assert set(found) == every_tree(leaves)


@pytest.mark.parametrize("text, expected", [
    ("V1 - 7 = 33", {"V1 = 33 + 7", "V1 - 33 = 7"}),
    ("33 / V1 = 7", {"V1 = 33 / 7", "33 = V1 * 7"}),
])
def test_terms_move_across_the_equals_sign(text, expected):
    triggers = triggers_of(FALL, "Support")
    found = {str(tree_equation(tree, triggers)) for tree in rearranged_trees(Equation.parse(text), triggers)}
    assert found & expected
    assert all(equivalent(Equation.parse(text), Equation.parse(one)) for one in found)


@pytest.mark.parametrize("text", ["V1 * V2 = 4 - 9", "V1 - 9 = V2 / 4", "9 / V1 = V2 - 4", "V2 = (9 - V1) * 4"])
def test_the_rearranged_trees_are_those_that_are_equivalent(text):
    triggers, equation = triggers_of(TWO, "The shed", "the barn"), Equation.parse(text)

    def with_one_variable(equation):  # or else a renaming would count as well
        return Equation.parse(str(equation).replace("V2", "17.3"))

    said = with_one_variable(equation)
    expected = {
        tree for tree in every_tree(4) if equivalent(said, with_one_variable(tree_equation(tree, triggers)))
    }
    assert set(rearranged_trees(equation, triggers)) == expected


def test_a_tree_of_the_same_form_goes_before_others():
    triggers, equation = triggers_of(FALL, "Support"), Equation.parse("V1 = 33 + 7")
    own = gold_trees(equation, triggers)
    assert own and trees_that_say(equation, triggers) == own
    assert set(own) < set(rearranged_trees(equation, triggers))


def test_what_is_equal_only_for_these_numbers_does_not_count():
    (m,) = hand_made("Boats/NNS/1/nsubj have/VBP/1/ROOT 2/CD/1/dobj and/CC/2/cc 2/CD/2/conj")
    triggers = triggers_of(m, "Boats")
    found = [tree_equation(tree, triggers) for tree in rearranged_trees(Equation.parse("V1 = 2 + 2"), triggers)]
    assert found and not any("*" in str(one) or "/" in str(one) for one in found)


def test_a_stage_learns_from_them():
    triggers = triggers_of(FALL, "Support")
    stage = TreeStage(groups=("connecting",), bits=8)
    equation = Equation.parse("V1 - 7 = 33")
    assert gold_trees(equation, triggers) == () != stage.gold(equation, triggers)
    roots = {label for tree in stage.gold(equation, triggers) for i, _, j, label in tree if j - i == len(triggers) - 1}
    assert roots == {NODE_LABELS.index("=")}


def test_too_many_leaves_have_none():
    (m,) = hand_made(
        "Boats/NNS/1/nsubj have/VBP/1/ROOT 2/CD/1/dobj 3/CD/1/dobj 4/CD/1/dobj 5/CD/1/dobj 6/CD/1/dobj"
    )
    triggers = triggers_of(m, "Boats")
    assert rearranged_trees(Equation.parse("V1 - 6 = ((2 * 3) * 4) * 5"), triggers) == ()
