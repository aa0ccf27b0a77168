"""Gives a parser its encoder and its stages their heads, and stores what was trained of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from torch import Tensor

from eqparse.errors import ConfigError
from eqparse.parser.pipeline import EquationParser
from eqparse.plain import shown
from eqparse.scoring.encoder.base_model import MINILM, read_base
from eqparse.scoring.encoder.encoder import Encoder, Tuned
from eqparse.stages.base import Stage
from eqparse.stages.relation import RelationStage
from eqparse.systems.encoder.heads import HEADS, make_head
from eqparse.systems.weights import damaged


@dataclass(frozen=True, kw_only=True)
class EncoderOptions:
    """Which encoder a parser has, and how its scores are added to those of the hashed features.

    base: the base model: a folder, an installed package, or a name on the hub.
    depth: how many of its layers are used, from the bottom; all by default.
    tuned: what of it is trained.
    rank: of the low-rank adapters.
    layers: how many layers are trained where `tuned` is "top".
    marked: whether the variable and the tree stage read the text again, with what the stages before found marked.
    hashed_weight: what the scores of the hashed features are multiplied by; 0 does without them.
    """

    base: str = MINILM
    depth: int | None = None
    tuned: Tuned = Tuned.low_rank
    rank: int = 64
    layers: int = 3
    marked: bool = False
    hashed_weight: float = 2.0


def attach_encoder(parser: EquationParser, options: EncoderOptions, *, sha256: str | None = None) -> None:
    """Add an encoder and untrained heads to a parser. Raises ConfigError or CheckpointError as `read_base` does.

    sha256: of the base model's weights, where only those will do.
    """
    base = read_base(options.base, depth=options.depth, expected=sha256)
    parser.encoder = Encoder(
        base, tuned=options.tuned, rank=options.rank, layers=options.layers, marked=options.marked
    )
    for name, stage in reading(parser).items():
        if name not in HEADS:
            raise ConfigError(f"stage {name}: expected one of {', '.join(HEADS)}, the stages that have a head")
        stage.head = make_head(stage, parser.encoder)
        stage.hashed_weight = options.hashed_weight


def describe_encoder(parser: EquationParser) -> dict[str, Any]:
    """Plain data from which `read_encoder` gets the options again, and the SHA-256 of the base model's weights."""
    encoder = parser.encoder
    return {
        "base": encoder.name, "sha256": encoder.sha256, "depth": encoder.depth, "tuned": str(encoder.tuned),
        "rank": encoder.rank, "layers": encoder.layers, "marked": encoder.marks is not None,
        "hashed_weight": parser.quantity.hashed_weight,
    }


def read_encoder(data: Any, where: str) -> tuple[EncoderOptions, str]:
    """The options and the SHA-256 that `describe_encoder` wrote. Raises CheckpointError for anything else."""
    try:
        found = EncoderRecord.model_validate(data)
    except ValidationError as error:
        raise damaged(where, "the description of an encoder", shown(data)) from error
    return EncoderOptions(**found.model_dump(exclude={"sha256"})), found.sha256


class EncoderRecord(BaseModel):
    """The description of an encoder in config.yaml."""

    model_config = ConfigDict(extra="forbid")

    base: str
    sha256: str
    depth: int | None = Field(None, ge=1, le=1000)
    tuned: Tuned
    rank: int = Field(ge=1, le=1024)
    layers: int = Field(ge=1, le=1000)
    marked: bool = False
    hashed_weight: float = Field(ge=0, allow_inf_nan=False)


def pack_encoder(parser: EquationParser) -> dict[str, np.ndarray]:
    """What a checkpoint keeps: what was trained of the encoder, and the heads, in half precision."""
    return {name: p.detach().half().cpu().numpy() for name, p in trained_tensors(parser).items()}


def finish(parser: EquationParser) -> None:
    """Make a trained parser ready for use: its encoder fast, its heads exact.

    The heads compute in double precision, so that what they add up does not depend on what else is in a batch.
    """
    parser.encoder.finish()
    for stage in reading(parser).values():
        stage.head.double()


def reading(parser: EquationParser) -> dict[str, Stage]:
    """The stages that read the text, by name; the relation stage compares what these find."""
    return {name: stage for name, stage in parser.stages.items() if name != RelationStage.name}


@torch.no_grad()
def unpack_encoder(parser: EquationParser, tensors: dict[str, np.ndarray], where: str) -> None:
    """Move the encoder's tensors out of `tensors` into the parser. Raises CheckpointError if they do not fit."""
    for name, parameter in trained_tensors(parser).items():
        found = tensors.pop(name, None)
        if found is None or found.shape != tuple(parameter.shape) or found.dtype != np.float16:
            what = "nothing" if found is None else f"{found.dtype} {found.shape}"
            raise damaged(f"{where}, {name}", f"float16 {tuple(parameter.shape)}", what)
        if not np.isfinite(found).all():
            raise damaged(f"{where}, {name}", "finite weights", "some that are not")
        parameter.copy_(torch.from_numpy(found))


def trained_tensors(parser: EquationParser) -> dict[str, Tensor]:
    """What training sets beside the weights of the hashed features, by name."""
    heads = {
        f"head.{name}.{part}": p for name, stage in reading(parser).items()
        for part, p in stage.head.named_parameters()
    }
    return {f"encoder.{name}": p for name, p in parser.encoder.trained().items()} | heads
