"""The available systems, and which of them wrote a checkpoint."""

from __future__ import annotations

from pathlib import Path

from eqparse.systems.ccg.checkpoint import FILE, load_ccg, save_ccg
from eqparse.systems.ccg.training import train_ccg
from eqparse.systems.checkpoint import MODEL, load_checkpoint, save_checkpoint
from eqparse.systems.joint.training import train_joint
from eqparse.systems.encoder.training import train_encoder
from eqparse.systems.system import System
from eqparse.training.train import train_parser

PIPELINE = System(train=train_parser, save=save_checkpoint, load=load_checkpoint, file=MODEL)
JOINT = System(train=train_joint, save=save_checkpoint, load=load_checkpoint, file=MODEL)
ENCODER = System(train=train_encoder, save=save_checkpoint, load=load_checkpoint, file=MODEL)
CCG = System(train=train_ccg, save=save_ccg, load=load_ccg, file=FILE)

SYSTEMS = (PIPELINE, JOINT, ENCODER, CCG)


def system_of(folder: str | Path) -> System:
    """The system that wrote a checkpoint.

    If none did, this is the pipeline, whose `load` reports what is wrong with the folder.
    """
    return next((system for system in SYSTEMS if (Path(folder) / system.file).is_file()), PIPELINE)
