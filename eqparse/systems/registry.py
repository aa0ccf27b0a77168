"""The systems that come with eqparse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from eqparse.corpus.example import Example
from eqparse.systems.ccg.checkpoint import FILE, CcgCheckpoint, load_ccg, save_ccg
from eqparse.systems.ccg.training import CcgTraining, train_ccg
from eqparse.systems.checkpoint import MODEL, load_checkpoint, save_checkpoint
from eqparse.systems.joint.training import train_joint
from eqparse.systems.system import System
from eqparse.text.mentions import Mentions
from eqparse.training.options import StageOptions
from eqparse.training.train import Progress, Training, train_parser


def _joint(
    examples: Sequence[Example], mentions: Sequence[Mentions], *, auxiliary: object = (), **options: Any
) -> Training:
    """Joint learning treats auxiliary sentences as it does the others."""
    return train_joint(examples, mentions, **options)


def _ccg(
    examples: Sequence[Example],
    mentions: Sequence[Mentions],
    *,
    beam: int,
    epochs: int,
    induce: bool,
    options: StageOptions,
    seed: int,
    progress: Progress | None,
    **others: Any,
) -> CcgTraining:
    """The CCG parser has no stages, no solver and no use for a GPU."""
    return train_ccg(
        examples, mentions, beam=beam, epochs=epochs, induce=induce, limits=options.limits, seed=seed, progress=progress
    )


def _load_ccg(folder: str | Path, *, device: torch.device | str = "cpu") -> CcgCheckpoint:
    return load_ccg(folder)


PIPELINE = System(train=train_parser, save=save_checkpoint, load=load_checkpoint, file=MODEL)
JOINT = System(train=_joint, save=save_checkpoint, load=load_checkpoint, file=MODEL)
CCG = System(train=_ccg, save=save_ccg, load=_load_ccg, file=FILE)
