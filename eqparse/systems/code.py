"""The identity of the package's code, which a version alone does not tell while it is being changed."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

APART = ("__main__.py", "analysis", "commands")
"""Code that displays results or starts commands, and so cannot change a result."""


def hash_of(data: bytes) -> str:
    """A hash of bytes, as 16 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


@cache
def code_hash() -> str:
    """A hash of the package's code and rules, as they are at the first call."""
    root = Path(__file__).parents[1]
    files = {path.relative_to(root): path for path in sorted([*root.rglob("*.py"), *root.rglob("*.toml")])}
    code = [f"{name.as_posix()}\n".encode() + path.read_bytes() for name, path in files.items()
            if name.parts[0] not in APART]
    return hash_of(b"".join(code))
