"""Checkpoints that were damaged by accident or on purpose, for `attack.py`."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from eqparse.systems.checkpoint import FORMAT, checksum
from eqparse.systems.folder import CONFIG, METRICS, MODEL
from eqparse.systems.weights import tensor_checksum

Files = dict[str, bytes]
Draw = random.Random
BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))
VALUES = (None, -1, 0, 10**30, 1.5, float("nan"), "", "x", [], {}, [[]], True, "../../x", ["x"] * 50)


def sealed(files: Files, tensors: dict[str, np.ndarray] | None = None) -> Files:
    """The files with checksums that fit, as somebody would write them who means harm."""
    tensors = load_tensors(files[MODEL]) if tensors is None else tensors
    sums = {name: checksum(files[name]) for name in (CONFIG, METRICS)} | {MODEL: tensor_checksum(tensors)}
    return files | {MODEL: save_tensors(tensors, metadata={"format": FORMAT, **sums})}


def flipped(draw: Draw, files: Files) -> Files:
    """Some bits of one file are flipped, most often near its beginning."""
    name = draw.choice(list(files))
    data = bytearray(files[name])
    for _ in range(draw.choice((1, 1, 3, 40))):
        data[draw.randrange(draw.choice((64, len(data))) if len(data) > 64 else len(data))] ^= 1 << draw.randrange(8)
    return files | {name: bytes(data)}


def cut(draw: Draw, files: Files) -> Files:
    """One file is cut short, or has more at its end."""
    name = draw.choice(list(files))
    data = files[name]
    return files | {name: data[: draw.randrange(len(data))] if draw.random() < 0.8 else data + draw.randbytes(99)}


def swapped(draw: Draw, files: Files) -> Files:
    """Two files are swapped, or one is missing, empty or noise."""
    name, other = draw.sample(list(files), 2)
    how = draw.randrange(4)
    if how == 0:
        return files | {name: files[other], other: files[name]}
    if how == 1:
        return {key: data for key, data in files.items() if key != name}
    return files | {name: b"" if how == 2 else draw.randbytes(draw.randrange(1, 5000))}


def bombed(draw: Draw, files: Files) -> Files:
    """A YAML document that grows when it is read, nests without end, or asks for objects; sealed."""
    depth = draw.choice((50, 2000, 100_000))
    text = draw.choice((
        BOMB, "a: " + "[" * depth, "a: " + "[" * depth + "]" * depth, "a: &a [*a]\n", "a: " + "9" * 5000, "\t",
        "a: {" * min(depth, 2000), "? " * min(depth, 2000), "- " * min(depth, 2000), "a: 1\na: 2\n",
        "%YAML 9.9\n---\n", "!!python/object/apply:os.getcwd []",
    ))
    whole = files[CONFIG].decode() + "\n" + text if draw.random() < 0.5 else text
    return sealed(files | {CONFIG: whole.encode()})


def nested_metrics(draw: Draw, files: Files) -> Files:
    """A metrics.json that nests without end or is no JSON; sealed."""
    depth = draw.choice((50, 2000, 100_000))
    text = draw.choice(("[" * depth, "[" * depth + "]" * depth, '{"a":' * depth, "NaN", "1" * 5000, "", "{", "\ud800"))
    return sealed(files | {METRICS: text.encode(errors="surrogatepass")})


def misdescribed(draw: Draw, files: Files) -> Files:
    """A value of config.yaml is of another kind, gone, or from another version; sealed."""
    document = yaml.safe_load(files[CONFIG])
    place: Any = document
    while True:
        key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if not isinstance(place[key], (dict, list)) or not place[key] or draw.random() < 0.3:
            break
        place = place[key]
    if draw.random() < 0.3:
        del place[key]
    else:
        place[key] = draw.choice(VALUES)
    return sealed(files | {CONFIG: yaml.safe_dump(document, sort_keys=False).encode()})


def misshapen(draw: Draw, files: Files) -> Files:
    """A tensor has another shape or type, is not finite, missing or one too many; sealed."""
    tensors = load_tensors(files[MODEL])
    name = draw.choice([key for key in tensors if tensors[key].size])
    values = tensors[name]
    how = draw.randrange(6)
    if how == 0:
        del tensors[name]
    elif how == 1:
        tensors[f"{name}.more"] = values
    elif how == 2:
        tensors[name] = values[: draw.randrange(len(values))]
    elif how == 3:
        tensors[name] = values.astype(draw.choice((np.float32, np.int64, np.float64)))
    elif how == 4:
        tensors[name] = values[None]
    else:
        name = next(key for key in tensors if tensors[key].dtype == np.float16)
        tensors[name] = tensors[name].copy()
        tensors[name][draw.randrange(len(tensors[name]))] = draw.choice((np.nan, np.inf, -np.inf))
    return sealed(files, tensors)


DAMAGES: tuple[Callable[[Draw, Files], Files], ...] = (
    flipped, cut, swapped, bombed, nested_metrics, misdescribed, misdescribed, misshapen,
)


def damaged(draw: Draw, files: Files, folder: Path) -> str:
    """Write damaged files into an empty folder; returns how they were damaged."""
    damage = draw.choice(DAMAGES)
    for name, data in damage(draw, files).items():
        (folder / name).write_bytes(data)
    return damage.__name__
