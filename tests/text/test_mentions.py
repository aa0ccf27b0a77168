"""The mentions of a sentence: which phrases are numbers, and so ground no variable."""

from __future__ import annotations

import pytest

from eqparse.parser.limits import REASONS, Limits, check_mentions
from eqparse.text.annotate import Annotator
from eqparse.text.markup import strip_markup
from eqparse.text.mentions import find_mentions

pytestmark = pytest.mark.pipeline


@pytest.fixture(scope="module")
def annotator():
    return Annotator()


def phrases(annotator, text):
    return {text[c.start : c.end] for c in find_mentions(annotator([text])[0]).candidates}


@pytest.mark.parametrize(
    ("text", "there", "gone"),
    [
        ("The sum of a number and -8 is 12.", {"a number"}, {"-8", "8"}),
        ("The sum of a number and negative eight is 12.", {"a number"}, {"negative eight", "eight"}),
        ("The film is half an hour longer than the play.", {"The film", "the play"}, {"an hour", "half an hour"}),
        ("The house costs 25 lakh more than the flat.", {"The house", "the flat"}, {"25 lakh", "lakh"}),
        ("(c) Twice a number is 8.", {"a number"}, {"c", "(c"}),
        ("b. The tower is 5 metres taller than the wall.", {"The tower", "the wall"}, {"b"}),
        ("14. Twice a number is 8.", {"a number"}, {"14"}),
        ("Three 1 200-litre tanks and a barrel hold 3 850 litres.", {"a barrel"}, {"200-litre tanks"}),
        ("Five 2 500-page volumes weigh 4 kilos more than the atlas.", {"the atlas"}, {"500-page volumes"}),
        ("Half of the class is 12 more than one of them.", {"Half", "the class", "one"}, set()),
        ("The sum of c and 8 is 12.", {"c"}, set()),
        ("The barn is 10 metres tall.", {"The barn"}, {"metres", "metres tall", "10 metres tall"}),
        ("The area of the square is 49 cm.", {"the square"}, {"cm", "49 cm"}),
        ("5 m is 3 more than n.", {"m", "n"}, {"5 m"}),
        ("4 t equals s minus 3.", {"t", "s"}, {"4 t"}),
        ("The rope is 5 m longer than n.", {"The rope"}, {"m", "5 m"}),
        ("The rope is 5 m and the cord is 3 m more.", {"The rope", "the cord"}, {"m"}),
        ("A hat costs 4 dollars.", {"A hat"}, {"dollars", "4 dollars"}),
        ("The lamp burns for 8 hours.", {"The lamp"}, {"hours", "8 hours"}),
        ("Four kilos of figs were sold for 31 dollars.", {"kilos of figs"}, {"kilos", "dollars"}),
        ("Plant one birch for every 60 metres.", {"metres"}, {"60"}),
        ("Add 2 pegs per 3 feet.", {"feet", "pegs"}, {"2 pegs per"}),
        ("The rent is 5 dollars a day and 2 a mile.", {"The rent", "a mile"}, {"dollars"}),
    ],
)
def test_numbers_and_labels_are_no_candidates(annotator, text, there, gone):
    found = phrases(annotator, text)
    assert there <= found and not gone & found


def test_an_interval_in_the_way_is_refused_by_name(annotator):
    why = check_mentions(find_mentions(annotator(["The wall is 10 to 12 metres longer than it was."])[0]), Limits())
    assert why.code == "interval" and why.text == REASONS["interval"] + ": '10 to 12'"
    assert check_mentions(find_mentions(annotator(["From 2010 to 2012 sales rose by 5."])[0]), Limits()) is None


@pytest.mark.parametrize("text", ["A number plus XII is 20.", "The barn is 1,5 metres longer than the shed."])
def test_a_number_that_is_not_read_is_refused_by_name(annotator, text):
    assert check_mentions(find_mentions(annotator([text])[0]), Limits()).code == "unreadable_number"


@pytest.mark.parametrize("text", [
    "1) Twice a number is 8. 2) Three times a number is 9.", "(a) Twice a number is 8. (b) Half a number is 3.",
    "5) A number plus 4 is 9. 6) A number less 4 is 9.", "a) Twice a number is 8. b) Three times it is 9.",
])
def test_a_labelled_list_has_several_sentences(annotator, text):
    m = find_mentions(annotator([strip_markup(text).text])[0])
    assert check_mentions(m, Limits()).code == "several_sentences"
