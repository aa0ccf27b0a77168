"""Decoders: one stage after the other, and a beam against every combination of quantities, phrases and trees."""

from __future__ import annotations

import pytest
from joint_parses import TEXTS, every_parse, joint
from tiny import hand_made, random_parser

from eqparse.parser.beam import BeamDecoder, best_triggers
from eqparse.parser.limits import reason
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.nonprojective import SubsetTreeStage
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem
from eqparse.text.triggers import trigger_list


def test_each_stage_has_its_best_structure_given_those_before_it():
    tried = 0
    for parser in (random_parser(seed=seed, share=1.0) for seed in range(9)):
        for m, parse in zip(hand_made(), parser.parse_mentions(hand_made()), strict=True):
            if parse.equation is None:  # random weights may choose what no text states
                assert parse.reason_code == "no_equation"
                continue
            tried += 1
            (quantities,), (first,) = parser.quantity.argmax([m])
            (phrases,), (second,) = parser.variable.argmax([VariableProblem(m, quantities)])
            spans = {(m.candidates[c].start, m.candidates[c].end) for c in phrases}
            assert spans == {span for found in parse.variables.values() for span in found}
            (tree,), (third,) = parser.tree.argmax([TreeProblem(m, parse.triggers)])
            assert (tree, len(quantities)) == (parse.nodes, sum(t.quantity is not None for t in parse.triggers))
            assert parse.score == pytest.approx(float(first + second + third), abs=1e-3)
    assert tried > 3


def test_a_parser_answers_what_its_decoder_finds():
    class Mute:
        stages_apart = False

        def decode(self, parser, mentions):
            return [reason("no_equation", "mute") for _ in mentions]

    plain = random_parser()
    parser = EquationParser(**dict(plain.named_children()), decoder=Mute()).eval()
    assert {p.reason for p in parser.parse_mentions(hand_made())} == {"the text states no equation: mute"}
    assert any(p.equations for p in plain.parse_mentions(hand_made()))


def test_a_beam_searches_trees_that_are_not_projective():
    plain = random_parser(share=1.0, lexicon=False)
    subsets = SubsetTreeStage(groups=plain.tree.groups, bits=plain.tree.bits).eval()
    subsets.load_state_dict(plain.tree.state_dict())
    stages = dict(plain.named_children())
    for text in TEXTS:
        (m,) = hand_made(text)
        found = [
            EquationParser(**stages | {"tree": tree}, decoder=BeamDecoder(beam=20)).eval().parse_mentions([m])[0].score
            for tree in (plain.tree, subsets)
        ]
        assert found[1] >= found[0] - 1e-3  # every projective tree is among those over subsets


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("text", TEXTS)
def test_a_beam_that_covers_the_space_finds_the_best_of_all(seed, text):
    (m,) = hand_made(text)
    parser = joint(beam=1000, seed=seed, lexicon=False)
    (lists,) = best_triggers(parser, [m], beam=1000)
    assert lists.exact
    everything = every_parse(parser, m)
    assert len(lists.choices) == len({(q, u) for _, q, u, _ in everything})
    (parse,) = parser.parse_mentions([m])
    best = max(everything)
    if len(trigger_list(m, *best[1:3])) < 3:
        assert parse.reason_code == "no_equation" and "alone" in parse.reason
        return
    assert parse.score == pytest.approx(best[0], abs=1e-3)
    chosen = next(e for e in everything if e[3] == parse.nodes and trigger_list(m, *e[1:3]) == parse.triggers)
    assert chosen[0] == pytest.approx(best[0], abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_a_narrow_beam_takes_the_best_lists_and_says_that_it_is_not_exact(seed):
    mentions = hand_made()
    wide = best_triggers(joint(beam=1, seed=seed), mentions, beam=100_000)
    narrow = best_triggers(joint(beam=1, seed=seed), mentions, beam=7)
    for all_of, some in zip(wide, narrow, strict=True):
        assert all_of.exact and (some.exact == (len(all_of.choices) <= 7))
        assert list(some.scores) == pytest.approx(list(all_of.scores[:7]), abs=1e-4)
        assert list(all_of.scores) == sorted(all_of.scores, reverse=True)
    exact = [p.score for p in joint(beam=100_000, seed=seed, lexicon=False).parse_mentions(mentions)]
    found = [p.score for p in joint(beam=3, seed=seed, lexicon=False).parse_mentions(mentions)]
    both = [(f, e) for f, e in zip(found, exact, strict=True) if None not in (f, e)]
    assert both and all(f <= e + 1e-3 for f, e in both)
