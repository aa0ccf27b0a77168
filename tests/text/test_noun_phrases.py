"""The noun phrases that a variable may be grounded in."""

from __future__ import annotations

import pytest

from eqparse.text.annotate import Annotator
from eqparse.text.noun_phrases import find_candidates, whole_brackets
from eqparse.text.phrase_ends import end_character


@pytest.fixture(scope="module")
def annotator():
    return Annotator()


def phrases(annotator, text):
    return [text[c.start : c.end] for c in find_candidates(annotator([text])[0])]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("x is 3 more than y.", {"x", "y"}),
        ("Twice x minus y makes 9.", {"x", "y"}),
        ("The number n exceeds m by 4.", {"n", "m", "The number n"}),
        ("A is 3 more than B.", {"A", "B"}),
        ("The sum of p and 3 is q.", {"p", "q"}),
        ("The mill grinds 12 sacks of rye each day.", {"The mill", "sacks of rye", "The mill grinds"}),
        ("The height of the chapel in the old town is 30 metres.", {"The height", "The height of the chapel"}),
    ],
)
def test_what_is_a_candidate(annotator, text, expected):
    assert expected <= set(phrases(annotator, text))


@pytest.mark.parametrize("text, some", [
    ("Hand-dipped candles cost 4 dollars more than tapers.", "Hand-dipped candles"),
    ("The plum sold for 9 cents less than its runner-up.", "its runner-up"),
    ("In this walk-in the shelf is 3 feet wide.", "this walk-in"),
    ("Over-the-counter sales rose by 12.", "Over-the-counter sales"),
    ("The curate was 9 years the bishop's junior.", "the bishop's"),
    ("Ours has 4 beds fewer than room 6A.", "room 6A"),
])
def test_a_phrase_ends_and_begins_with_a_whole_word(annotator, text, some):
    assert some in phrases(annotator, text)


def test_no_phrase_begins_within_a_compound(annotator):
    assert "dipped candles" not in phrases(annotator, "Hand-dipped candles cost 4 dollars more than tapers.")


@pytest.mark.parametrize("text", ["The rope is 5 m long.", "It was 30 C at noon.", "I paid 9 for a tent."])
def test_units_and_words_are_no_letters(annotator, text):
    assert "letter" not in {candidate.source for candidate in find_candidates(annotator([text])[0])}


@pytest.mark.parametrize("text", ["3 4 5", "%", "...", "is", "7 plus 5 is 12."])
def test_numbers_and_marks_alone_are_none(annotator, text):
    assert phrases(annotator, text) == []


def test_each_span_stands_once_and_in_order(annotator):
    found = find_candidates(annotator(["Three of the 12 crates of ripe plums that Ida sold cost x dollars each."])[0])
    spans = [(c.first, c.last) for c in found]
    assert spans == sorted(set(spans))


BRACKETS = {
    "the chapel ( 1890": "the chapel", "the chapel ( built in 1890": "the chapel", "1890 ) the chapel": "the chapel",
    "the chapel ( the old one )": "the chapel ( the old one )", "the [ old": "the", "the chapel": "the chapel",
}


@pytest.mark.parametrize("phrase", BRACKETS)
def test_no_phrase_holds_half_a_pair_of_brackets(phrase):
    words = phrase.split()
    first, last = whole_brackets(0, len(words) - 1, words)
    assert " ".join(words[first : last + 1]) == BRACKETS[phrase]


MISSED = [
    ("The tower's height exceeds the nave's by 21 metres.", {"the nave's"}),
    ("Half of Otto's and a third of Berta's make 40.", {"Otto's", "Berta's"}),
    ("Last year's harvest was 9 tons above this year's.", {"this year's"}),
    ("Driving to Brno takes 15 minutes longer than going by train.", {"going by train"}),
    ("Polishing a lens takes twice as long as grinding it.", {"Polishing a lens", "grinding it"}),
    ("Nurse Delgado's 9 full shelves and 2 full drawers store 268 rolls.", {"full shelves", "full drawers"}),
    ("The 6 junior crews and the 4 senior crews make 58 rowers.", {"junior crews", "senior crews"}),
    ("A dozen buns and 2 pies cost 19 dollars.", {"buns", "pies"}),
    ("There are 3 times as many 1-euro coins as 2-euro coins.", {"1-euro coins", "2-euro coins"}),
    ("What falls on the coast is 4 inches less than what falls inland.", {"what falls inland"}),
    ("The distance to Lund is 14 miles more than that from Oslo.", {"that from Oslo"}),
    ("Geese outnumber swans by 34.", {"Geese", "swans"}),
    ("The barn is 9 metres longer than the shed (1712).", {"the shed", "the shed (1712)"}),
]


@pytest.mark.parametrize("text, expected", MISSED)
def test_phrases_of_several_kinds(annotator, text, expected):
    assert expected <= set(phrases(annotator, text))
    assert not any(phrase.count("(") != phrase.count(")") for phrase in phrases(annotator, text))


@pytest.mark.parametrize("text, none", [
    ("A number added to 5 gives 9.", "A number added"),
    ("If you add 7 to a number you get 15.", "you get"),
    ("If you add 7 to a number you get 15.", "you add"),
    ("One bill exceeds the other by 8.", "One bill exceeds"),
])
def test_no_phrase_holds_the_verb_of_the_relation(annotator, text, none):
    assert none not in phrases(annotator, text)


@pytest.mark.parametrize("text, none", [
    ("If you add 7 to a number you get 15.", "you"), ("When I subtract 4 from a number, I get 9.", "I"),
    ("If we add 7 to the number we get 15.", "we get"), ("The gap is now 5 times wider.", "wider"),
    ("The rope is half as long.", "long"), ("The film is 3 times longer than the play.", "times"),
    ("There are half as many larks as wrens.", "many"), ("It is 4 degrees warmer.", "warmer"),
])
def test_who_does_the_sum_and_words_of_comparison_are_none(annotator, text, none):
    assert none not in phrases(annotator, text)


@pytest.mark.parametrize("text, some, none", [
    ("A number times minus 6 is 42.", "A number", "A number times"),
    ("A number times minus two equals 14.", "A number", "A number times"),
    ("The width times minus 3 is minus 12.", "The width", "The width times"),
    ("Some number times negative eight gives 16.", "Some number", "Some number times"),
])
def test_what_is_multiplied_by_a_signed_number_ends_before_times(annotator, text, some, none):
    found = phrases(annotator, text)
    assert some in found and none not in found


@pytest.mark.parametrize("text, some", [
    ("You have 7 more than I have.", "You have"), ("We won a number of games, 3 more than they did.", "We"),
    ("I have 5 fewer than the larger of the two.", "the larger"), ("I and you have 8.", "I"),
])
def test_who_has_the_amount_is_one(annotator, text, some):
    assert some in phrases(annotator, text)


@pytest.mark.parametrize("word, end", [
    ("B.", 1), ("6A.", 2), ("No.", 3), ("shed。", 4), ("shed", 4), ("；", 1), ("。。", 2),
])
def test_a_phrase_does_not_end_before_its_last_word(word, end):
    assert end_character(word, 0, len(word)) == end


def test_a_phrase_of_marks_alone_is_not_empty(annotator):
    (sentence,) = annotator(["The A）； ）；no ；rectangle is ；； 12 m long ；； and 7 m wide ；；."])
    assert all(c.start < c.end for c in find_candidates(sentence))
