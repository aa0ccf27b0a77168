"""Other layers in the place of a transformer's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from torch import nn

Layer = TypeVar("Layer", bound=nn.Module)


def replace_layers(model: nn.Module, kind: type[Layer], make: Callable[[Layer], nn.Module]) -> None:
    """Replace every layer of exactly that class, wherever it is in a model, by what `make` makes of it."""
    for parent in list(model.modules()):
        for name, layer in list(parent.named_children()):
            if type(layer) is kind:
                setattr(parent, name, make(layer))
