"""The most probable relations, against a list of every reading of a small sentence."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
import torch
from brute_force import all_trees
from joint_parses import TEXTS
from tiny import SENTENCES, hand_made, random_parser

from eqparse.equation.equation import Equation
from eqparse.parser.calibration import Calibration
from eqparse.parser.limits import Limits, Reason
from eqparse.parser.nbest import NBest, exchanged, is_of_one_phrase, relation_of, says_nothing
from eqparse.parser.parse import GroundedEquation
from eqparse.parser.readings import Widths
from eqparse.parser.rules.unsaid import SURE, misread
from eqparse.stages.coreference import SAME, CoreferenceProblem, another, rules_say_same
from eqparse.stages.derivation import NODE_LABELS
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.text.triggers import name_mentions, trigger_list

LEAVES = 3  # of the equations that are listed: 12 trees for each trigger list
EVERYTHING = Widths(quantities=3, variables=110, trees=12, starts=10**6, least=1e-300)
TEMPERATURES = {"refusal": 0.5, "quantity": 2.0, "variable": 3.0, "coreference": 0.7, "tree": 1.5}


@torch.no_grad()
def log_softmax(parser, stage, problem, rows=None, mask=None):
    """log p of each part, or of each structure of `rows` (parts as 0 and 1), under the stage's temperature."""
    scores = getattr(parser, stage).scores(getattr(parser, stage).batch([problem]))[0] / TEMPERATURES[stage]
    values = scores if rows is None else (rows * scores).flatten(1).sum(1)
    values = values.double()
    return (values if mask is None else values.masked_fill(~mask, -torch.inf)).log_softmax(0).tolist()


def every_relation(parser, m) -> dict[Equation, float]:
    """Relation -> the sum of the probabilities of all readings of three leaves that state it.

    Of two amounts of one phrase, either may be V1: the more probable reading says which.
    """
    count, found, pairs = len(m.quantities), {}, {}
    sets = [c for size in range(1, count + 1) for c in combinations(range(count), size)]
    rows = torch.tensor([[float(q in chosen) for q in range(count)] for chosen in sets])
    for chosen, of_set in zip(sets, log_softmax(parser, "quantity", m, rows), strict=True):
        problem = VariableProblem(m, chosen)
        mask = parser.variable.batch([problem]).space.mask[0]
        phrases_log_p = log_softmax(parser, "variable", problem, torch.diag(mask.float()), mask)
        for phrases, of_phrases in zip(structures(m), phrases_log_p, strict=False):
            same = [(0.0, False)]
            if len(phrases) == 2 and parser.coreference is None:
                same = [(0.0, rules_say_same(m, phrases))]
            elif len(phrases) == 2 and not another(m, phrases):
                told = log_softmax(parser, "coreference", CoreferenceProblem(m, phrases, len(chosen)))
                same = [(p, value == SAME) for value, p in enumerate(told)]
            for of_same, is_same in same:
                triggers = trigger_list(m, chosen, name_mentions(phrases, same=is_same))
                if len(triggers) != LEAVES:
                    continue
                problem = TreeProblem(m, triggers)
                allowed = parser.tree.batch([problem]).space
                trees = all_trees(len(triggers), len(triggers), len(NODE_LABELS), [0]).float()
                fits = torch.stack([allowed.argmax(2 * y[None] - 1).value[0] >= y.sum() for y in trees])
                trees = trees[fits]
                answers = [
                    GroundedEquation.from_tree(triggers, tuple(sorted(map(tuple, tree.nonzero().tolist()))), 0.0)
                    for tree in trees
                ]
                log_p = log_softmax(parser, "tree", problem, trees)
                rules = [misread(m.sentence.text, one) for one in answers]
                sure = [p for p, rule in zip(log_p, rules, strict=True) if rule not in SURE]
                whole = torch.tensor(sure).logsumexp(0).item()  # what is misread for sure leaves its share
                for one, of_tree, rule in zip(answers, log_p, rules, strict=True):
                    relation = one.equation.canonical()
                    if rule is not None or says_nothing(one.equation, relation):
                        continue
                    p = torch.tensor(of_set + of_phrases + of_same + of_tree - whole).exp().item()
                    if len({*one.variables.values()}) < len(one.variables):
                        other = one.equation.renamed({"V1": "V2", "V2": "V1"}).canonical()
                        pairs.setdefault(frozenset([relation, other]), []).append((p, relation))
                    else:
                        found[relation] = found.get(relation, 0.0) + p
    for readings in pairs.values():
        _, relation = max(readings, key=lambda reading: reading[0])
        found[relation] = found.get(relation, 0.0) + sum(p for p, _ in readings)
    return found


@pytest.mark.parametrize(("text", "kinds"), [
    (TEXTS[0], {}),
    (TEXTS[0], {"coreference": "rules", "lexicon": False}),
    (TEXTS[1], {}),
])
def test_probabilities_are_those_of_all_readings_together(text, kinds):
    (m,) = hand_made(text)
    parser = random_parser(share=1.0, **kinds)
    parser.limits = Limits(leaves=LEAVES)
    assert len(structures(m)) <= EVERYTHING.variables
    (found,) = NBest(Calibration(TEMPERATURES), widths=EVERYTHING).relations(parser, [m])
    expected = every_relation(parser, m)
    assert len(found) == len(expected)
    for one in found:
        assert one.probability == pytest.approx(expected[one.best.equation.canonical()], rel=1e-3, abs=1e-9)
    assert found[0].probability == pytest.approx(max(expected.values()), rel=1e-3)


def test_two_amounts_of_one_phrase_may_be_exchanged():
    """V1 - 3 = V2 and V2 - 3 = V1 are one relation where V1 and V2 are the same phrase, and two where they are not."""
    parser, (m,) = random_parser(share=1.0), hand_made(TEXTS[0])
    found = NBest(Calibration(TEMPERATURES), widths=EVERYTHING).relations(parser, [m])[0]
    alike = [one for one in found if is_of_one_phrase(one.best)]
    assert alike
    assert not {exchanged(relation_of(one.best.equation)) for one in alike if not symmetric(one.best.equation)} & {
        relation_of(one.best.equation) for one in alike
    }
    assert {exchanged(relation_of(one.best.equation)) for one in found if not is_of_one_phrase(one.best)} & {
        relation_of(one.best.equation) for one in found
    }


def symmetric(equation: Equation) -> bool:
    return exchanged(relation_of(equation)) == relation_of(equation)


@pytest.mark.parametrize("seed", range(3))
def test_a_batch_has_the_relations_of_its_sentences(seed):
    parser, mentions = random_parser(seed=seed, share=1.0), hand_made(*SENTENCES, *TEXTS)
    decoder = NBest(Calibration(TEMPERATURES))
    together = decoder.relations(parser, mentions)
    for m, found in zip(mentions, together, strict=True):
        (alone,) = decoder.relations(parser, [m])
        assert [str(one.best.equation) for one in alone] == [str(one.best.equation) for one in found]
        assert [one.probability for one in alone] == pytest.approx([one.probability for one in found], abs=1e-5)
        assert sum(one.probability for one in found) <= 1 + 1e-5


def test_a_parse_has_its_confidence_and_alternatives():
    parser = random_parser(share=1.0)
    parser.decoder = NBest(Calibration(TEMPERATURES, slope=0.5, margin=0.1, intercept=0.3, sentences=9))
    parses = [parse for parse in parser.parse_mentions(hand_made()) if parse.equation is not None]
    assert max(len(parse.alternatives) for parse in parses) > 1
    for parse in parses:
        assert parse.alternatives[0].equation == parse.equation and parse.alternatives[0].variables == parse.variables
        assert 0 < parse.confidence == parse.alternatives[0].probability < 1
        probabilities = [one.probability for one in parse.alternatives]
        assert probabilities == sorted(probabilities, reverse=True) and sum(probabilities) <= 1 + 1e-9
        relations = [one.equation.canonical() for one in parse.alternatives]
        assert len(relations) == len(set(relations))
        assert parse.to_dict()["alternatives"][0]["equation"] == str(parse.equation)


def test_a_refusal_has_a_confidence_and_a_limit_has_none():
    parser = random_parser(share=1.0, refusal=True)
    calibration = Calibration(slope=0.2, intercept=0.5, sentences=1)
    parser.decoder = NBest(calibration)
    answers = parser.answers(hand_made())
    margins = parser.refusal_margins(hand_made(), answers)
    confidences = [
        None if isinstance(answer, Reason)
        else calibration.confidence([one.probability for one in answer.weighed], margin)
        for answer, margin in zip(answers, margins, strict=True)
    ]
    known = sorted(confidence for confidence in confidences if confidence is not None)
    assert known[0] < known[-1]
    parser.decoder = NBest(replace(calibration, least=known[-1] - 1e-5))
    for confidence, parse in zip(confidences, parser.parse_mentions(hand_made()), strict=True):
        if confidence == known[-1]:
            assert parse.equation is not None and parse.confidence == pytest.approx(confidence, abs=1e-5)
        elif confidence is not None:
            assert parse.reason_code == "no_equation" and not parse.alternatives
            assert parse.confidence == pytest.approx(1 - confidence, abs=1e-5)
    parser.decoder = NBest(Calibration(least=0.0, sentences=1))
    answered = [isinstance(answer, Reason) for answer in answers]
    assert [parse.equation is None for parse in parser.parse_mentions(hand_made())] == answered
    parser.limits = Limits(tokens=3)
    assert {(p.reason_code, p.confidence) for p in parser.parse_mentions(hand_made())} == {("too_long", None)}


def test_no_reading_has_more_leaves_than_the_limit():
    parser = random_parser(share=1.0)
    for leaves in (3, 4):
        parser.limits = replace(parser.limits, leaves=leaves)
        found = NBest(widths=Widths(variables=20, starts=20)).relations(parser, hand_made(TEXTS[0]))[0]
        assert found and all(3 <= len(one.best.triggers) <= leaves for one in found)
    parser.limits = replace(parser.limits, leaves=2)
    parser.decoder = NBest(Calibration(sentences=1))
    (parse,) = parser.parse_mentions(hand_made(TEXTS[0]))
    assert parse.equation is None and parse.confidence is None and parse.reason_code


def test_a_greedy_parser_says_nothing_of_probabilities():
    parser = random_parser()
    assert parser.calibration is None
    assert {(p.confidence, p.alternatives) for p in parser.parse_mentions(hand_made())} == {(None, ())}


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("V1 = V1 + 3", True), ("V2 - (0.1 * V1) = V2", True), ("3 * V1 = V1", True), ("2 * V1 = V1 + V1", True),
        ("(5 * V1) * V2 = V1 * V2", True), ("V1 - V2 = 0", False), ("3 * V1 = V2", False), ("V1 + 3 = 4", False),
        ("V1 = 2 - V1", False),
    ],
)
def test_what_no_text_states(text, nothing):
    equation = Equation.parse(text)
    assert says_nothing(equation, relation_of(equation)) is nothing


def test_a_number_that_is_left_out_gives_its_probability_to_all_other_readings(monkeypatch):
    """Half of the readings, by their phrases, are barred; the others have their shares of the whole."""
    parser, (m,) = random_parser(share=1.0), hand_made(TEXTS[0])
    decoder = NBest(Calibration(TEMPERATURES), widths=EVERYTHING)

    def bars(text, answer):
        return next(iter(SURE)) if len(answer.variables) == 2 else None

    monkeypatch.setattr("eqparse.parser.nbest.misread", lambda text, answer: None)
    before = {str(one.best.equation): one.probability for one in decoder.relations(parser, [m])[0]}
    monkeypatch.setattr("eqparse.parser.nbest.misread", bars)
    after = {str(one.best.equation): one.probability for one in decoder.relations(parser, [m])[0]}
    ratios = [after[name] / before[name] for name in after]
    assert after.keys() < before.keys() and min(ratios) > 1 and max(ratios) == pytest.approx(min(ratios))
