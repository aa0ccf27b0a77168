"""The three rules for whether two mentions are one variable."""

from __future__ import annotations

import pytest
from tiny import hand_made

from eqparse.stages.coreference import ANOTHER, another, rule_same_variable


@pytest.mark.parametrize(
    "phrase, same",
    [
        ("the fee", True),
        ("two barrels", False),
        ("The Two barrels", False),
        ("2 barrels", False),
        ("both of the 2", False),
        ("20 barrels", True),
        ("2.5 litres", True),
        ("1.2 litres", True),
        ("2,000 litres", True),
        ("twofold gains", True),
        ("a network", True),
        ("a two-seater", True),
        ("the same number", True),
    ],
)
def test_one_phrase_is_one_variable_unless_it_speaks_of_two(phrase: str, same: bool) -> None:
    assert rule_same_variable(phrase, phrase, same_phrase=True) is same


@pytest.mark.parametrize(
    "later, same",
    [
        ("itself", True),
        ("Itself", True),
        ("the same number", True),
        ("The Same  Number", True),
        ("half of the same number", True),
        ("the number", False),
        ("the same numbers", False),
        ("the same", False),
        ("two barrels", False),
        ("the fee", False),
    ],
)
def test_two_phrases_are_one_variable_only_by_a_back_reference(later: str, same: bool) -> None:
    assert rule_same_variable("the fee", later, same_phrase=False) is same


def test_only_the_later_phrase_refers_back() -> None:
    assert not rule_same_variable("itself", "the fee", same_phrase=False)
    assert not rule_same_variable("the same number", "the fee", same_phrase=False)


@pytest.mark.parametrize("phrase, different", [
    ("another number", True), ("another", True), ("the other number", True), ("the other", True), ("other coins", True),
    ("a second number", True), ("the second", True), ("a different number", True), ("the same number", False),
    ("that number", False), ("its double", False), ("the otherness", False), ("a second-hand car", False),
])
def test_another_thing_is_another_variable(phrase: str, different: bool) -> None:
    assert (ANOTHER.match(phrase) is not None) is different


@pytest.mark.parametrize("first, second, apart", [("Ida", "Jon", True), ("Ida", "Ida", False), ("Ida", "she", False)])
def test_two_names_are_two_variables(first: str, second: str, apart: bool) -> None:
    tag = "NNP" if second[0].isupper() else "PRP"
    (m,) = hand_made(f"{first}/NNP/1/nsubj is/VBZ/1/ROOT 3/CD/3/nummod years/NNS/4/npadvmod older/JJR/1/acomp "
                     f"than/IN/4/prep {second}/{tag}/5/pobj")
    pair = [n for n, c in enumerate(m.candidates) if m.sentence.text[c.start : c.end] in (first, second)]
    assert another(m, (pair[0], pair[-1])) is apart
