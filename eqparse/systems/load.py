"""`load`: makes a parser of texts from a checkpoint, by default from the model that ships with the package."""

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
    """The parser in a checkpoint, whichever system wrote it.

    path: the checkpoint's folder, by default the model that ships with the package.
    device: "cpu", "cuda", "cuda:1", or "auto" for a GPU if there is one.
    pipeline: the spaCy package to annotate with; "auto" uses an installed English one.

    Raises CheckpointError if the checkpoint cannot be used, ConfigError if the pipeline is not installed or the device
    is not available. Warns if the checkpoint was trained with another pipeline.
    """
    checkpoint = read_checkpoint(SHIPPED if path is None else path, device=device)
    annotator = Annotator(pipeline=pipeline)
    if same_weights(annotator.version) != same_weights(checkpoint.annotator):
        warnings.warn(
            f"the checkpoint was trained with the spaCy pipeline {checkpoint.annotator}, and {annotator.version} is "
            "installed; some parses may be worse unless you install that version",
            stacklevel=2,
        )
    return Parser(annotator, checkpoint.parser)


def read_checkpoint(folder: str | Path, *, device: torch.device | str = "cpu") -> LoadedModel:
    """The checkpoint in a folder, whichever system wrote it. Raises CheckpointError and ConfigError as `load` does."""
    device = find_device(device)
    return system_of(folder).load(folder, device=device)
