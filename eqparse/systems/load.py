"""`load`: from a checkpoint, or the model that ships, to a parser of texts."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch

from eqparse.parser.texts import Parser
from eqparse.scoring.devices import find_device
from eqparse.systems.registry import system_of
from eqparse.systems.system import LoadedModel
from eqparse.text.annotate import Annotator, same_weights

SHIPPED = Path(__file__).parents[1] / "pretrained"


def load(
    path: str | Path | None = None, *, device: torch.device | str = "cpu", pipeline: str = "auto"
) -> Parser:
    """The parser of a checkpoint, of whichever system, or of the one that ships with the package.

    pipeline: the spaCy package to annotate with; "auto" takes whichever English one is installed.

    Raises CheckpointError for a checkpoint that cannot be used, ConfigError where the pipeline is not installed or the
    device is not there. Warns where the pipeline is another one than the checkpoint was trained with.
    """
    checkpoint = read_checkpoint(SHIPPED if path is None else path, device=device)
    annotator = Annotator(pipeline=pipeline)
    if same_weights(annotator.version) != same_weights(checkpoint.annotator):
        warnings.warn(
            f"the checkpoint was trained with the spaCy pipeline {checkpoint.annotator}, and {annotator.version} is "
            "installed; expect some worse parses, or install that version",
            stacklevel=2,
        )
    return Parser(annotator, checkpoint.parser)


def read_checkpoint(folder: str | Path, *, device: torch.device | str = "cpu") -> LoadedModel:
    """The checkpoint in a folder, whichever system wrote it. Raises what `load` does."""
    device = find_device(device)
    return system_of(folder).load(folder, device=device)
