"""A signature of the features: a hash of what two fixed sentences look like to a stage.

It changes when a feature, a hash, a label's meaning, a candidate rule or the number grammar changes what these
sentences have, which is when weights trained before no longer fit. The sentences are annotated by hand, so that no
pipeline is needed and none takes part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from eqparse.stages.base import Stage
from eqparse.stages.coreference import CoreferenceProblem
from eqparse.stages.derivation import NODE_LABELS
from eqparse.stages.tree import TreeProblem
from eqparse.stages.variable import VariableProblem, structures
from eqparse.text.annotate import Sentence
from eqparse.text.mentions import Mentions, find_mentions
from eqparse.text.triggers import trigger_list

# word/tag/head/dep, head as the index of a token
_PROBES = (
    "The/DT/1/det tower/NN/2/nsubj is/VBZ/2/ROOT 30/CD/4/nummod metres/NNS/5/npadvmod taller/JJR/2/acomp "
    "than/IN/5/prep twice/RB/9/predet the/DT/9/det height/NN/6/pobj of/IN/9/prep the/DT/12/det chapel/NN/10/pobj "
    "././2/punct",
    "Of/IN/8/prep the/DT/3/det two/CD/3/nummod bakers/NNS/0/pobj ,/,/8/punct Mr/NNP/6/compound Lund/NNP/8/nsubj "
    "'s/POS/6/case sold/VBD/8/ROOT 4.5/CD/10/nummod %/NN/11/npadvmod more/JJR/12/amod rolls/NNS/8/dobj "
    "than/IN/11/prep half/NN/13/pobj of/IN/14/prep the/DT/17/det loaves/NNS/15/pobj that/WDT/19/dobj "
    "baked/VBN/17/relcl ././8/punct",
)


def _mentions(probe: str) -> Mentions:
    words, tags, heads, deps = zip(*(token.rsplit("/", 3) for token in probe.split()), strict=True)
    return find_mentions(Sentence.from_words(words, tags=tags, heads=[int(h) for h in heads], deps=deps))


def _pairs(m: Mentions) -> list[tuple[int, ...]]:
    """Three pairs of phrases: one that grounds both mentions, and two that lie apart."""
    pairs = [choice for choice in structures(m) if len(choice) == 2]
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    return [pairs[0], apart[0], apart[-1]]


def _trees(m: Mentions) -> list[TreeProblem]:
    return [
        TreeProblem(m, trigger_list(m, range(len(m.quantities)), list(zip(("V1", "V2"), pair, strict=True))))
        for pair in _pairs(m)
    ]


_PROBLEMS: dict[str, Callable[[Mentions], Sequence[Any]]] = {
    "variable": lambda m: [VariableProblem(m, (0,)), VariableProblem(m, tuple(range(len(m.quantities))))],
    "coreference": lambda m: [CoreferenceProblem(m, pair, len(m.quantities)) for pair in _pairs(m)],
    "tree": _trees,
}
"""How a stage's problems are made of a probe; a stage without an entry takes the mentions themselves."""


@torch.no_grad()
def signature(stage: Stage) -> str:
    """The signature of a stage with its feature groups and bits, 16 hexadecimal digits.

    Independent of the stage's weights, of the order in which features are computed, and of the machine.
    """
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{stage.name} {stage.labels} {NODE_LABELS}".encode())
    make = _PROBLEMS.get(stage.name, lambda m: [m])
    for probe in _PROBES:
        for problem in make(_mentions(probe)):
            inputs = stage.batch([problem]).inputs
            digest.update(repr((inputs.rows, inputs.shape)).encode())
            for key, value in ((inputs.row, inputs.bucket), (inputs.part, inputs.entry)):
                key, value = key.cpu().numpy(), value.cpu().numpy()
                order = np.lexsort((value, key))
                digest.update(np.stack([key[order], value[order]]).astype("<i8").tobytes())
    return digest.hexdigest()
