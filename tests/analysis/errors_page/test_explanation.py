"""Scores are the parser's own, and the features named make up the difference."""

from __future__ import annotations

import pytest
from parses import answered
from report_runs import answer
from tiny import SENTENCES, hand_made, random_parser

from eqparse.analysis.errors_page import diagnose, explanation
from eqparse.analysis.errors_page.entry import Entry
from eqparse.analysis.errors_page.page import render
from eqparse.analysis.errors_page.run import with_scores
from eqparse.corpus.example import Example
from eqparse.equation.equation import Equation
from eqparse.parser.beam import BeamDecoder
from eqparse.parser.pipeline import EquationParser, spans_of
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.text.annotate import string_id

MENTIONS = hand_made()
EQUATIONS = ("V1 = 4 + V2", "V1 = 3 * V2", "V1 = 90", "(0.5 * V1) + 7 = 0.05 * V2")


def gold_example(m, equation: str) -> Example:
    """An annotation that names the sentence's last candidates."""
    parsed = Equation.parse(equation)
    spans = spans_of(m)
    chosen = [spans[0], spans[-1]] if len(parsed.variables) == 2 else [spans[0]]
    return Example("m", m.sentence.text, parsed, dict(zip(parsed.variables, ((s,) for s in chosen), strict=True)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("coreference", ["learned", "rules"])
def test_scores_are_the_parsers_and_features_make_up_the_difference(seed, coreference, monkeypatch):
    monkeypatch.setattr(explanation, "TOP", 100_000)
    parser = random_parser(seed=seed, coreference=coreference, lexicon=False)
    parses = parser.parse_mentions(MENTIONS)
    explained = 0
    for m, parse, equation in zip(MENTIONS, parses, EQUATIONS, strict=True):
        if parse.equation is None:  # random weights may choose an amount and its value alone
            assert parse.reason_code == "no_equation"
            continue
        found = explanation.explain(parser, gold_example(m, equation), m, parse, strings=lambda value: None)
        scores = {s.stage: s for s in found.scores}
        assert parse.score == pytest.approx(
            sum(scores[name].predicted for name in ("quantity", "variable", "tree")), abs=1e-4)
        for score in found.scores:
            if score.same and score.gold is not None:  # the predicted one is the argmax of its problem
                assert score.predicted >= score.gold - 1e-4
        if found.stage:
            explained += 1
            gap = scores[found.stage].predicted - scores[found.stage].gold
            assert sum(f.weight for f in found.features) == pytest.approx(gap, abs=1e-3)
            sizes = [abs(f.weight) for f in found.features]
            assert sizes == sorted(sizes, reverse=True)
            assert not any("another kind" in f.name for f in found.features)
    assert explained > 0


def test_other_systems_are_explained_too(monkeypatch):
    monkeypatch.setattr(explanation, "TOP", 100_000)
    plain = random_parser(seed=3, lexicon=False)
    stages = {name: getattr(plain, name) for name in ("quantity", "variable", "coreference")}
    subsets = SubsetTreeStage(groups=plain.tree.groups, bits=plain.tree.bits).eval()
    subsets.load_state_dict(plain.tree.state_dict())
    joint = EquationParser(**stages, tree=plain.tree, decoder=BeamDecoder(beam=20))
    for parser in (joint, EquationParser(**stages, tree=subsets)):
        for m, parse, equation in zip(MENTIONS, parser.parse_mentions(MENTIONS), EQUATIONS, strict=True):
            if parse.equation is None:  # random weights may choose an amount and its value alone
                assert parse.reason_code == "no_equation"
                continue
            found = explanation.explain(parser, gold_example(m, equation), m, parse, strings=lambda value: None)
            scores = {s.stage: s for s in found.scores}
            assert parse.score == pytest.approx(
                sum(scores[name].predicted for name in ("quantity", "variable", "tree")), abs=1e-4)
            assert found.stage
            gap = scores[found.stage].predicted - scores[found.stage].gold
            assert sum(f.weight for f in found.features) == pytest.approx(gap, abs=1e-3)
            assert not any("another kind" in f.name for f in found.features)


def test_only_the_weightiest_features_are_kept_with_words_for_their_hashes():
    parser = random_parser(seed=2, lexicon=False)
    m = MENTIONS[3]
    strings = {string_id(w): w for token in SENTENCES[3].split() for w in token.split("/")}
    parse = parser.parse_mentions([m])[0]
    found = explanation.explain(parser, gold_example(m, EQUATIONS[3]), m, parse, strings=strings.get)
    assert found.stage and 0 < len(found.features) <= 10
    shown = " ".join(f.name for f in found.features)
    assert "→" in shown and "(?)" not in shown


def test_a_sentence_that_no_parse_gets_right_has_no_gold_score():
    parser = random_parser(lexicon=False)
    m = MENTIONS[0]
    impossible = Example("m", m.sentence.text, Equation.parse("V1 = 77"), {"V1": ((0, 8),)})
    found = explanation.explain(parser, impossible, m, parser.parse_mentions([m])[0], strings=lambda v: None)
    assert [s.gold for s in found.scores if s.stage in ("quantity", "variable", "tree")] == [None] * 3
    assert found.features == ()
    page = render("t", [Entry(impossible, answer(impossible, right=False), diagnose(impossible, answer(
        impossible, right=False)), unreachable="the numbers <are> not found", explanation=found)])
    assert "not available" in page and "the numbers &lt;are&gt; not found" in page


def test_a_parse_that_differs_from_the_run_is_not_explained():
    parser = random_parser(lexicon=False)
    m = MENTIONS[0]
    e = gold_example(m, EQUATIONS[0])
    same = parser.parse_mentions([m])[0]
    other = answered(e.text, Equation.parse("V1 = 123"), {"V1": ((0, 8),)})
    made = [Entry(e, p, diagnose(e, p)) for p in (same, other)]
    first, second = with_scores(parser, made, [m, m], lambda value: None)
    assert first.explanation is not None and not first.no_scores
    assert second.explanation is None and "differently than the run" in second.no_scores
