"""Training that goes on from a checkpoint, on other sentences or for longer."""

from __future__ import annotations

from eqparse.errors import CheckpointError
from eqparse.parser.pipeline import EquationParser
from eqparse.systems.checkpoint import load_checkpoint
from eqparse.systems.encoder.attach import describe_encoder, pack_encoder, unpack_encoder
from eqparse.systems.folder import find_checkpoint


def start_from(parser: EquationParser, checkpoint: str) -> None:
    """Give a parser the encoder and the heads of a checkpoint, to be trained further.

    Raises CheckpointError if it cannot be read, or has another base model, other adapters or other stages.
    """
    before = load_checkpoint(find_checkpoint(checkpoint)).parser
    where = f"checkpoint {checkpoint}"
    if before.encoder is None:
        raise CheckpointError(f"{where}: expected an encoder to train further, found none; name another checkpoint")
    had, has = describe_encoder(before), describe_encoder(parser)
    for name in ("base", "sha256", "depth", "tuned", "rank"):
        if had[name] != has[name]:
            raise CheckpointError(
                f"{where}: expected an encoder with {name} {has[name]}, to train it further; found {had[name]}; give "
                "the options that it was trained with"
            )
    unpack_encoder(parser, pack_encoder(before), where)
