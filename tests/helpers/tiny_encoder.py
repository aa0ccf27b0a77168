"""A BERT of two layers with random weights, and parsers that read through it; no pretrained weights are needed."""

from __future__ import annotations

import string
from collections.abc import Collection
from pathlib import Path

import torch
from tiny import GROUPS, TRAINING, examples, options, random_parser
from transformers import BertConfig, BertModel, BertTokenizer

from eqparse.parser.pipeline import EquationParser
from eqparse.structured.svm import Subgradient
from eqparse.systems.encoder.attach import EncoderOptions, attach_encoder, finish, trained_tensors
from eqparse.systems.encoder.training import round_to_half, train_encoder
from eqparse.training.train import Training

WORDS = "the a of is are than as more less times twice half long high old metre cost weigh box tower ##s ##er ##ing"


def save_tiny(folder: Path, *, width: int = 32, positions: int = 64, seed: int = 0) -> Path:
    """Write a base model that reads at most `positions` word pieces; most words fall into letters."""
    letters = string.ascii_lowercase + string.digits + string.punctuation
    pieces = [*letters, *(f"##{c}" for c in letters), *WORDS.split()]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(pieces)]
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=width, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=2 * width, max_position_embeddings=positions, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, initializer_range=0.3,
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    BertTokenizer(vocab={word: n for n, word in enumerate(vocabulary)}).save_pretrained(folder)
    return folder


def random_encoder_parser(
    base: Path, *, seed: int = 0, finished: bool = True, hashed_weight: float = 2.0, tuned: str = "low_rank",
    marked: bool = False, **kinds,
) -> EquationParser:
    """A parser with random weights everywhere, which half precision holds exactly."""
    parser = random_parser(seed=seed, **kinds)
    torch.manual_seed(seed)
    attach_encoder(parser, EncoderOptions(
        base=str(base), tuned=tuned, rank=4, layers=1, hashed_weight=hashed_weight, marked=marked
    ))
    with torch.no_grad():
        for parameter in trained_tensors(parser).values():
            parameter.add_(0.3 * torch.randn_like(parameter))
    round_to_half(parser)
    if finished:
        finish(parser)
    return parser.eval()


def train_tiny(base: Path, mentions, *, some: Collection = (), projective: bool = True, **changes) -> Training:
    """Train on 40 sentences of data/, or on `some`."""
    given = {"epochs": 2, "rank": 4, "layers": 1, "head_learning_rate": 0.01} | changes
    return train_encoder(
        some or examples(), mentions, **{**TRAINING, "features": GROUPS},
        options=options(bits=12, refusal=True, projective=projective),
        base=str(base), make_solver=lambda name, n: Subgradient(regularization=1 / n, epochs=3), **given,
    )
