"""A signature of a stage's features: a hash of the features that the stage finds in two fixed sentences.

The signature changes if a change to a feature, a hash, the meaning of a label, a candidate rule or the number grammar
affects these sentences; weights trained before the change then no longer fit. The sentences are annotated by hand, so
the signature does not depend on a spaCy pipeline.
"""

from __future__ import annotations

import hashlib
from copy import copy

import numpy as np
import torch

from eqparse.stages.base import Stage
from eqparse.stages.derivation import NODE_LABELS
from eqparse.stages.registry import STAGES
from eqparse.text.annotate import Sentence
from eqparse.text.mentions import Mentions, find_mentions

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


@torch.no_grad()
def signature(stage: Stage) -> str:
    """The signature of a stage with its feature groups and bits, 16 hexadecimal digits.

    Independent of the stage's weights, of the order in which features are computed, and of the machine.
    """
    stage = copy(stage)
    stage.hashed_weight = 1.0  # where an encoder replaces the features, a stage has them all the same
    digest = hashlib.blake2b(digest_size=8)
    digest.update(f"{stage.name} {stage.labels} {NODE_LABELS}".encode())
    probes = STAGES[stage.name].stage.probes  # not its own: a user-defined class gets the same problems
    for probe in _PROBES:
        for problem in probes(_mentions(probe)):
            inputs = stage.batch([problem]).inputs
            digest.update(repr((inputs.rows, inputs.shape)).encode())
            for key, value in ((inputs.row, inputs.bucket), (inputs.part, inputs.entry)):
                key, value = key.cpu().numpy(), value.cpu().numpy()
                order = np.lexsort((value, key))
                digest.update(np.stack([key[order], value[order]]).astype("<i8").tobytes())
    return digest.hexdigest()
