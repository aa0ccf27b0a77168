"""The devices that training and parsing run on."""

from __future__ import annotations

import torch

from eqparse.errors import ConfigError


def find_device(name: torch.device | str) -> torch.device:
    """The torch device of that name; "auto" takes a GPU if there is one. Raises ConfigError if it does not exist."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except (RuntimeError, TypeError) as error:
        raise ConfigError(f"device: expected cpu, cuda, cuda:N or auto; found {name!r}") from error
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise ConfigError(f"device: expected one of {torch.cuda.device_count()} GPUs that torch sees, found {name!r}")
    if device.type not in ("cpu", "cuda"):
        raise ConfigError(f"device: expected cpu, cuda, cuda:N or auto; found {name!r}")
    return device
