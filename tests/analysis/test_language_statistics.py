"""How the sentences of a corpus are written."""

from __future__ import annotations

import pytest

from eqparse.analysis.language_statistics import language_statistics, opposite_verbs
from eqparse.commands.corpus_tables import opposite_rows
from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.text.annotate import Sentence
from eqparse.text.mentions import find_mentions

PAIR = "Mira lent the club 40 pounds , 6 {} than Tove did with 3 others ."


def example(id_: str, text: str, equation: str | None, **variables) -> Example:
    spans = {name: ((text.index(phrase), text.index(phrase) + len(phrase)),) for name, phrase in variables.items()}
    return Example(id_, text, None if equation is None else Equation.parse(equation), spans)


@pytest.fixture
def corpus():
    examples = [
        example("a", PAIR.format("more"), "40 = 6 + V1", V1="Tove"),
        example("b", PAIR.format("fewer"), "40 = V1 - 6", V1="Tove"),
        example("c", "The rest left at 9 .", None),
        example("d", "Twice " + "very " * 30 + "old it is 8 .", "2 * V1 = 8", V1="it"),
    ]
    tags = {"lent": "VBD", "left": "VBD", "did": "VBD", "is": "VBZ"}
    lemmas = {"lent": "lend", "left": "leave", "did": "do", "is": "be"}
    mentions = []
    for e in examples:
        words = e.text.split()
        mentions.append(find_mentions(Sentence.from_words(
            words, tags=[tags.get(w, "NN") for w in words], heads=[0] * len(words),
            lemmas=[lemmas.get(w, w.lower()) for w in words],
        )))
    return examples, mentions


def test_language_statistics(corpus):
    found = language_statistics(*corpus)
    assert found["short"] == [1, 4] and found["long"] == [1, 4]
    assert found["unused_numbers"] == [3, 4]  # 3 twice, and 9
    assert found["refer_back"] == [2, 4]  # the rest, it
    assert found["verbs"] == [4, 0]
    assert found["minimal_pairs"] == 1


def test_opposite_verbs_are_counted_where_there_is_an_equation(corpus):
    opposites = language_statistics(*corpus)["opposites"]
    assert opposites["lend / borrow"] == [2, 0] and opposites["enter / leave"] == [0, 0]  # "left" states nothing


def test_what_is_printed_of_opposite_verbs():
    pairs = {"rise / fall": [7, 5], "lend / borrow": [9, 4], "find / lose": [0, 6], "win / forfeit": [0, 0]}
    assert opposite_rows(pairs) == [
        ("verbs that occur", "5 of 8 (62.5 %)"),
        ("pairs, both 5 times or more", "1 of 4 (25.0 %)"),
        ("the others", "lend / borrow 9 / 4, find / lose 0 / 6"),
        ("pairs of which neither occurs", "1"),
    ]
    assert opposite_rows({"rise / fall": [7, 5]})[-2] == ("the others", "none")


def test_opposite_verbs_are_plain_and_differ():
    pairs = opposite_verbs()
    assert len(pairs) >= 75 and len({verb for pair in pairs for verb in pair}) >= 150
    assert len(set(map(frozenset, pairs))) == len(pairs) and all(a != b for a, b in pairs)
    assert all(verb.isascii() and verb.isalpha() and verb.islower() for pair in pairs for verb in pair)


def test_an_empty_corpus_has_no_language():
    assert language_statistics([], [])["words"] == 0
