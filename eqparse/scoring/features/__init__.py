"""Step 3, what a part looks like: hashed sparse features of quantities, phrases, pairs of phrases and tree nodes.

Raise `VERSION` whenever a template changes, or what a feature's values mean: a checkpoint trained with other features
is refused by it. `eqparse.systems.signature` catches it where that was forgotten.
"""

from __future__ import annotations

VERSION = 2
