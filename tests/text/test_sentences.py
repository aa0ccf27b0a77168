"""Where sentences end, and texts of several: their numbers would be mixed into one equation."""

from __future__ import annotations

import pytest

from eqparse.parser.limits import Limits, check_mentions
from eqparse.text.annotate import Annotator, Sentence
from eqparse.text.mentions import find_mentions
from eqparse.text.sentences import sentence_spans

ONE = [
    "Dr. Okafor is 3 years older than J. R. Pell.",
    "The U.S. exports 3 times as much as Peru.",
    "At 3 p.m. Vera had sold 14 more tickets than Sam.",
    "Mrs. Lund paid 4 dollars more than Mr. Bell did.",
    "The parcel weighs 2.5 kg more than the letter!",
    "Is Ann 3 years older than Ben?",
    "leo weighs approx. 3 kg more than mia.",
    "Leo is 3 years older\nthan Mia.",
    "Gen. Oak led 300 more men than Col. Elm.",
]
SEVERAL = [
    "The mast is 30 metres taller than the shed. The barn is 10 metres tall.",
    "Ada is twice as old as Ben. Ben is 3 years older than Cy.",
    'Tom said "add 3 to it." Then he took away 4.',
    "A pen costs 2 dollars. A pad costs 3 dollars more than a ruler.",
    "The lake is 40 metres deep! The well is 12 metres deep.",
    "the rope is 3 m longer than the cable. the cable is 9 m long.",
    "The rope is 3 m longer than the cable. (The cable is 9 m long.)",
    "The rope is 3 m longer than the cable.\n\nThe cable is 9 m long.",
    "The rope is 3 m longer than the cable\nThe cable is 9 m long",
    "Leo is 3 years older than Mia\n- Mia is 12",
    "Two pears weigh as much as a melon. A melon weighs 3 kg.",
    "The sum of two numbers is 12. One is twice the other.",
    "The cart weighs as much as two barrels. The old barrel weighs 3 kg more than the new barrel.",
    "Ann has two cats. Ben has 3 more cats than Cy.",
    "Ann has two cats. The old one weighs 3 kg more than Bo's cat.",
    "He paid for two tickets. The ticket costs 3 euros more than another one.",
]
REST = [
    "Think of a number. Twice the number is 8.", "Read this carefully. A number less 4 is 9.",
    "The tower is twice as tall as the mast. Find both.", "The sum of two numbers is 12. Find the two numbers.",
    "The rope is 3 m longer than the cable. One of them is red.", "Think of two numbers. Their sum is 12.",
    "One day Ann counted pears. She had 3 more than Ben.", "Two friends collect stamps. Ann has 3 more than Ben.",
    "leo is 3 years older than mia. how old is leo?",
    "A farm has two barns. The old barn is 4 metres longer than the new barn.",
    "Ann has two wooden boxes. The red box weighs twice as much as the green box.",
    "We own two houses. The red house is 4 metres longer than the green house.",
    "A farm has two barns. The old barn is 4 metres longer than the new one.",
    "Ann has two cats. The black one weighs 3 kg more than the white one.",
    "He has two knives. The long knife is 4 cm longer than the other.",
    "We grow two cherries. The dark cherry costs 2 euros more than the light cherry.",
    "There are two sons! The older son is 4 years older than the younger son.",
]


@pytest.mark.pipeline
def test_only_texts_with_numbers_in_several_sentences_are_refused():
    texts = [*ONE, *SEVERAL, *REST]
    found = [find_mentions(sentence) for sentence in Annotator()(texts)]
    assert [len(sentence_spans(m.sentence)) for m in found] == [1] * len(ONE) + [2] * len(SEVERAL + REST)
    codes = [getattr(check_mentions(m, Limits()), "code", None) for m in found]
    assert codes == [None] * len(ONE) + ["several_sentences"] * len(SEVERAL) + [None] * len(REST)


def test_a_sentence_ends_where_a_tree_does():
    words = "Ada ran . Ben sat .".split()
    apart = Sentence.from_words(words, tags=["NNP", "VBD", "."] * 2, heads=[1, 1, 1, 4, 4, 4])
    joined = Sentence.from_words(words, tags=["NNP", "VBD", "."] * 2, heads=[1, 1, 1, 4, 1, 4])
    nothing = Sentence.from_words([], tags=[], heads=[])
    assert [sentence_spans(s) for s in (apart, joined, nothing)] == [[(0, 2), (3, 5)], [(0, 5)], []]
