"""Training that goes on from a checkpoint, on other sentences or for longer."""

from __future__ import annotations

from eqparse.errors import CheckpointError
from eqparse.parser.pipeline import EquationParser
from eqparse.scoring.encoder.encoder import Tuned
from eqparse.systems.checkpoint import load_checkpoint
from eqparse.systems.encoder.attach import describe_encoder, pack_encoder, reading, trained_tensors, unpack_encoder
from eqparse.systems.folder import find_checkpoint


def trained_before(
    checkpoint: str, *, base: str, depth: int | None, tuned: Tuned, rank: int, layers: int, marked: bool
) -> EquationParser:
    """The parser in a checkpoint, whose encoder can be trained further with these options.

    Raises CheckpointError if it cannot be read, or has another base model, other adapters or other trained layers.
    """
    before = load_checkpoint(find_checkpoint(checkpoint)).parser
    where = f"checkpoint {checkpoint}"
    if getattr(before, "encoder", None) is None:
        raise CheckpointError(f"{where}: expected an encoder to train further, found none; name another checkpoint")
    had = describe_encoder(before)
    given = {"base": base, "depth": depth, "tuned": str(tuned), "rank": rank, "marked": marked}
    if tuned == Tuned.top:
        given["layers"] = layers
    for name, has in given.items():
        if had[name] != has:
            raise CheckpointError(
                f"{where}: expected an encoder with {name} {has}, to train it further; found {had[name]}; give the "
                "options that it was trained with"
            )
    return before


def start_from(parser: EquationParser, before: EquationParser, checkpoint: str) -> None:
    """Give a parser the encoder and the heads of another, which may have further stages.

    Raises CheckpointError if it lacks stages, or if what is trained of its encoder or its heads has other shapes.
    """
    where = f"checkpoint {checkpoint}"
    if lacking := [name for name in reading(parser) if name not in reading(before)]:
        why = ", since some of these sentences state no equation: stage.refusal=false does without" if (
            lacking == ["refusal"]) else ""
        raise CheckpointError(
            f"{where}: expected the stages {', '.join(reading(parser))}, to train them further, found no "
            f"{' and no '.join(lacking)}{why}; give the options that it was trained with"
        )
    had = pack_encoder(before)
    for name, parameter in trained_tensors(parser).items():
        expected, found = tuple(parameter.shape), getattr(had.get(name), "shape", None)
        if found != expected:
            raise CheckpointError(
                f"{where}: expected {name} with the shape {expected}, to train it further; found "
                f"{'none' if found is None else found}; give the options that it was trained with"
            )
    unpack_encoder(parser, had, where)
