"""Training that goes on from a checkpoint, on other sentences or for longer."""

from __future__ import annotations

from eqparse.errors import CheckpointError
from eqparse.parser.pipeline import EquationParser
from eqparse.systems.checkpoint import load_checkpoint
from eqparse.systems.encoder.attach import describe_encoder, pack_encoder, unpack_encoder
from eqparse.systems.folder import find_checkpoint


def trained_before(checkpoint: str, *, base: str, depth: int | None, tuned: str, rank: int) -> EquationParser:
    """The parser in a checkpoint, whose encoder can be trained further with these options.

    Raises CheckpointError if it cannot be read, or has another base model or other adapters.
    """
    before = load_checkpoint(find_checkpoint(checkpoint)).parser
    where = f"checkpoint {checkpoint}"
    if getattr(before, "encoder", None) is None:
        raise CheckpointError(f"{where}: expected an encoder to train further, found none; name another checkpoint")
    had = describe_encoder(before)
    for name, has in {"base": base, "depth": depth, "tuned": str(tuned), "rank": rank}.items():
        if had[name] != has:
            raise CheckpointError(
                f"{where}: expected an encoder with {name} {has}, to train it further; found {had[name]}; give the "
                "options that it was trained with"
            )
    return before


def start_from(parser: EquationParser, before: EquationParser, checkpoint: str) -> None:
    """Give a parser the encoder and the heads of another. Raises CheckpointError if it has other stages."""
    unpack_encoder(parser, pack_encoder(before), f"checkpoint {checkpoint}")
