"""A parser that decodes by a beam, and every parse that a sentence allows."""

from __future__ import annotations

from itertools import combinations

import torch
from brute_force import all_trees
from tiny import random_parser

from eqparse.parser.beam import BeamDecoder
from eqparse.parser.pipeline import EquationParser
from eqparse.stages.coreference import resolve
from eqparse.stages.derivation import NODE_LABELS
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.text.triggers import trigger_list

TEXTS = (
    "Ida/NNP/1/nsubj planted/VBD/1/ROOT 3/CD/5/nummod times/NNS/5/quantmod as/RB/5/advmod many/JJ/6/amod "
    "tulips/NNS/1/dobj as/IN/6/prep Jon/NNP/7/pobj",
    "Two/CD/1/nummod pumps/NNS/2/nsubj move/VBP/2/ROOT 90/CD/4/nummod litres/NNS/2/dobj",
)


def joint(*, beam: int, seed: int = 0, **kinds) -> EquationParser:
    """A joint parser with random weights."""
    plain = random_parser(seed=seed, share=1.0, **kinds)
    stages = {name: getattr(plain, name) for name in ("quantity", "variable", "tree", "coreference")}
    return EquationParser(**stages, decoder=BeamDecoder(beam=beam)).eval()


@torch.no_grad()
def every_parse(parser: EquationParser, m) -> list[tuple[float, tuple, tuple, tuple]]:
    """(score, quantities, groundings, nodes) of every equation that a sentence allows, scored by the stages."""
    found = []
    batch = parser.quantity.batch([m])
    quantity = parser.quantity.scores(batch)[0]
    count = len(m.quantities)
    for chosen in (c for size in range(1, count + 1) for c in combinations(range(count), size)):
        batch = parser.variable.batch([VariableProblem(m, chosen)])
        variable, allowed = parser.variable.scores(batch)[0], batch.space.mask[0]
        for number, phrases in enumerate(structures(m)[: len(variable)]):
            if not allowed[number]:
                continue
            groundings = resolve(parser.coreference, [m], [phrases], [len(chosen)])[0]
            triggers = trigger_list(m, chosen, groundings)
            scores = parser.tree.scores(parser.tree.batch([TreeProblem(m, triggers)]))[0]
            for tree in all_trees(len(triggers), len(triggers), len(NODE_LABELS), [0]):
                total = quantity[list(chosen)].sum() + variable[number] + (tree * scores).sum()
                nodes = tuple(sorted(map(tuple, tree.nonzero().tolist())))
                found.append((float(total), chosen, groundings, nodes))
    return found
