"""The variable stage takes no part of what is compared as a whole, where its search is for a parse."""

from __future__ import annotations

import pytest
from tiny import hand_made, random_parser

from eqparse.stages.variable import VariableProblem, structures
from eqparse.structured.spaces.output_space import feasible

PAIR = ("Ida/NNP/1/nsubj is/VBZ/1/ROOT 3/CD/3/nummod years/NNS/4/npadvmod older/JJR/1/acomp than/IN/4/prep "
        "Kim/NNP/5/pobj and/CC/6/cc Lee/NNP/6/conj {}")
TOGETHER = PAIR.format("together/RB/6/advmod")


@pytest.mark.parametrize("seed", range(3))
def test_a_part_of_a_whole_is_no_phrase(seed):
    stage = random_parser(seed=seed, share=1.0).variable.eval()
    (m,) = hand_made(TOGETHER)
    batch = stage.batch([VariableProblem(m, (0,))])
    best = batch.space.kbest(stage.scores(batch), 200)
    names = [m.sentence.text[c.start : c.end] for c in m.candidates]
    found = {
        names[c] for parts, real in zip(best.parts, feasible(best.value), strict=True) if real
        for c in stage.decode(parts, batch.problems)[0]
    }
    assert "Kim and Lee together" in found and found.isdisjoint({"Kim", "Lee"})


@pytest.mark.parametrize("text, quantities", [(TOGETHER, (0,)), (PAIR.format("./,/6/punct"), (0,))])
def test_training_and_other_sentences_have_all_structures(text, quantities):
    stage = random_parser(share=1.0).variable.train(text == TOGETHER)
    (m,) = hand_made(text)
    mask = stage.batch([VariableProblem(m, quantities)]).space.mask[0]
    two = [n for n, choice in enumerate(structures(m)[: len(mask)]) if len(set(choice)) == 2]
    assert bool(mask[two].all())
