"""Gives a parser its encoder and its stages their heads."""

from __future__ import annotations

from dataclasses import dataclass

from eqparse.errors import ConfigError
from eqparse.parser.pipeline import EquationParser
from eqparse.scoring.encoder.base_model import PUBLISHED, read_base
from eqparse.scoring.encoder.encoder import Encoder, Tuned
from eqparse.systems.encoder.heads import HEADS, make_head


@dataclass(frozen=True, kw_only=True)
class EncoderOptions:
    """Which encoder a parser has, and how its scores are added to those of the hashed features.

    base: the base model: a folder, an installed package, or a name on the hub.
    tuned: what of it is trained.
    rank: of the low-rank adapters.
    layers: how many layers are trained where `tuned` is "top".
    hashed_weight: what the scores of the hashed features are multiplied by; 0 does without them.
    """

    base: str = next(iter(PUBLISHED))
    tuned: Tuned = Tuned.low_rank
    rank: int = 16
    layers: int = 3
    hashed_weight: float = 2.0


def attach_encoder(parser: EquationParser, options: EncoderOptions, *, sha256: str | None = None) -> None:
    """Add an encoder and untrained heads to a parser. Raises ConfigError or CheckpointError as `read_base` does.

    sha256: of the base model's weights, where only those will do.
    """
    base = read_base(options.base, expected=sha256)
    parser.encoder = Encoder(base, tuned=options.tuned, rank=options.rank, layers=options.layers)
    for name, stage in parser.stages.items():
        if name not in HEADS:
            raise ConfigError(f"stage {name}: expected one of {', '.join(HEADS)}, the stages that have a head")
        stage.head = make_head(stage, parser.encoder)
        stage.hashed_weight = options.hashed_weight
