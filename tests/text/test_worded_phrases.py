"""Phrases that are found by the words around them."""

from __future__ import annotations

import pytest

from eqparse.text.annotate import Annotator
from eqparse.text.mentions import find_mentions
from eqparse.text.worded_phrases import find_worded, is_year


def worded(text: str, tags: str) -> set[str]:
    words = text.split()
    found = find_worded([word.lower() for word in words], tags.split())
    return {" ".join(words[first : last + 1]) for first, last in found}


@pytest.mark.parametrize(("text", "tags", "phrase"), [
    ("Cod is dearer than hake by 3 .", "NN VBZ JJR IN VB IN CD .", "hake"),
    ("It costs as much as flour does .", "PRP VBZ RB JJ IN VB VBZ .", "flour"),
    ("Rent here beats that on the new wing .", "NN RB VBZ IN IN DT JJ NN .", "that on the new wing"),
    ("Speakers outnumber those against by 2 .", "NNS VBP DT IN IN CD .", "those against"),
    ("It is half of what fell on the coast .", "PRP VBZ NN IN WP VBD IN DT NN .", "what fell on the coast"),
    ("Her grant is twice his minus 150 .", "PRP$ NN VBZ PDT PRP$ CC CD .", "his"),
    ("My total is triple Vera 's .", "PRP$ NN VBZ JJ NNP POS .", "Vera 's"),
    ("Hens outnumber cocks by 7 .", "VBZ VBP VBZ IN CD .", "cocks"),
    ("Hens outnumber cocks by 7 .", "VBZ VBP VBZ IN CD .", "Hens"),
    ("On Friday zinc stocks stood lower .", "IN NNP NN NNS VBD JJR .", "zinc stocks"),
    ("She spent 40 and the rest Rhys took .", "PRP VBD CD CC DT NN NNP VBD .", "the rest"),
    ("Exports rose 5 on 2017 .", "NNS VBD CD IN CD .", "2017"),
    ("It is 3 kilos heavier than the cart and the van combined .", "PRP VBZ CD NNS JJR IN DT NN CC DT NN VBN .",
     "the cart and the van"),
    ("She has more than Ann and Bo put together .", "PRP VBZ JJR IN NNP CC NNP VBN RB .", "Ann and Bo put together"),
    ("She has more than Ann and Bo between them .", "PRP VBZ JJR IN NNP CC NNP IN PRP .", "Ann and Bo between them"),
    ("Imports stood 5 over 2011 .", "NNS VBD CD IN CD .", "2011"),
    ("The kiln is 40 degrees hotter than when we lit it .", "DT NN VBZ CD NNS JJR IN WRB PRP VBD PRP .",
     "when we lit it"),
    ("My loaf weighs less than it did a week ago , I think .", "PRP$ NN VBZ JJR IN PRP VBD DT NN RB , PRP VBP .",
     "it did a week ago"),
    ("The creek lies 2 feet below where it stood in May .", "DT NN VBZ CD NNS IN WRB PRP VBD IN NNP .",
     "where it stood in May"),
    ("The hall is quieter than before .", "DT NN VBZ JJR IN RB .", "before"),
    ("As many boats sank as were raised .", "RB JJ NNS VBD IN VBD VBN .", "were raised"),
    ("Use 2 parts tar to the pail .", "VB CD NNS NN IN DT NN .", "tar"),
    ("The longer is 3 metres .", "DT JJR VBZ CD NNS .", "The longer"),
    ("Bo got 8 and the youngest twice that .", "NNP VBD CD CC DT JJS RB DT .", "the youngest"),
])
def test_a_phrase_that_the_tags_would_hide(text, tags, phrase):
    assert phrase in worded(text, tags)


@pytest.mark.parametrize(("text", "tags", "none"), [
    ("A number added to 5 gives 9 .", "DT NN VBN IN CD VBZ CD .", "A number added"),
    ("The nave 's roof leaks .", "DT NN POS NN VBZ .", "The nave 's"),
    ("It was built in 1984 .", "PRP VBD VBN IN CD .", "1984"),
    ("It is longer than 1200 .", "PRP VBZ JJR IN CD .", "1200 ."),
    ("The old mill grinds 3 sacks .", "DT JJ NN VBZ CD NNS .", "The old"),
    ("Parts of the hull leak .", "NNS IN DT NN VBP .", "of the hull"),
    ("It is lighter than it was , and we are glad .", "PRP VBZ JJR IN PRP VBD , CC PRP VBP JJ .",
     "it was , and we are glad"),
])
def test_what_is_no_such_phrase(text, tags, none):
    assert none not in worded(text, tags)


@pytest.mark.parametrize(("word", "is_one"), [
    ("1984", True), ("2022-23", True), ("2022–23", True),
    ("1200", False), ("2150", False), ("19845", False), ("2,000", False),
])
def test_years(word, is_one):
    assert is_year(word) == is_one


@pytest.mark.pipeline
def test_a_year_that_stands_for_what_there_was_in_it_is_a_candidate():
    text = "Our tannery used 19 % less chrome than in 2015."
    mentions = find_mentions(Annotator()([text])[0])
    assert "2015" in [text[c.start : c.end] for c in mentions.candidates]
