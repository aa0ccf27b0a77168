"""The files of a checkpoint's folder. Imports neither torch nor spaCy, so what is missing is said at once."""

from __future__ import annotations

from pathlib import Path

from eqparse.errors import CheckpointError

MODEL, CONFIG, METRICS = FILES = ("model.safetensors", "config.yaml", "metrics.json")


def check_folder(folder: str | Path) -> None:
    """Raise CheckpointError for a path that is not a folder, or is an empty one."""
    folder = Path(folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        found = "an empty one" if folder.is_dir() else "a file" if folder.exists() else "nothing there"
        raise CheckpointError(f"checkpoint {folder}: expected a folder with {', '.join(FILES)}; found {found}")
