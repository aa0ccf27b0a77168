"""The available systems, and which of them wrote a checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from eqparse.systems.ccg.checkpoint import FILE, load_ccg, save_ccg
from eqparse.systems.checkpoint import load_checkpoint, save_checkpoint
from eqparse.systems.folder import FILES
from eqparse.systems.system import System


def deferred(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported when it is first called: a parser that is loaded needs no code for training."""
    return lambda *given, **options: getattr(import_module(module), name)(*given, **options)


PIPELINE = System(
    train=deferred("eqparse.training.train", "train_parser"), save=save_checkpoint, load=load_checkpoint, files=FILES
)
JOINT = replace(PIPELINE, train=deferred("eqparse.systems.joint.training", "train_joint"))
ENCODER = replace(PIPELINE, train=deferred("eqparse.systems.encoder.training", "train_encoder"))
CCG = System(train=deferred("eqparse.systems.ccg.training", "train_ccg"), save=save_ccg, load=load_ccg, files=(FILE,))

SYSTEMS = (PIPELINE, JOINT, ENCODER, CCG)


def system_of(folder: str | Path) -> System:
    """The system that wrote a checkpoint.

    If none did, this is the pipeline, whose `load` reports what is wrong with the folder.
    """
    return next((system for system in SYSTEMS if (Path(folder) / system.files[0]).is_file()), PIPELINE)
