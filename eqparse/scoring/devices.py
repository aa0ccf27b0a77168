"""The devices that training and parsing run on; torch is imported only where one is looked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from eqparse.errors import ConfigError

if TYPE_CHECKING:
    import torch


def check_device_name(name: str) -> None:
    """Raise ConfigError for a name that is no device's."""
    if not re.fullmatch(r"auto|cpu(:0)?|cuda(:\d{1,4})?", name):
        raise ConfigError(f"device: expected cpu, cuda, cuda:N or auto; found {name!r}")


def find_device(name: torch.device | str) -> torch.device:
    """The torch device of that name; "auto" takes a GPU if there is one. Raises ConfigError if it does not exist."""
    import torch

    check_device_name(str(name))
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(name)
    if device.type == "cuda" and (device.index or 0) >= (count := torch.cuda.device_count()):
        expected = f"one of {count} GPUs that torch sees" if count else "cpu, as torch sees no GPU"
        raise ConfigError(f"device: expected {expected}; found {str(name)!r}")
    return device
