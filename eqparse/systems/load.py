"""`load`: makes a parser of texts from a checkpoint, by default from a model that ships with the package."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch

from eqparse.parser.confidence import expect
from eqparse.parser.texts import Parser
from eqparse.scoring.devices import find_device
from eqparse.scoring.encoder.precision import Precision, find_precision, use_precision
from eqparse.systems.folder import DEFAULT, find_checkpoint
from eqparse.systems.registry import system_of
from eqparse.systems.system import LoadedModel
from eqparse.text.annotate import Annotator, same_weights


def load(
    path: str | Path = DEFAULT,
    *,
    device: torch.device | str = "cpu",
    pipeline: str = "auto",
    precision: str = Precision.auto,
    min_confidence: float | None = None,
    prevalence: float | None = None,
) -> Parser:
    """The parser in a checkpoint, whichever system wrote it.

    path: "fast", "accurate" or "best" for a model that ships with the package, or a checkpoint's folder;
        by default "accurate" if the extra `encoder` is installed, otherwise "fast".
    device: "cpu", "cuda", "cuda:1", or "auto" for a GPU if there is one.
    pipeline: the spaCy package to annotate with; "auto" uses an installed English one.
    precision: the arithmetic of an encoder, "float32" or "bfloat16"; "auto" takes bfloat16 on a processor that has
        instructions for it, which is faster and changes few parses (`python benchmarks/models.py` counts them).
    min_confidence: answers with less confidence are withheld, for the reason `low_confidence`; by default none are.
    prevalence: the share of the texts that states an equation, above 0 and below 1, if you know it: confidences are
        fitted to it, and so the less is answered the rarer equations are. By default that among the sentences of the
        calibration.

    Raises CheckpointError if the checkpoint cannot be used, ConfigError if the pipeline or what an encoder needs is not
    installed, the device is not available, there is no such precision, or a confidence or prevalence is asked for and
    the checkpoint has no calibration for it. Warns if the checkpoint was trained with another pipeline.
    """
    checkpoint = ready_checkpoint(path, device=device, precision=precision, prevalence=prevalence)
    annotator = Annotator(pipeline=pipeline)
    warn_of_another_pipeline(checkpoint, annotator.version)
    return Parser(annotator, checkpoint.parser, min_confidence=min_confidence)


def ready_checkpoint(
    path: str | Path, *, device: torch.device | str = "cpu", precision: str = Precision.auto,
    prevalence: float | None = None,
) -> LoadedModel:
    """The checkpoint in a folder, or of a shipped model's name, in the precision and for the prevalence to parse with.

    Raises CheckpointError and ConfigError as `load` does.
    """
    precision = find_precision(precision, find_device(device))
    checkpoint = read_checkpoint(path, device=device)
    encoder = getattr(checkpoint.parser, "encoder", None)
    if encoder is not None:
        use_precision(encoder.model, precision)
    expect(checkpoint.parser, prevalence)
    return checkpoint


def warn_of_another_pipeline(checkpoint: LoadedModel, version: str) -> None:
    """Warn if the spaCy pipeline of that version is not the one that the checkpoint was trained with."""
    if same_weights(version) != same_weights(checkpoint.annotator):
        warnings.warn(
            f"the checkpoint was trained with the spaCy pipeline {checkpoint.annotator}, and {version} is installed; "
            "some parses may be worse unless you install that version",
            stacklevel=3,
        )


def read_checkpoint(folder: str | Path, *, device: torch.device | str = "cpu") -> LoadedModel:
    """The checkpoint in a folder, or of a shipped model's name, whichever system wrote it, in single precision.

    Raises CheckpointError and ConfigError as `load` does.
    """
    device = find_device(device)
    folder = find_checkpoint(folder)
    return system_of(folder).load(folder, device=device)
