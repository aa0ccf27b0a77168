"""Small parsers that several test files share: one trained in a second, one with random weights and no pipeline."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import torch

from eqparse.corpus import read_examples
from eqparse.parser.pipeline import EquationParser
from eqparse.parser.texts import Parser
from eqparse.stages.relation import RelationStage
from eqparse.structured.svm import Subgradient
from eqparse.text.annotate import Annotator, Sentence
from eqparse.text.mentions import Mentions, find_mentions
from eqparse.training.options import LexiconRules, StageOptions
from eqparse.training.train import build_parser, train_parser

ROOT = Path(__file__).resolve().parents[2]
GROUPS = {
    "quantity": ("neighbourhood", "quantity"),
    "variable": ("variable", "neighbourhood", "rich"),
    "coreference": ("rich",),
    "refusal": ("rich",),
    "tree": ("neighbourhood", "connecting", "number"),
}
SENTENCES = (
    ("The/DT/1/det mast/NN/2/nsubj is/VBZ/2/ROOT 4/CD/4/nummod feet/NNS/5/npadvmod longer/JJR/2/acomp than/IN/5/prep "
     "the/DT/8/det boat/NN/6/pobj"),
    ("Ida/NNP/1/nsubj planted/VBD/1/ROOT 3/CD/5/nummod times/NNS/5/quantmod as/RB/5/advmod many/JJ/6/amod "
     "tulips/NNS/1/dobj as/IN/6/prep Jon/NNP/7/pobj"),
    "Both/DT/1/det pumps/NNS/2/nsubj move/VBP/2/ROOT 90/CD/4/nummod litres/NNS/2/dobj",
    ("Half/NN/4/nsubj of/IN/0/prep the/DT/3/det salt/NN/1/pobj is/VBZ/4/ROOT 7/CD/6/nummod grams/NNS/4/attr "
     "less/JJR/6/amod than/IN/7/prep 5/CD/10/nummod %/NN/8/pobj of/IN/10/prep the/DT/13/det brine/NN/11/pobj"),
)


def hand_made(*sentences: str) -> list[Mentions]:
    """Mentions of sentences written as word/tag/head/dep."""
    made = []
    for sentence in sentences or SENTENCES:
        words, tags, heads, deps = zip(*(token.rsplit("/", 3) for token in sentence.split()), strict=True)
        made.append(find_mentions(Sentence.from_words(words, tags=tags, heads=[int(h) for h in heads], deps=deps)))
    return made


def options(
    *, bits: int = 10, coreference: str = "learned", refusal: bool = False, lexicon: bool = True,
    projective: bool = True,
) -> StageOptions:
    rules = LexiconRules.paper if lexicon else LexiconRules.none
    return StageOptions(bits=bits, coreference=coreference, refusal=refusal, lexicon=rules, projective=projective)


TRAINING = {"features": GROUPS, "phrases": "first", "block_size": 8, "max_rounds": 5}
"""What a run would say of training beside the options of the stages and the solver."""


def random_parser(*, seed: int = 0, share: float = 0.5, relation: bool = False, **kinds) -> EquationParser:
    """A parser with random weights, a share of them nonzero, that half precision holds exactly."""
    parser = build_parser(features=GROUPS, options=options(**kinds)).eval()
    if relation:
        parser.relation = RelationStage(groups=("rich",), bits=parser.tree.bits)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in parser.parameters():
            values = torch.randn(weight.shape, generator=generator).half().float()
            weight.copy_(values * (torch.rand(weight.shape, generator=generator) < share))
    return parser


@cache
def examples() -> tuple:
    return tuple(read_examples(ROOT / "data")[:40])


@cache
def trained() -> Parser:
    """A parser trained on 40 of the sentences in data/; loads the pipeline."""
    annotator = Annotator()
    mentions = [find_mentions(sentence) for sentence in annotator([e.text for e in examples()])]
    training = train_parser(
        examples(), mentions, options=options(bits=14), **TRAINING,
        make_solver=lambda name, n: Subgradient(regularization=1 / n, epochs=5),
    )
    return Parser(annotator, training.parser)
